"""Which values the H-measure can take, given the AUC and the prevalence."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv

from kappacurve._validation import BoolArray, FloatArray, check_prevalence
from kappacurve.bounds.auk_bounds import Bounds, Polyline, bisected, check_auc, merged, with_ends
from kappacurve.h_measure import beta_density, cost_moment, h_of_hull

NODES, WEIGHTS = np.polynomial.legendre.leggauss(80)


def h_bounds(
    auc: npt.ArrayLike, prevalence: npt.ArrayLike, *, alpha: float = 2.0, beta: float = 2.0
) -> Bounds:
    """The attainable range of the H-measure (Hand 2009) of hulls with a given AUC.

    Parameters
    ----------
    auc : array-like in [0.5, 1]
        Area under the ROC convex hull (of which H is a function), not under the raw curve.
    prevalence : array-like in (0, 1)
        It broadcasts with `auc`.
    alpha, beta : float of at least 1, default 2
        Beta weight on the cost share of a false positive, as in
        :func:`kappacurve.h_measure.h_of_hull`.

    Returns
    -------
    As :func:`kappacurve.bounds.auk_bounds`. The lower curve bends smoothly; its many vertices have
    the area and the H to about 1e-5.

    Raises
    ------
    ValueError
        If the AUC, a prevalence or the weight is out of range.

    Notes
    -----
    H is convex along mixtures of hulls. Its maximum is therefore at a mixture of two of the
    triangles (0, 0), (s, 1), (1, 1); the larger of the triangle s = 2(1 - AUC) and the jump line
    through (0, 2AUC - 1) was never passed by any other in the tests. Its minimum is a convex
    programme in the slope g(f) of the hull: there the Beta(alpha, beta + 1) probability of costs
    below the one that g makes indifferent falls linearly in f. Two numbers, the start and the
    steepness of that line, are found by bisection; a jump at f = 0 remains where even the start 1
    leaves area to place.

    Examples
    --------
    >>> [end.round(3).tolist() for end in h_bounds(0.75, [0.1, 0.5])[:2]]
    [[0.034, 0.212], [0.493, 0.348]]
    """
    p, areas = np.broadcast_arrays(check_prevalence(prevalence), auc)
    area = np.array([check_auc(value, "hull") for value in areas.ravel().tolist()])
    if not (alpha >= 1 and beta >= 1):
        raise ValueError(f"alpha and beta must be at least 1, got {alpha!r} and {beta!r}.")
    shares = np.atleast_1d(p).ravel()
    corners = np.array(
        [[2 * (1 - area), np.ones_like(area)], [np.zeros_like(area), 2 * area - 1]]
    ).transpose(2, 0, 1)
    values = np.array(
        [
            [_h_of_corner(f, t, share, alpha, beta) for f, t in pair]
            for pair, share in zip(corners.tolist(), shares.tolist(), strict=True)
        ]
    )
    row = np.arange(len(shares))
    upper_curve, lower_curve = (
        with_ends(best[:, :1], best[:, 1:])
        for best in (corners[row, values.argmax(axis=1)], corners[row, values.argmin(axis=1)])
    )
    lower = values.min(axis=1)
    # Where a corner leaves no H to speak of, the weight is elsewhere: nothing is left to minimise.
    sought = (lower > 1e-15) & (area > 0.5) & (area < 1.0)
    # Seen from the class whose costs leave the smaller share, no digits of it are lost.
    swapped = betainc(alpha, beta + 1, shares) > 0.5
    for is_swapped, (a, b) in ((False, (alpha, beta)), (True, (beta, alpha))):
        here = sought & (swapped == is_swapped)
        if here.any():
            at = 1 - shares[here] if is_swapped else shares[here]
            hulls = _least(area[here, np.newaxis], at[:, np.newaxis], a, b)
            lower[here] = hulls.h()[:, 0]
            f, t = hulls.vertices()
            if is_swapped:
                f, t = 1 - t[:, ::-1], 1 - f[:, ::-1]
            smooth = np.zeros((2, len(shares), f.shape[1]))
            smooth[:, here] = f, t
            lower_curve = merged(here, Polyline(*smooth), lower_curve)
    return Bounds(
        lower.reshape(p.shape),
        values.max(axis=1).reshape(p.shape),
        Polyline(*(part.reshape(*p.shape, -1) for part in lower_curve)),
        Polyline(*(part.reshape(*p.shape, -1) for part in upper_curve)),
    )


def _h_of_corner(f: float, t: float, p: float, alpha: float, beta: float) -> float:
    if f == t or t - f == 1:  # the diagonal, and the perfect classifier
        return t - f
    return h_of_hull(np.array([0.0, f, 1.0]), np.array([0.0, t, 1.0]), p, alpha, beta)


class _Hulls(NamedTuple):
    """The hulls whose cost probability falls from `start` with `steepness` after a `jump` at f = 0.

    These and the prevalences `p` are columns (n, 1).
    """

    p: FloatArray
    alpha: float
    beta: float
    start: FloatArray
    steepness: FloatArray
    jump: FloatArray | float = 0.0

    def vertices(self) -> Polyline:
        """The hulls at costs that lie evenly in f and in t, however concentrated the weight."""
        a, b = self.alpha, self.beta
        share = np.linspace(0, 1, 300)
        first, last = self._costs()
        costs = [
            betaincinv(*shape, (1 - share) * betainc(*shape, last) + share * betainc(*shape, first))
            for shape in ((a, b + 1), (a + 1, b))
        ]
        rates = self._points(np.sort(np.concatenate(costs, axis=1))[:, ::-1])
        return with_ends(*(np.maximum.accumulate(np.clip(rate, 0, 1), axis=1) for rate in rates))

    def _costs(self) -> tuple[FloatArray, FloatArray]:
        """Costs at the last and the first point of the curved part."""
        a, b = self.alpha, self.beta + 1
        last = betaincinv(a, b, np.maximum(self.start - self.steepness, 0))
        # Nodes are for costs that have any weight.
        low = betaincinv(a, b, 1e-30)
        high = 1 - betaincinv(b, a, 1e-30)
        return np.clip(last, low, high), np.clip(betaincinv(a, b, self.start), low, high)

    def rise(self) -> FloatArray:
        """How far the curved part rises in t."""
        first, last = self._costs()
        a, b = self.alpha, self.beta
        share = betainc(a + 1, b, last) - betainc(a + 1, b, first)
        return np.asarray((1 - self.p) / self.p * a / b * share / self.steepness)

    def _points(self, cost: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The point (f, t) that belongs to each cost (n, k)."""
        a, b = self.alpha, self.beta
        fpr = (self.start - betainc(a, b + 1, cost)) / self.steepness
        gained = betainc(a + 1, b, self._costs()[1]) - betainc(a + 1, b, cost)
        return fpr, self.jump + ((1 - self.p) / self.p * a / b / self.steepness) * gained

    def _nodes(self) -> tuple[FloatArray, FloatArray]:
        """Costs (n, k) for a quadrature, and their weights."""
        first, last = self._costs()
        half = (last - first) / 2
        return (last + first) / 2 + half * NODES, half * WEIGHTS

    def auc(self) -> FloatArray:
        """Their areas."""
        cost, weights = self._nodes()
        # df along the curve, from the density of Beta(alpha, beta + 1).
        density = beta_density(cost, self.alpha, self.beta + 1)
        below = np.sum(weights * density * self._points(cost)[1], axis=1, keepdims=True)
        flat = 1 - np.minimum(self.start / self.steepness, 1)
        return np.asarray(below / self.steepness + flat)

    def h(self) -> FloatArray:
        """Their H."""
        cost, weights = self._nodes()
        fpr, tpr = self._points(cost)
        first, last = self._costs()
        a, b, p = self.alpha, self.beta, self.p
        losses = cost * (1 - p) * fpr + (1 - cost) * p * (1 - tpr)
        lost = np.sum(weights * beta_density(cost, a, b) * losses, axis=1, keepdims=True)
        # Below the first cost all of t is taken, above the last one only the jump.
        lost += (1 - p) * np.minimum(self.start / self.steepness, 1) * cost_moment(first, a, b)
        lost += p * (1 - self.jump) * cost_moment(1 - last, b, a)
        trivial = (1 - p) * cost_moment(p, a, b) + p * cost_moment(1 - p, b, a)
        return np.asarray(1 - lost / trivial)


