"""The kept scores of all replicates, evaluated under every reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve.bounds import auk_bounds, printed_interval
from study.analysis.joint import (
    ELEVEN as ELEVEN_NUMBERS,
    POINT,
    Distance,
    joint_distance,
    joint_values,
)
from study.analysis.parts import Kinds, by_kind
from study.analysis.reversals import AUK_BY, CURVES, published_gaps
from study.analysis.shares import share_with_interval
from study.arrays import BoolArray, FloatArray
from study.papers.kaymak2010_experiment import STATED_PREVALENCE as STATED, Pair, published_pairs
from study.published import Numbers, values_by_model
from study.replicates.evaluation import measure_replicates
from study.verdict.readings import Area, Reading, View, as_printed

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
# Fewer replicates than this say nothing about eleven numbers.
LEAST = 30
Row = dict[str, object]
Measured = Callable[[float | str | None], dict[str, Kinds]]


class ScoredCell(NamedTuple):
    """Kept scores of the linear model and one network."""

    encoding: str
    network: str
    scores: pd.DataFrame


class Splits(NamedTuple):
    """A cell's measures at a prevalence of bad rows, its shares of bad rows, its network."""

    measured: Measured
    share_bad: pd.Series
    network: str


def simulate(
    readings: Sequence[Reading], cells: Iterable[ScoredCell], numbers: Numbers
) -> pd.DataFrame:
    """What the replicates say about each area, operating point and reading: the most telling cell.

    Over encodings, networks and integration rules it is the cell with the largest share of
    replicates that lie farther out than the published numbers (or that show what is compared), with
    an interval of the largest share; near and far are the smallest and the largest Mahalanobis
    distance of the published numbers over the cells.
    """
    rows: list[Row] = []
    for cell in cells:
        if cell.scores.groupby("model")["replicate"].nunique().min() < LEAST:
            continue
        measured = cache(lambda of_bad, cell=cell: by_kind(measure_replicates(cell.scores, of_bad)))
        linear = cell.scores[cell.scores["model"] == "linear"]
        splits = Splits(measured, linear.groupby("replicate")["bad"].mean(), cell.network)
        own = {"encoding": cell.encoding, "network": cell.network}
        rows += [own | row for row in _in_splits(readings, splits, numbers)]
    table = pd.DataFrame(rows, columns=[*KEY, *COLUMNS[11:], "typical", "distance"])
    most = [_most(group) for _, group in table.groupby(KEY, sort=False)]
    return pd.DataFrame(most, columns=COLUMNS)


def _most(group: pd.DataFrame) -> Row:
    """The cell with the largest share, and the 95 % interval of the largest share of all cells.

    It lies above the lower ends that hold for all cells at once, and below the largest upper end:
    the cell whose true share is largest has one.
    """
    best = group.iloc[int(group["share"].argmax())]
    lows = [
        share_with_interval(int(k), int(n), intervals=len(group))["low"]
        for k, n in zip(group["count"], group["replicates"], strict=True)
    ]
    spread = {"near": group["distance"].min(), "far": group["distance"].max()}
    ends = {"low": max(lows), "high": group["high"].max()}
    found: Any = best.to_dict()
    return {**found, "cells": len(group), "least": group["share"].min(), **spread, **ends}


def _in_splits(readings: Sequence[Reading], splits: Splits, numbers: Numbers) -> list[Row]:
    """Every comparison of every reading's parts, each part once."""
    areas = dict.fromkeys((one.area, one.prevalence, one.share_bad) for one in readings)
    rows: list[Row] = []
    eight: dict[tuple[str, str, str], pd.DataFrame] = {}
    for area, prevalence, share_bad in areas:
        if not area.views:
            continue
        where = {**dict.fromkeys(AXES, ""), "area": area.name, "prevalence": prevalence}
        for rule in AUK_BY:
            values = _eight(area, share_bad, splits, rule, numbers)
            eight[area.name, prevalence, rule] = values
            rows += [where | {"integration": rule} | row for row in _of_areas(values, numbers)]
        gaps = [
            _bridged(pair, area, share_bad, splits)
            for pair in published_pairs(numbers)
            if pair.curve == "hull"
        ]
        if gaps:
            both = pd.concat(gaps, axis=1, join="inner")
            easier = both[both.mean().idxmax()]
            for name, flags in ((TRAPEZOID, both.all(axis=1)), (TRAPEZOID_BUT_ONE, easier)):
                rows.append(where | {"integration": "trapezoid"} | _counted(name, flags))
    three = cache(lambda view, rate, share_bad: _three(view, rate, share_bad, splits, numbers))
    for reading in readings:
        where = {**reading._asdict(), "area": reading.area.name, "integration": "either"}
        values, printed, of_point = three(reading.view, reading.rate, reading.share_bad)
        rows += [where | row for row in of_point]
        for rule in AUK_BY if reading.area.views else ():
            areas_alone = eight[reading.area.name, reading.prevalence, rule]
            all_printed = _printed(numbers) | printed
            joint = pd.concat([areas_alone, values], axis=1, join="inner")
            found = joint_distance(joint, all_printed)
            rows.append(where | {"integration": rule} | _farther(ELEVEN, found))
    return rows


