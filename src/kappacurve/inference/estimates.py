"""Results of intervals and tests, limits of shares, and the statistics that need no curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..validation import BoolArray, FloatArray, IntArray, Sample
from .influence import Influence, InfluenceModel

ROUNDING = 1e-12  # errors and differences below this are what rounding leaves of zero
MIN_ROWS = {"analytic": 5, "bootstrap": 20}  # of the rarer class, for a p value
MIN_WEIGHT_SHARE = 0.4  # of their number, as which weighted rows should count
DIFFERENT_FOLDS = 1e-3  # p value below which the scores of folds are called different
MIN_GROUPS = 20  # effective groups of a class below which intervals are too narrow

Limits = Callable[[float, float, float], tuple[float, float]]  # of a share, n and the quantile


@dataclass(frozen=True)
class Estimate:
    """A measure of one model with its standard error and confidence interval.

    Attributes
    ----------
    estimate : float
    standard_error : float
        0 if the measure cannot vary; NaN for the constrained quantity.
    low, high : float
        Ends of the interval, inside the range of the measure; NaN if there is none.
    method : {"delong", "influence", "bootstrap", "sandwich", "pooled"}
        How they were found; the last two are those of :func:`kappacurve.calibration`.
    df : float
        Degrees of freedom of the standard error.
    note : str
        Why there is no interval, or why it may be too narrow; empty if there is nothing to say.
    """

    estimate: float
    standard_error: float
    low: float
    high: float
    method: str = ""
    df: float = inf
    note: str = ""


@dataclass(frozen=True)
class PairedTest:
    """The difference of a measure between two models, its interval and its two-sided test.

    Attributes
    ----------
    difference : float
        First model minus second.
    standard_error, statistic : float
        DeLong's for AUC, also where the p value is that of an exchange of the models.
    p_value : float
        NaN where there are too few rows for a test; 1 where the two models never differ. Below 1
        less the confidence level exactly if the interval does not hold 0.
    low, high : float
        Ends of the interval of the difference, inside its range; NaN if there is none.
    method : {"delong", "influence", "bootstrap"}
        How they were found.
    note : str
        Why there is no p value or interval, or why it is not reliable; else empty.
    """

    difference: float
    standard_error: float
    statistic: float
    p_value: float
    low: float
    high: float
    method: str = ""
    note: str = ""


class Settings(NamedTuple):
    """The confidence level of intervals, and the number of resamples with their seed."""

    confidence_level: float = 0.95
    n_resamples: int = 2000
    random_state: int = 0


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust the p values of one family of tests by Holm's method.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        NaN stands for a test that could not be made: it stays NaN and does not count.

    Returns
    -------
    ndarray of shape (n_tests,)

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    # The smallest counts n times, the next n - 1 times; none may fall below the one before.
    stepped = np.maximum.accumulate(values[order] * np.arange(len(order), 0, -1))
    adjusted = np.full_like(values, nan)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def student_p(value: float, error: float, df: float) -> float:
    """Two-sided p value of a statistic that is Student's; 1 without an error."""
    from scipy.special import stdtr

    return 2 * float(stdtr(df, -abs(value) / error)) if error > 0 else 1.0


def without_error(difference: float, method: str, first: str, second: str) -> PairedTest:
    """A difference that does not vary, whatever rows are drawn."""
    if abs(difference) < ROUNDING:
        note = f"{first} and {second} have the same value whatever rows are drawn."
        return PairedTest(0.0, 0.0, 0.0, 1.0, nan, nan, method, note)
    note = f"The difference of {first} and {second} does not vary: no test."
    return PairedTest(difference, 0.0, nan, nan, nan, nan, method, note)


def quantile_of(confidence_level: float, df: float = inf) -> float:
    """The quantile of a central interval, Student's or normal."""
    from scipy.special import ndtri, stdtrit

    tail = (1 + confidence_level) / 2
    return float(ndtri(tail) if df == inf else stdtrit(df, tail))


