"""The kept scores of all replicates, evaluated under every reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve.algebra import kappa_from_rates
from kappacurve.bounds import auk_bounds, printed_interval
from study.companions.curves import Points, curve_of
from study.companions.kaymak2010_experiment import (
    LEAST,
    STATED_PREVALENCE as STATED,
    Pair,
    published_pairs,
)
from study.paper.readings import RIGHT, STEPS, Area, Reading, View
from study.published import Numbers, values_by_model
from study.replicates.evaluation import Kinds, measures_by_kind
from study.tables.joint import AREAS, POINT, Distance, distance_of, joint_distance, joint_values
from study.tables.reversals import AUK_BY, CURVES, reversal_patterns
from study.tables.shares import share_with_interval

# What is compared with the splits: of an area, of an operating point, of both.
EIGHT, GIVEN, EIGHT_BUT_ONE = "eight areas", "four AUKs given four AUCs", "eight areas but one"
TRAPEZOID, TRAPEZOID_BUT_ONE = "trapezoid rule", "trapezoid rule, one pair"
REVERSAL, AS_LARGE = "reversal", "reversal as large"
THREE, THREE_BUT_ONE = "three numbers", "three numbers but one"
ELEVEN, COINCIDENCE = "eleven numbers", "kappa has the digits of t - f"
AXES = ["point", "rate", "point_class"]  # which the areas alone do not depend on
KEY = ["area", *AXES, "prevalence", "compared"]
COLUMNS = [*KEY, "cells", "least", "near", "far", "typical", "encoding", "network", "integration"]
COLUMNS += ["replicates", "count", "share", "low", "high"]
Row = dict[str, object]
# Of each replicate, by curve and model.
Curves = dict[tuple[str, ...], dict[int, Points]]


class Splits:
    """A cell: kept scores of the linear model and one network, measured when a reading asks."""

    def __init__(self, encoding: str, network: str, scores: pd.DataFrame) -> None:
        self.encoding, self.network = encoding, network
        by_replicate = scores[scores["model"] == "linear"].groupby("replicate")
        self.share_minority = by_replicate["minority"].mean()
        self.count = scores.groupby("model")["replicate"].nunique().min()
        self._measured = cache(lambda of_minority: measures_by_kind(scores, of_minority))
        curves = cache(lambda: _curves(scores))
        self._points = cache(lambda rule: _points(curves(), rule))
        # AUC and AUK by view, share of bad rows and integration rule.
        self.areas = cache(self._areas)

    def measures(self, view: View, share_minority: float | None) -> Kinds:
        """As the view has them, at one share of bad rows or at that of each split's test rows."""
        return self._measured(view.of_minority(share_minority))[view.positive]

    def _areas(self, view: View, share_minority: float | None, rule: str) -> Kinds:
        """AUC and AUK by an integration rule; by one that is not ours with bad positive."""
        if rule in AUK_BY:
            kinds = self.measures(view, share_minority)
            return {kind: own.assign(auk=own[AUK_BY[rule]]) for kind, own in kinds.items()}
        found = {}
        for kind, (replicates, fpr, tpr) in self._points(rule).items():
            own = self.share_minority.loc[replicates].to_numpy()[:, None]
            p = view.at(own if share_minority is None else share_minority)
            areas = {}
            for name, height in (("auc", tpr), ("auk", kappa_from_rates(fpr, tpr, p))):
                left = height[:, 1:] if rule == RIGHT else height[:, :-1]
                areas[name] = ((left + height[:, 1:]) / 2 * np.diff(fpr)).sum(axis=1)
            found[kind] = pd.DataFrame(areas, index=replicates)
        return found


def _curves(scores: pd.DataFrame) -> Curves:
    """The raw curves and hulls of the replicates that have both classes, by curve and model."""
    curves: Curves = {}
    minority, score = scores["minority"].to_numpy(dtype=float), scores["score"].to_numpy()
    places: Any = scores.groupby(["replicate", "model"]).indices
    for (replicate, model), rows in places.items():
        if 0 < minority[rows].mean() < 1:
            curve = curve_of(model, minority[rows], score[rows])
            for kind, points in (("raw", curve.raw), ("hull", curve.hull)):
                curves.setdefault((kind, model), {})[replicate] = points
    return curves


def _points(curves: Curves, rule: str) -> dict[tuple[str, ...], tuple[list[int], Any, Any]]:
    """Replicates, and what an integration rule takes of their curves, (replicate, point)."""
    found = {}
    for kind, by_replicate in curves.items():
        own = list(by_replicate.values())
        if rule == RIGHT:  # the last point, (1, 1), again and again adds no width
            fpr, tpr = np.ones((2, len(own), max(len(one[0]) for one in own)))
            for row, one in enumerate(own):
                fpr[row, : len(one[0])], tpr[row, : len(one[1])] = one
        else:
            grid = np.linspace(0, 1, round(1 / STEPS[rule]) + 1)
            tpr = np.stack([np.interp(grid, *points) for points in own])
            fpr = np.broadcast_to(grid, tpr.shape)
        found[kind] = list(by_replicate), fpr, tpr
    return found