def key_of(reading: Reading, compared: str) -> tuple[str, ...]:
    """Where a comparison of a reading stands in the table: what it does not depend on is empty."""
    axes = {**reading._asdict(), "area": reading.area.name}
    of_area = compared not in (THREE, THREE_BUT_ONE, COINCIDENCE, ELEVEN)
    return (*("" if of_area and name in AXES else axes[name] for name in KEY[:-1]), compared)


def by_key(simulated: pd.DataFrame) -> dict[tuple[str, ...], Row]:
    """The rows of the table by their keys."""
    rows: list[Any] = simulated.to_dict("records")
    return {tuple(str(row[name]) for name in KEY): row for row in rows}


def _eight(
    area: Area, share_bad: float | None, splits: Splits, rule: str, numbers: Numbers
) -> pd.DataFrame:
    """The eight areas of every replicate under a reading, by "curve model measure"."""
    lookup = values_by_model(numbers)
    tables = []
    for view in area.views:
        kinds = splits.measured(view.of_bad(share_bad))[view.positive]
        values, _ = joint_values(kinds, kinds, splits.network, rule, lookup)
        tables.append(
            values[[name for name in values.columns.astype(str) if name.split()[-1] not in POINT]]
        )
    if len(tables) == 1:
        return tables[0]
    over_f, over_t = tables
    p: pd.Series | float = splits.share_bad.loc[over_f.index] if share_bad is None else share_bad
    mixed = over_f.copy()
    for name in mixed:
        if str(name).endswith("auk"):
            mixed[name] = (1 - p) * over_f[name] + p * over_t[name]
    return mixed


def _printed(numbers: Numbers) -> dict[str, float]:
    """The printed numbers by the names of the columns; the network's stand beside any network."""
    return {
        f"{curve} {'linear' if model == 'linear' else 'network'} {measure}": number.value
        for (_, curve, model, measure), number in numbers.items()
        if measure in ("auc", "auk")
    }


def _of_areas(values: pd.DataFrame, numbers: Numbers) -> list[Row]:
    """Distances of the printed areas, and the published reversal."""
    printed = _printed(numbers)
    if len(values.columns) < 2:  # published.csv may lack numbers
        return []
    aucs = [name for name in values.columns.astype(str) if name.endswith("auc")]
    rows = [
        _farther(EIGHT, joint_distance(values, printed)),
        _farther(GIVEN, joint_distance(values, printed, aucs)),
        _without_one(EIGHT_BUT_ONE, values, printed),
    ]
    if len(values.columns) == len(ELEVEN_NUMBERS) - len(POINT):
        shown, large = _reversals(values)
        rows += [_counted(REVERSAL, shown), _counted(AS_LARGE, large)]
    return rows


def _without_one(compared: str, values: pd.DataFrame, printed: Mapping[str, float]) -> Row:
    """The distance without the number whose misprint would explain most."""
    found = [joint_distance(values.drop(columns=name), printed) for name in values]
    return _farther(compared, max(found, key=lambda one: one.farther))


def _reversals(values: pd.DataFrame) -> tuple[BoolArray, BoolArray]:
    """Splits in which, on hull and raw curve both, AUC prefers linear and AUK the network."""
    shown = large = np.ones(len(values), dtype=bool)
    for curve in CURVES:
        auc, auk = (
            (values[f"{curve} linear {name}"] - values[f"{curve} network {name}"]).to_numpy()
            for name in ("auc", "auk")
        )
        gaps = published_gaps(curve)
        shown = shown & (auc > 0) & (auk < 0)
        # Printed numbers differ by whole units of the fourth decimal; floats do so nearly.
        large = large & (auc >= gaps["auc"] - 1e-9) & (auk <= gaps["auk"] + 1e-9)
    return shown, large


