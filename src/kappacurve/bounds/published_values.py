"""What published numbers imply: possible prevalences, and possible test sets.

Printed digits stand for an interval; what is not consistent with it is excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from kappacurve._validation import (
    ArgumentError,
    Axis,
    Cost,
    FloatArray,
    check_choice,
    check_number,
    check_numbers,
    check_one_cost,
    check_rate,
)
from kappacurve.bounds.auk_bounds import End, auk_limit, auk_trapezoid_range, check_auc
from kappacurve.kappa import kappa_from_rates, kappa_of_counts

Digits = Literal["rounded", "truncated"]
Rule = Literal["hull", "raw", "trapezoid"]
_EDGE = 1e-6  # the grid of prevalences ends this far from 0 and 1
_SLACK = 1e-10  # so that values taken as exact are met in an interval, not in a point


class Interval(NamedTuple):
    """A closed interval of prevalences; 0 and 1 themselves are never meant."""

    low: float
    high: float


class Composition(NamedTuple):
    """Counts that give the printed rates."""

    n_positive: int
    n_negative: int
    true_positives: int
    false_positives: int
    kappa: float


class PublishedPair(NamedTuple):
    """A printed AUC and AUK, of a "hull" or a "raw" curve."""

    label: str
    curve: str
    auc: float
    auk: float


class PublishedPoint(NamedTuple):
    """A printed operating point with its kappa."""

    label: str
    fpr: float
    tpr: float
    kappa: float


def printed_interval(value: float, decimals: int | None, digits: Digits = "rounded") -> Interval:
    """The numbers that are printed as `value`, which is exact if `decimals` is None.

    >>> printed_interval(0.25, 2, "truncated")
    Interval(low=0.25, high=0.26)
    """
    check_choice("digits", digits, "rounded", "truncated")
    if decimals is None:
        return Interval(value, value)
    if not (check_number("decimals", decimals) >= 0 and float(decimals).is_integer()):
        raise ValueError(f"decimals must be a number of digits, got {decimals!r}.")
    unit = 10.0 ** -int(decimals)
    if digits == "rounded":
        return Interval(value - unit / 2, value + unit / 2)
    return Interval(value - unit * (value <= 0), value + unit * (value >= 0))


def prevalence_intervals(
    auc: float,
    auk: float,
    *,
    decimals: int | None = 4,
    auc_decimals: int | None = None,
    auk_decimals: int | None = None,
    digits: Digits = "rounded",
    curve: Rule = "hull",
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
) -> list[Interval]:
    """Prevalences of the positive class at which a published (AUC, AUK) is possible.

    Parameters
    ----------
    auc, auk : float
        As printed; a ValueError is raised if one is out of its range.
    decimals : int or None, default 4
        Printed digits after the point of both; None takes the values as exact.
    auc_decimals, auk_decimals : int, optional
        Where the two were printed with different precision.
    digits : {"rounded", "truncated"}, default "rounded"
    curve : {"hull", "raw", "trapezoid"}, default "hull"
        What the ROC curve may be: a convex hull, or any; "trapezoid" takes the AUK as the
        trapezoid rule's over a hull with one corner
        (:func:`kappacurve.bounds.auk_trapezoid_range`), or the exact one.
    cost, cost_ratio, axis
        Of the AUK, as in :func:`kappacurve.bounds.auk_bounds`.

    Returns
    -------
    list of Interval
        In increasing order, edges to about 1e-8; empty if the pair is impossible.

    Examples
    --------
    The published pair of the neural network (Kaymak et al. 2010, Table 4). At 0.11 it is
    impossible:

    >>> for low, high in prevalence_intervals(0.7186, 0.1753):
    ...     print(f"{low:.4f} to {high:.4f}")
    0.2004 to 0.3052
    0.7596 to 0.9787
    """
    share = check_one_cost(cost, cost_ratio)
    least = -1 if share == 0.5 else -np.inf  # at a cost, rankings below chance may go lower
    if not least <= check_number("auk", auk) <= 1:
        raise ArgumentError("auk", f"must lie between {least} and 1, got {auk!r}")
    check_auc(auc, "raw" if curve == "raw" else "hull")
    auc_decimals = decimals if auc_decimals is None else auc_decimals
    auk_decimals = decimals if auk_decimals is None else auk_decimals
    auc_low, auc_high = printed_interval(auc, auc_decimals, digits)
    auc_low = max(auc_low, 0.0 if curve == "raw" else 0.5)
    auk_low, auk_high = printed_interval(auk, auk_decimals, digits)

    # Both ends rise with the AUC, so the extreme AUCs decide.
    return _where_not_negative(
        lambda p: _limit("upper", min(auc_high, 1.0), p, curve, share, axis) - auk_low,
        lambda p: auk_high - _limit("lower", auc_low, p, curve, share, axis),
    )


def _limit(end: End, auc: float, p: FloatArray, curve: Rule, cost: Cost, axis: Axis) -> FloatArray:
    if curve != "trapezoid":
        return auk_limit(end, auc, p, curve, cost, axis)
    exact = auk_limit(end, auc, p, "hull", cost, axis)
    rule = auk_trapezoid_range(auc, p, cost=cost)
    return np.maximum(exact, rule.upper) if end == "upper" else np.minimum(exact, rule.lower)


def prevalence_from_operating_point(
    fpr: float,
    tpr: float,
    kappa: float,
    *,
    decimals: int | tuple[int | None, int | None, int | None] | None = 3,
    digits: Digits = "rounded",
) -> list[Interval]:
    """Prevalences at which printed rates have the printed kappa.

    Parameters
    ----------
    fpr, tpr : float in [0, 1]
    kappa : float in [-1, 1]
    decimals : int, None or three of them, default 3
        Printed digits after the point, of all or of `fpr`, `tpr` and `kappa`; None means exact.
    digits : {"rounded", "truncated"}, default "rounded"

    Returns
    -------
    list of Interval
        In increasing order; at most two, as kappa (equation 19 of Kaymak, Ben-David & Potharst
        2010) is 0 at both ends and single-peaked between.

    Examples
    --------
    The published optimum of the neural network:

    >>> for low, high in prevalence_from_operating_point(0.60, 0.928, 0.328, decimals=(2, 3, 3)):
    ...     print(f"{low:.3f} to {high:.3f}")
    0.483 to 0.518
    0.886 to 0.899
    """
    for name, value, least in (("fpr", fpr, 0), ("tpr", tpr, 0), ("kappa", kappa, -1)):
        if not least <= check_number(name, value) <= 1:
            raise ValueError(f"{name} must lie between {least} and 1, got {value!r}.")
    digits_of = decimals if isinstance(decimals, tuple) else (decimals,) * 3
    f, t, k = (
        printed_interval(value, places, digits)
        for value, places in zip((fpr, tpr, kappa), digits_of, strict=True)
    )
    # Kappa falls with f and rises with t.
    return _where_not_negative(
        lambda p: kappa_from_rates(max(f.low, 0.0), min(t.high, 1.0), p) - k.low,
        lambda p: k.high - kappa_from_rates(min(f.high, 1.0), max(t.low, 0.0), p),
    )


def _where_not_negative(*slacks: Callable[[FloatArray], FloatArray]) -> list[Interval]:
    """Intervals of (0, 1) where none of some continuous functions is negative."""
    edges = sorted({root for slack in slacks for root in roots(slack)})
    ends = np.array([0.0, *edges, 1.0])
    between = np.clip((ends[1:] + ends[:-1]) / 2, _EDGE, 1 - _EDGE)
    met = np.min([slack(between) for slack in slacks], axis=0) >= -_SLACK
    change = np.diff(met, prepend=False, append=False)  # neighbours that meet are one interval
    return [Interval(low, high) for low, high in ends[change].reshape(-1, 2).tolist()]


def roots(function: Callable[[FloatArray], FloatArray]) -> list[float]:
    """Where a function comes down to minus the slack in (0, 1), from a grid by Brent's method."""
    from scipy.optimize import brentq  # here: it takes long to import, and few need it

    grid = np.unique(np.concatenate(([_EDGE], np.arange(1, 500) / 500, [1 - _EDGE])))
    grid = np.union1d(grid, _turning_points(function, grid))
    positive = function(grid) > -_SLACK
    return [
        float(brentq(lambda p: float(function(np.asarray(p))) + _SLACK, grid[i], grid[i + 1]))
        for i in np.flatnonzero(positive[1:] != positive[:-1])
    ]


