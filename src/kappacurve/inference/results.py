"""Results of estimates and comparisons: intervals, tests, and all pairs of models together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import cache
from itertools import combinations
from math import inf, nan, sqrt
from numbers import Integral
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, fdtrc, ndtri, stdtr, stdtrit

from kappacurve._validation import BoolArray, FloatArray, check_number, check_numbers, check_rate

Sampling = Literal["stratified", "random"]
Scale = Literal["adjusted", "logit", "plain"]

# How often to resample or permute, and the random state.
Repeats = tuple[int, int]

# Standard errors and differences below this are what rounding leaves of an exact zero.
ROUNDING = 1e-12

# Directions over which the normal or t distribution is integrated, and the steps to which what is
# found there is reduced: a p value near 0.05 is exact to about 0.0002.
DIRECTIONS, STEPS = 50_000, 1000


class Estimate(NamedTuple):
    """A measure of one set of scores with its standard error and confidence interval.

    `method` names how they were found: "delong", "influence" or "bootstrap"; `df` are degrees of
    freedom of the standard error.
    """

    estimate: float
    standard_error: float
    low: float
    high: float
    method: str = ""
    df: float = inf

    def unpaired_test(self, other: Estimate, *, level: float = 0.95) -> Comparison:
        """Compare the measure with that of an independent sample.

        Parameters
        ----------
        other : Estimate
            The same measure on rows of which this one has none.
        level : float in (0, 1), default 0.95
            Of the interval of the difference.

        Returns
        -------
        Comparison
            difference is this estimate minus the other. The test is Welch's: Student's t, with
            degrees of freedom from those of both errors.

        Notes
        -----
        An AUC's variance is a sum over two classes, so its `df` are fewer than the rows less one,
        and near those of the rarer class. pROC's roc.test takes the rows less one of each sample;
        ``a._replace(df=n_a - 1).unpaired_test(b._replace(df=n_b - 1))`` is its test.

        References
        ----------
        Hanley & McNeil (1983), Radiology 148, 839-843, equation 1 with r = 0,
        doi:10.1148/radiology.148.3.6878708. Welch (1947), Biometrika 34, 28-35.

        Examples
        --------
        >>> result = Estimate(0.80, 0.03, 0, 0).unpaired_test(Estimate(0.70, 0.04, 0, 0))
        >>> round(result.standard_error, 3), round(result.statistic, 3), round(result.p_value, 4)
        (0.05, 2.0, 0.0455)
        """
        difference = self.estimate - other.estimate
        error = float(np.hypot(self.standard_error, other.standard_error))
        # Rows that separate the classes show no error, and yet their interval is wide.
        unknown = any(
            estimate.standard_error == 0 and estimate.low != estimate.high
            for estimate in (self, other)
        )
        if error == 0 or unknown:
            return Comparison(difference, error, nan, nan, nan, nan, "unpaired")
        shares = [
            (estimate.standard_error / error) ** 4 / estimate.df for estimate in (self, other)
        ]
        df = 1 / sum(shares) if any(shares) else inf
        return student_test(difference, error, df, check_level(level), "unpaired")


class Comparison(NamedTuple):
    """The difference of a measure between two sets of scores, its interval and its test.

    `method` names how they were found: "delong", "influence", "bootstrap", "permutation" or
    "unpaired".
    """

    difference: float
    standard_error: float
    statistic: float
    p_value: float
    low: float
    high: float
    method: str = ""


# Tests of every two models, with the p value of each that is adjusted for all.
Family = dict[tuple[str, str], tuple[Comparison, float]]


def records_of(family: Family, **named: str) -> list[dict[str, Any]]:
    """Tests of every two models as rows of a table."""
    return [
        {"first": first, "second": second, **named, **test._asdict(), "p_adjusted": adjusted}
        for (first, second), (test, adjusted) in family.items()
    ]


def normal_interval(
    estimate: float,
    error: float,
    level: float,
    scale: Scale,
    within: tuple[float, float],
    df: float = inf,
) -> tuple[float, float]:
    """Ends of an interval on the stated scale, inside the range of the measure.

    Normal, or Student's t of `df`. The logit of a range without an end is the logarithm. Without an
    error there is no interval.
    """
    estimate, error = float(estimate), float(error)
    tail = (1 + level) / 2
    half = float(ndtri(tail) if df == inf else stdtrit(df, tail)) * error
    lowest, highest = within
    width = highest - lowest
    share = (estimate - lowest) / width
    low = high = nan
    if error > 0 and scale == "plain":
        low, high = max(lowest, estimate - half), min(highest, estimate + half)
    elif error > 0 and highest == inf and estimate > lowest:
        factor = np.exp(half / (estimate - lowest))
        low, high = lowest + (estimate - lowest) / factor, lowest + (estimate - lowest) * factor
    elif error > 0 and 0 < share < 1:  # at an end of the range only rounding leaves an error
        low, high = map(float, logit_ends(estimate, half, lowest, highest))
    return low, high


def logit_ends(estimate: Any, half: Any, lowest: Any, highest: Any) -> tuple[Any, Any]:
    """Ends on the logit scale of a range, where they are `half` from the estimate to first order.

    NaN where there is no error, or the estimate is at an end of the range.
    """
    width = highest - lowest
    share = (estimate - lowest) / width
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        half = half / (width * share * (1 - share))  # the logit's derivative
        known = (half > 0) & (share > 0) & (share < 1)
        ends = (share / (share + (1 - share) * np.exp(side)) for side in (half, -half))
        low, high = (np.where(known, lowest + width * end, nan) for end in ends)
    return low, high


def no_interval_reason(positive: BoolArray, score: FloatArray) -> str | None:
    """Why scores give no interval, whatever the method: resampled, they stay as they are."""
    ones, zeros = score[positive], score[~positive]
    if ones.min() > zeros.max():
        return "separates the classes perfectly"
    if ones.max() < zeros.min():
        return "separates the classes perfectly, the wrong way round"
    return "gives all rows one score" if score.min() == score.max() else None


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust the p values of one family of tests by Holm (1979), Scand. J. Statist. 6, 65-70.

    NaN stands for a test that could not be made: it stays, and does not count.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = np.asarray(p_values, dtype=float)
    known = ~np.isnan(p_values)
    p = p_values[known]
    order = np.argsort(p, kind="stable")
    # The smallest counts n times, the next n - 1 times; none may fall below the one before.
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.full_like(p_values, np.nan)
    adjusted[np.flatnonzero(known)[order]] = np.minimum(stepped, 1.0)
    return adjusted


def student_test(
    difference: float, error: float, df: float, level: float, method: str
) -> Comparison:
    """Two-sided t test that a difference is zero, with its interval; p = 1 where none can vary."""
    if error == 0:
        p_value = 1.0 if abs(difference) < ROUNDING else nan
        return Comparison(difference, error, nan, p_value, nan, nan, method)
    statistic = difference / error
    p_value = 2 * float(stdtr(df, -abs(statistic)))
    half = float(stdtrit(df, (1 + level) / 2)) * error
    ends = difference - half, difference + half
    return Comparison(difference, error, statistic, p_value, *ends, method)


def without_p_value(test: Comparison, few: bool) -> Comparison:
    """A test of too few rows, if so: without a p value where its difference varies."""
    return test._replace(p_value=nan) if few and test.standard_error > 0 else test


def check_level(level: float) -> float:
    """Return the level of an interval; raise outside the open interval (0, 1)."""
    number = check_number("level", level)
    if not (number > 0 and (1 + number) / 2 < 1):
        raise ValueError(f"level must lie strictly between 0 and 1, such as 0.95, got {level!r}.")
    return number


def check_repeats(name: str, repeats: int) -> None:
    """Raise if there are too few resamples or permutations to say anything."""
    if not (isinstance(repeats, Integral) and repeats >= 2):
        raise ValueError(f"{name} must be an integer of at least 2, got {repeats!r}.")


def normal_quantile(level: float) -> float:
    """The standard normal quantile of a central interval."""
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson_interval(
    share: npt.ArrayLike, n: npt.ArrayLike, quantile: npt.ArrayLike = 1.959963984540054
) -> tuple[FloatArray, FloatArray]:
    """Wilson's limits in [0, 1] of a binomial share in [0, 1] of `n` >= 1, as arrays.

    `quantile` > 0 is the standard normal one of the interval, by default of the level 0.95.

    Wilson (1927), JASA 22, 209-212, doi:10.1080/01621459.1927.10502953.

    >>> [end.round(3).tolist() for end in wilson_interval(0.2, 20)]
    [0.081, 0.416]
    """
    share = check_rate("share", share)
    n = check_numbers("n", n)
    if not (n >= 1).all():
        raise ValueError(f"n must be at least 1, got {n!r}.")
    square = check_numbers("quantile", quantile) ** 2 / n
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return centre - half, centre + half


def share_interval(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Limits of a binomial share by Agresti & Coull (1998), American Statistician 52, 119-126.

    About Wilson's centre and never narrower than his: near 0 and 1 his cover too rarely.
    """
    square = quantile**2 / n
    centre = (share + square / 2) / (1 + square)
    half = quantile * sqrt(centre * (1 - centre) / (n + quantile**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def standard_error(variance: float) -> float:
    """Root of a variance; zero where only rounding is left."""
    return float(standard_errors(np.asarray(variance)))


def standard_errors(variance: FloatArray) -> FloatArray:
    """The same of each variance."""
    error = np.sqrt(np.maximum(variance, 0.0))
    return np.where(error > ROUNDING, error, 0.0)


def outward(low: float, high: float, *, digits: int = 6) -> str:
    """Both ends of an interval as text of so many significant digits, rounded outward.

    What they hold is inside as printed, too.

    >>> outward(0.03224, 0.13651, digits=3)
    '0.0322 to 0.137'
    """
    ends = [
        float(Context(prec=digits, rounding=way).create_decimal(repr(check_number(name, end))))
        for name, end, way in (("low", low, ROUND_FLOOR), ("high", high, ROUND_CEILING))
    ]
    return " to ".join(f"{end + 0.0:.{digits}g}" for end in ends)


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
    value, matrix, pairs = _checked_values(values, "covariance", covariance, "n_models")
    size = np.abs(matrix).max()
    symmetric = np.allclose(matrix, matrix.T, rtol=0, atol=1e-12 * size)
    if not symmetric or np.linalg.eigvalsh(matrix)[0] < -1e-8 * size:
        raise ValueError("covariance must be symmetric and positive semidefinite.")
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


def _checked_values(
    values: npt.ArrayLike, name: str, table: npt.ArrayLike, rows: str
) -> tuple[FloatArray, FloatArray, list[tuple[int, int]]]:
    """Values of two models or more, a table with a column for each, and the pairs of models."""
    value = check_numbers("values", values)
    array = check_numbers(name, table)
    n = len(value) if value.ndim == 1 else 0
    if n < 2 or array.shape[1:] != (n,) or (rows == "n_models" and len(array) != n):
        raise ValueError(
            f"values and {name} must have the shapes (n_models,) and ({rows}, n_models) with two "
            f"models or more, got {value.shape} and {array.shape}."
        )
    if not (np.isfinite(value).all() and np.isfinite(array).all()):
        raise ValueError(f"values and {name} must be finite.")
    return value, array, list(combinations(range(n), 2))


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
    value, resamples, pairs = _checked_values(values, "drawn", drawn, "n_resamples")
    check_repeats("drawn", len(resamples))
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
