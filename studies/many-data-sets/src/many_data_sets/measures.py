"""Measures of many samples at once, by the library kappacurve."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from kappacurve import influence, measures

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
RANKING = ("auc", "auk", "h", "average_precision")


def measure_samples(ranks: IntArray, n_positive: int, prevalence: float) -> dict[str, FloatArray]:
    """Ranking measures of samples (samples, rows), positives first; an array each."""
    label = np.arange(ranks.shape[1]) < n_positive
    values = measures(label, ranks, pos_label=True, prevalence=prevalence)
    return {measure: values[measure] for measure in RANKING}


def area_under_roc(label: IntArray, scores: FloatArray) -> float:
    """AUC of one model."""
    return float(measures(label, scores, pos_label=1)["auc"])


def row_influence(
    ranks: IntArray, n_positive: int, prevalence: float, measure: Literal["auc", "auk"]
) -> FloatArray:
    """What each row adds to AUC or AUK: (samples, rows), positives first."""
    label = np.arange(ranks.shape[1]) < n_positive
    return np.array(
        [
            influence(label, row, measure=measure, pos_label=True, prevalence=prevalence)
            for row in ranks
        ]
    )


def negative_log_losses(log_odds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Minus the log loss of each row if it is positive, and if it is negative."""
    return -np.logaddexp(0, -log_odds), -np.logaddexp(0, log_odds)


def negative_brier_scores(log_odds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Minus the Brier score of each row if it is positive, and if it is negative."""
    share = 0.5 * (1 + np.tanh(log_odds / 2))
    return -((1 - share) ** 2), -(share**2)
