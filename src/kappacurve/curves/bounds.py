"""What published areas can be: bounds on the AUK, and prevalences that make numbers possible.

A printed number stands for all that round to it.

Why the curves of `_extreme` are the ends, of all curves with one AUC. With s = q - p, X = p + s f
and D = X + p s (t - f) kappa is 2pq (t - f) / D: at a given f concave in t for p < 1/2, and convex
for p > 1/2. The kappas of two curves t and T differ by (t - T) w with w = 2pq X / (D_t D_T), and
the integral of t - T is 0. T is the curve that is shown to be an end, and J = 2 AUC - 1.

- Step from 0 to 1 at f = 1 - AUC (any curve), p < 1/2: w >= 2pq / D_t left of the jump, and
  w <= 2pq / D_t right of it. D_t rises, so w is larger on the left, where t - T is positive; so the
  integral of (t - T) w is not negative. For p > 1/2 all inequalities turn.
- Triangle with the corner (v, 1), v = 1 - J (hulls), p <= 1/2: t - T changes sign once, from plus
  to minus, so it is enough that w falls. Up to v, D_t rises and X / D_T falls. After v, w falls if
  s / X is at most the sum of D' / D for t and T. Each is at least s q / (p + s p + s q f), and
  s / X is at most twice that. For p > 1/2 it is not proved: an extreme is a mixture of two
  triangles, and among thousands tried none did better.
- Jump line from (0, J) to (1, 1) (hulls), p <= 1/2: kappa is concave in t, so the difference of the
  AUKs is at most the integral of (t - T) w with w = 2pq X / D_T^2. t - T is first negative, then
  positive, and w falls; so this is at most 0. For p > 1/2 the difference is at least that integral,
  and w rises if 2 |s| (1 - p J) / D_T >= |s| / X, for which 2 p J <= 1 is enough.
- Corners (0, h) and (v, 1) (hulls), otherwise: the least T is a convex programme. Its mixture of
  triangles min(f / v, 1) minimises the linear h(v), the integral of min(f / v, 1) (w - lambda), for
  some lambda. D_T is convex and the root of X concave, so w > lambda on one interval only. Hence
  -v^2 h'(v), the integral of f (w - lambda) up to v, is negative, then positive, then negative, and
  h has its minima at v = 0 and one other v.
- Plateau t = AUC, or an arc (any curve): X / D = 1 - (s / 2q) kappa, so the largest AUK for s > 0
  and the least for s < 0 minimise the integral of X / D at a fixed integral of D, which is convex
  in D. Where nothing else binds, D is proportional to the root of X. For p <= 1/2 no such arc rises
  inside the unit square, and the plateau remains. For p > 1/2 a curve follows the arc between 0
  and 1.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..validation import FloatArray, check_number, check_prevalences, hint_percent
from .counts import Printed, read_numbers
from .curve import kappa as kappa_of_rates
from .kernels import kappa_parts, mean_kappa, rate_shares

CURVES = ("hull", "raw", "trapezoid")
N_GRID = 80  # prevalences that are searched for changes of sign
EDGE = 1e-6  # prevalences nearer to 0 or 1 are not searched
SLACK = 1e-10  # a value that is met only in a point counts as met


class Bounds(NamedTuple):
    """The smallest and the largest value."""

    lower: FloatArray
    upper: FloatArray


class Interval(NamedTuple):
    """A closed interval of prevalences; 0 and 1 themselves are never meant."""

    low: float
    high: float


def auk_bounds(auc: float, prevalence: npt.ArrayLike, *, curve: str = "hull") -> Bounds:
    """Range of the AUK that ROC curves with a given AUC can have.

    Parameters
    ----------
    auc : float
        Area under the ROC curve: in [0.5, 1] for hulls, in [0, 1] for raw curves.
    prevalence : array-like in (0, 1)
        Share of positives.
    curve : {"hull", "raw", "trapezoid"}, default "hull"
        What the ROC curve may be: a convex hull, or any curve. "trapezoid" adds to the hulls' range
        what the trapezoid rule gives for a hull with one corner, which is far from its area.

    Returns
    -------
    lower, upper : ndarray of the shape of `prevalence`
        Both are attained.

    Raises
    ------
    ValueError
        If the AUC or a prevalence is out of its range.

    Notes
    -----
    For p <= 1/2 hulls lie between the curves (0, 0), (s, 1), (1, 1) and (0, 0), (0, 1 - s), (1, 1)
    with s = 2 (1 - AUC); raw curves between a step at f = 1 - AUC and the plateau t = AUC. For
    p > 1/2 the lower end is found by search. Proofs: the docstring of this function's module.

    Examples
    --------
    The AUC of a neural network whose published AUK is 0.1753 at 11 % positives (Kaymak et al. 2010,
    Table 4):

    >>> bounds = auk_bounds(0.7186, [0.11, 0.5, 0.89])
    >>> bounds.lower.round(4)
    array([0.0895, 0.2186, 0.1102])
    >>> bounds.upper.round(4)
    array([0.1331, 0.2186, 0.2141])
    """
    p = check_prevalences(prevalence)
    area = _check_auc(auc, curve)
    low, high = (
        np.array([_extreme(upper, area, x, curve) for x in p.ravel().tolist()]).reshape(p.shape)
        for upper in (False, True)
    )
    # Where the two nearly coincide, rounding could exchange them.
    return Bounds(np.minimum(low, high), high)


def prevalence_intervals(
    auc: float,
    auk: float,
    *,
    decimals: int | tuple[int | None, int | None] | None = 4,
    curve: str = "hull",
) -> list[Interval]:
    """Prevalences at which a published pair of AUC and AUK is possible.

    Parameters
    ----------
    auc : float
        As printed: in [0.5, 1] for hulls, in [0, 1] for raw curves.
    auk : float in [-1, 1]
        As printed.
    decimals : int, None or two of them, default 4
        Printed digits after the point, of both or of `auc` and `auk`; None takes a value as exact.
    curve : {"hull", "raw", "trapezoid"}, default "hull"
        As in :func:`auk_bounds`.

    Returns
    -------
    list of (low, high)
        Intervals in increasing order, edges to about 1e-8; empty if the pair is impossible.

    Raises
    ------
    ValueError
        If the AUC or the AUK is out of its range.

    Examples
    --------
    The published pair of the neural network (Kaymak et al. 2010, Table 4) is impossible at the
    stated 0.11:

    >>> for low, high in prevalence_intervals(0.7186, 0.1753):
    ...     print(f"{low:.4f} to {high:.4f}")
    0.2004 to 0.3052
    0.7596 to 0.9787
    """
    if not -1 <= check_number("auk", auk) <= 1:
        raise ValueError(f"auk must lie between -1 and 1, got {auk!r}.")
    _check_auc(auc, curve)
    places = decimals if isinstance(decimals, tuple) else (decimals, decimals)
    return prevalences_of_areas(
        _printed_interval(auc, places[0]), _printed_interval(auk, places[1]), curve
    )


def prevalences_of_areas(
    auc: tuple[float, float], auk: tuple[float, float], curve: str
) -> list[Interval]:
    """Prevalences at which an AUC and an AUK between these ends are possible, unchecked."""
    auc_low, auc_high = max(auc[0], 0.0 if curve == "raw" else 0.5), min(auc[1], 1.0)
    # Both ends of the AUK rise with the AUC, so the extremes of the AUC decide.
    return _where_not_negative(
        lambda p: _extreme(True, auc_high, p, curve) - auk[0],
        lambda p: auk[1] - _extreme(False, auc_low, p, curve),
    )


def areas_below(kappa_max: float, prevalence: float) -> tuple[float, float]:
    """Largest AUC and AUK of a curve whose largest kappa is given.

    Such a curve lies below the straight line on which kappa has this value. With q = 1 - p it meets
    f = 0 at t = k / (2q - k(q-p)), and t = 1 further right.
    """
    k, p = kappa_max, prevalence
    q = 1 - p
    start = k / (2 * q - k * (q - p))
    slope = q * (2 * p + k * (q - p)) / (p * (2 * q - k * (q - p)))
    end = (1 - start) / slope
    auk = _auk_of_corners(p, (0.0, start), (end, 1.0))
    return 1 - (1 - start) * end / 2, auk


def prevalence_from_operating_point(fpr: str, tpr: str, kappa: str) -> list[Interval]:
    """Prevalences at which a published false and true positive rate have the published kappa.

    Parameters
    ----------
    fpr, tpr, kappa : str
        As printed, with all digits, as in :func:`possible_counts`; a further digit was rounded.

    Returns
    -------
    list of (low, high)
        At most two intervals in increasing order, edges to about 1e-8; empty if no prevalence
        gives this kappa. Kappa is 0 at prevalences of 0 and 1 and has one peak between.

    Raises
    ------
    ValueError
        If a number is not text with digits, or out of its range.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 19.

    Examples
    --------
    The published operating point (Kaymak et al. 2010, section 8), stated at 0.11:

    >>> for low, high in prevalence_from_operating_point("0.60", "0.928", "0.328"):
    ...     print(f"{low:.4f} to {high:.4f}")
    0.4832 to 0.5179
    0.8859 to 0.8990
    """
    numbers = read_numbers({"fpr": fpr, "tpr": tpr, "kappa": kappa})
    return prevalences_of_point(*numbers.values())


def prevalences_of_point(fpr: Printed, tpr: Printed, kappa: Printed) -> list[Interval]:
    """Prevalences at which printed rates have the printed kappa."""
    (f0, f1), (t0, t1), (k0, k1) = (number.interval for number in (fpr, tpr, kappa))
    # Kappa falls with the false positive rate and rises with the true one.
    return _where_not_negative(
        lambda p: float(kappa_of_rates(max(f0, 0.0), min(t1, 1.0), p)) - k0,
        lambda p: k1 - float(kappa_of_rates(min(f1, 1.0), max(t0, 0.0), p)),
    )


def _check_auc(auc: float, curve: str) -> float:
    """Return the AUC as a float; raise if no curve of this kind can have it."""
    if curve not in CURVES:
        raise ValueError(f'curve must be "hull", "raw" or "trapezoid", got {curve!r}.')
    area = check_number("auc", auc)
    if not 0 <= area <= 1:
        raise ValueError(f"auc must lie between 0 and 1, got {auc!r}{hint_percent(area)}")
    if curve != "raw" and area < 0.5:
        raise ValueError(f'auc is {area:g}, but a hull has at least 0.5: use curve="raw".')
    return area


def _extreme(upper: bool, auc: float, p: float, curve: str) -> float:
    """The least or largest AUK at a prevalence."""
    s = 2 * (1 - auc)
    if curve == "raw":
        first, second = ((1 - auc, 0.0), (1 - auc, 1.0)), ((0.0, auc), (1.0, auc))
        search, bent = _least_raw_auk, p > 0.5 and 0 < auc < 1
    else:
        first, second = ((0.0, 0.0), (s, 1.0)), ((0.0, 1 - s), (1.0, 1.0))
        search, bent = _least_hull_auk, 2 * p * (1 - s) > 1 and auc < 1
    if bent and not upper:
        extreme = search(auc, p)
    else:
        extreme = _auk_of_corners(p, *(second if (p <= 0.5) == upper else first))
    if curve == "trapezoid":  # over one corner the sum is half its kappa
        corners = [float(kappa_of_rates(*corner, p)) / 2 for corner in ((0.0, 1 - s), (s, 1.0))]
        extreme = (max if upper else min)(extreme, *corners)
    return extreme


def _auk_of_corners(p: float, *corners: tuple[float, float]) -> float:
    """AUK of the curve from (0, 0) through some corners to (1, 1), without compiled code."""
    shares = rate_shares.py_func(p, 1.0, 1.0)
    area, f0 = 0.0, 0.0
    above0, loss0 = kappa_parts.py_func(0.0, 0.0, shares)
    for f, t in (*corners, (1.0, 1.0)):
        above, loss = kappa_parts.py_func(f, t, shares)
        if f > f0:
            area += (f - f0) * mean_kappa.py_func(above0, above0 + loss0, above, above + loss)
        f0, above0, loss0 = f, above, loss
    return area


def _least_hull_auk(auc: float, p: float) -> float:
    """The least AUK over curves with the corners (0, h) and (v, 1), for p > 1/2."""
    s = 2 * (1 - auc)

    def area(v: float) -> float:
        return _auk_of_corners(p, (0.0, 1 - s / v), (v, 1.0))

    # The triangle, v = s, may be a local minimum besides the one sought: the grid is fine there.
    grid = [s + (1 - s) * (i / 24) ** 3 for i in range(25)]
    areas = [area(v) for v in grid]
    best = areas.index(min(areas))
    return min(
        areas[best], area(_least_point(area, grid[max(best - 1, 0)], grid[min(best + 1, 24)]))
    )


def _least_raw_auk(auc: float, p: float) -> float:
    """The least AUK of any curve with an AUC, for p > 1/2: that of the arc, as a polyline.

    Where it is neither 0 nor 1, D / sqrt(X) is constant: t = f + sqrt(X) (w - u) / p with
    u = f / (sqrt(p) + sqrt(X)). The level w is such that the curve has the AUC.
    """
    f = np.sin(np.linspace(0, np.pi / 2, 401)) ** 2  # close together near both ends
    root = np.sqrt(p - (2 * p - 1) * f)
    u = f / (np.sqrt(p) + root)
    weight = np.diff(f, prepend=f[:1]) / 2 + np.diff(f, append=f[-1:]) / 2  # trapezoid rule
    low, high = (u - f * p / root).min(), (u + (1 - f) * p / root).max()
    for _ in range(50):
        level = (low + high) / 2
        t = np.minimum(np.maximum(f + root * (level - u) / p, 0.0), 1.0)
        above = weight @ t > auc
        low, high = (low, level) if above else (level, high)
    return _auk_of_corners(p, *zip(f.tolist(), t.tolist(), strict=True))


def _least_point(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one minimum between two points has it: the golden section."""
    ratio = (5**0.5 - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = function(a), function(b)
    for _ in range(50):
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - ratio * (high - low)
            at_a = function(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + ratio * (high - low)
            at_b = function(b)
    return (low + high) / 2


def _printed_interval(value: float, decimals: int | None) -> Interval:
    """The numbers that are printed as `value`, which is exact if `decimals` is None."""
    if decimals is None:
        return Interval(value, value)
    if not (check_number("decimals", decimals) >= 0 and float(decimals).is_integer()):
        raise ValueError(f"decimals must be a number of digits, got {decimals!r}.")
    return Interval(value - 10.0**-decimals / 2, value + 10.0**-decimals / 2)


def _where_not_negative(*functions: Callable[[float], float]) -> list[Interval]:
    """Intervals of (0, 1) where none of some continuous functions is negative."""
    ends = [0.0, *sorted({root for function in functions for root in _roots(function)}), 1.0]
    intervals: list[Interval] = []
    for low, high in pairwise(ends):
        between = min(max((low + high) / 2, EDGE), 1 - EDGE)
        if all(function(between) >= -SLACK for function in functions):
            if intervals and intervals[-1].high == low:  # neighbours that are met are one interval
                low = intervals.pop().low
            intervals.append(Interval(low, high))
    return intervals


def _roots(function: Callable[[float], float]) -> list[float]:
    """Where a function of (0, 1) crosses minus the slack: by a grid, then by false position."""

    def value(p: float) -> float:
        return function(p) + SLACK

    grid = [EDGE, *(i / N_GRID for i in range(1, N_GRID)), 1 - EDGE]
    values = [value(p) for p in grid]
    turns = []
    # Where it turns near zero it may cross it and come back between neighbours of the grid.
    for i in range(1, len(grid) - 1):
        before, here, after = values[i - 1 : i + 2]
        if abs(here) < abs(before) and abs(here) <= abs(after) and (after > 0) == (before > 0):
            side = 1.0 if here > 0 else -1.0
            turns.append(_least_point(lambda p: side * value(p), grid[i - 1], grid[i + 1]))  # noqa
    points = sorted([*zip(grid, values, strict=True), *((p, value(p)) for p in turns)])
    return [
        _root(value, low, high)
        for (low, before), (high, after) in pairwise(points)
        if (before > 0) != (after > 0)
    ]


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign between two points: false position, then bisection."""
    at_low, at_high = function(low), function(high)
    step = 0
    while high - low > 1e-12:
        step += 1
        p = (low + high) / 2  # every third time, so that the bracket surely shrinks
        if step % 3:
            p = min(max((low * at_high - high * at_low) / (at_high - at_low), low), high)
        value = function(p)
        if value == 0:
            return p
        if (value > 0) == (at_high > 0):  # the other end counts half (Illinois)
            high, at_high, at_low = p, value, at_low / 2
        else:
            low, at_low, at_high = p, value, at_high / 2
    return (low + high) / 2
