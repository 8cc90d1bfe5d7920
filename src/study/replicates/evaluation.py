"""Curves and measures of scores, for both choices of the positive class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, Union

import numpy as np
import pandas as pd

from kappacurve import MEASURES as KNOWN, batch_measures, roc_hull, roc_vertices
from kappacurve.algebra import kappa_from_rates
from study.arrays import BoolArray, FloatArray

MEASURES = ("auc", "auk", "auk_trapezoid", "h", "ks", "kappa_max", "fpr", "tpr", "threshold")
# Measures by replicate, of each curve and model.
Kinds = dict[tuple[str, ...], pd.DataFrame]
# A share of the positive class; None for the rows' own, an array for one of each replicate.
Prevalence = float | FloatArray | None
# A share of the minority, with the replicates' numbers as its index if there is one of each.
At = Union[float, "pd.Series[float]", Literal["other"], None]


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
    minority: BoolArray, score: FloatArray, prevalence: Prevalence, cost_ratio: float | None = None
) -> Iterator[Oriented]:
    """Scores towards the majority and towards the minority, whose prevalence may be given.

    The cost ratio is that of a missed minority row to a false alarm.
    """
    other = None if prevalence is None else 1 - prevalence
    cost = 0.5 if cost_ratio is None else cost_ratio / (1 + cost_ratio)
    yield Oriented("majority", ~minority, -score, -1.0, other, 1 - cost)
    yield Oriented("minority", minority, score, 1.0, prevalence, cost)


def measure_curves(side: Oriented) -> dict[str, dict[str, FloatArray]]:
    """All measures of replicates, for their raw curves ("raw") and hulls ("hull").

    positive and score have the shape (n_replicates, n_rows), each measure of
    :func:`kappacurve.batch_measures` (n_replicates,). On the hull auc, gini, auk and auk_trapezoid
    are the hull's. Missing where a replicate holds one class only or has no scores.
    """
    share = side.positive.mean(axis=1)
    fit = (share > 0) & (share < 1) & np.isfinite(side.score).all(axis=1)
    # Any two classes show which measures there are.
    rows = (side.positive[fit], side.score[fit]) if fit.any() else ([[True, False]], [[1.0, 0.0]])
    at = side.prevalence
    if isinstance(at, np.ndarray):
        at = at[fit] if fit.any() else None
    raw = {}
    for name, values in batch_measures(*rows, prevalence=at, cost=side.cost).items():
        raw[name] = np.full(len(fit), np.nan)
        if fit.any():
            raw[name][fit] = values
    raw["threshold"] = side.sign * raw["threshold"]
    hull = {name: raw[measure.hull] for name, measure in KNOWN.items() if measure.hull}
    return {"raw": raw, "hull": raw | hull | {"gini": 2 * raw["auch"] - 1}}


def _by_model(
    scores: pd.DataFrame, prevalence: At, cost_ratio: float | None
) -> Iterator[tuple[dict[str, Any], Oriented]]:
    """Each model's scores towards either class (n_replicates, n_rows), and what they are of."""
    for model, table in scores.groupby("model", sort=False):
        numbers = table["replicate"].unique() if "replicate" in table else np.zeros(1, dtype=int)
        label, score = (
            table[name].to_numpy().reshape(len(numbers), -1) for name in ("minority", "score")
        )
        minority = label == 1
        at: Any = prevalence
        if isinstance(prevalence, pd.Series):
            at = prevalence.loc[numbers].to_numpy()
        elif prevalence == "other":
            at = 1 - minority.mean(axis=1)
        for side in orientations(minority, score.astype(float), at, cost_ratio):
            identity = {"model": str(model), "positive_class": side.positive_class}
            yield {"replicate": numbers, **identity}, side


def measure_replicates(
    scores: pd.DataFrame, prevalence: At = None, cost_ratio: float | None = None
) -> pd.DataFrame:
    """Measures of kept scores: columns replicate, model, positive_class, curve, and the measures.

    The scores have the columns of :attr:`study.replicates.engine.Replicates.scores`. The prevalence
    is that of the minority, one for all or one for each replicate; "other" gives each class the
    share of the other one, as a slip would.
    """
    tables = []
    # Replicates of one size are taken together.
    sizes = scores.groupby("replicate")["replicate"].transform("size")
    for _, of_one_size in scores.groupby(sizes):
        for identity, side in _by_model(of_one_size, prevalence, cost_ratio):
            for curve, values in measure_curves(side).items():
                kept = {name: values[name] for name in MEASURES}
                tables.append(pd.DataFrame({**identity, "curve": curve, **kept}))
    measures = pd.concat(tables, ignore_index=True)
    return measures.sort_values("replicate", kind="stable", ignore_index=True)


def evaluate_curves(
    scores: pd.DataFrame, *, prevalence: float | None = None, cost_ratio: float | None = None
) -> pd.DataFrame:
    """ROC and kappa curves, raw and hull, of every model and positive class.

    The scores are one split's: minority (0/1), model and score. kappa is evaluated at the
    prevalence of the minority, by default the test rows'. Thresholds are on the original score: the
    minority is predicted at or above them, and the majority at or below them; the end at which no
    row is predicted positive is infinite.
    """
    tables = []
    for identity, side in _by_model(scores, prevalence, cost_ratio):
        del identity["replicate"]
        fpr, tpr, thresholds = roc_vertices(side.positive[0], side.score[0])
        share = side.prevalence
        if share is None:  # the test rows' own; of the majority as what the minority leaves
            share = side.positive.mean() if side.sign > 0 else 1 - (~side.positive).mean()
        for curve, index in (("raw", np.arange(len(fpr))), ("hull", roc_hull(fpr, tpr).index)):
            f = fpr[index]
            t = tpr[index]
            points = {"threshold": side.sign * thresholds[index], "fpr": f, "tpr": t}
            points["kappa"] = kappa_from_rates(f, t, share, cost=side.cost)
            tables.append(pd.DataFrame({**identity, "curve": curve, **points}))
    return pd.concat(tables, ignore_index=True)


def evaluate_measures(
    scores: pd.DataFrame, *, prevalence: float | None = None, cost_ratio: float | None = None
) -> pd.DataFrame:
    """All measures of every model, positive class and curve: those of :func:`kappacurve.measures`.

    Parameters and thresholds as in :func:`evaluate_curves`. On the hull, auc and auk are its areas.
    """
    tables = []
    for identity, side in _by_model(scores, prevalence, cost_ratio):
        counts = {"n_positive": side.positive.sum(), "n_negative": (~side.positive).sum()}
        for curve, values in measure_curves(side).items():
            tables.append(pd.DataFrame({**identity, "curve": curve, **counts, **values}))
    return pd.concat(tables, ignore_index=True).drop(columns="replicate")