def _least(auc: FloatArray, p: FloatArray, alpha: float, beta: float) -> _Hulls:
    """The hulls with these areas (n, 1)."""
    hulls = partial(_Hulls, p, alpha, beta)
    ones = np.ones_like(p)

    def steepness_from(start: FloatArray) -> FloatArray:
        """The steepness with which the curved part rises from 0 to 1."""
        high = ones
        while (over := hulls(start, high).rise() > 1).any():
            high = np.where(over, 2 * high, high)
        low, high = bisected(
            lambda log: hulls(start, np.exp(log)).rise() <= 1,
            np.log(start) - 30,
            np.log(high),
            54,
        )
        return np.exp((low + high) / 2)

    def is_above(log: FloatArray) -> BoolArray:
        start = np.exp(log)
        return hulls(start, steepness_from(start)).auc() > auc

    # Costs at which a hull of slope 1 (the diagonal) changes: where the line may start.
    low = np.maximum(betainc(alpha, beta + 1, p), 1e-28)
    low, high = bisected(is_above, np.log(low), 0 * p, 50)
    start = np.exp((low + high) / 2)
    steepness = steepness_from(start)
    least = steepness_from(ones)
    jumps = hulls(ones, least).auc() < auc
    if not jumps.any():
        return hulls(start, steepness)

    # The line starts at 1, and the area that it cannot place is the jump.
    def area(steep: FloatArray) -> FloatArray:
        return hulls(ones, steep, 1 - hulls(ones, steep).rise()).auc()

    steep = np.full_like(ones, 2.0)
    while (short := area(steep) < auc).any():
        steep = np.where(short, 2 * steep, steep)
    _, steep = bisected(lambda middle: area(middle) > auc, least, steep, 60)
    jump = np.where(jumps, 1 - hulls(ones, steep).rise(), 0.0)
    return hulls(np.where(jumps, ones, start), np.where(jumps, steep, steepness), jump)