def _turning_points(function: Callable[[FloatArray], FloatArray], grid: FloatArray) -> list[float]:
    """Where a function crosses its zero and comes back between neighbours of the grid."""
    from scipy.optimize import minimize_scalar

    value = function(grid) + _SLACK
    size, sign = np.abs(value), np.sign(value)
    nearest = (size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:])
    alike = (sign[1:-1] == sign[:-2]) & (sign[1:-1] == sign[2:])
    # A convex function goes no deeper between the neighbours than they lie above it. Where it is
    # flat, as the bounds of an AUC of 1/2, nothing is to be found.
    bent = 1.1 * size[1:-1] <= np.maximum(size[:-2], size[2:])
    crossings = []
    for i in np.flatnonzero(nearest & alike & bent) + 1:
        least = minimize_scalar(
            lambda p, side=sign[i]: side * (float(function(np.asarray(p))) + _SLACK),
            bounds=(grid[i - 1], grid[i + 1]),
            method="bounded",
            options={"xatol": 1e-12},
        )
        if least.fun < 0:
            crossings.append(float(least.x))
    return crossings


def intervals_in_words(intervals: Iterable[Sequence[float]], places: int = 4) -> str:
    """Intervals of prevalences as text.

    >>> intervals_in_words([Interval(0.2, 0.3), Interval(0.84, 1.0)])
    '0.2000 to 0.3000, or above 0.8400'
    """
    parts = []
    for interval in intervals:
        low, high = check_numbers("intervals", interval)
        if low > 0 and high < 1:
            parts.append(f"{low:.{places}f} to {high:.{places}f}")
        elif low > 0:
            parts.append(f"above {low:.{places}f}")
        else:
            parts.append(f"below {high:.{places}f}" if high < 1 else "any")
    return ", or ".join(parts) or "none"


