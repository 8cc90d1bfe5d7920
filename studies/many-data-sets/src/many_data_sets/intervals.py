"""Means over data sets, with intervals in which the packages are the units."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
FEW_PACKAGES = 10  # up to so many: Student's t; with fewer there is no verdict
TAIL = 0.025


class Mean(NamedTuple):
    """A mean over data sets; the interval spans both intervals of the protocol."""

    estimate: float
    low: float
    high: float
    data_sets: int
    packages: int


def mean_over_data_sets(values: FloatArray, packages: IntArray, resamples: int, seed: int) -> Mean:
    """Average the values of data sets, whose packages are numbered from 0.

    Two 95 % intervals are computed: packages resampled, and data sets that are correlated within
    a package. The lower of the low ends and the higher of the high ends are returned, nan if
    either interval has less than one degree of freedom.
    """
    resampled = package_interval(values, packages, resamples, seed)
    correlated = t_interval(*correlated_mean(values, packages))
    low, high = np.array([resampled, correlated]).T
    n_packages = len(np.unique(packages))
    return Mean(float(values.mean()), float(low.min()), float(high.max()), len(values), n_packages)


def package_interval(
    values: FloatArray, packages: IntArray, resamples: int, seed: int
) -> tuple[float, float]:
    """Bootstrap interval over packages; Student's t, clustered by package, if they are few."""
    if packages.max() < FEW_PACKAGES:
        return t_interval(*clustered_mean(values, packages))
    means = resample_packages(values, packages, resamples, seed)
    low, high = np.quantile(means, [TAIL, 1 - TAIL])
    return float(low), float(high)


def equal_packages(values: FloatArray, packages: IntArray) -> tuple[float, float, float]:
    """Mean of the packages' means, each package weighing the same, and its interval by t."""
    means = np.bincount(packages, values) / np.bincount(packages)
    mean, error = float(means.mean()), float(means.std(ddof=1)) / math.sqrt(len(means))
    return mean, *t_interval(mean, error, len(means))


def p_value(values: FloatArray, packages: IntArray, resamples: int, seed: int) -> float:
    """Two-sided p value of a mean of zero: the larger of those of the two intervals."""
    correlated = t_p_value(*correlated_mean(values, packages))
    if packages.max() < FEW_PACKAGES:
        return max(correlated, t_p_value(*clustered_mean(values, packages)))
    means = resample_packages(values, packages, resamples, seed)
    tail = min(np.count_nonzero(means <= 0), np.count_nonzero(means >= 0))
    return max(correlated, min(1.0, 2 * (tail + 1) / (resamples + 1)))


def resample_packages(
    values: FloatArray, packages: IntArray, resamples: int, seed: int
) -> FloatArray:
    """Means over the data sets of packages that are drawn with replacement."""
    sizes = np.bincount(packages)
    random = np.random.default_rng([seed, len(sizes)])
    drawn = random.integers(len(sizes), size=(resamples, len(sizes)))
    totals = np.bincount(packages, values)[drawn].sum(axis=1)
    means: FloatArray = totals / sizes[drawn].sum(axis=1)
    return means


def clustered_mean(values: FloatArray, packages: IntArray) -> tuple[float, float, float]:
    """Mean, its error clustered by package, and the effective number of packages."""
    sizes, n, mean = np.bincount(packages), len(values), float(values.mean())
    if len(sizes) < 2:
        return mean, math.nan, 1.0
    sums = np.bincount(packages, values - mean)
    error = math.sqrt(len(sizes) / (len(sizes) - 1) * (sums**2).sum()) / n
    return mean, error, float(n**2 / (sizes**2).sum())


def correlated_mean(values: FloatArray, packages: IntArray) -> tuple[float, float, float]:
    """Mean, its error, and as many data sets as the correlation within packages leaves."""
    sizes, n, mean = np.bincount(packages), len(values), float(values.mean())
    if n < 2:
        return mean, math.nan, 1.0
    pairs = (sizes * (sizes - 1)).sum()
    effective = float(n / (1 + correlation_within_packages(values, packages) * pairs / n))
    return mean, float(values.std(ddof=1)) / math.sqrt(effective), effective


def t_interval(mean: float, error: float, effective: float) -> tuple[float, float]:
    """Interval by Student's t from the effective number of units; nan with fewer than two."""
    if effective < 2:
        return math.nan, math.nan
    margin = float(student.isf(TAIL, effective - 1)) * error
    return mean - margin, mean + margin


def t_p_value(mean: float, error: float, effective: float) -> float:
    """Two-sided p value by Student's t; nan with fewer than two units."""
    if effective < 2:
        return math.nan
    return float(2 * student.sf(abs(mean / error), effective - 1))


def correlation_within_packages(values: FloatArray, packages: IntArray) -> float:
    """Correlation of two data sets of a package, by one-way analysis of variance; at least 0."""
    sizes, n = np.bincount(packages), len(values)
    groups = len(sizes)
    if not 1 < groups < n:
        return 0.0
    means = np.bincount(packages, values) / sizes
    between = (sizes * (means - values.mean()) ** 2).sum() / (groups - 1)
    within = ((values - means[packages]) ** 2).sum() / (n - groups)
    size = (n - (sizes**2).sum() / n) / (groups - 1)
    total = between + (size - 1) * within
    return float(max(0.0, between - within) / total) if total > 0 else 0.0


def verdict(mean: Mean) -> str:
    """Verdict on a hypothesis that a mean is above zero, by the rule of the protocol."""
    if mean.packages < FEW_PACKAGES:
        return "too few packages"
    if mean.low > 0:
        return "confirmed"
    return "refuted" if mean.high < 0 else "not confirmed"