def simulate(
    readings: Sequence[Reading], cells: Iterable[Splits], numbers: Numbers
) -> dict[tuple[str, ...], Row]:
    """What the replicates say about each area, operating point and reading: the most telling cell.

    By the values of KEY; what a comparison does not depend on is empty, as in :func:`key_of`. Over
    encodings, networks and integration rules it is the cell with the largest share of replicates
    that lie farther out than the published numbers (or that show what is compared), with an
    interval of the largest share; near and far are the smallest and the largest Mahalanobis
    distance of the published numbers over the cells.
    """
    groups: dict[tuple[str, ...], list[Any]] = {}
    for cell in cells:
        own = {"encoding": cell.encoding, "network": cell.network}
        compared = _in_splits(readings, cell, numbers) if cell.count >= LEAST else []
        for row in compared:
            groups.setdefault(tuple(str(row[name]) for name in KEY), []).append(own | row)
    return {key: _most(group) for key, group in groups.items()}


def _most(group: Sequence[Any]) -> Row:
    """The cell with the largest share, and the 95 % interval of the largest share of all cells.

    It lies above the lower ends that hold for all cells at once, and below the largest upper end:
    the cell whose true share is largest has one.
    """
    shares = [row["share"] for row in group]
    lows = [
        share_with_interval(row["count"], row["replicates"], intervals=len(group))["low"]
        for row in group
    ]
    distances = [row["distance"] for row in group if "distance" in row]
    return {
        "typical": np.nan,
        **group[int(np.nanargmax(shares))],
        "cells": len(group),
        "least": np.nanmin(shares),
        "near": min(distances, default=np.nan),
        "far": max(distances, default=np.nan),
        "low": np.nanmax(lows),
        "high": np.nanmax([row["high"] for row in group]),
    }


def _in_splits(readings: Sequence[Reading], splits: Splits, numbers: Numbers) -> list[Row]:
    """Every comparison of every reading's parts, each part once."""
    rows: list[Row] = []
    eight: dict[tuple[str, str, str], tuple[pd.DataFrame, dict[str, float]]] = {}
    for area, prevalence, share_minority in dict.fromkeys(
        (one.area, one.prevalence, one.share_minority) for one in readings if one.area.views
    ):
        where = {**dict.fromkeys(AXES, ""), "area": area.name, "prevalence": prevalence}
        taken = next(one for one in readings if one.area == area).printed(numbers)
        for rule in area.rules:
            found = eight_areas(splits, taken, area, share_minority, rule)
            eight[area.name, prevalence, rule] = found
            rows += [where | {"integration": rule} | row for row in _of_areas(*found)]
            if rule != "exact":
                bridged = _bridged(published_pairs(taken), area, share_minority, splits, rule)
                rows += [where | {"integration": rule} | row for row in bridged]
    points: dict[Any, tuple[pd.DataFrame, dict[str, float], list[Row]]] = {}
    for one in readings:
        where = {**one._asdict(), "area": one.area.name, "integration": "either"}
        key = one.view, one.rate, one.share_minority
        if key not in points:
            found = operating_points(splits, numbers, one)
            points[key] = *found, _of_point(*found)
        values, point, compared = points[key]
        rows += [where | row for row in compared]
        for rule in one.area.rules if one.area.views else ():
            areas, printed = eight[one.area.name, one.prevalence, rule]
            joint = pd.concat([areas, values], axis=1, join="inner")
            distance = joint_distance(joint, printed | point)
            rows.append(where | {"integration": rule} | _farther(ELEVEN, distance))
    return rows


def key_of(reading: Reading, compared: str) -> tuple[str, ...]:
    """Where a comparison of a reading stands in the table: what it does not depend on is empty."""
    axes = {**reading._asdict(), "area": reading.area.name}
    of_area = compared not in (THREE, THREE_BUT_ONE, COINCIDENCE, ELEVEN)
    return (*("" if of_area and name in AXES else axes[name] for name in KEY[:-1]), compared)


def eight_areas(
    splits: Splits, numbers: Numbers, area: Area, share_minority: float | None, rule: str
) -> tuple[pd.DataFrame, dict[str, float]]:
    """The areas of every replicate under a reading, and the printed ones."""
    named = splits.network, "exact", values_by_model(numbers), AREAS
    by_view = [
        joint_values(splits.areas(view, share_minority, rule), *named) for view in area.views
    ]
    areas, printed = by_view[0][0].copy(), by_view[0][1]
    at = splits.share_minority.loc[areas.index] if share_minority is None else share_minority
    for name in areas:
        if str(name).endswith("auk"):
            weighted = zip(area.weights(at), by_view, strict=True)
            areas[name] = sum(weight * values[name] for weight, (values, _) in weighted)
    return areas, printed


def operating_points(
    splits: Splits, numbers: Numbers, reading: Reading
) -> tuple[pd.DataFrame, dict[str, float]]:
    """The operating point of every replicate under a reading, and the printed one."""
    lookup = values_by_model(reading.printed(numbers))
    measures = splits.measures(reading.view, reading.share_minority)
    return joint_values(measures, splits.network, "exact", lookup, POINT)


