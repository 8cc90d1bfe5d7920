"""What decisions bring on the test rows of a split, at thresholds that its training rows give.

Columns: at a cost expected_loss (false alarms per 1,000 rows), recall and flagged, and the losses
of flagging nobody and everybody; "recall at flagged<=0.1" and "flagged at flagged<=0.1" for each
limit; of probabilities the Brier score, that of the training share alone, how many positives there
are for each that they expect, and the slope of their log odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kappacurve import adjust_prevalence, operating_point
from study.arrays import BoolArray, FloatArray, IntArray

PER_ROWS = 1000
EXTREME = float(np.finfo(float).eps)  # probabilities of 0 and 1 have no log odds
MAX_STEP, MAX_STEPS = 5.0, 100  # of Newton's method, in log odds
# Decisions without a model, by the measure by which they are compared: their column, by name.
REFERENCES = {
    "expected_loss": {"(nobody)": "loss_nobody", "(everybody)": "loss_everybody"},
    "brier": {"(share alone)": "brier_share"},
}


class Fitted(NamedTuple):
    """Scores of the test rows, their probabilities if the model has them, and training scores."""

    score: FloatArray
    probability: FloatArray | None
    training_score: FloatArray | None


def measure_decisions(
    y_train: IntArray,
    y_test: IntArray,
    fitted: Fitted,
    setting: Mapping[str, Any],
    *,
    resampled: bool,
) -> dict[str, float]:
    """Measures of one model on one split, with the minority positive; none if a class is missing.

    At a cost ratio R, rows with a probability of at least 1/(1+R) are flagged. A model without
    probabilities takes the threshold of the least loss on the training rows, and a limit that of
    the training rows; where these have none that keeps it, nobody is flagged. Probabilities of
    training rows that were balanced are moved to the share of positives before balancing. The
    training rows must have scores.
    """
    if not 0 < y_test.sum() < len(y_test) or not 0 < y_train.sum() < len(y_train):
        return {}
    score, probability = fitted.score, fitted.probability
    training_score: Any = fitted.training_score
    share, ratio = float(y_train.mean()), setting["cost_ratio"]
    stated = setting["prevalence"]
    p = float(y_test.mean()) if stated is None else stated
    fitted_share, wanted_share = 0.5 if resampled else share, stated or share
    if probability is not None and fitted_share != wanted_share:
        probability = adjust_prevalence(probability, fitted_share, wanted_share)
    measured = {}
    if ratio is not None:
        if probability is not None:
            flags = probability >= 1 / (1 + ratio)
        else:
            point = operating_point(y_train, training_score, cost_ratio=ratio, prevalence=stated)
            flags = score >= point.threshold
        tpr, fpr = _rates(flags, y_test)
        measured["expected_loss"] = PER_ROWS * (ratio * p * (1 - tpr) + (1 - p) * fpr)
        measured |= {"recall": tpr, "flagged": p * tpr + (1 - p) * fpr}
        measured |= {"loss_nobody": PER_ROWS * ratio * p, "loss_everybody": PER_ROWS * (1 - p)}
        measured["by_probability"] = float(probability is not None)
    for limit in setting["at"]:
        try:
            point = operating_point(y_train, training_score, at=limit, prevalence=stated)
            tpr, fpr = _rates(score >= point.threshold, y_test)
        except ValueError:  # no threshold reaches the precision
            tpr = fpr = 0.0
        measured |= {f"recall at {limit}": tpr, f"flagged at {limit}": p * tpr + (1 - p) * fpr}
    if probability is not None:
        measured["brier"] = _brier(probability, y_test, p)
        positive, negative = (float(probability[y_test == label].mean()) for label in (1, 0))
        if (expected := p * positive + (1 - p) * negative) > 0:
            measured["observed_over_expected"] = p / expected
        measured["calibration_slope"] = _calibration_slope(probability, y_test, p)
    measured["brier_share"] = _brier(np.full(len(y_test), wanted_share), y_test, p)
    return measured


def _rates(flags: BoolArray, y_test: IntArray) -> tuple[float, float]:
    """True and false positive rate."""
    return float(flags[y_test == 1].mean()), float(flags[y_test == 0].mean())


def _brier(probability: FloatArray, y_test: IntArray, p: float) -> float:
    """Mean squared error of probabilities, where a share p of the rows is positive."""
    errors = (probability - y_test) ** 2
    return float(p * errors[y_test == 1].mean() + (1 - p) * errors[y_test == 0].mean())


def _calibration_slope(probability: FloatArray, y_test: IntArray, p: float) -> float:
    """By which log odds would have to be multiplied; NaN where no finite value fits.

    As :func:`kappacurve.calibration` without its intervals, whose modules take a second to load.
    """
    inside = np.clip(probability, EXTREME, 1 - EXTREME)
    columns = np.column_stack([np.ones(len(inside)), np.log(inside) - np.log1p(-inside)])
    share = y_test.mean()
    weight = np.where(y_test == 1, p / share, (1 - p) / (1 - share))
    coefficients = np.zeros(2)
    for _ in range(MAX_STEPS):
        fitted = 1 / (1 + np.exp(-columns @ coefficients))
        information = (columns.T * (weight * fitted * (1 - fitted))) @ columns
        if not np.linalg.cond(information) < 1e12:  # the classes are separated, or nearly so
            break
        step = np.linalg.solve(information, columns.T @ (weight * (y_test - fitted)))
        moved = float(np.abs(columns @ step).max())
        if moved < 1e-10:
            return float(coefficients[1])
        coefficients += step * min(1.0, MAX_STEP / moved)
    return np.nan
