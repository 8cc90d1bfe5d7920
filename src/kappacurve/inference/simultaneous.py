"""Pairwise differences of several models: adjusted p values and intervals of one procedure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import inf, nan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, fdtrc, stdtr, stdtrit

from kappacurve._validation import FloatArray, check_numbers
from kappacurve.inference.results import ROUNDING, Comparison, Family, check_level, check_repeats

# Directions over which the normal or t distribution is integrated, and the steps to which what is
# found there is reduced: a p value near 0.05 is exact to about 0.0002.
DIRECTIONS, STEPS = 50_000, 1000


class Simultaneous(NamedTuple):
    """All pairwise differences, with intervals that hold together and adjusted p values."""

    pairs: list[tuple[int, int]]
    difference: FloatArray
    standard_error: FloatArray
    p_value: FloatArray
    low: FloatArray
    high: FloatArray


def max_t(
    values: npt.ArrayLike,
    covariance: npt.ArrayLike,
    *,
    df: npt.ArrayLike = inf,
    level: float = 0.95,
) -> Simultaneous:
    """Compare every two of several estimates by the largest of their studentised differences.

    Parameters
    ----------
    values : array-like of shape (n_models,)
        A measure of two models or more.
    covariance : array-like of shape (n_models, n_models)
        Of the values, as :func:`kappacurve.inference.covariance` returns it.
    df : float or array-like of shape (n_pairs,), default infinity
        Degrees of freedom of the errors, one or one of each pair; infinity takes the normal
        distribution.
    level : float in (0, 1), default 0.95
        Of all intervals together.

    Returns
    -------
    pairs : list of (int, int)
        (0, 1), (0, 2), ..., (1, 2), ...: the first model less the second.
    difference, standard_error : ndarray of shape (n_pairs,)
    p_value : ndarray of shape (n_pairs,)
        Chance that, if no two models differ, any studentised difference is as large as this one.
        It is below 1 - level if and only if the interval excludes zero. 1 where two models have
        equal values without an error; NaN where the values differ without an error.
    low, high : ndarray of shape (n_pairs,)
        Intervals that all hold their difference at once with probability `level`; NaN without an
        error.

    Raises
    ------
    ValueError
        If there are fewer than two values, shapes differ, `covariance` is not symmetric and
        positive semidefinite, or an option is out of its range.

    Notes
    -----
    Tukey's and Dunnett's procedures are the best known of this kind. The differences are jointly
    normal with the correlations that `covariance` gives, or t with the degrees of freedom of each
    difference; the distribution of the largest is integrated along the radius exactly and over
    fixed directions by simulation. For two models it is the plain test. It never adjusts more
    than Bonferroni, and less the more the differences are correlated. Unlike Holm's steps it has
    intervals.

    References
    ----------
    Hothorn, Bretz & Westfall (2008), Biometrical Journal 50, 346-363, doi:10.1002/bimj.200810425.
    Hasler & Hothorn (2008), Biometrical Journal 50, 793-800, on degrees of freedom of each
    difference. Somerville (1998), Journal of Statistical Software 3(4), on the integration.

    Examples
    --------
    Three independent values with equal errors are Tukey's case:

    >>> found = max_t([0.0, 1.0, 2.0], 0.5 * np.eye(3))
    >>> found.pairs
    [(0, 1), (0, 2), (1, 2)]
    >>> found.p_value.round(2).tolist()
    [0.58, 0.11, 0.58]
    """
    level = check_level(level)
    value = check_numbers("values", values)
    matrix = check_numbers("covariance", covariance)
    n = len(value) if value.ndim == 1 else 0
    if n < 2 or matrix.shape != (n, n):
        raise ValueError(
            "values and covariance must have the shapes (n_models,) and (n_models, n_models) with "
            f"two models or more, got {value.shape} and {matrix.shape}."
        )
    if not (np.isfinite(value).all() and np.isfinite(matrix).all()):
        raise ValueError("values and covariance must be finite.")
    size = np.abs(matrix).max()
    symmetric = np.allclose(matrix, matrix.T, rtol=0, atol=1e-12 * size)
    if not symmetric or np.linalg.eigvalsh(matrix)[0] < -1e-8 * size:
        raise ValueError("covariance must be symmetric and positive semidefinite.")
    pairs = list(combinations(range(len(value)), 2))
    first, second = np.transpose(pairs)
    contrast = np.eye(len(value))[first] - np.eye(len(value))[second]
    degrees = check_numbers("df", df)
    if degrees.shape not in ((), (len(pairs),)) or not (degrees > 0).all():
        raise ValueError(
            f"df must be positive, one number or one of each of the {len(pairs)} pairs, got {df!r}."
        )
    spread = contrast @ matrix @ contrast.T
    error = np.sqrt(np.clip(np.diag(spread), 0.0, None))
    difference = contrast @ value
    varies = error > ROUNDING
    p_value = np.where(np.abs(difference) < ROUNDING, 1.0, nan)
    half = np.full(len(pairs), nan)
    if varies.any():
        largest = Largest(spread[np.ix_(varies, varies)])
        for i in np.flatnonzero(varies):
            df_of_pair = float(np.broadcast_to(degrees, len(pairs))[i])
            p_value[i] = largest.tail(abs(difference[i]) / error[i], df_of_pair)
            half[i] = largest.quantile(level, df_of_pair) * error[i]
    ends = difference - half, difference + half
    return Simultaneous(pairs, difference, error, p_value, *ends)


def together(
    covariance: FloatArray,
    degrees: Sequence[float],
    test: Callable[[int, float], Comparison],
    level: float,
) -> list[tuple[Comparison, float]]:
    """Tests of differences, each with the interval that holds with all others and its adjusted p.

    `covariance` (m, m) is that of the differences, `degrees` are those of each test's statistic,
    and `test` makes one at a level: at the level of its own that `level` for all together asks.
    """
    varies = np.diag(covariance) > ROUNDING**2
    largest = Largest(covariance[np.ix_(varies, varies)]) if varies.any() else None
    tests = []
    for i, df in enumerate(degrees):
        if largest is None or not varies[i]:
            found = test(i, level)
            tests.append((found, found.p_value))
            continue
        level_alone = level
        if largest.count > 1:
            level_alone = 1 - 2 * float(stdtr(df, -largest.quantile(level, df)))
        found = test(i, level_alone)
        adjusted = largest.tail(abs(found.statistic), df) if found.p_value >= 0 else nan
        tests.append((found, adjusted))
    return tests


def max_t_of_resamples(
    values: npt.ArrayLike, drawn: npt.ArrayLike, *, level: float = 0.95
) -> Simultaneous:
    """Compare every two of several estimates by resamples that all models share.

    Parameters
    ----------
    values, level
        As in :func:`max_t`.
    drawn : array-like of shape (n_resamples, n_models)
        The same measure in each resample.

    Returns
    -------
    Simultaneous
        As in :func:`max_t`. low and high are infinite where there are too few resamples for the
        level; the p values are at least 1 / (n_resamples + 1).

    Raises
    ------
    ValueError
        If there are fewer than two values or resamples, the shapes differ, or one is not finite.

    Notes
    -----
    The resamples' differences, less the sample's and over their standard deviation, show how far
    the largest of them goes by chance (Westfall & Young 1993, section 2.3, with single steps). The
    sample itself is counted.

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal([0.0, 0.0, 9.0], size=(999, 3))
    >>> found = max_t_of_resamples([0.0, 0.0, 9.0], drawn)
    >>> found.p_value.round(3).tolist()
    [1.0, 0.001, 0.001]
    """
    level = check_level(level)
    value = check_numbers("values", values)
    resamples = check_numbers("drawn", drawn)
    if value.ndim != 1 or len(value) < 2 or resamples.shape[1:] != value.shape:
        raise ValueError(
            "values and drawn must have the shapes (n_models,) and (n_resamples, n_models) with "
            f"two models or more, got {value.shape} and {resamples.shape}."
        )
    if not (np.isfinite(value).all() and np.isfinite(resamples).all()):
        raise ValueError("values and drawn must be finite.")
    check_repeats("drawn", len(resamples))
    pairs = list(combinations(range(len(value)), 2))
    first, second = np.transpose(pairs)
    difference = value[first] - value[second]
    moved = resamples[:, first] - resamples[:, second] - difference
    error = np.std(moved, axis=0, ddof=1)
    error[error < ROUNDING] = 0.0
    varies = error > 0
    p_value = np.where(np.abs(difference) < ROUNDING, 1.0, nan)
    half = np.full(len(pairs), nan)
    if varies.any():
        largest = np.sort(np.abs(moved[:, varies] / error[varies]).max(axis=1))[::-1]
        # How many resamples may be as far out as a difference whose p value is below 1 - level.
        shares = (1 + np.arange(len(largest) + 1)) / (1 + len(largest))
        allowed = int(np.count_nonzero(shares < 1 - level))
        reach = np.abs(difference[varies]) / error[varies]
        p_value[varies] = shares[(largest[:, None] >= reach).sum(axis=0)]
        half[varies] = error[varies] * (largest[allowed - 1] if allowed else inf)
    return Simultaneous(pairs, difference, error, p_value, difference - half, difference + half)


def together_by_resamples(
    alone: Mapping[tuple[str, str], Comparison],
    values: npt.ArrayLike,
    drawn: FloatArray,
    level: float,
) -> Family:
    """Tests of every two models by shared resamples, from what each pair's test alone found.

    Never a narrower interval or a smaller p value than alone, where percentiles are not symmetric.
    """
    if len(alone) < 2:
        return {pair: (test, test.p_value) for pair, test in alone.items()}
    found = max_t_of_resamples(values, drawn, level=level)
    tests = {}
    for k, (pair, test) in enumerate(alone.items()):
        low = float(np.minimum(test.low, found.low[k]))
        high = float(np.maximum(test.high, found.high[k]))
        adjusted = float(np.maximum(test.p_value, found.p_value[k]))
        tests[pair] = test._replace(low=low, high=high), adjusted
    return tests


class Largest:
    """The largest absolute value of correlated normal, or t, variables with mean zero.

    Such variables are a radius times a point of the unit sphere, in as many dimensions as the rank
    of their correlations. Given the point, the chance that the radius takes the largest beyond a
    limit is exact. What is simulated stands between the chance of one variable and the sum of all.
    """

    def __init__(self, spread: FloatArray) -> None:
        error = np.sqrt(np.diag(spread))
        eigenvalues, vectors = np.linalg.eigh(spread / np.outer(error, error))
        real = eigenvalues > 1e-10 * eigenvalues[-1]
        self._rank = int(real.sum())
        self.count = len(error)
        scale = vectors[:, real] * np.sqrt(eigenvalues[real])
        reach = np.sort(np.abs(_sphere(self._rank) @ scale.T).max(axis=1))
        self._reach = reach.reshape(STEPS, -1).mean(axis=1)

    def tail(self, limit: float, df: float) -> float:
        """Chance that the largest is at least a limit; it falls as the limit rises."""
        alone = 2 * float(stdtr(df, -limit))
        square = (limit / self._reach) ** 2
        if np.isinf(df):
            beyond = chdtrc(self._rank, square)
        else:
            beyond = fdtrc(self._rank, df, square / self._rank)
        return min(max(alone, float(beyond.mean())), self.count * alone, 1.0)

    def quantile(self, level: float, df: float) -> float:
        """The limit that the largest exceeds with a chance of one minus the level."""
        low, high = (float(stdtrit(df, 1 - (1 - level) / (2 * n))) for n in (1, self.count))

        def beyond(limit: float) -> float:
            return self.tail(limit, df) - (1 - level)

        # Differences that move as one are one, whatever rounding says.
        if self.count == 1 or beyond(low) <= 1e-14:
            return low
        if beyond(high) >= 0:
            return high
        from scipy.optimize import brentq  # here: it takes long to import, and two models need none

        return float(brentq(beyond, low, high, xtol=1e-14))


@cache
def _sphere(rank: int) -> FloatArray:
    """Points of the unit sphere, the same each time."""
    points = np.random.default_rng(0).standard_normal((DIRECTIONS, rank))
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))
