"""The ROC curves of scored models, of one split or of all replicates, as the studies read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import roc_hull, roc_vertices
from kappacurve.algebra import (
    area_under_curve,
    area_under_kappa,
    kappa_from_rates,
    optimal_slope,
    swapped_classes,
)
from kappacurve.plots.style import letter
from study.arrays import FloatArray
from study.papers.confusion import shares, statistics
from study.published import PAPER_PAIR

GRID = np.linspace(0, 1, 201)
Points = tuple[FloatArray, FloatArray]  # false and true positive rates


class ModelCurve(NamedTuple):
    """One model's labels, scores, ROC curve and hull, with bad as the positive class."""

    model: str
    bad: FloatArray
    score: FloatArray
    raw: Points
    hull: Points

    @property
    def prevalence(self) -> float:
        """Share of bad rows."""
        return float(self.bad.mean())


def curves_of(scores: pd.DataFrame) -> Iterator[ModelCurve]:
    """The curve of every model in a table of scores (bad, model, score)."""
    for model, table in scores.groupby("model", sort=False):
        yield curve_of(str(model), table["bad"].to_numpy(dtype=float), table["score"].to_numpy())


def curve_of(model: str, bad: FloatArray, score: FloatArray) -> ModelCurve:
    """The curve of one model."""
    fpr, tpr, _ = roc_vertices(bad, score)
    return ModelCurve(model, bad, score, (fpr, tpr), roc_hull(fpr, tpr)[:2])


def panel(axes: Any, name: str, title: str, **settings: Any) -> None:
    """Its letter, its title, and what ``axes.set`` takes."""
    letter(axes, name)
    axes.set_title(title, loc="right", color="0.35")
    axes.set(**settings)


class Replicated(NamedTuple):
    """What the replicates' curves have, one row each, and their average kappa at GRID.

    Columns: replicate, model, maxima_raw and maxima_hull (local maxima of kappa), unique (kappa's
    largest value is reached once on the raw curve), optimal (equation 26 at the hull's maximum),
    auc and auk (of the hull, good positive); fpr and fpr_youden of the hull's optimum by kappa and
    by t - f (bad positive); and of the raw curve's largest kappa: kappa, accuracy, chance (share of
    the hits). Crossings: whether the two models' curves intersect (raw, hull), by replicate.
    """

    curves: pd.DataFrame
    average: dict[tuple[str, str], FloatArray]
    crossings: pd.DataFrame


def replicated(scores: pd.DataFrame) -> Replicated:
    """Curves of the paper's two models, and the average kappa of their hulls for either class."""
    rows, kappas = [], defaultdict(list)
    by_replicate: dict[Any, dict[str, ModelCurve]] = defaultdict(dict)
    bad, score = scores["bad"].to_numpy(dtype=float), scores["score"].to_numpy()
    places: Any = scores.groupby(["replicate", "model"]).indices
    for (replicate, model), place in places.items():
        if model not in PAPER_PAIR or not 0 < bad[place].mean() < 1:
            continue
        curve = curve_of(str(model), bad[place], score[place])
        by_replicate[replicate][curve.model] = curve
        rows.append({"replicate": replicate, "model": model, **_found(curve)})
        hull, p = curve.hull, curve.prevalence
        for positive, points, share in (("good", swapped_classes(*hull), 1 - p), ("bad", hull, p)):
            kappa = kappa_from_rates(GRID, np.interp(GRID, *points), share)
            kappas[positive, curve.model].append(kappa)
    average = {place: np.mean(of_all, axis=0) for place, of_all in kappas.items()}
    crossings = [
        {"replicate": replicate, "raw": intersect(*raws), "hull": intersect(*hulls)}
        for replicate, of_model in by_replicate.items()
        if set(of_model) == set(PAPER_PAIR)
        for raws, hulls in [zip(*((one.raw, one.hull) for one in of_model.values()), strict=True)]
    ]
    return Replicated(pd.DataFrame(rows), average, pd.DataFrame(crossings))


def intersect(first: Points, second: Points) -> bool:
    """Whether each of two curves lies above the other somewhere between their vertices.

    Kappa rises with t at every f, so the kappa curves intersect where the ROC curves do.
    """
    vertices = np.union1d(first[0], second[0])
    between = (vertices[1:] + vertices[:-1]) / 2
    lead = np.interp(between, *first) - np.interp(between, *second)
    return bool(lead.max() > 1e-12 and lead.min() < -1e-12)


def local_maxima(kappa: FloatArray) -> int:
    """How often kappa turns from rising to falling; between vertices it does not turn."""
    steps = np.diff(kappa)
    rising = steps[np.abs(steps) > 1e-12] > 0
    return int((rising[:-1] & ~rising[1:]).sum())


def _found(curve: ModelCurve) -> dict[str, float]:
    p, (fpr, tpr), hull = curve.prevalence, curve.raw, curve.hull
    raw, on_hull = kappa_from_rates(fpr, tpr, p), kappa_from_rates(*hull, p)
    best = int(raw.argmax())
    at_best = statistics(shares(fpr[best], tpr[best], p))
    return {
        "maxima_raw": local_maxima(raw),
        "maxima_hull": local_maxima(on_hull),
        "unique": bool((raw > raw[best] - 1e-12).sum() == 1),
        "optimal": slopes_enclose(*hull, p, int(on_hull.argmax())),
        "fpr": hull[0][on_hull.argmax()],
        "fpr_youden": hull[0][(hull[1] - hull[0]).argmax()],
        "auc": area_under_curve(*hull),
        "auk": area_under_kappa(*swapped_classes(*hull), 1 - p),
        "kappa": at_best["kappa"],
        "accuracy": at_best["accuracy"],
        "chance": at_best["expected_agreement"] / at_best["accuracy"],
    }


def slopes_enclose(fpr: FloatArray, tpr: FloatArray, prevalence: float, vertex: int) -> bool:
    """Whether a hull's slopes before and after a vertex enclose the one of equation 26 there."""
    with np.errstate(divide="ignore"):
        slopes = np.concatenate(([np.inf], np.diff(tpr) / np.diff(fpr), [0.0]))
    needed = float(optimal_slope(fpr[vertex], tpr[vertex], prevalence))
    return bool(slopes[vertex] >= needed - 1e-9 and slopes[vertex + 1] <= needed + 1e-9)


def leads(curves: pd.DataFrame) -> pd.DataFrame:
    """AUC and AUK of the linear model less the network's, by replicate."""
    if not set(PAPER_PAIR) <= set(curves.get("model", ())):
        return pd.DataFrame(columns=["auc", "auk"])
    first, second = (
        curves[curves["model"] == model].set_index("replicate")[["auc", "auk"]]
        for model in PAPER_PAIR
    )
    return (first - second).dropna()


def reversing(curves: pd.DataFrame) -> pd.DataFrame:
    """Replicates in which AUC prefers the linear model and AUK the network: hulls, good positive.

    Columns auc and auk hold the lead of the model that each prefers, by replicate, the most
    decisive first: that with the largest of the smaller leads, each in standard deviations.
    """
    lead = leads(curves) * [1, -1]
    reversed_ = lead[(lead > 0).all(axis=1)]
    decisive = (reversed_ / lead.std()).min(axis=1).sort_values(ascending=False, kind="stable")
    return reversed_.loc[decisive.index]