def consistent_counts(
    fpr: float,
    tpr: float,
    *,
    n: int | Iterable[int],
    kappa: float | None = None,
    decimals: int | tuple[int, int, int] = 3,
    prevalence: tuple[float, float] = (0.0, 1.0),
    digits: Digits = "rounded",
) -> list[Composition]:
    """Test sets whose counts give the printed operating point.

    Parameters
    ----------
    fpr, tpr, kappa, decimals, digits
        As in :func:`prevalence_from_operating_point`; `kappa` may be left out.
    n : int or iterable of int
        Sizes of the test set to look at.
    prevalence : (float, float), default (0, 1)
        Smallest and largest share of positives to consider.

    Returns
    -------
    list of Composition
        Ordered by size, then by positives.

    Examples
    --------
    The published optimum, majority positive, in a test set of 280 rows:

    >>> point = {"fpr": 0.60, "tpr": 0.928, "kappa": 0.328, "decimals": (2, 3, 3)}
    >>> [each[:4] for each in consistent_counts(n=280, prevalence=(0.89, 0.895), **point)]
    [(250, 30, 232, 18)]
    """
    places = decimals if isinstance(decimals, tuple) else (decimals,) * 3
    both = (("fpr", fpr), ("tpr", tpr))
    rates = [check_number(name, check_rate(name, value)) for name, value in both]
    f, t = (printed_interval(v, k, digits) for v, k in zip(rates, places[:2], strict=True))
    k = Interval(-np.inf, np.inf) if kappa is None else printed_interval(kappa, places[2], digits)
    least, most = prevalence
    compositions = []
    for size in (n,) if isinstance(n, int) else n:
        for positives in range(1, size):
            if not least <= positives / size <= most:
                continue
            negatives = size - positives
            counts = product(_whole(t, positives, digits), _whole(f, negatives, digits))
            for true, false in counts:
                value = kappa_of_counts(true, false, positives, negatives)
                if _contains(k, value, digits):
                    compositions.append(Composition(positives, negatives, true, false, value))
    return compositions


def auc_is_possible(
    auc: float, n_positive: int, n_negative: int, *, decimals: int, digits: Digits = "rounded"
) -> bool:
    """Whether a printed AUC, a multiple of 1 / (2 n1 n0), can come from so many rows.

    >>> auc_is_possible(0.7186, 250, 30, decimals=4)
    True
    >>> auc_is_possible(0.7186, 20, 10, decimals=4)
    False
    """
    auc = check_number("auc", check_rate("auc", auc))
    counts = {"n_positive": n_positive, "n_negative": n_negative}
    for name, rows in counts.items():
        if not (check_number(name, rows) >= 1 and float(rows).is_integer()):
            raise ValueError(f"{name} must be a number of rows, at least one, got {rows!r}.")
    pairs = 2 * int(n_positive) * int(n_negative)
    interval = printed_interval(auc, decimals, digits)
    if pairs * (interval.high - interval.low) > 2:  # so many fractions that one is inside
        return True
    return bool(_whole(interval, pairs, digits))


def _whole(interval: Interval, n: int, digits: Digits) -> list[int]:
    """Counts out of n whose share lies in the interval."""
    first, last = int(np.floor(interval.low * n)), int(np.ceil(interval.high * n))
    return [i for i in range(max(first, 0), min(last, n) + 1) if _contains(interval, i / n, digits)]


def _contains(interval: Interval, value: float, digits: Digits) -> bool:
    # Halves may be rounded either way; a truncated number never reaches the next unit from zero.
    below, above = (
        -1e-12 if digits == "truncated" and away else 1e-12
        for away in (interval.low < 0, interval.high > 0)
    )
    return interval.low - below <= value <= interval.high + above
