"""Confidence bands of kappa curves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from kappacurve._validation import Cost, FloatArray, Scored
from kappacurve.inference._sample import Sample, check_design, check_sample
from kappacurve.inference.results import (
    Sampling,
    check_level,
    check_repeats,
    normal_quantile,
    wilson_interval,
)
from kappacurve.kappa import kappa_from_rates, least_kappa
from kappacurve.roc import area_under_curve, vertices_of

# Normal quantiles among which the one of a simultaneous band is sought.
QUANTILES = np.arange(1.0, 6.0, 0.1)[:, np.newaxis]


class KappaBand(NamedTuple):
    """Confidence band of a kappa curve."""

    fpr: FloatArray
    low: FloatArray
    high: FloatArray


def kappa_band(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    sampling: Sampling | None = None,
    level: float = 0.95,
    simultaneous: bool = False,
    n_resamples: int = 500,
    n_points: int = 201,
    random_state: int = 0,
) -> KappaBand:
    """Confidence band of the (raw) kappa curve, at any one rate or at all of them.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, groups, prevalence, cost, cost_ratio, sampling
        As in :func:`kappacurve.interval`, with the same errors.
    level : float in (0, 1), default 0.95
    simultaneous : bool, default False
        False: the level is that of the band at any one rate. True: at all `n_points` rates
        together, which makes the band wider.
    n_resamples : int, default 500
        Simulated samples that set the width of a simultaneous band; not used otherwise.
    n_points : int, default 201
        Number of false positive rates, evenly spaced.
    random_state : int, default 0
        Of the simulated samples: the same number gives the same band.

    Returns
    -------
    fpr : ndarray of shape (n_points,) in [0, 1]
    low, high : ndarray of shape (n_points,)
        Ends of the band at each rate; both 0 at rate 1, where every ROC curve ends.

    Notes
    -----
    At a false positive rate f two errors add: the threshold that has this rate is estimated from
    the negatives, and the true positive rate t there from the positives. The share of negatives
    above the true threshold has the variance f(1 - f) / n_neg, known because f is given; read off
    the ROC curve at f less and plus the normal quantile times its root, this gives limits of t.
    Wilson's limits of the binomial share t are the others. The distances of the two from the
    estimate (the middle, where the curve steps up) are squared and added, and the ends
    transformed to kappa, which rises with t. With sampling "random" Wilson's limits of the
    prevalence add a third distance. Wilson's limits are what keeps the coverage where t is near
    one and resampling shows no variance.

    A simultaneous band has a larger quantile: the smallest with which the stated share of
    simulated samples have bands that hold the curve they were drawn from, binormal with the AUC
    and the numbers of rows of the sample.

    With groups or weights the numbers of rows are those of independent rows that tell as much.
    docs/coverage.md has the coverage.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10, for adding the squares of
    distances to Wilson's limits. Pepe (2003), section 5.2, for the two variances. Huang,
    Parakati, Patil & Sanda (2023), "Interval estimation for operating characteristic of
    continuous biomarkers with controlled sensitivity or specificity", Statistica Sinica 33(1), on
    why limits of the score type hold their coverage here.

    Examples
    --------
    >>> band = kappa_band([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], n_points=5)
    >>> band.fpr
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> bool((band.low <= band.high).all())
    True
    """
    quantile = normal_quantile(check_level(level))
    check_repeats("n_resamples", n_resamples)
    sample = check_sample(y_true, {"": y_score}, pos_label, sample_weight, groups)
    sample.warn()
    at = check_design(sample, prevalence, cost, cost_ratio, "fpr", sampling)
    p, share = at.prevalence, at.cost
    grid = np.linspace(0, 1, n_points)
    fpr, tpr, thresholds = vertices_of(sample.scored(""))
    sizes = _independent_rows(sample, thresholds)
    if simultaneous:
        n_pairs = sizes[0] * sizes[1]
        auc = (n_pairs * area_under_curve(fpr, tpr) + 0.5) / (n_pairs + 1)
        separation = float(np.sqrt(2) * ndtri(auc))
        whole = max(2, round(sizes[0])), max(2, round(sizes[1]))
        needed = _needed_quantiles(whole, separation, grid, n_resamples, random_state)
        quantile = max(quantile, float(np.quantile(needed, level, method="higher")))
    rate, low, high = _rate_limits(fpr, tpr, sizes, grid, quantile)
    kappa, low, high = (kappa_from_rates(grid, t, p, cost=share) for t in (rate, low, high))
    if at.estimated:
        ends = wilson_interval(np.array(p), sum(sizes), quantile)
        others = [kappa_from_rates(grid, rate, end, cost=share) for end in ends]
        low = kappa - np.hypot(kappa - low, kappa - np.minimum(kappa, np.min(others, axis=0)))
        high = kappa + np.hypot(high - kappa, np.maximum(kappa, np.max(others, axis=0)) - kappa)
    least = min(-1.0, least_kappa(p, share))
    return KappaBand(grid, np.maximum(low, least), np.minimum(high, 1))


def _independent_rows(sample: Sample, thresholds: FloatArray) -> tuple[float, float]:
    """How many independent rows of equal weight would tell as much of each class's rates.

    By groups or weights a rate has another variance than f (1 - f) / n; the ratio of the two,
    averaged over thresholds, divides the number of rows.
    """
    sizes = []
    score = sample.scores[""]
    tried = thresholds[1:-1][:: max(1, len(thresholds) // 50)]
    for side in (sample.positive, ~sample.positive):
        n = int(side.sum())
        if sample.weight is None and sample.groups is None:
            sizes.append(float(n))
            continue
        clustered = independent = 0.0
        for threshold in tried:
            rate, variance = sample.share(score >= threshold, side)
            clustered += variance
            independent += rate * (1 - rate) / n
        sizes.append(n * independent / clustered if clustered > 0 else float(n))
    return sizes[0], sizes[1]


def _rate_limits(
    fpr: FloatArray, tpr: FloatArray, sizes: tuple[float, float], rates: FloatArray, quantile: Any
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """True positive rate at each false positive rate, and its limits."""

    def upper(f: FloatArray) -> FloatArray:  # end of a vertical step
        return np.asarray(np.interp(f, fpr, tpr))

    def lower(f: FloatArray) -> FloatArray:
        return np.asarray(-np.interp(-f, -fpr[::-1], -tpr[::-1]))

    n_positive, n_negative = sizes
    half = quantile * np.sqrt(rates * (1 - rates) / n_negative)
    middle = np.where(rates < 1, (lower(rates) + upper(rates)) / 2, 1.0)
    by_positives = wilson_interval(middle, n_positive, quantile)
    low = middle - np.hypot(middle - by_positives[0], middle - lower(rates - half))
    high = middle + np.hypot(by_positives[1] - middle, upper(rates + half) - middle)
    # Whatever the rows are, the curve ends at (1, 1).
    return middle, np.where(rates < 1, np.maximum(low, 0), 1.0), np.minimum(high, 1)


def _needed_quantiles(
    sizes: tuple[int, int], separation: float, grid: FloatArray, n_samples: int, random_state: int
) -> FloatArray:
    """The quantile with which the band of each simulated sample holds the true curve everywhere."""
    true = ndtr(ndtri(grid) + separation)
    positive = np.arange(sum(sizes)) < sizes[0]
    random = np.random.default_rng(random_state)
    needed = np.empty(n_samples)
    for i in range(n_samples):
        score = random.standard_normal(len(positive)) + separation * positive
        fpr, tpr, _ = vertices_of(Scored(positive, score, None))
        _, low, high = _rate_limits(fpr, tpr, sizes, grid, QUANTILES)
        holds = ((low <= true) & (true <= high)).all(axis=1)
        needed[i] = QUANTILES[holds.argmax() if holds.any() else -1, 0]
    return needed
