"""Curves and measures of scores, for both choices of the positive class.

Scores are higher where the minority is more likely. For the majority as the positive class they
are negated, the prevalence is one minus the minority's, and the cost ratio is inverted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import batch_measures, kappa_curve, kappa_from_rates, roc_hull
from study.arrays import BoolArray, FloatArray

MEASURES = ("auc", "auk", "h", "ks", "kappa_max", "fpr", "tpr", "threshold")
# What a hull has in place of the raw curve's measure; all others are the same on both.
HULL_MEASURES = {"auc": "auch", "auk": "auk_hull"}


class Evaluation(NamedTuple):
    """Scores (n_replicates, n_rows) that point towards one of the classes.

    `sign` turns thresholds back to the original score.
    """

    positive_class: str
    positive: BoolArray
    score: FloatArray
    sign: float
    prevalence: float | FloatArray | None
    cost_ratio: float


def orient_scores(
    minority: BoolArray,
    score: FloatArray,
    prevalence: float | FloatArray | None = None,
    cost_ratio: float | None = None,
) -> Iterator[Evaluation]:
    """Scores towards the majority and towards the minority, whose prevalence may be given."""
    other = None if prevalence is None else 1 - prevalence
    ratio = cost_ratio or 1.0
    yield Evaluation("majority", ~minority, -score, -1.0, other, 1 / ratio)
    yield Evaluation("minority", minority, score, 1.0, prevalence, ratio)


def measure_evaluation(evaluation: Evaluation) -> dict[str, dict[str, FloatArray]]:
    """All measures of replicates, (n_replicates,) each, by curve: "raw" or "hull".

    Missing where a replicate holds one class only or has no scores.
    """
    share = evaluation.positive.mean(axis=1)
    measurable = (share > 0) & (share < 1) & np.isfinite(evaluation.score).all(axis=1)
    raw = {
        name: np.full(len(share), np.nan) for name in (*MEASURES, "prevalence", "auch", "auk_hull")
    }
    if measurable.any():
        prevalence = evaluation.prevalence
        if isinstance(prevalence, np.ndarray):
            prevalence = prevalence[measurable]
        found = batch_measures(
            evaluation.positive[measurable],
            evaluation.score[measurable],
            prevalence=prevalence,
            cost_ratio=evaluation.cost_ratio,
        )
        for name, values in raw.items():
            values[measurable] = found[name]
    raw["threshold"] = evaluation.sign * raw["threshold"]
    hull = raw | {name: raw[other] for name, other in HULL_MEASURES.items()}
    return {"raw": raw, "hull": hull}


def measure_replicates(
    scores: pd.DataFrame,
    prevalence: float | pd.Series[float] | None = None,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """Measures of scores: columns replicate, model, positive_class, curve and `MEASURES`.

    The scores have the columns replicate, minority, model and score. The prevalence is that of the
    minority: one for all, or a series by replicate; by default that of the rows.
    """
    tables = []
    sizes = scores.groupby("replicate")["replicate"].transform("size")
    for _, same_size in scores.groupby(sizes):
        for model, table in same_size.groupby("model", sort=False):
            replicates = table["replicate"].unique()
            at: Any = prevalence
            if isinstance(prevalence, pd.Series):
                at = prevalence.loc[replicates].to_numpy()
            label, score = (
                table[name].to_numpy().reshape(len(replicates), -1)
                for name in ("minority", "score")
            )
            for evaluation in orient_scores(label == 1, score.astype(float), at, cost_ratio):
                keys = {"model": model, "positive_class": evaluation.positive_class}
                for curve, values in measure_evaluation(evaluation).items():
                    kept = {name: values[name] for name in MEASURES}
                    tables.append(
                        pd.DataFrame({"replicate": replicates, **keys, "curve": curve, **kept})
                    )
    measures = pd.concat(tables, ignore_index=True)
    return measures.sort_values("replicate", kind="stable", ignore_index=True)


def measure_trapezoids(scores: pd.DataFrame) -> pd.DataFrame:
    """AUK by the trapezoid rule over the vertices, with the minority as the positive class.

    A script of 2010 may have summed so. On a hull of few vertices it lies far above the area.
    Columns replicate, model, positive_class, curve and auk_trapezoid.
    """
    rows = []
    for (replicate, model), table in scores.dropna(subset="score").groupby(["replicate", "model"]):
        if table["minority"].nunique() == 2:
            curves = evaluate_curves(table, positive_class="minority")
            for curve, points in curves.groupby("curve"):
                area = np.trapezoid(points["kappa"], points["fpr"])
                rows.append((replicate, model, "minority", curve, area))
    return pd.DataFrame(
        rows, columns=["replicate", "model", "positive_class", "curve", "auk_trapezoid"]
    )


def _evaluations(
    scores: pd.DataFrame, prevalence: float | None, cost_ratio: float | None
) -> Iterator[tuple[str, Evaluation]]:
    """Both orientations of each model's scores of one split."""
    for model, table in scores.groupby("model", sort=False):
        label, score = (table[name].to_numpy()[np.newaxis] for name in ("minority", "score"))
        for evaluation in orient_scores(label == 1, score.astype(float), prevalence, cost_ratio):
            yield str(model), evaluation


