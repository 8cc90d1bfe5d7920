"""Curves and measures of scores, for both choices of the positive class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import batch_measures, roc_hull, roc_vertices
from kappacurve.algebra import kappa_from_rates
from study.arrays import BoolArray, FloatArray
from study.data.classes import GERMAN_CREDIT, Classes

MEASURES = ("auc", "auk", "auk_trapezoid", "h", "ks", "kappa_max", "fpr", "tpr", "threshold")
# A share of the positive class; None for the rows' own, an array for one of each replicate.
Prevalence = float | FloatArray | None


class Oriented(NamedTuple):
    """Scores that point towards one of the classes; sign turns thresholds back.

    The cost is the share of a missed positive, as in :func:`kappacurve.batch_measures`.
    """

    positive_class: str
    positive: BoolArray
    score: FloatArray
    sign: float
    prevalence: Prevalence
    cost: float | Literal["balanced"] = 0.5


def orientations(
    is_one: BoolArray,
    score: FloatArray,
    prevalence: Prevalence,
    classes: Classes,
    cost_ratio: float | None = None,
) -> Iterator[Oriented]:
    """Scores towards the class 0 and towards the class 1, whose prevalence is given if not None.

    The cost ratio is that of a missed row of class 1 to a false alarm.
    """
    other = None if prevalence is None else 1 - prevalence
    cost = 0.5 if cost_ratio is None else cost_ratio / (1 + cost_ratio)
    yield Oriented(classes.zero, ~is_one, -score, -1.0, other, 1 - cost)
    yield Oriented(classes.one, is_one, score, 1.0, prevalence, cost)


def measure_curves(side: Oriented) -> dict[str, dict[str, FloatArray]]:
    """All measures of replicates, for their raw curves ("raw") and hulls ("hull").

    positive and score have the shape (n_replicates, n_rows), each measure of
    :func:`kappacurve.batch_measures` (n_replicates,). On the hull auc, gini, auk and auk_trapezoid
    are the hull's. Missing where a replicate holds one class only or has no scores.
    """
    share = side.positive.mean(axis=1)
    fit = (share > 0) & (share < 1) & np.isfinite(side.score).all(axis=1)
    # Any two classes show which measures there are.
    known = (side.positive[fit], side.score[fit]) if fit.any() else ([[True, False]], [[1.0, 0.0]])
    at = side.prevalence
    if isinstance(at, np.ndarray):
        at = at[fit] if fit.any() else None
    raw = {}
    for name, values in batch_measures(*known, prevalence=at, cost=side.cost).items():
        raw[name] = np.full(len(fit), np.nan)
        if fit.any():
            raw[name][fit] = values
    raw["threshold"] = side.sign * raw["threshold"]
    hull = {"auc": raw["auch"], "gini": 2 * raw["auch"] - 1, "auk": raw["auk_hull"]}
    return {"raw": raw, "hull": {**raw, **hull, "auk_trapezoid": raw["auk_trapezoid_hull"]}}


def _by_model(
    scores: pd.DataFrame,
    prevalence: float | Literal["other"] | None,
    classes: Classes,
    cost_ratio: float | None,
) -> Iterator[tuple[dict[str, Any], Oriented]]:
    """Each model's scores towards either class (n_replicates, n_rows), and what they are of."""
    for model, table in scores.groupby("model", sort=False):
        numbers = table["replicate"].unique() if "replicate" in table else np.zeros(1, dtype=int)
        label, score = (
            table[name].to_numpy().reshape(len(numbers), -1) for name in (classes.column, "score")
        )
        is_one = label == 1
        at = 1 - is_one.mean(axis=1) if prevalence == "other" else prevalence
        for side in orientations(is_one, score.astype(float), at, classes, cost_ratio):
            identity = {"model": str(model), "positive_class": side.positive_class}
            yield {"replicate": numbers, **identity}, side


def measure_replicates(
    scores: pd.DataFrame,
    prevalence: float | Literal["other"] | None = None,
    classes: Classes = GERMAN_CREDIT,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """Measures of kept scores: columns replicate, model, positive_class, curve, and the measures.

    The scores have the columns of :attr:`study.replicates.engine.Replicates.scores`. The prevalence
    is that of the class 1; "other" gives each class the share of the other one, as a slip would.
    """
    tables = [
        pd.DataFrame({**identity, "curve": curve, **{name: values[name] for name in MEASURES}})
        for identity, side in _by_model(scores, prevalence, classes, cost_ratio)
        for curve, values in measure_curves(side).items()
    ]
    whole = pd.concat(tables, ignore_index=True)
    return whole.sort_values("replicate", kind="stable", ignore_index=True)


def evaluate_curves(
    scores: pd.DataFrame,
    *,
    prevalence: float | None = None,
    classes: Classes = GERMAN_CREDIT,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """ROC and kappa curves, raw and hull, of every model and positive class.

    The scores are one split's: bad (0/1, or the column of the classes), model and score (higher =
    more likely bad). kappa is evaluated at the prevalence of bad rows, by default the test rows'.
    Thresholds are on the original score: bad is predicted at or above them, and good at or below
    them; the end at which no row is predicted positive is infinite.
    """
    tables = []
    for identity, side in _by_model(scores, prevalence, classes, cost_ratio):
        del identity["replicate"]
        fpr, tpr, thresholds = roc_vertices(side.positive[0], side.score[0])
        share = side.prevalence
        if share is None:  # the test rows' own; of the class 0 as what the class 1 leaves
            share = side.positive.mean() if side.sign > 0 else 1 - (~side.positive).mean()
        for curve, index in (("raw", np.arange(len(fpr))), ("hull", roc_hull(fpr, tpr).index)):
            f, t = fpr[index], tpr[index]
            points = {"threshold": side.sign * thresholds[index], "fpr": f, "tpr": t}
            points["kappa"] = kappa_from_rates(f, t, share, cost=side.cost)
            tables.append(pd.DataFrame({**identity, "curve": curve, **points}))
    return pd.concat(tables, ignore_index=True)


def evaluate_measures(
    scores: pd.DataFrame,
    *,
    prevalence: float | None = None,
    classes: Classes = GERMAN_CREDIT,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """All measures of every model, positive class and curve: those of :func:`kappacurve.measures`.

    Parameters and thresholds as in :func:`evaluate_curves`. On the hull, auc and auk are its areas.
    """
    tables = []
    for identity, side in _by_model(scores, prevalence, classes, cost_ratio):
        counts = {"n_positive": side.positive.sum(), "n_negative": (~side.positive).sum()}
        for curve, values in measure_curves(side).items():
            tables.append(pd.DataFrame({**identity, "curve": curve, **counts, **values}))
    return pd.concat(tables, ignore_index=True).drop(columns="replicate")
