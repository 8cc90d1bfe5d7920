"""Calibration of probabilities: intercept, slope, observed over expected and miscalibration."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, nan
from typing import Any

import numpy as np
import numpy.typing as npt

from ..curves.curve import roc_curves
from ..curves.kernels import hull_places, sort_rows
from ..validation import FloatArray, Sample, check_probabilities, check_share
from .bootstrap import Bootstrap
from .estimates import Estimate, note_groups, quantile_of
from .influence import TINY
from .tests import check_rows

MAX_STEP = 5.0  # of Newton's method, in log odds
MAX_STEPS = 100  # which has no end where the classes are separated


@dataclass(frozen=True)
class Calibration:
    """How far probabilities agree with the share of positives.

    Attributes
    ----------
    intercept : Estimate
        Calibration in the large: what has to be added to the log odds at slope 1; above 0 if there
        are more positives than predicted.
    slope : Estimate
        Factor by which log odds have to be multiplied; below 1 if probabilities are too extreme.
    observed_over_expected : Estimate
        Number of positives over the number that the probabilities predict.
    miscalibration : Estimate
        What recalibration could take from the Brier score at most, by a monotone function that is
        fitted to the same rows; without an interval.
    """

    intercept: Estimate
    slope: Estimate
    observed_over_expected: Estimate
    miscalibration: Estimate


def calibration(
    y_true: npt.ArrayLike,
    y_prob: npt.ArrayLike,
    *,
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> Calibration:
    """Calibration of one model's probabilities, with confidence intervals.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes: numbers, booleans or strings.
    y_prob : array-like of shape (n_samples,) in [0, 1]
        Probabilities of the positive class. 0 and 1 count as the nearest number inside.
    confidence_level : float in (0, 1), default 0.95
    sample_weight : array-like of shape (n_samples,), optional
        How many rows of the population each row stands for; only ratios count.
    groups : array-like of shape (n_samples,), optional
        Group labels, e.g. patient ids: only rows of different groups are independent.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.

    Returns
    -------
    Calibration
        With the Estimates intercept, slope, observed_over_expected and miscalibration.

    Raises
    ------
    ValueError
        If a probability lies outside [0, 1], a class has fewer than two rows (or groups), or an
        argument is not valid.

    Notes
    -----
    Intercept (slope fixed at 1) and slope are those of a logistic regression on the log odds (Cox
    1958), with sandwich errors of rows or groups and Student's t of the effective units of the
    rarer class less 1; observed over expected likewise, on the log scale. With 25 positives the
    interval of the slope is about 0.9 wide. Miscalibration is the Brier score less that after
    pooling adjacent violators, whose values are the slopes of the ROC hull. It is above 0 in every
    sample, of calibrated probabilities, too.

    References
    ----------
    Cox (1958), Biometrika 45, 562-565. Van Calster et al. (2016), Journal of Clinical Epidemiology
    74, 167-176. Dimitriadis, Gneiting & Jordan (2021), PNAS 118, e2016191118.

    Examples
    --------
    >>> y_true = [0, 0, 0, 1, 0, 0, 1, 1, 0, 1]
    >>> y_prob = [0.05, 0.1, 0.2, 0.3, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
    >>> result = calibration(y_true, y_prob)
    >>> round(result.slope.estimate, 2), round(result.observed_over_expected.estimate, 2)
    (0.98, 0.92)
    """
    confidence_level = check_share("confidence_level", confidence_level)
    sample = check_rows(y_true, {"": y_prob}, pos_label, sample_weight, groups)
    return calibrate(sample, "", confidence_level)


def calibrate(sample: Sample, model: str, confidence_level: float) -> Calibration:
    """Calibration of one model of checked rows."""
    probability = check_probabilities(sample.scores[model], "y_prob")
    inside = np.clip(probability, TINY, 1 - TINY)
    log_odds, ones = np.log(inside) - np.log1p(-inside), np.ones((len(inside), 1))
    y, weight = sample.positive.astype(np.float64), sample.weights
    note = note_groups(sample)
    if extreme := int(np.sum((probability <= 0) | (probability >= 1))):
        count = f"{extreme} probabilities are" if extreme > 1 else "1 probability is"
        note = f"{count} 0 or 1, where log odds are infinite: they count as {TINY:.1g} off. {note}"
    df = max(1.0, float(sample.effective_units().min()) - 1)

    def estimate(value: float, parts: FloatArray) -> Estimate:
        """Student's t with the sandwich error of what the units add."""
        if sample.groups is not None:
            parts = np.asarray(np.bincount(sample.groups, parts), dtype=np.float64)
        n = len(parts)
        error = float(np.sqrt(n / (n - 1) * (parts @ parts)))
        half = quantile_of(confidence_level, df) * error
        return Estimate(value, error, value - half, value + half, "sandwich", df, note.strip())

    def fit(name: str, columns: FloatArray, offset: FloatArray | float) -> Estimate:
        fitted = _fit_logistic(y, columns, offset, weight)
        if fitted is None:
            reason = f"The probabilities separate the classes, or nearly do: no finite {name} fits."
            if log_odds.min() == log_odds.max():
                reason = f"All probabilities are equal: no {name}."
            return Estimate(nan, nan, nan, nan, "sandwich", df, reason)
        coefficients, parts = fitted
        return estimate(float(coefficients[-1]), parts[:, -1])

    expected, observed = float(weight @ probability), float(weight @ y)
    if expected > 0:
        ratio = observed / expected
        logged = estimate(log(ratio), weight * (y - ratio * probability) / observed)
        ends = exp(logged.low), exp(logged.high)
        error = ratio * logged.standard_error
        ratio_estimate = Estimate(ratio, error, *ends, "sandwich", df, note.strip())
    else:
        ratio_estimate = Estimate(inf, nan, nan, nan, "sandwich", df, "All probabilities are 0.")
    pooled = pool_violators(sample, model)
    gain = (probability - y) ** 2 - (pooled - y) ** 2
    reason = "No interval: it is above 0 in every sample, also of calibrated probabilities."
    return Calibration(
        fit("intercept", ones, log_odds),
        fit("slope", np.column_stack([ones, log_odds]), 0.0),
        ratio_estimate,
        Estimate(float(np.average(gain, weights=weight)), nan, nan, nan, "pooled", note=reason),
    )


def pool_violators(sample: Sample, model: str) -> FloatArray:
    """Isotonic regression of the class on the score: its value for each row."""
    curve = roc_curves(sort_rows(sample.positive, sample.scores[model], sample.weight))
    shares = pool_curve(curve.fps[0], curve.tps[0])
    return shares[np.searchsorted(-curve.thresholds[1:], -sample.scores[model])]


def pool_curve(fps: FloatArray, tps: FloatArray) -> FloatArray:
    """Share of positives at each distinct score, from the highest, after pooling violators.

    `fps` and `tps` are the vertices of a ROC curve, one more than there are scores. The shares are
    those of the segments of its hull.
    """
    corners = hull_places(fps, tps)
    positives, negatives = np.diff(tps[corners]), np.diff(fps[corners])
    shares = positives / (positives + negatives)
    # Scores below the last corner are not in the resample: they get the lowest share.
    places = np.searchsorted(corners[1:], np.arange(1, len(fps)))
    return np.asarray(shares[np.minimum(places, len(shares) - 1)])


def pooled_curve(
    sample: Sample, model: str, confidence_level: float | None, n_resamples: int, random_state: int
) -> dict[str, Any]:
    """The pooled shares of positives at each distinct probability, with a band of resamples."""
    drawn = Bootstrap(sample, n_resamples, random_state)
    curve = drawn.curve(model)
    probability = curve.thresholds[1:]
    observed = pool_curve(curve.fps[0], curve.tps[0])
    low = high = None
    if confidence_level is not None:
        values = [
            pool_curve(fps, tps)
            for curves in drawn.curves(model)
            for fps, tps in zip(curves.fps, curves.tps, strict=True)
        ]
        ends = np.quantile(values, [(1 - confidence_level) / 2, (1 + confidence_level) / 2], axis=0)
        low, high = np.minimum(ends[0], observed)[::-1], np.maximum(ends[1], observed)[::-1]
    return {"probability": probability[::-1], "observed": observed[::-1], "low": low, "high": high}


def _fit_logistic(
    y: FloatArray, columns: FloatArray, offset: FloatArray | float, weight: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """Coefficients of a logistic regression and what each row adds to them; None if none fit."""
    from scipy.special import expit

    coefficients: FloatArray = np.zeros(columns.shape[1])
    for _ in range(MAX_STEPS):
        fitted = expit(offset + columns @ coefficients)
        information = (columns.T * (weight * fitted * (1 - fitted))) @ columns
        scores = columns * (weight * (y - fitted))[:, None]
        if not np.linalg.cond(information) < 1e12:
            break
        step = np.linalg.solve(information, scores.sum(axis=0))
        largest = float(np.abs(columns @ step).max())
        if largest < 1e-10:
            return coefficients, np.asarray(np.linalg.solve(information, scores.T).T, np.float64)
        coefficients = coefficients + step * min(1.0, MAX_STEP / largest)
    return None