def evaluate_curves(
    scores: pd.DataFrame,
    *,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
    positive_class: str | None = None,
) -> pd.DataFrame:
    """ROC and kappa curves, raw and hull, of every model and positive class (or one) of a split.

    Thresholds are on the original score: the minority is predicted at or above them, the majority
    at or below them; the end at which no row is predicted positive is infinite.
    """
    tables = []
    for model, evaluation in _evaluations(scores, prevalence, cost_ratio):
        if positive_class not in (None, evaluation.positive_class):
            continue
        positive, score = evaluation.positive[0], evaluation.score[0]
        thresholds = kappa_curve(positive, score).thresholds
        fpr, tpr = rates_at(positive, score, thresholds)
        share = positive.mean() if evaluation.prevalence is None else evaluation.prevalence
        keys = {"model": model, "positive_class": evaluation.positive_class}
        for curve, index in (("raw", np.arange(len(fpr))), ("hull", roc_hull(fpr, tpr).index)):
            points = {
                "threshold": evaluation.sign * thresholds[index],
                "fpr": fpr[index],
                "tpr": tpr[index],
                "kappa": kappa_from_rates(
                    fpr[index], tpr[index], share, cost_ratio=evaluation.cost_ratio
                ),
            }
            tables.append(pd.DataFrame({**keys, "curve": curve, **points}))
    return pd.concat(tables, ignore_index=True)


def rates_at(
    positive: BoolArray, score: FloatArray, thresholds: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """False and true positive rates of the rows with at least these scores."""
    rates = []
    for rows in (np.sort(score[~positive]), np.sort(score[positive])):
        rates.append((len(rows) - np.searchsorted(rows, thresholds)) / len(rows))
    return rates[0], rates[1]


def evaluate_measures(
    scores: pd.DataFrame, *, prevalence: float | None = None, cost_ratio: float | None = None
) -> pd.DataFrame:
    """Measures of every model, positive class and curve of one split, with its rows by class."""
    tables = []
    for model, evaluation in _evaluations(scores, prevalence, cost_ratio):
        keys = {"model": model, "positive_class": evaluation.positive_class}
        counts = {
            "n_positive": evaluation.positive.sum(),
            "n_negative": (~evaluation.positive).sum(),
        }
        for curve, values in measure_evaluation(evaluation).items():
            kept = {name: values[name] for name in ("prevalence", *MEASURES)}
            tables.append(pd.DataFrame({**keys, "curve": curve, **counts, **kept}))
    return pd.concat(tables, ignore_index=True)
