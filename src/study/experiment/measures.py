"""Curves and measures of scores, for both choices of the positive class.

Scores are higher where the minority is more likely. For the majority as the positive class they
are negated, the prevalence is one minus the minority's, and the cost ratio is inverted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import batch_measures, kappa_curve, kappa_from_rates, roc_hull
from study.arrays import BoolArray, FloatArray

MEASURES = ("auc", "auk", "h", "ks", "kappa_max", "fpr", "tpr", "threshold")
# What a hull has in place of the raw curve's measure; all others are the same on both.
HULL_MEASURES = {"auc": "auch", "auk": "auk_hull"}
# Turns the threshold of a score that was negated back to the score.
SIGN = {"majority": -1.0, "minority": 1.0}


def orient_scores(
    table: pd.DataFrame, prevalence: float | FloatArray | None, cost_ratio: float | None
) -> Iterator[tuple[str, BoolArray, FloatArray, dict[str, Any]]]:
    """For each positive class its name, which rows hold it, scores towards it, and options."""
    minority = table["minority"].to_numpy() == 1
    score = table["score"].to_numpy(dtype=np.float64)
    other = None if prevalence is None else 1 - prevalence
    ratio = cost_ratio or 1.0
    yield "majority", ~minority, -score, {"prevalence": other, "cost_ratio": 1 / ratio}
    yield "minority", minority, score, {"prevalence": prevalence, "cost_ratio": ratio}


def measure_replicates(
    scores: pd.DataFrame,
    prevalence: float | pd.Series[float] | None = None,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """Measures of scores: columns replicate, model, positive_class, curve and `MEASURES`.

    The scores have the columns replicate, minority, model and score. The prevalence is that of the
    minority: one for all, or a series by replicate; by default that of the rows. Measures are
    missing where a replicate holds one class only or has no scores.
    """
    tables = []
    sizes = scores.groupby("replicate")["replicate"].transform("size")
    for (_, model), table in scores.groupby([sizes, "model"], sort=False):
        replicates = table["replicate"].unique()
        at: Any = prevalence
        if isinstance(prevalence, pd.Series):
            at = prevalence.loc[replicates].to_numpy()
        for side, positive, score, options in orient_scores(table, at, cost_ratio):
            shape = len(replicates), -1
            found = _measure(positive.reshape(shape), score.reshape(shape), **options)
            found["threshold"] *= SIGN[side]
            keys = {"replicate": replicates, "model": model, "positive_class": side}
            raw = pd.DataFrame({**keys, "curve": "raw", **{name: found[name] for name in MEASURES}})
            hull = {name: found[other] for name, other in HULL_MEASURES.items()}
            tables += [raw, raw.assign(curve="hull", **hull)]
    measures = pd.concat(tables, ignore_index=True)
    return measures.sort_values("replicate", kind="stable", ignore_index=True)


def _measure(
    positive: BoolArray, score: FloatArray, prevalence: Any, cost_ratio: float
) -> dict[str, FloatArray]:
    """The library's measures of replicates (n_replicates, n_rows), where they are defined."""
    share = positive.mean(axis=1)
    defined = (share > 0) & (share < 1) & np.isfinite(score).all(axis=1)
    found = {name: np.full(len(share), np.nan) for name in (*MEASURES, *HULL_MEASURES.values())}
    if defined.any():
        at = prevalence[defined] if isinstance(prevalence, np.ndarray) else prevalence
        measured = batch_measures(
            positive[defined], score[defined], prevalence=at, cost_ratio=cost_ratio
        )
        for name, values in found.items():
            values[defined] = measured[name]
    return found


def roc_points(positive: BoolArray, score: FloatArray) -> dict[str, tuple[FloatArray, ...]]:
    """Thresholds, false and true positive rates of a split, by curve: "raw" and "hull"."""
    fpr, _, thresholds = kappa_curve(positive, score)
    ranked = np.sort(score[positive])
    tpr = (len(ranked) - np.searchsorted(ranked, thresholds)) / len(ranked)
    corners = roc_hull(fpr, tpr).index
    return {
        "raw": (thresholds, fpr, tpr),
        "hull": (thresholds[corners], fpr[corners], tpr[corners]),
    }


def evaluate_curves(
    scores: pd.DataFrame, *, prevalence: float | None = None, cost_ratio: float | None = None
) -> pd.DataFrame:
    """ROC and kappa curves, raw and hull, of every model and positive class of one split.

    Thresholds are on the original score: the minority is predicted at or above them, the majority
    at or below them; the end at which no row is predicted positive is infinite.
    """
    tables = []
    for model, table in scores.groupby("model", sort=False):
        for side, positive, score, options in orient_scores(table, prevalence, cost_ratio):
            share = options["prevalence"] or positive.mean()
            for curve, (thresholds, fpr, tpr) in roc_points(positive, score).items():
                points = {
                    "threshold": SIGN[side] * thresholds,
                    "fpr": fpr,
                    "tpr": tpr,
                    "kappa": kappa_from_rates(fpr, tpr, share, cost_ratio=options["cost_ratio"]),
                }
                keys = {"model": model, "positive_class": side, "curve": curve}
                tables.append(pd.DataFrame({**keys, **points}))
    return pd.concat(tables, ignore_index=True)


def evaluate_measures(
    scores: pd.DataFrame, *, prevalence: float | None = None, cost_ratio: float | None = None
) -> pd.DataFrame:
    """Measures of every model, positive class and curve of one split, with its rows by class."""
    measures = measure_replicates(scores.assign(replicate=0), prevalence, cost_ratio)
    rows = scores[scores["model"] == scores["model"].iloc[0]]
    n_minority, n_majority = int(rows["minority"].sum()), int((rows["minority"] == 0).sum())
    is_minority = measures["positive_class"] == "minority"
    n_positive = np.where(is_minority, n_minority, n_majority)
    share = n_positive / len(rows)
    if prevalence is not None:
        share = np.where(is_minority, prevalence, 1 - prevalence)
    sizes = {"n_positive": n_positive, "n_negative": len(rows) - n_positive, "prevalence": share}
    keys = ["model", "positive_class", "curve"]
    return measures.assign(**sizes)[[*keys, *sizes, *MEASURES]]
