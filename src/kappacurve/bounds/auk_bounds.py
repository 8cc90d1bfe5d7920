"""Which values the AUK can take, given the AUC and the prevalence.

A published pair (AUC, AUK) outside the range cannot come from any ROC curve at that prevalence.
Notation as in :mod:`kappacurve.roc`; further ``q = 1 - p``, ``a = 1 - 2p``, ``d = t - f`` and
``D = p + aqf + pat``, so that kappa = 2pqd / D. For fixed f it is concave in t if p < 1/2, convex
if p > 1/2, and straight if p = 1/2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Cost,
    FloatArray,
    check_number,
    check_one_cost,
    check_prevalence,
)
from kappacurve.auk import areas_under_kappa
from kappacurve.kappa import kappa_from_rates

CurveKind = Literal["concave", "monotone"]
# Gauss-Legendre with three nodes is exact for the polynomials of the smooth curve.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(3)


class Polyline(NamedTuple):
    """Vertices of ROC curves; the last axis runs along the curve, others over prevalences."""

    fpr: FloatArray
    tpr: FloatArray


class Bounds(NamedTuple):
    """The smallest and the largest value, each with a ROC curve that attains it."""

    lower: FloatArray
    upper: FloatArray
    lower_curve: Polyline
    upper_curve: Polyline


def auk_bounds(
    auc: float,
    prevalence: npt.ArrayLike,
    *,
    curve: CurveKind = "concave",
    cost: Cost | None = None,
    cost_ratio: float | None = None,
) -> Bounds:
    """The attainable range of the exact AUK for a given AUC and prevalence.

    Parameters
    ----------
    auc : float
        Area under the ROC curve, in [0.5, 1] for concave curves and in [0, 1] for monotone ones.
    prevalence : array-like in (0, 1)
    curve : {"concave", "monotone"}, default "concave"
        What the ROC curve may be: a convex hull (concave) or any non-decreasing curve, the latter
        at cost 1/2 only.
    cost, cost_ratio : optional
        As in :func:`kappacurve.auk_score`.

    Returns
    -------
    lower, upper : ndarray with the shape of `prevalence`
    lower_curve, upper_curve : Polyline
        ROC vertices of shape ``prevalence.shape + (n_vertices,)``; their AUC is `auc` and their AUK
        the bound.

    Raises
    ------
    ValueError
        If the AUC, a prevalence or the cost is out of range.

    Notes
    -----
    *Concave curves.* For p < 1/2 (proofs in docs/theory.md) the triangle (0, 0), (s, 1), (1, 1)
    with s = 2(1 - AUC) is the minimum, and the jump line (0, 0), (0, 2AUC - 1), (1, 1) the maximum.
    For p > 1/2 the triangle is the maximum: AUK is convex along mixtures of triangles, so mixtures
    of two are the only other candidates, and the tests search these on a grid. The minimum is a
    convex programme with the weight w = 2pq(p + af) / D^2, which rises and then may fall: it has
    corners (0, h) and (s, 1), with s = 1 (the jump line) if p(2AUC - 1) <= 1/2, and else the best
    s, found by golden-section search.

    *Monotone curves.* For p < 1/2 the plateau t = AUC is the maximum (w falls with f) and the step
    at f = 1 - AUC the minimum. For p > 1/2 the step is the maximum: the weight of the difference of
    two curves, 2pq(p + af) / (D_t D_T), is at most 2pq / D_t to its left and at least that to its
    right, and D_t falls with f. The minimum has the same w wherever 0 < t < 1; there t is a square
    root of a linear function of f, clipped to [0, 1], whose level is found by bisection.

    *At a cost share c* kappa is concave in t for c < q and convex for c > q: the sign of q - c
    takes the place of 1/2 - p. What is proved then, with J = 2AUC - 1 and s = 1 - J:

    - c < q, lower end: AUK is concave along mixtures of triangles, so the minimum is a mixture of
      two: the triangle s itself if c >= 1/2 or s (q-c) >= p (1-2c), else the least that a search
      over both corners finds.
    - c < q, upper end: the jump line if c >= 1/2 or J (q + c (p-q)) <= c. Else the curve is
      the best mixture of two triangles, and the limit its tangent plane's: never passed, but above
      that curve's AUK by some 1e-4, and by more as c nears 0.
    - c > q, lower end: as above, a second corner can be needed only if 2pJ > 1.
    - c > q, upper end: the triangle; proved for p <= 1/2, no counterexample is known beyond.

    At p = 1/2, and at c = q, both ends are AUC - 1/2 (equation 23 of Kaymak et al. 2010).

    Examples
    --------
    The published AUC of a neural network, whose AUK is 0.1753 at a prevalence of 0.11:

    >>> bounds = auk_bounds(0.7186, [0.11, 0.5, 0.89])
    >>> bounds.lower.round(4)
    array([0.0895, 0.2186, 0.1102])
    >>> bounds.upper.round(4)
    array([0.1331, 0.2186, 0.2141])
    """
    p = check_prevalence(prevalence)
    area = check_auc(auc, curve)
    share = check_one_cost(cost, cost_ratio)
    if curve == "monotone" and share != 0.5:
        raise ValueError('curve="monotone" takes no cost but 1/2: use curve="concave" at a cost.')
    lower, upper = (_extreme_curve(end, area, p, curve, share)[0] for end in (-1, 1))
    most = auk_limit("upper", area, p, curve, share)
    # Where there is hardly room between the ends, rounding could exchange them.
    least = np.minimum(auk_limit("lower", area, p, curve, share), most)
    return Bounds(least, most, lower, upper)


def auk_limit(
    end: Literal["lower", "upper"],
    auc: float,
    prevalence: FloatArray,
    curve: CurveKind,
    cost: Cost = 0.5,
) -> FloatArray:
    """One end of :func:`auk_bounds` without its curve, for many prevalences at once."""
    p = np.atleast_1d(prevalence)
    vertices, more = _extreme_curve(-1 if end == "lower" else 1, auc, p, curve, cost)
    value = areas_under_kappa(*vertices, p, cost) + more
    smooth = p > 0.5
    if curve == "monotone" and end == "lower" and smooth.any():
        value[smooth] = _monotone_minimum(auc, p[smooth])[0]
    return value.reshape(np.shape(prevalence))


def auk_trapezoid_range(
    auc: float,
    prevalence: npt.ArrayLike,
    *,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
) -> Bounds:
    """What the trapezoid rule gives for ROC hulls with a single corner.

    The rule joins the kappa values at the vertices by straight lines. With few vertices it can lie
    far outside :func:`auk_bounds`, so a published AUK that no exact integral can reach may still be
    a trapezoid. Hulls with more corners reach the values between, and, to a lesser degree, some
    beyond: this is what is certainly attained, not a limit.

    Parameters
    ----------
    auc : float in [0.5, 1]
    prevalence : array-like in (0, 1)
    cost, cost_ratio : optional
        As in :func:`kappacurve.auk_score`.

    Returns
    -------
    As :func:`auk_bounds`, with the two hulls.

    Examples
    --------
    >>> found = auk_trapezoid_range(0.7186, 0.11)
    >>> print(found.lower.round(3), found.upper.round(3))
    0.073 0.29
    """
    p = check_prevalence(prevalence)
    jump = 2 * check_auc(auc, "concave") - 1
    left, right = _curves(p, 0, jump, 1, 1), _curves(p, 0, 0, 1 - jump, 1)
    # The corner is all that counts: kappa is 0 at both ends, and the whole base is 1.
    share = check_one_cost(cost, cost_ratio)
    at_left = kappa_from_rates(0.0, jump, p, cost=share) / 2
    at_right = kappa_from_rates(1 - jump, 1.0, p, cost=share) / 2
    swap = _share(share, p) > 1 - p
    return Bounds(
        np.where(swap, at_left, at_right),
        np.where(swap, at_right, at_left),
        _merge(swap, left, right),
        _merge(swap, right, left),
    )


def check_auc(auc: float, curve: str) -> float:
    """Return the AUC as a float; raise if no curve of this kind can have it."""
    if curve not in ("concave", "monotone"):
        raise ValueError(f'curve must be "concave" or "monotone", got {curve!r}.')
    area = check_number("auc", auc)
    if not 0 <= area <= 1:
        raise ValueError(f"auc must lie between 0 and 1, got {auc!r}.")
    if curve == "concave" and area < 0.5:
        raise ValueError(
            f"auc is {area:g}, but a concave ROC curve (a convex hull) has at least 0.5: "
            'use curve="monotone" for a raw curve.'
        )
    return area


def with_ends(fpr: FloatArray, tpr: FloatArray) -> Polyline:
    """The curves through (0, 0), these vertices and (1, 1)."""
    zero, one = np.zeros((*fpr.shape[:-1], 1)), np.ones((*fpr.shape[:-1], 1))
    return Polyline(
        np.concatenate((zero, fpr, one), axis=-1), np.concatenate((zero, tpr, one), axis=-1)
    )


def _curves(p: FloatArray, f1: Any, t1: Any, f2: Any, t2: Any) -> Polyline:
    """The curve (0, 0), (f1, t1), (f2, t2), (1, 1) of each prevalence."""
    _, f1, t1, f2, t2 = np.broadcast_arrays(p, f1, t1, f2, t2)
    return with_ends(np.stack((f1, f2), axis=-1), np.stack((t1, t2), axis=-1))


def bisected(
    beyond: Callable[[FloatArray], npt.NDArray[np.bool_]],
    low: FloatArray,
    high: FloatArray,
    steps: int,
) -> tuple[FloatArray, FloatArray]:
    """Close in, for each entry, on the place from which the values are beyond the one sought."""
    for _ in range(steps):
        middle = (low + high) / 2
        there = beyond(middle)
        low, high = np.where(there, low, middle), np.where(there, middle, high)
    return low, high


def _merge(choose: npt.NDArray[np.bool_], yes: Polyline, no: Polyline) -> Polyline:
    """One curve or the other by prevalence; the shorter ends with its last vertex repeated."""
    n = max(yes.fpr.shape[-1], no.fpr.shape[-1])
    padded = [
        np.concatenate((part, np.ones((*part.shape[:-1], n - part.shape[-1]))), axis=-1)
        for part in (*yes, *no)
    ]
    where = choose[..., np.newaxis]
    return Polyline(np.where(where, padded[0], padded[2]), np.where(where, padded[1], padded[3]))


def _share(cost: Cost, p: FloatArray) -> FloatArray:
    return 1 - p if isinstance(cost, str) else np.broadcast_to(np.asarray(cost), p.shape)


def _extreme_curve(
    sign: int, auc: float, p: FloatArray, curve: CurveKind, cost: Cost = 0.5
) -> tuple[Polyline, FloatArray]:
    """A curve of the smallest (-1) or largest AUK (1) per prevalence; what others may have more."""
    more = np.zeros(p.shape)
    if curve == "monotone":
        step, plateau = _curves(p, 1 - auc, 0, 1 - auc, 1), _curves(p, 0, auc, 1, auc)
        if sign == 1:
            return _merge(p > 0.5, step, plateau), more
        smooth = (p > 0.5).any()
        return _merge(p > 0.5, _smooth_curve(auc, p), step) if smooth else step, more
    c, q = _share(cost, p), 1 - p
    mean, jump = 2 * (1 - auc), 2 * auc - 1
    convex = (c > q) | (c == 1)  # q may have been rounded to 1
    # Beside the corner 0 the jump line has all its mixture's rest at 1, the triangle at the mean.
    first = np.zeros(p.shape)
    second = np.where(convex == (sign == -1), 1.0, mean)
    if 0 < mean < 1:
        inside = (q - c > 1e-12) & (c < 0.5)
        if sign == -1:
            bends = convex & (2 * p * jump > 1)
            second[bends] = _second_corner(mean, p[bends], c[bends])
            doubt = inside & (mean * (q - c) < p * (1 - 2 * c))
        else:
            doubt = inside & (jump * (q + c * (p - q)) > c)
        for i in zip(*np.nonzero(np.atleast_1d(doubt)), strict=True):
            at = i if p.ndim else ()
            first[at], second[at] = _best_mixture(sign, mean, float(p[at]), float(c[at]))
            if sign == 1:
                more[at] = _above_mixture(mean, first[at], second[at], float(p[at]), float(c[at]))
    return _mixture(mean, first, second), more


def _above_mixture(mean: float, first: Any, second: Any, p: float, c: float) -> float:
    """How far the tangent plane of the (concave) AUK at a mixture of triangles rises above it."""
    f = np.unique(np.concatenate((np.linspace(0, 1, 3000) ** 3, [mean, first, second])))[1:]
    t, q = np.interp(f, *_mixture(mean, first, second)), 1 - p
    weight = p * q * (c * p * (1 - f) + (1 - c) * q * f)
    weight /= (c * p + (q - c) * (q * f + p * t)) ** 2
    below, inside, total = (
        np.append(0, np.cumsum((y[1:] + y[:-1]) / 2 * np.diff(f)))
        for y in (weight, f * weight, t * weight)
    )
    gain = below[-1] - below + inside / f  # of the triangle with the corner f
    k = np.searchsorted(f, mean)
    left, right = np.unique(np.linspace(0, k, 400, dtype=int)), np.arange(k, len(f), 5)
    share = (f[right] - mean) / np.maximum(f[right] - f[left][:, None], 1e-300)
    best = np.where(f[right] > f[left][:, None], share, 1.0)
    most = (best * gain[left][:, None] + (1 - best) * gain[right]).max()
    return max(0.0, float(most - total[-1]))


def _mixture(mean: float, first: FloatArray, second: FloatArray) -> Polyline:
    """Mixtures of two triangles, whose corners lie on either side of the mean of the mixture."""
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = np.where(second > first, (second - mean) / (second - first), 1.0)
        height = weight + (1 - weight) * np.where(second > 0, first / second, 0.0)
    return _curves(first, first, height, second, 1)


def _second_corner(mean: float, p: FloatArray, c: FloatArray) -> FloatArray:
    """Where on t = 1 the curve through (0, 1 - mean / start) and (start, 1) has the least AUK."""
    # By golden-section search, to 4e-9 of the place and so to 1e-16 of the value.
    low, high = np.full_like(p, mean), np.ones_like(p)
    for _ in range(40):
        step = (5.0**0.5 - 1.0) / 2.0 * (high - low)
        left, right = (
            areas_under_kappa(*_mixture(mean, 0 * p, start), p, c)
            for start in (high - step, low + step)
        )
        low, high = (
            np.where(left < right, low, high - step),
            np.where(left < right, low + step, high),
        )
    return (low + high) / 2


def _best_mixture(sign: int, mean: float, p: float, c: float) -> tuple[float, float]:
    """Corners of the mixture of two triangles with the extreme AUK, by ever finer grids."""
    low, high = np.zeros(2), np.ones(2)
    for _ in range(10):
        u, v = np.meshgrid(*np.linspace(low, high, 17).T)
        first, second = mean * u, mean + (1 - mean) * v
        areas = areas_under_kappa(*_mixture(mean, first, second), np.full(u.shape, p), c)
        best = np.unravel_index(np.argmax(sign * areas), areas.shape)
        centre, step = np.array([u[best], v[best]]), (high - low) / 8
        low, high = np.maximum(centre - step, 0), np.minimum(centre + step, 1)
    return float(first[best]), float(second[best])


def _monotone_minimum(auc: float, prevalence: FloatArray) -> tuple[FloatArray, ...]:
    """Smallest AUK of monotone curves for p > 1/2 (elsewhere the values mean nothing).

    Returned with the level, and the first and last v, of the curve that attains it.

    Stationarity, D^2 = constant (p + af), reads with sqrt(1 + af/p) = 1 + av: f = p(2v + av^2) and
    t = level + av(level - 1) - qav^2. All integrals are polynomials in v.
    """
    p = np.where(prevalence > 0.5, prevalence, 0.75)
    q, slant = 1 - p, 2 * p - 1  # slant = -a > 0
    end = 1 / (p + np.sqrt(p * q))  # v at f = 1
    low = -slant * end * (1 + q * end) / (1 - slant * end)  # the curve t = 0
    steps = 38  # to 1e-11 of the level
    low, high = bisected(lambda level: _middle(level, p, end)[0] > auc, low, 0 * p + 1, steps)
    level = (low + high) / 2
    _, middle, first, last = _middle(level, p, end)
    start, stop = _stationary(first, level, p)[0], _stationary(last, level, p)[0]
    flat = np.zeros((*p.shape, 2))
    before = areas_under_kappa(np.stack((0 * p, start), axis=-1), flat, p)
    after = areas_under_kappa(np.stack((stop, 0 * p + 1), axis=-1), flat + 1, p)
    return before + middle + after, level, first, last


def _smooth_curve(auc: float, prevalence: FloatArray) -> Polyline:
    """The curve of that minimum, in steps so small that its areas are right to about 1e-7."""
    p = np.where(prevalence > 0.5, prevalence, 0.75)[..., np.newaxis]
    level, first, last = (x[..., np.newaxis] for x in _monotone_minimum(auc, prevalence)[1:])
    f, t = _stationary(first + (last - first) * np.linspace(0, 1, 512), level, p)
    return with_ends(np.clip(f, 0, 1), np.clip(t, 0, 1))


def _stationary(v: FloatArray, level: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    a = 1 - 2 * p
    return p * v * (2 + a * v), level + a * v * (level - 1) - (1 - p) * a * v * v


def _middle(
    level: FloatArray, p: FloatArray, end: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """AUC of the clipped curve, AUK of the part with 0 < t < 1, and where in v that part is."""
    slant = 2 * p - 1
    first, last = (_where_t_is(value, level, p, end) for value in (0.0, 1.0))
    half = (last - first)[..., np.newaxis] / 2
    v = (first + last)[..., np.newaxis] / 2 + half * NODES
    wide = p[..., np.newaxis]
    f, t = _stationary(v, level[..., np.newaxis], wide)
    area = np.sum(half * WEIGHTS * t * 2 * wide * (1 + (1 - 2 * wide) * v), axis=-1)
    auk = np.sum(half * WEIGHTS * (t - f), axis=-1) * 4 * p * (1 - p) / (1 - slant * level)
    reached = p * last * (2 - slant * last)
    return area + 1 - np.minimum(reached, 1), auk, first, last


def _where_t_is(value: float, level: FloatArray, p: FloatArray, end: FloatArray) -> FloatArray:
    """The v at which the stationary curve reaches the value, within [0, end]."""
    slant, rest = 2 * p - 1, np.maximum(value - level, 0)
    linear = slant * (1 - level)
    root = linear + np.sqrt(linear**2 + 4 * (1 - p) * slant * rest)
    return np.minimum(2 * rest / np.maximum(root, 1e-300), end)
