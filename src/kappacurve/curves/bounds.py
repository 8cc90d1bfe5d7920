"""What published areas can be: bounds on the AUK, and prevalences that make numbers possible.

A printed number stands for all that round to it. With X = p + (1 - 2p) f and
D = X + p (1 - 2p) (t - f) kappa is 2pq (t - f) / D: at a given f concave in t for p < 1/2, and
convex for p > 1/2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..validation import FloatArray, check_number, check_prevalences
from .curve import auk, kappa

CURVES = ("hull", "raw", "trapezoid")
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
    p > 1/2 the lower end is found by search. Proofs: docs/theory.md.

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

    >>> for low, high in prevalence_intervals(0.7186, 0.1753):
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
    s = 2 * (1 - auc)
    if curve == "raw":
        step = _auk_of_corners(p, 1 - auc, 0.0, 1 - auc, 1.0)
        plateau = _auk_of_corners(p, 0.0, auc, 1.0, auc)
        low, high, search, bent = step, plateau, _least_raw_auk, p > 0.5
    else:
        triangle = _auk_of_corners(p, 0.0, 0.0, s, 1.0)
        jump_line = _auk_of_corners(p, 0.0, 1 - s, 1.0, 1.0)
        low, high, search, bent = triangle, jump_line, _least_hull_auk, 2 * p * (1 - s) > 1
    extreme = np.where((p <= 0.5) == upper, high, low)
    if not upper and 0 < auc < 1 and bent.any():
        extreme[bent] = search(auc, p[bent])
    if curve == "trapezoid":  # over one corner the sum is half its kappa
        corners = np.stack([kappa(0.0, 1 - s, p), kappa(s, 1.0, p)]) / 2
        extreme = (np.max if upper else np.min)([extreme, *corners], axis=0)
    return extreme


def _auk_of_corners(p: FloatArray, f1: Any, t1: Any, f2: Any, t2: Any) -> FloatArray:
    """AUK of the curves (0, 0), (f1, t1), (f2, t2), (1, 1)."""
    corners = np.broadcast_arrays(p, 0.0, 0.0, f1, t1, f2, t2, 1.0, 1.0)[1:]
    return auk(np.stack(corners[::2], axis=-1), np.stack(corners[1::2], axis=-1), p)


def _least_hull_auk(auc: float, p: FloatArray) -> FloatArray:
    """The least AUK over curves with the corners (0, h) and (v, 1), for p > 1/2."""
    s = 2 * (1 - auc)
    low, high = np.full_like(p, s), np.ones_like(p)
    # The triangle, v = s, may be a local minimum besides the one sought: the grid is fine there.
    steps = np.linspace(0, 1, 65)[:, None] ** 3
    for _ in range(9):
        grid = low + (high - low) * steps
        areas = _auk_of_corners(p, 0.0, 1 - s / grid, grid, 1.0)
        best = areas.argmin(axis=0)
        low, high = (
            np.take_along_axis(grid, np.clip(best + side, 0, 64)[None], axis=0)[0]
            for side in (-1, 1)
        )
    return np.asarray(areas.min(axis=0))


def _least_raw_auk(auc: float, p: FloatArray) -> FloatArray:
    """The least AUK of any curve, for p > 1/2: the arc of docs/theory.md, as a polyline.

    D = m sqrt(X) is t = f + sqrt(X) (w - u) / p with u = f / (sqrt(p) + sqrt(X)), clipped to
    [0, 1]; the level w is such that the curve has the AUC.
    """
    p = p[:, None]
    f = np.sin(np.linspace(0, np.pi / 2, 401)) ** 2  # close together near both ends
    root = np.sqrt(p - (2 * p - 1) * f)
    u = f / (np.sqrt(p) + root)
    low = (u - f * p / root).min(axis=1, keepdims=True)
    high = (u + (1 - f) * p / root).max(axis=1, keepdims=True)
    for _ in range(50):
        level = (low + high) / 2
        t = np.clip(f + root * (level - u) / p, 0.0, 1.0)
        above = np.trapezoid(t, f)[:, None] > auc
        low, high = np.where(above, low, level), np.where(above, level, high)
    return auk(f, t, p[:, 0])


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
    # Where it turns near zero it may cross it and come back between neighbours of the grid.
    size, side = np.abs(value), np.sign(value)
    turns = (size[1:-1] < size[:-2]) & (size[1:-1] <= size[2:]) & (side[2:] == side[:-2])
    for i in np.flatnonzero(turns) + 1:
        ends = grid[i - 1], grid[i + 1]
        turn = minimize_scalar(at, args=(side[i],), bounds=ends, method="bounded")
        grid = np.append(grid, turn.x)
    grid = np.unique(grid)
    above = function(grid) > -SLACK
    crossed = np.flatnonzero(above[1:] != above[:-1])
    return [float(brentq(at, grid[i], grid[i + 1])) for i in crossed]
