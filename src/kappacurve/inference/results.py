"""Results of estimates and comparisons, and the checks that all inference shares."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import inf, nan, sqrt
from numbers import Integral
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtr, stdtrit

from kappacurve._validation import BoolArray, FloatArray, check_number, check_numbers, check_rate

Sampling = Literal["stratified", "random"]
Scale = Literal["adjusted", "logit", "plain"]

# How often to resample or permute, and the random state.
Repeats = tuple[int, int]

# Standard errors and differences below this are what rounding leaves of an exact zero.
ROUNDING = 1e-12


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