def _of_areas(values: pd.DataFrame, printed: Mapping[str, float]) -> list[Row]:
    """Distances of the printed areas, and the published reversal on hull and raw curve both."""
    if len(values.columns) < 2:  # published.csv may lack numbers
        return []
    names = values.columns.astype(str)
    rows = [
        _farther(EIGHT, joint_distance(values, printed)),
        _farther(GIVEN, joint_distance(values, printed, [n for n in names if n.endswith("auc")])),
        _without_one(EIGHT_BUT_ONE, values, printed),
    ]
    if len(names) == len(AREAS):
        lead = {
            curve: pd.DataFrame(
                {
                    name: values[f"{curve} linear {name}"] - values[f"{curve} network {name}"]
                    for name in ("auc", "auk")
                }
            )
            for curve in CURVES
        }
        shown = reversal_patterns(lead, "auc", "auk")
        rows.append(_counted(REVERSAL, shown["published"]["both"]))
        rows.append(_counted(AS_LARGE, shown["as_large"]["both"]))
    return rows


def _without_one(compared: str, values: pd.DataFrame, printed: Mapping[str, float]) -> Row:
    """The distance without the number whose misprint would explain most."""
    numbers, theirs = values.to_numpy(), np.array([printed[str(name)] for name in values])
    distances = [
        distance_of(np.delete(numbers, place, axis=1), np.delete(theirs, place))
        for place in range(len(theirs))
    ]
    return _farther(compared, max(distances, key=lambda distance: distance.farther))


def _bridged(
    pairs: Sequence[Pair], area: Area, share_minority: float | None, splits: Splits, rule: str
) -> list[Row]:
    """Replicates whose AUKs by a rule lie as far from the exact ones as the printed ones have to.

    Those of all hulls, and of the one hull in which more do.
    """
    at, flags = STATED if share_minority is None else share_minority, {}
    for pair in pairs:
        if pair.curve != "hull":
            continue
        model = "linear" if pair.model == "linear" else splits.network
        off = []
        for view, weight in zip(area.views, area.weights(at), strict=True):
            exact = splits.measures(view, share_minority)["hull", model]["auk"]
            by_rule = splits.areas(view, share_minority, rule)["hull", model]["auk"]
            off.append((weight * (by_rule - exact)).dropna())
        least, most = gap_needed(pair, area, at)
        gap = pd.concat(off, axis=1).sum(axis=1)
        flags[pair.model] = gap.between(least - 1e-9, most + 1e-9)
    if not flags:
        return []
    both = pd.concat(flags, axis=1, join="inner")
    easier = both[both.mean().idxmax()]
    return [_counted(TRAPEZOID, both.all(axis=1)), _counted(TRAPEZOID_BUT_ONE, easier)]


def _of_point(values: pd.DataFrame, printed: Mapping[str, float]) -> list[Row]:
    """Distances of the printed point, and how often its kappa has the digits of t - f."""
    if values.empty or len(printed) < len(POINT):
        return []
    kappa, fpr, tpr = (values[" ".join(place)] for place in POINT)
    same = (tpr.round(3) - fpr.round(2) - kappa.round(3)).abs() < 1e-9
    return [
        _farther(THREE, joint_distance(values, printed)),
        _without_one(THREE_BUT_ONE, values, printed),
        _counted(COINCIDENCE, same),
    ]


def _farther(compared: str, distance: Distance) -> Row:
    counted = share_with_interval(distance.farther, distance.replicates)
    own = {"distance": distance.distance, "typical": distance.typical, "count": distance.farther}
    return {"compared": compared, "replicates": distance.replicates, **own, **counted}


def _counted(compared: str, flags: npt.ArrayLike) -> Row:
    k, n = int(np.sum(flags)), np.size(flags)
    return {"compared": compared, "replicates": n, "count": k, **share_with_interval(k, n)}


@cache
def exact_range(pair: Pair, area: Area, share_minority: float) -> tuple[float, float]:
    """Exact AUKs that a printed AUC leaves possible, by the bounds of the views.

    Of an area over the flagged share they are the weighted ends, which no curve need reach.
    """
    if not area.views:
        low, high = printed_interval(pair.auc.value, pair.auc.decimals)
        return low - 0.5, high - 0.5
    ends = np.zeros(2)
    for view, weight in zip(area.views, area.weights(share_minority), strict=True):
        bounds = auk_bounds(pair.auc.value, view.at(share_minority), curve=pair.curve)
        ends += weight * np.array([float(bounds.lower), float(bounds.upper)])
    return float(ends[0]), float(ends[1])


def gap_needed(pair: Pair, area: Area, share_minority: float) -> tuple[float, float]:
    """How far the trapezoid AUK must lie from the exact one to give the printed AUK, from, to.

    Any gap will do where the exact range holds the printed AUK.
    """
    low, high = exact_range(pair, area, share_minority)
    printed = printed_interval(pair.auk.value, pair.auk.decimals)
    above, below = printed.low - high, low - printed.high
    return above if above > 0 else -np.inf, -below if below > 0 else np.inf
