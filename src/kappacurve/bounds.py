"""What published areas can be: bounds on the AUK, and prevalences that make numbers possible.

:func:`auk_bounds` and :func:`prevalence_intervals` are public; the reproduction also uses
:func:`prevalence_from_operating_point`. A printed number stands for all that round to it. With
a = 2p - 1, X = p - a f and D = X - p a (t - f) kappa is 2pq (t - f) / D: for fixed f concave in t
below p = 1/2 and convex above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._curve import auk, kappa
from .validation import FloatArray, check_number, check_prevalences, check_rate

CURVES = ("hull", "raw", "trapezoid")
EDGE = 1e-6  # prevalences nearer to 0 or 1 are not searched
SLACK = 1e-10  # a value that is met only in a point counts as met
BISECTIONS = 60


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
    With s = 2 (1 - AUC) the *triangle* is the curve (0, 0), (s, 1), (1, 1), the *jump line*
    (0, 0), (0, 1 - s), (1, 1); the *step* rises from 0 to 1 at f = 1 - AUC, the *plateau* is
    t = AUC.

    - Hulls, p <= 1/2: from the triangle to the jump line. Proved.
    - Hulls, p > 1/2: to the triangle, from the jump line if 2p (1 - s) <= 1 (proved), else from the
      best curve with the corners (0, h) and (s', 1), found by search.
    - Raw curves, p <= 1/2: from the step to the plateau. Proved.
    - Raw curves, p > 1/2: to the step, from an arc on which D is proportional to the square root of
      X, clipped to [0, 1]: the optimum of a convex programme.

    Derivations: docs/theory.md.

    Examples
    --------
    The AUC of a neural network whose published AUK is 0.1753 at 11 % positives (Kaymak et al. 2010,
    Table 4):

    >>> import kappacurve
    >>> bounds = kappacurve.auk_bounds(0.7186, [0.11, 0.5, 0.89])
    >>> bounds.lower.round(4)
    array([0.0895, 0.2186, 0.1102])
    >>> bounds.upper.round(4)
    array([0.1331, 0.2186, 0.2141])
    """
    p = check_prevalences(prevalence)
    area = _check_auc(auc, curve)
    low, high = (
        _extreme(upper, area, p.ravel(), curve).reshape(p.shape) for upper in (False, True)
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

    >>> import kappacurve
    >>> for low, high in kappacurve.prevalence_intervals(0.7186, 0.1753):
    ...     print(f"{low:.4f} to {high:.4f}")
    0.2004 to 0.3052
    0.7596 to 0.9787
    """
    if not -1 <= check_number("auk", auk) <= 1:
        raise ValueError(f"auk must lie between -1 and 1, got {auk!r}.")
    _check_auc(auc, curve)
    places = decimals if isinstance(decimals, tuple) else (decimals, decimals)
    auc_low, auc_high = _printed_interval(auc, places[0])
    auk_low, auk_high = _printed_interval(auk, places[1])
    auc_low, auc_high = max(auc_low, 0.0 if curve == "raw" else 0.5), min(auc_high, 1.0)
    # Both ends rise with the AUC, so its extremes decide.
    return _where_not_negative(
        lambda p: _extreme(True, auc_high, p, curve) - auk_low,
        lambda p: auk_high - _extreme(False, auc_low, p, curve),
    )


def prevalence_from_operating_point(
    fpr: float,
    tpr: float,
    kappa_value: float,
    *,
    decimals: int | tuple[int | None, int | None, int | None] | None = 3,
) -> list[Interval]:
    """Prevalences at which printed rates have the printed kappa.

    Parameters
    ----------
    fpr, tpr : float in [0, 1]
        As printed.
    kappa_value : float in [-1, 1]
        As printed.
    decimals : int, None or three of them, default 3
        Printed digits after the point, of all or of each; None takes a value as exact.

    Returns
    -------
    list of (low, high)
        Intervals in increasing order, at most two: kappa (Kaymak et al. 2010, equation 19) is 0 at
        both ends and has one peak between.

    Raises
    ------
    ValueError
        If a value is out of its range.

    Examples
    --------
    The published optimum of the neural network:

    >>> from kappacurve.bounds import prevalence_from_operating_point
    >>> for low, high in prevalence_from_operating_point(0.60, 0.928, 0.328, decimals=(2, 3, 3)):
    ...     print(f"{low:.3f} to {high:.3f}")
    0.483 to 0.518
    0.886 to 0.899
    """
    check_rate("fpr", fpr), check_rate("tpr", tpr)
    if not -1 <= check_number("kappa_value", kappa_value) <= 1:
        raise ValueError(f"kappa_value must lie between -1 and 1, got {kappa_value!r}.")
    places = decimals if isinstance(decimals, tuple) else (decimals,) * 3
    f, t, k = (
        _printed_interval(value, digits)
        for value, digits in zip((fpr, tpr, kappa_value), places, strict=True)
    )
    # Kappa falls with f and rises with t.
    return _where_not_negative(
        lambda p: kappa(max(f.low, 0.0), min(t.high, 1.0), p) - k.low,
        lambda p: k.high - kappa(min(f.high, 1.0), max(t.low, 0.0), p),
    )


def _check_auc(auc: float, curve: str) -> float:
    """Return the AUC as a float; raise if no curve of this kind can have it."""
    if curve not in CURVES:
        raise ValueError(f'curve must be "hull", "raw" or "trapezoid", got {curve!r}.')
    area = check_number("auc", auc)
    if not 0 <= area <= 1:
        hint = f": did you mean {area / 100:g}?" if 50 <= area <= 100 else "."
        raise ValueError(f"auc must lie between 0 and 1, got {auc!r}{hint}")
    if curve != "raw" and area < 0.5:
        raise ValueError(f'auc is {area:g}, but a hull has at least 0.5: use curve="raw".')
    return area


def _extreme(upper: bool, auc: float, p: FloatArray, curve: str) -> FloatArray:
    """The least or largest AUK at each prevalence (n,)."""
    rare = p <= 0.5
    mean = 2 * (1 - auc)
    if curve == "raw":
        step = _auk_of_corners(p, 1 - auc, 0.0, 1 - auc, 1.0)
        if upper:
            return np.asarray(np.where(rare, _auk_of_corners(p, 0.0, auc, 1.0, auc), step))
        return np.asarray(np.where(rare, step, _least_raw_auk(auc, np.maximum(p, 0.5))))
    triangle, jump_line = _auk_of_mixture(p, mean, mean), _auk_of_mixture(p, mean, 1.0)
    extreme = np.where(rare == upper, jump_line, triangle)
    bent = ~rare & (2 * p * (1 - mean) > 1)
    if not upper and 0 < mean < 1 and bent.any():
        extreme[bent] = _least_hull_auk(mean, p[bent])
    if curve == "trapezoid":
        corners = np.stack([kappa(0.0, 1 - mean, p), kappa(mean, 1.0, p)]) / 2
        ends = np.maximum if upper else np.minimum
        extreme = ends(extreme, ends(*corners))
    return extreme


def _auk_of_corners(p: FloatArray, f1: Any, t1: Any, f2: Any, t2: Any) -> FloatArray:
    """AUK of the curves (0, 0), (f1, t1), (f2, t2), (1, 1)."""
    corners = np.broadcast_arrays(p, 0.0, 0.0, f1, t1, f2, t2, 1.0, 1.0)[1:]
    return auk(np.stack(corners[::2], axis=-1), np.stack(corners[1::2], axis=-1), p)


def _auk_of_mixture(p: FloatArray, mean: float, second: Any) -> FloatArray:
    """AUK of the curve with the corners (0, h) and (`second`, 1) whose AUC is 1 - mean / 2."""
    with np.errstate(invalid="ignore", divide="ignore"):
        height = np.where(np.asarray(second) > 0, 1 - np.divide(mean, second), 1.0)
    return _auk_of_corners(p, 0.0, height, second, 1.0)


def _least_hull_auk(mean: float, p: FloatArray) -> FloatArray:
    """The least AUK over curves with the corners (0, h) and (s', 1)."""
    # The triangle may be a local minimum besides the one sought: a grid tells them apart.
    grid = mean + (1 - mean) * np.linspace(0, 1, 65)[:, None] ** 3
    best = _auk_of_mixture(p, mean, grid + 0 * p).argmin(axis=0)
    low, high = grid[np.maximum(best - 1, 0), 0], grid[np.minimum(best + 1, 64), 0]
    for _ in range(40):  # golden-section search
        step = (5**0.5 - 1) / 2 * (high - low)
        less = _auk_of_mixture(p, mean, high - step) < _auk_of_mixture(p, mean, low + step)
        low, high = np.where(less, low, high - step), np.where(less, low + step, high)
    return np.minimum(
        _auk_of_mixture(p, mean, (low + high) / 2), _auk_of_mixture(p, mean, grid[best, 0])
    )


def _least_raw_auk(auc: float, p: FloatArray) -> FloatArray:
    """The least AUK of any curve, for p >= 1/2.

    With u from 0 to 1 / (sqrt p + sqrt q) on the arc f = u (2 sqrt p - a u), and with a level w

        t = w / sqrt p + (a / p) ((sqrt p - w) u + q u^2),   kappa = 2q (w - u) / (sqrt p - a w),

    where 0 <= t <= 1; w is such that the curve has the AUC.
    """
    q, a = 1 - p, 2 * p - 1
    root = np.sqrt(p)
    end = 1 / (root + np.sqrt(q))
    slope = a * q / p

    def crossing(w: FloatArray, rate: float) -> FloatArray:
        """The u at which the arc reaches a rate, within its range."""
        rest = rate - w / root
        half = a * (root - w) / p / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            u = rest / (half + np.sqrt(half**2 + slope * np.maximum(rest, 0.0)))
        return np.where(rest <= 0, 0.0, np.minimum(np.nan_to_num(u, nan=0.0, posinf=np.inf), end))

    def integral(first: FloatArray, last: FloatArray, *coefficients: FloatArray) -> FloatArray:
        """Of a polynomial in u over the false positive rate, along the arc."""
        area = np.zeros_like(first)
        for k, coefficient in enumerate(coefficients):
            for power, factor in ((k + 1, 2 * root), (k + 2, -2 * a)):
                area = area + coefficient * factor * (last**power - first**power) / power
        return area

    def auc_of(w: FloatArray) -> FloatArray:
        first, last = crossing(w, 0.0), crossing(w, 1.0)
        arc = integral(first, last, w / root, a * (root - w) / p, slope)
        return arc + 1 - last * (2 * root - a * last)

    low = -a * end * (root + q * end) / (p / root - a * end)
    high = root.copy()
    for _ in range(BISECTIONS):
        w = (low + high) / 2
        above = auc_of(w) > auc
        low, high = np.where(above, low, w), np.where(above, w, high)
    w = (low + high) / 2
    first, last = crossing(w, 0.0), crossing(w, 1.0)
    scale = 2 * q / (root - a * w)
    area = integral(first, last, scale * w, -scale)
    f1, f2 = (u * (2 * root - a * u) for u in (first, last))
    zero, one = np.zeros_like(p), np.ones_like(p)
    area += auk(np.stack([zero, f1], -1), np.zeros((len(p), 2)), p)
    return np.asarray(area + auk(np.stack([f2, one], -1), np.ones((len(p), 2)), p))


def _printed_interval(value: float, decimals: int | None) -> Interval:
    """The numbers that are printed as `value`, which is exact if `decimals` is None."""
    if decimals is None:
        return Interval(value, value)
    if not (check_number("decimals", decimals) >= 0 and float(decimals).is_integer()):
        raise ValueError(f"decimals must be a number of digits, got {decimals!r}.")
    return Interval(value - 10.0**-decimals / 2, value + 10.0**-decimals / 2)


def _where_not_negative(*functions: Callable[[FloatArray], FloatArray]) -> list[Interval]:
    """Intervals of (0, 1) where none of some continuous functions is negative."""
    edges = sorted({root for function in functions for root in _roots(function)})
    ends = np.array([0.0, *edges, 1.0])
    between = np.clip((ends[1:] + ends[:-1]) / 2, EDGE, 1 - EDGE)
    met = np.min([function(between) for function in functions], axis=0) >= -SLACK
    change = np.diff(met, prepend=False, append=False)  # neighbours that are met are one interval
    return [Interval(low, high) for low, high in ends[change].reshape(-1, 2).tolist()]


def _roots(function: Callable[[FloatArray], FloatArray]) -> list[float]:
    """Where a function comes down to minus the slack in (0, 1): by a grid and Brent's method."""
    from scipy.optimize import brentq, minimize_scalar

    def at(p: float, side: float = 1.0) -> float:
        return side * (float(function(np.array([p]))[0]) + SLACK)

    grid = np.unique([EDGE, *(np.arange(1, 500) / 500), 1 - EDGE])
    value = function(grid) + SLACK
    size, sign = np.abs(value), np.sign(value)
    # Where it nearly touches zero it may cross it and come back between neighbours of the grid. A
    # convex function goes no deeper between them than they lie above it.
    near = (size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:])
    near &= (sign[1:-1] == sign[:-2]) & (sign[1:-1] == sign[2:])
    near &= 1.1 * size[1:-1] <= np.maximum(size[:-2], size[2:])
    turns = []
    for i in np.flatnonzero(near) + 1:
        ends = (grid[i - 1], grid[i + 1])
        turn = minimize_scalar(
            at, args=(sign[i],), bounds=ends, method="bounded", options={"xatol": 1e-12}
        )
        if turn.fun < 0:
            turns.append(float(turn.x))
    grid = np.union1d(grid, turns)
    above = function(grid) > -SLACK
    crossed = np.flatnonzero(above[1:] != above[:-1])
    return [float(brentq(at, grid[i], grid[i + 1])) for i in crossed]
