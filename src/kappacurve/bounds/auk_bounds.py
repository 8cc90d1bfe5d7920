"""Which values the AUK can take, given the AUC and the prevalence.

A published pair (AUC, AUK) outside the range cannot come from any ROC curve at that prevalence.
Notation as in docs/theory.md: at a cost share c of a missed positive and with ``s = q - c``, kappa
is ``pq (t - f) / Y`` with ``Y = cp + sQ``. Put ``X = cp + sf``. For fixed f kappa is concave in t
for c < q, convex for c > q, and t - f for c = q.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    ArgumentError,
    Axis,
    BoolArray,
    Cost,
    Curve,
    FloatArray,
    check_number,
    check_one_cost,
    check_prevalence,
    is_flagged,
    is_hull,
)
from kappacurve.kappa import areas_under_kappa, kappa_from_rates

End = Literal["lower", "upper"]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
NODES = (NODES + 1) / 2
WEIGHTS = WEIGHTS / 2
BISECTIONS = 54


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
    curve: Curve = "hull",
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
) -> Bounds:
    """The attainable range of the exact AUK for a given AUC and prevalence.

    Parameters
    ----------
    auc : float
        Area under the ROC curve, in [0.5, 1] for hulls and in [0, 1] for raw curves.
    prevalence : array-like in (0, 1)
    curve : {"hull", "raw"}, default "hull"
        What the ROC curve may be: a convex hull, which is concave, or any non-decreasing curve.
    cost, cost_ratio, axis
        Of the AUK, as in :func:`kappacurve.measures`.

    Returns
    -------
    lower, upper : ndarray with the shape of `prevalence`
    lower_curve, upper_curve : Polyline
        ROC vertices of shape ``prevalence.shape + (n_vertices,)``; their AUC is `auc` and their AUK
        the bound, both to about 1e-7 where the curve bends smoothly.

    Raises
    ------
    ValueError
        If the AUC, a prevalence, the cost or the axis is out of range.

    Notes
    -----
    With s = 2(1 - AUC), the *triangle* is the curve (0, 0), (s, 1), (1, 1), the *jump line*
    (0, 0), (0, 2AUC - 1), (1, 1); the *step* rises from 0 to 1 at f = 1 - AUC, the *plateau* is
    t = AUC. What follows is for c < q; for c > q the two ends change places.

    - ``axis="flagged"``: triangle and jump line are the concave ends, step and plateau the monotone
      ones, at every prevalence and cost. Proved.
    - Monotone, lower end: the step. Proved.
    - Monotone, upper end: an arc on which Y is proportional to the square root of X, clipped to
      0 <= t <= 1 and ending in a plateau (beginning, for c > q); the plateau alone if c >= 1/2.
      The optimum of a convex programme: tests hold it to the programme's dual.
    - Concave, upper end for c < q: a jump, such an arc and a straight line to (1, 1); the jump line
      alone if c >= 1/2. Again a convex programme, tested in the same way.
    - Concave, lower end for c > q: corners at (0, h) and (s', 1). Proved; the best s' is found by
      search, and is 1 (the jump line) if 2p(2AUC - 1) <= 1.
    - Concave, lower end for c < q: the triangle if c >= 1/2 or s (q-c) >= p (1-2c). Proved. Else
      corners at (0, h) and (s', 1) as above: a mixture of two triangles is proved to be the
      minimum, and none searched was below the best with a jump.
    - Concave, upper end for c > q: the triangle. Proved for p <= 1/2; beyond, a mixture of two
      triangles is proved to be the maximum, and none searched was above the triangle.

    At c = q both ends are AUC - 1/2 (equation 23 of Kaymak et al. 2010 for p = 1/2).

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
    flagged = is_flagged(axis)
    (least, lower), (most, upper) = (
        _extreme(end, area, p.ravel(), curve, share, flagged) for end in ("lower", "upper")
    )
    return Bounds(
        # Where the bounds nearly coincide, rounding could exchange them.
        np.minimum(least, most).reshape(p.shape),
        most.reshape(p.shape),
        Polyline(*(rates.reshape(*p.shape, -1) for rates in lower)),
        Polyline(*(rates.reshape(*p.shape, -1) for rates in upper)),
    )


def auk_limit(
    end: End, auc: float, prevalence: FloatArray, curve: Curve, cost: Cost = 0.5, axis: Axis = "fpr"
) -> FloatArray:
    """One end of :func:`auk_bounds` without its curve, for arguments that were checked."""
    p = np.ravel(prevalence)
    return _extreme(end, auc, p, curve, cost, is_flagged(axis))[0].reshape(np.shape(prevalence))


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
    beyond: this is what is certainly attained, not a limit. It is the same on both axes.

    Parameters
    ----------
    auc : float in [0.5, 1]
    prevalence, cost, cost_ratio
        As in :func:`auk_bounds`.

    Returns
    -------
    As :func:`auk_bounds`, with the two hulls.

    Examples
    --------
    >>> bounds = auk_trapezoid_range(0.7186, 0.11)
    >>> print(bounds.lower.round(3), bounds.upper.round(3))
    0.073 0.29
    """
    p = check_prevalence(prevalence)
    jump = 2 * check_auc(auc, "hull") - 1
    left = _curves(p, 0, jump, 1, 1)
    right = _curves(p, 0, 0, 1 - jump, 1)
    # The corner is all that counts: kappa is 0 at both ends, and the whole base is 1.
    share = check_one_cost(cost, cost_ratio)
    at_left = kappa_from_rates(0.0, jump, p, cost=share) / 2
    at_right = kappa_from_rates(1 - jump, 1.0, p, cost=share) / 2
    swap = _weights(share, p)[1] < 0
    return Bounds(
        np.where(swap, at_left, at_right),
        np.where(swap, at_right, at_left),
        merged(swap, left, right),
        merged(swap, right, left),
    )


def check_auc(auc: float, curve: str) -> float:
    """Return the AUC as a float; raise if no curve of this kind can have it."""
    concave = is_hull(curve)
    area = check_number("auc", auc)
    if not 0 <= area <= 1:
        raise ArgumentError("auc", f"must lie between 0 and 1, got {auc!r}")
    if concave and area < 0.5:
        fault = f"is {area:g}, but a convex hull has at least 0.5"
        raise ArgumentError("auc", fault, instead=("curve", "raw"))
    return area


def with_ends(fpr: FloatArray, tpr: FloatArray) -> Polyline:
    """The curves through (0, 0), these vertices and (1, 1)."""
    end = np.zeros((*fpr.shape[:-1], 1))
    return Polyline(*(np.concatenate((end, rates, end + 1), axis=-1) for rates in (fpr, tpr)))


def _curves(p: FloatArray, f1: Any, t1: Any, f2: Any, t2: Any) -> Polyline:
    """The curve (0, 0), (f1, t1), (f2, t2), (1, 1) of each prevalence."""
    _, f1, t1, f2, t2 = np.broadcast_arrays(p, f1, t1, f2, t2)
    return with_ends(np.stack((f1, f2), axis=-1), np.stack((t1, t2), axis=-1))


def bisected(
    beyond: Callable[[FloatArray], BoolArray], low: FloatArray, high: FloatArray, steps: int
) -> tuple[FloatArray, FloatArray]:
    """For each entry, close in on the argument from which the values are beyond a target."""
    for _ in range(steps):
        middle = (low + high) / 2
        there = beyond(middle)
        low, high = np.where(there, low, middle), np.where(there, middle, high)
    return low, high


def merged(choose: BoolArray, yes: Polyline, no: Polyline) -> Polyline:
    """One curve or the other by prevalence; the shorter ends with its last vertex repeated."""
    n = max(yes.fpr.shape[-1], no.fpr.shape[-1])
    padded = [
        np.concatenate((part, np.ones((*part.shape[:-1], n - part.shape[-1]))), axis=-1)
        for part in (*yes, *no)
    ]
    where = choose[..., np.newaxis]
    return Polyline(np.where(where, padded[0], padded[2]), np.where(where, padded[1], padded[3]))


def _weights(cost: Cost, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The cost share c, and q - c without loss of digits where p is tiny."""
    if isinstance(cost, str):
        return 1 - p, np.zeros(p.shape)
    c = np.broadcast_to(np.asarray(cost, dtype=np.float64), p.shape)
    return c, np.where(p > 0.5, (1 - p) - c, (1 - c) - p)


def _extreme(
    end: End, auc: float, p: FloatArray, curve: Curve, cost: Cost, flagged: bool
) -> tuple[FloatArray, Polyline]:
    """The least or largest AUK at each prevalence (n,), and a curve that has it."""
    c, s = _weights(cost, p)
    level = (s > 0) == (end == "upper")  # where the flattest curves are the extreme ones
    mean = 2 * (1 - auc)
    if curve == "hull":
        second = np.where(level, 1.0, mean)
        if end == "lower" and not flagged and 0 < mean < 1:
            jump = 2 * auc - 1
            proved = np.where(level, 2 * p * jump <= 1, (c >= 0.5) | (mean * s >= p * (1 - 2 * c)))
            second[~proved] = _second_corner(mean, p[~proved], c[~proved])
        vertices = _two_corners(mean, second)
        bends = level & (end == "upper")
    else:
        plateau = _curves(p, 0, auc, 1, auc)
        step = _curves(p, 1 - auc, 0, 1 - auc, 1)
        vertices = merged(level, plateau, step)
        bends = level
    value = areas_under_kappa(*vertices, p, cost, "flagged" if flagged else "fpr")
    start, steep = (c * p, s) if end == "upper" else ((1 - p) * (1 - c), -s)
    # Else the arc would have no room before it reaches t = 1 (proof in docs/theory.md).
    bends = bends & (steep > 0) & (p * steep > start * (1 - 2 * p))
    if bends.any() and not flagged and 0 < mean < 2:
        arc = _Arc(p[bends], start[bends], steep[bends], curve == "hull", end == "lower")
        areas, smooth, better = arc.best(auc, cost)
        bends[bends] = better
        value[bends] = areas[better]
        whole = np.zeros((2, len(p), smooth.fpr.shape[-1]))
        whole[:, bends] = smooth.fpr[better], smooth.tpr[better]
        vertices = merged(bends, Polyline(*whole), vertices)
    return value, vertices


def _two_corners(mean: float, second: FloatArray) -> Polyline:
    """Mixtures of the triangles with corners 0 and `second`: a jump line, or a triangle if mean."""
    with np.errstate(invalid="ignore", divide="ignore"):
        height = np.where(second > 0, (second - mean) / second, 1.0)
    return _curves(second, 0, height, second, 1)


def _second_corner(mean: float, p: FloatArray, c: FloatArray) -> FloatArray:
    """Where on t = 1 the curve through (0, 1 - mean / start) and (start, 1) has the least AUK."""

    def auk(start: FloatArray) -> FloatArray:
        prevalence, cost = (np.broadcast_to(values, start.shape) for values in (p, c))
        return areas_under_kappa(*_two_corners(mean, start), prevalence, cost)

    # The triangle may be a local minimum besides the one sought: a grid tells them apart.
    grid = mean + (1 - mean) * np.linspace(0, 1, 65)[:, np.newaxis] ** 3
    best = auk(np.broadcast_to(grid, (65, len(p)))).argmin(axis=0)
    low = grid[np.maximum(best - 1, 0), 0]
    high = grid[np.minimum(best + 1, 64), 0]
    for _ in range(40):  # golden-section search
        step = (5.0**0.5 - 1.0) / 2.0 * (high - low)
        left = high - step
        right = low + step
        less = auk(left) < auk(right)
        low, high = np.where(less, low, left), np.where(less, right, high)
    middle = (low + high) / 2
    at_grid = grid[best, 0]
    return np.asarray(np.where(auk(middle) < auk(at_grid), middle, at_grid))


class _Arc:
    """Curves that minimise the integral of X / Y for their AUC: the smooth ends of the range.

    With X = start + steep f, steep > 0, the optimum has Y = m sqrt(X) on an arc, where f and t are
    polynomials in u with sqrt(X / whole) = base + bend u, whole = start + steep: they keep their
    digits as steep goes to 0 (the cost to the balanced one), where the arc becomes straight. After
    it comes a tail: a straight line to (1, 1) in concave curves (`line`), a plateau in monotone
    ones. It is optimal where the integral of X / Y^2 over the tail, weighted by how the tail can
    change, is what it would be with the arc's constant X / Y^2. That fixes alpha, the relative
    growth of X along the tail, as a function of beta, that of Y. As beta falls the AUC rises and
    the tail shrinks; when it is gone, m rises. If steep would be negative, the ROC curve is turned
    by 180 degrees.
    """

    def __init__(
        self, p: FloatArray, start: FloatArray, steep: FloatArray, line: bool, rotated: bool
    ) -> None:
        self.p = p
        self.line = line
        self.turned = rotated
        self.whole = start + steep
        self.rho = start / steep
        self.base = np.sqrt(start / self.whole)
        self.bend = steep / self.whole
        # log(1 + beta) of a curve that is all tail: alpha is 1 / rho, and at least 2 beta.
        most = np.minimum(np.log1p(1 / np.maximum(self.rho, 1e-300)), 60)
        self.longest, _ = bisected(
            lambda size: self._alpha(np.expm1(size))[0] * self.rho > 1, 0 * p, most, BISECTIONS
        )

    def best(self, auc: float, cost: Cost) -> tuple[FloatArray, Polyline, BoolArray]:
        """AUK and curve with this AUC, and where the curve has an arc at all."""
        area = 1 - auc if self.turned else auc
        low, high = bisected(
            lambda z: self._auc(*self._member(z)) > area, 0 * self.p, 0 * self.p + 2, BISECTIONS
        )
        level, first, last = self._member((low + high) / 2)
        f, t, _ = self._points(level, first, last, NODES)
        slope = self.whole * (self.base + self.bend * level)
        auk = 2 * self.p * (1 - self.p) / slope * (last - first)
        auk *= (f - t if self.turned else t - f) @ WEIGHTS
        points = self._points(level, first, last, np.linspace(0, 1, 512))[:2]
        f, t = with_ends(*np.clip(points, 0, 1))
        if not self.line:  # the tail is a plateau
            t[:, -1] = t[:, -2]
        # A jump at f = 0 adds nothing to the area before the arc.
        if self.turned:
            f, t = 1 - f[:, ::-1], 1 - t[:, ::-1]
        for flat in (np.s_[:, :2], np.s_[:, -2:]):
            auk += areas_under_kappa(f[flat], t[flat], self.p, cost)
        return auk, with_ends(f, t), self._auc(*self._member(0 * self.p)) < area

    def _member(self, z: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Level (m is whole^(1/2) (base + bend level)), first and last u of the arc.

        z < 1 sets the tail's beta, z > 1 m.
        """
        p, q = self.p, 1 - self.p
        beta = np.expm1(self.longest * np.clip(1 - z, 0, 1))
        alpha, excess = self._alpha(beta)
        fpr = np.where(z < 1, np.clip((1 - self.rho * alpha) / (1 + alpha), 0, 1), 1.0)
        root = np.sqrt(self.base**2 + self.bend * fpr)
        last = fpr / (root + self.base)
        if self.line:
            over = (1 - fpr - root**2 * beta / self.bend) / (root * (1 + beta))
        else:
            over = root * ((q - p) + q * excess) / self.bend
            over = np.maximum(over, -p * fpr / root)  # below, all of the arc lies under t = 0
        level = last + over + p * np.clip(z - 1, 0, 1) / np.maximum(2 - z, 1e-300)
        linear = self.bend * level + self.base * (p - q)

        def reached(tpr: float) -> FloatArray:
            """The u at which the arc reaches the rate, or its end."""
            rest = p * tpr - self.base * level
            square = linear**2 - 4 * q * self.bend * rest
            root = linear + np.sqrt(np.maximum(square, 0))
            u = np.divide(2 * rest, root, out=last.copy(), where=(root > 0) & (square >= 0))
            return np.where(rest <= 0, 0.0, np.clip(u, 0, last))

        return level, reached(0.0), reached(1.0)

    def _points(
        self, level: FloatArray, first: FloatArray, last: FloatArray, at: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Rates at these shares of the arc, and base + bend u."""
        u = first[:, np.newaxis] + (last - first)[:, np.newaxis] * at
        root = self.base[:, np.newaxis] + self.bend[:, np.newaxis] * u
        f = u * (self.base[:, np.newaxis] + root)
        return f, f + root * (level[:, np.newaxis] - u) / self.p[:, np.newaxis], root

    def _auc(self, level: FloatArray, first: FloatArray, last: FloatArray) -> FloatArray:
        _, t, root = self._points(level, first, last, NODES)
        arc = (last - first) * ((t * 2 * root) @ WEIGHTS)
        f, t, _ = (values[:, 0] for values in self._points(level, first, last, np.ones(1)))
        t = np.clip(t, 0, 1)
        return np.asarray(arc + (1 - f) * (t + (1 if self.line else t)) / 2)

    def _alpha(self, beta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The alpha for which the mean of (1 + alpha x) / (1 + beta x)^2 over the tail is 1.

        And alpha / beta - 2.
        """
        small = np.minimum(beta, 0.5)[:, np.newaxis]
        weight = WEIGHTS * NODES * (1 - NODES if self.line else 1) / (1 + small * NODES) ** 2
        by_nodes = (weight * NODES * small).sum(axis=1) / weight.sum(axis=1)
        large = np.maximum(beta, 0.5)
        log = np.log1p(large)
        if self.line:
            exact = (large**2 / 2 - large + log) / ((2 + large) * log - 2 * large) - 2
        else:
            exact = large**2 / ((1 + large) * log - large) - 2
        excess = np.where(beta < 0.5, by_nodes, exact)
        return beta * (2 + excess), excess
