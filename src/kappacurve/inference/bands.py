"""Confidence bands of kappa curves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..curves.curve import kappa, sample_curve
from ..validation import (
    FloatArray,
    Sample,
    check_cost_ratio,
    check_integer,
    check_prevalence,
    check_share,
)
from .estimates import Settings, quantile_of, share_of_class, wilson_limits
from .flagging import AtThreshold
from .influence import MAX_COST_RATIO, InfluenceModel
from .tests import check_rows


class KappaBand(NamedTuple):
    """Confidence band of a kappa curve: false positive rates, and the ends of the band there."""

    fpr: FloatArray
    low: FloatArray
    high: FloatArray


def kappa_band(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    cost_ratio: float = 1.0,
    n_points: int = 201,
) -> KappaBand:
    """Pointwise confidence band of the kappa curve.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans or strings); finite scores, higher for positives.
    confidence_level : float in (0, 1), default 0.95
        Of the band at any one false positive rate, not at all of them together.
    sample_weight : array-like of shape (n_samples,), optional
        How many rows of the population each row stands for.
    groups : array-like of shape (n_samples,), optional
        Such as patient ids: only rows of different groups are independent.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1), optional
        Share of positives at which to evaluate, taken as known; by default that of the rows, whose
        own error then counts.
    cost_ratio : float > 0, default 1
        Cost of a missed positive in false alarms.
    n_points : int, default 201
        Number of false positive rates, evenly spaced; at least 2.

    Returns
    -------
    fpr : ndarray of shape (n_points,) in [0, 1]
    low, high : ndarray of shape (n_points,)
        Ends of the band at each rate; both 0 at rate 1, where every ROC curve ends.

    Raises
    ------
    ValueError
        As :func:`kappacurve.interval`, or if `n_points` is below 2.

    Notes
    -----
    At a false positive rate f the true positive rate t has two errors: of the threshold, by which t
    is read off the curve at f less and plus the normal quantile times the root of f(1 - f) / n_neg,
    and of the share t itself, by Wilson's limits. Their distances from the estimate are squared and
    added; without a stated prevalence Wilson's limits of the share of positives add a third. With
    groups or weights the effective numbers of rows take the place of their numbers.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10. Pepe (2003), The Statistical
    Evaluation of Medical Tests, section 5.2, for the two variances.

    Examples
    --------
    >>> band = kappa_band([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], n_points=5)
    >>> band.fpr
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> bool((band.low <= band.high).all())
    True
    """
    confidence_level = check_share("confidence_level", confidence_level)
    quantile = quantile_of(confidence_level)
    ratio = check_cost_ratio(cost_ratio)
    sample = check_rows(y_true, {"": y_score}, pos_label, sample_weight, groups)
    p = sample.prevalence if prevalence is None else check_prevalence(prevalence)
    fpr = np.linspace(0, 1, check_integer("n_points", n_points, 2))
    sizes = _independent_rows(sample)
    rate, least, most = _rate_limits(sample, sizes, fpr, quantile)
    middle, low, high = (kappa(fpr, t, p, ratio) for t in (rate, least, most))
    if prevalence is None:
        ends = wilson_limits(p, sum(sizes), quantile)
        others = np.array([kappa(fpr, rate, end, ratio) for end in ends])
        low = middle - np.hypot(middle - low, middle - np.minimum(middle, others.min(axis=0)))
        high = middle + np.hypot(high - middle, np.maximum(middle, others.max(axis=0)) - middle)
    lowest = min(-1.0, float(kappa(1.0, 0.0, p, ratio)))
    return KappaBand(fpr, np.maximum(low, lowest), np.minimum(high, 1))


def net_benefit_band(
    sample: Sample, thresholds: FloatArray, prevalence: float | None, confidence_level: float
) -> tuple[FloatArray, FloatArray]:
    """Pointwise ends of a model's net benefit at threshold probabilities, or of a difference.

    Of the first model, or of the first less the second. Rows are flagged at fixed thresholds, so
    that a net benefit is a mean over rows.
    """
    models, settings = list(sample.scores), Settings(confidence_level)
    ends = np.empty((2, len(thresholds)))
    for k, tau in enumerate(thresholds.tolist()):
        ratio = min(MAX_COST_RATIO, (1 - tau) / tau) if tau > 0 else MAX_COST_RATIO
        influences = InfluenceModel(sample, prevalence, ratio)
        decision = AtThreshold(influences, dict.fromkeys(models, tau), settings)
        if len(models) == 1:
            estimate = decision.interval("net_benefit", models[0])
            ends[:, k] = estimate.low, estimate.high
        else:
            test = decision.test("net_benefit", models[0], models[1])
            # Models that flag the same rows differ by nothing.
            ends[:, k] = (test.low, test.high) if test.standard_error else test.difference
    return ends[0], ends[1]


def _independent_rows(sample: Sample) -> tuple[float, float]:
    """Effective sample size of the rates of either class: positives, negatives.

    With groups or weights a rate has another variance than f (1 - f) / n; the ratio of the two,
    averaged over thresholds, divides the number of rows.
    """
    score = sample.scores[""]
    thresholds = np.unique(score)[:0:-1]
    tried = thresholds[:: max(1, (len(thresholds) + 2) // 50)]
    sizes = []
    for side in (sample.positive, ~sample.positive):
        n = int(side.sum())
        dependent = independent = 0.0
        if sample.weight is not None or sample.groups is not None:
            for threshold in tried:
                rate, variance = share_of_class(sample, score >= threshold, side)
                dependent += variance
                independent += rate * (1 - rate) / n
        sizes.append(n * independent / dependent if dependent > 0 else float(n))
    return sizes[0], sizes[1]


def _rate_limits(
    sample: Sample, sizes: tuple[float, float], rates: FloatArray, quantile: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """True positive rate at each false positive rate, and its limits."""
    fpr, tpr, _ = sample_curve(sample)

    def upper(f: FloatArray) -> FloatArray:  # end of a vertical step
        return np.asarray(np.interp(f, fpr, tpr))

    def lower(f: FloatArray) -> FloatArray:
        return np.asarray(-np.interp(-f, -fpr[::-1], -tpr[::-1]))

    half = quantile * np.sqrt(rates * (1 - rates) / sizes[1])
    middle = np.where(rates < 1, (lower(rates) + upper(rates)) / 2, 1.0)
    least, most = wilson_limits(middle, sizes[0], quantile)
    low = middle - np.hypot(middle - least, middle - lower(rates - half))
    high = middle + np.hypot(most - middle, upper(rates + half) - middle)
    # Whatever the rows are, the curve ends at (1, 1).
    return middle, np.where(rates < 1, np.maximum(low, 0), 1.0), np.minimum(high, 1)