def _bridged(pair: Pair, area: Area, share_bad: float | None, splits: Splits) -> pd.Series:
    """Replicates whose trapezoid AUK lies as far from the exact one as the printed one has to."""
    model = "linear" if pair.model == "linear" else splits.network
    at = STATED if share_bad is None else share_bad
    weights = [1.0] if len(area.views) == 1 else [1 - at, at]
    hulls = [
        splits.measured(view.of_bad(share_bad))[view.positive]["hull", model].dropna()
        for view in area.views
    ]
    off = [
        weight * (hull["auk_trapezoid"] - hull["auk"])
        for weight, hull in zip(weights, hulls, strict=True)
    ]
    least, most = gap_needed(pair, area, at)
    return pd.concat(off, axis=1).sum(axis=1).between(least - 1e-9, most + 1e-9).rename(pair.model)


def _three(
    view: View, rate: str, share_bad: float | None, splits: Splits, numbers: Numbers
) -> tuple[pd.DataFrame, dict[str, float], list[Row]]:
    """The operating point of every replicate and the printed one, and how far they are apart.

    Values are named "curve model measure".
    """
    kinds = splits.measured(view.of_bad(share_bad))[view.positive]
    lookup = values_by_model(as_printed(numbers, rate))
    values, printed = joint_values(kinds, kinds, splits.network, "exact", lookup)
    names = [name for name in values.columns.astype(str) if name.split()[-1] in POINT]
    point = values[names], {name: printed[name] for name in names}
    return *point, _of_point(*point)


def _of_point(values: pd.DataFrame, printed: Mapping[str, float]) -> list[Row]:
    """Distances of the printed point, and how often its kappa has the digits of t - f."""
    if values.empty or len(printed) < len(POINT):
        return []
    kappa, fpr, tpr = (values[f"hull network {name}"] for name in POINT)
    same = (tpr.round(3) - fpr.round(2) - kappa.round(3)).abs() < 1e-9
    return [
        _farther(THREE, joint_distance(values, printed)),
        _without_one(THREE_BUT_ONE, values, printed),
        _counted(COINCIDENCE, same.to_numpy()),
    ]


def _farther(compared: str, found: Distance) -> Row:
    counted = share_with_interval(found.farther, found.replicates)
    own = {"distance": found.distance, "typical": found.typical, "count": found.farther}
    return {"compared": compared, "replicates": found.replicates, **own, **counted}


def _counted(compared: str, flags: BoolArray | FloatArray | pd.Series) -> Row:
    k, n = int(np.sum(flags)), len(flags)
    return {"compared": compared, "replicates": n, "count": k, **share_with_interval(k, n)}


@cache
def exact_range(pair: Pair, area: Area, share_bad: float) -> tuple[float, float]:
    """Exact AUKs that a printed AUC leaves possible, by the bounds of the views.

    Of an area over the flagged share they are the weighted ends, which no curve need reach.
    """
    if not area.views:
        low, high = printed_interval(pair.auc.value, pair.auc.decimals)
        return low - 0.5, high - 0.5
    weights = [1.0] if len(area.views) == 1 else [1 - share_bad, share_bad]
    ends = np.zeros(2)
    for view, weight in zip(area.views, weights, strict=True):
        bounds = auk_bounds(pair.auc.value, view.at(share_bad), curve=pair.curve)
        ends += weight * np.array([float(bounds.lower), float(bounds.upper)])
    return float(ends[0]), float(ends[1])


def gap_needed(pair: Pair, area: Area, share_bad: float) -> tuple[float, float]:
    """How far the trapezoid AUK must lie from the exact one to give the printed AUK, from, to.

    Any gap will do where the exact range holds the printed AUK.
    """
    low, high = exact_range(pair, area, share_bad)
    printed = printed_interval(pair.auk.value, pair.auk.decimals)
    above, below = printed.low - high, low - printed.high
    return above if above > 0 else -np.inf, -below if below > 0 else np.inf