def standard_error(variance: Any) -> float:
    """Standard error; zero where only rounding is left."""
    error = sqrt(max(float(variance), 0.0))
    return error if error > ROUNDING else 0.0


def logit_interval(
    estimate: float, error: float, quantile: float, lowest: float, highest: float
) -> tuple[float, float]:
    """Interval that is symmetric on the logit scale of a range, or the log scale of an open one.

    NaN where there is no error, or the estimate is at an end of the range.
    """
    if not error > 0 or not lowest < estimate < highest:
        return nan, nan
    if highest == inf:
        factor = float(np.exp(quantile * error / (estimate - lowest)))
        return lowest + (estimate - lowest) / factor, lowest + (estimate - lowest) * factor
    width = highest - lowest
    share = (estimate - lowest) / width
    half = quantile * error / (width * share * (1 - share))
    with np.errstate(over="ignore"):
        low, high = (
            float(lowest + width * share / (share + (1 - share) * np.exp(side)))
            for side in (half, -half)
        )
    return low, high


def wilson_limits(share: Any, n: float, quantile: float) -> tuple[Any, Any]:
    """Wilson's (1927) limits of binomial shares of n rows."""
    square = quantile**2 / n
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return centre - half, centre + half


def share_limits(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Limits of a binomial share by Agresti & Coull (1998), American Statistician 52, 119-126.

    About Wilson's centre and never narrower than his: near 0 and 1 his cover too rarely.
    """
    square = quantile**2 / n
    centre = (share + square / 2) / (1 + square)
    half = quantile * sqrt(centre * (1 - centre) / (n + quantile**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def jeffreys_limits(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Limits of a binomial share with equal tails, by Jeffreys' prior; 0 and 1 are kept.

    Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133.
    """
    from scipy.special import betaincinv, ndtr

    tail = float(ndtr(-quantile))
    hits, misses = n * share + 0.5, n * (1 - share) + 0.5
    low = 0.0 if share <= 0 else float(betaincinv(hits, misses, tail))
    high = 1.0 if share >= 1 else float(betaincinv(hits, misses, 1 - tail))
    return low, high


class FlaggedRows(NamedTuple):
    """Rows that a model flags: their share of the negatives and the positives, and its variance."""

    flagged: BoolArray
    shares: tuple[float, float]
    variances: tuple[float, float]


def flag_rows(sample: Sample, threshold: float, model: str) -> FlaggedRows:
    """The rows with at least this score."""
    flagged = sample.scores[model] >= threshold
    f, variance_f = share_of_class(sample, flagged, ~sample.positive)
    t, variance_t = share_of_class(sample, flagged, sample.positive)
    return FlaggedRows(flagged, (f, t), (variance_f, variance_t))


def combine_limits(
    influences: InfluenceModel,
    flagged: FlaggedRows,
    result: Influence,
    slopes: tuple[float, float],
    outcome: Callable[[float, float], float],
    confidence_level: float,
    limits: Limits = share_limits,
) -> tuple[float, float]:
    """Ends of what flagged rows bring, by limits of the shares of each class that are flagged.

    The limits are those of a binomial share with the same variance; the distances of their outcomes
    from the result are squared and added (Newcombe 1998, method 10; Zou & Donner 2008, Statistics
    in Medicine 27, 1693-1702). A plain interval has no width where all rows of a class are flagged,
    or none. In groups, or with unequal weights, variances are corrected for the number of units and
    the quantile is Student's (after Korn & Graubard 1998, Survey Methodology 24, 193-201).
    `slopes` are the derivatives of the outcome by the shares.
    """
    sample, counts = influences.sample, influences.units
    are_equal = sample.groups is None and not np.ptp(sample.weights)

    def quantile(units: float) -> float:
        return quantile_of(confidence_level, inf if are_equal else max(1.0, units - 1))

    down = up = explained = 0.0
    (f, t), variances = flagged.shares, flagged.variances
    for k, units in enumerate(influences.effective_units.tolist()):
        share, n = flagged.shares[k], units
        corrected = variances[k] * float(counts[k] / (counts[k] - 1))
        if variances[k] > 1e-15:
            n = max(1.0, share * (1 - share) / (variances[k] if are_equal else corrected))
        ends = limits(share, n, quantile(units))
        shifted = [outcome(*((end, t) if k == 0 else (f, end))) - result.value for end in ends]
        down, up = down + min(shifted) ** 2, up + max(shifted) ** 2
        explained += slopes[k] ** 2 * corrected
    if influences.counts_positives:
        ends = wilson_limits(
            influences.prevalence, len(sample.positive), quantile_of(confidence_level)
        )
        shifted = [result.slope * (end - influences.prevalence) for end in ends]
        down, up = down + min(shifted) ** 2, up + max(shifted) ** 2
    else:  # what an estimated prevalence, and groups that hold both classes, add
        fewest = float(influences.effective_units.min())
        extra = quantile(fewest) ** 2 * max(0.0, influences.variance(result)[0] - explained)
        down, up = down + extra, up + extra
    return result.value - sqrt(down), result.value + sqrt(up)


def share_of_class(sample: Sample, flagged: BoolArray, side: BoolArray) -> tuple[float, float]:
    """Weighted share of the rows of a class that are flagged, and its variance, not corrected."""
    hits, weight = flagged[side].astype(np.float64), sample.weights[side]
    share = float(np.average(hits, weights=weight))
    shifted = weight / weight.sum() * (hits - share)
    if sample.groups is not None:
        shifted = np.bincount(sample.groups[side], shifted)
    return share, float(shifted @ shifted)


def note_few(influences: InfluenceModel, method: str) -> str:
    """Why there is no p value: a class has too few rows or groups; empty if it has enough."""
    fewest, needed = int(influences.units.min()), MIN_ROWS[method]
    unit = "rows" if influences.sample.groups is None else "groups"
    start = "No p value by resampling" if method == "bootstrap" else "No p value"
    if fewest < needed:
        return f"{start}: {fewest} {unit} of a class, {needed} needed."
    effective = float(influences.effective_units.min())
    if effective < needed - 1e-9:
        return f"{start}: the {unit} of a class count as {effective:.3g}, {needed} needed."
    return ""


def note_groups(sample: Sample) -> str:
    """Why intervals of grouped rows are not reliable; empty if they are."""
    if sample.groups is None:
        return ""
    fewest = float(sample.effective_units().min())
    if fewest > MIN_GROUPS - 1e-9:
        return ""
    return (
        f"The groups of a class count as {fewest:.3g} of equal size: with fewer than {MIN_GROUPS} "
        "intervals are too narrow and p values too small."
    )


def note_weights(sample: Sample) -> str:
    """Why intervals of shares of weighted rows are not reliable; empty if they are."""
    if sample.weight is None:
        return ""
    rows = replace(sample, groups=None)
    share = float((rows.effective_units() / rows.n_units()).min())
    if share >= MIN_WEIGHT_SHARE:
        return ""
    return (
        f"Weights vary so much that the rows of a class count as {100 * share:.2g} % of them: "
        "intervals of shares are too narrow."
    )


def do_folds_differ(sample: Sample, folds: IntArray, model: str) -> bool:
    """Whether the scores of a class differ between folds (Kruskal & Wallis 1952, both classes)."""
    from scipy.special import chdtrc

    n_folds = int(folds.max()) + 1
    statistic = df = 0.0
    for side in (~sample.positive, sample.positive):
        score, fold = sample.scores[model][side], folds[side]
        _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
        if len(counts) < 2:
            continue
        sizes = np.bincount(fold, minlength=n_folds)
        means = np.bincount(fold, ranks, minlength=n_folds) / sizes
        statistic += float(sizes @ (means - ranks.mean()) ** 2 / ranks.var(ddof=1))
        df += n_folds - 1
    return df > 0 and float(chdtrc(df, statistic)) < DIFFERENT_FOLDS
