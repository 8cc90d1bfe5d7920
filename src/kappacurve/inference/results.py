"""Results of estimates and comparisons, and the checks that all inference shares."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtr, ndtri

from kappacurve._validation import Scored, check_number, check_prevalence, check_scored

Sampling = Literal["stratified", "random"]
Scale = Literal["plain", "logit"]

# Standard errors and differences below this are what rounding leaves of an exact zero.
ROUNDING = 1e-12


class Estimate(NamedTuple):
    """A measure of one set of scores with its standard error and confidence interval."""

    estimate: float
    standard_error: float
    low: float
    high: float


class Comparison(NamedTuple):
    """The difference of a measure between two sets of scores, its interval and its test."""

    difference: float
    standard_error: float
    statistic: float
    p_value: float
    low: float
    high: float


def normal_interval(
    estimate: float, error: float, confidence: float, scale: Scale, within: tuple[float, float]
) -> Estimate:
    """Estimate with its normal interval on the stated scale, inside the range of the measure."""
    if scale not in ("plain", "logit"):
        raise ValueError(f'scale must be "plain" or "logit", got {scale!r}.')
    lowest, highest = within
    half = _normal_quantile(confidence) * error
    if error == 0:  # not cut: the range's end may be an ulp away
        return Estimate(estimate, error, estimate, estimate)
    if scale == "plain":
        low, high = max(lowest, estimate - half), min(highest, estimate + half)
        return Estimate(estimate, error, low, high)
    width = highest - lowest
    share = (estimate - lowest) / width
    if not 0 < share < 1:  # at the end of the range, where rounding alone has left an error
        return Estimate(estimate, error, estimate, estimate)
    half /= width * share * (1 - share)  # the logit's derivative
    low, high = (float(expit(logit(share) + side * half)) for side in (-1, 1))
    return Estimate(estimate, error, lowest + width * low, lowest + width * high)


def normal_test(difference: float, error: float, confidence: float) -> Comparison:
    """Two-sided normal test that a difference is zero, with its interval."""
    half = _normal_quantile(confidence) * error
    statistic = ratio_to_error(difference, error)
    p_value = float(2 * ndtr(-abs(statistic)))
    return Comparison(difference, error, statistic, p_value, difference - half, difference + half)


def ratio_to_error(difference: float, error: float) -> float:
    """Difference by its error; without error, zero for no difference and infinite for any."""
    if error > 0:
        return difference / error
    return 0.0 if abs(difference) <= ROUNDING else float(np.copysign(np.inf, difference))


def check_confidence(confidence: float) -> float:
    """Return the confidence; raise outside the open interval (0, 1)."""
    level = check_number("confidence", confidence)
    if not 0 < level < 1:
        raise ValueError(
            f"confidence must lie strictly between 0 and 1, such as 0.95, got {confidence!r}."
        )
    return level


def _normal_quantile(confidence: float) -> float:
    return float(ndtri((1 + check_confidence(confidence)) / 2))


def standard_error(variance: float) -> float:
    """Root of a variance; zero where only rounding is left."""
    error = float(np.sqrt(max(variance, 0.0)))
    return error if error > ROUNDING else 0.0


def check_rows(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, pos_label: Any, sample_weight: object
) -> Scored:
    """Check labels and scores as for a measure, and that each class has a variance."""
    if sample_weight is not None:
        raise ValueError(
            "sample_weight is not supported for standard errors and tests: a weight does not tell "
            "how many independent rows it stands for. Repeat the rows if the weights are counts."
        )
    scored = check_scored(y_true, y_score, pos_label)
    n_positive = int(scored.positive.sum())
    n_negative = len(scored.positive) - n_positive
    if min(n_positive, n_negative) < 2:
        raise ValueError(
            "A standard error needs at least two rows of each class, got "
            f"{n_positive} positive and {n_negative} negative."
        )
    return scored


def check_design(
    scored: Scored, prevalence: float | None, sampling: Sampling
) -> tuple[float, bool]:
    """Prevalence to evaluate at, and whether it is an estimate from the rows."""
    if sampling not in ("stratified", "random"):
        raise ValueError(f'sampling must be "stratified" or "random", got {sampling!r}.')
    if prevalence is not None:
        return float(check_prevalence(prevalence)), False
    return float(scored.positive.mean()), sampling == "random"
