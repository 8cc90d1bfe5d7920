"""Which values the H-measure can take, given the AUC and the prevalence."""

from __future__ import annotations

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
            lower[here], (f, t) = _Programme(at, a, b).smallest(area[here])
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


class _Programme:
    """The hulls whose cost probability falls from `start` with `steepness`, and their H."""

    def __init__(self, p: FloatArray, alpha: float, beta: float) -> None:
        self.p = p
        self.alpha = alpha
        self.beta = beta
        self.odds = (1 - p) / p

    def smallest(self, auc: FloatArray) -> tuple[FloatArray, Polyline]:
        """H of the member with each AUC, and its hull."""
        member = self._member(auc)
        return self._h(*member), self._hull(*member)

    def _hull(self, start: FloatArray, steepness: FloatArray, jump: FloatArray) -> Polyline:
        """The hull at costs that lie evenly both in f and in t, however concentrated the weight."""
        a, b = self.alpha, self.beta
        share = np.linspace(0, 1, 300)[:, np.newaxis]
        first, last = self._costs(start, steepness)
        costs = [
            betaincinv(*shape, (1 - share) * betainc(*shape, last) + share * betainc(*shape, first))
            for shape in ((a, b + 1), (a + 1, b))
        ]
        cost = np.sort(np.concatenate(costs), axis=0)[::-1].T
        rates = self._points(cost, start, steepness, jump)
        return with_ends(*(np.maximum.accumulate(np.clip(rate, 0, 1), axis=1) for rate in rates))

    def _member(self, auc: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Start, steepness and jump of the hull with each AUC."""
        # Costs at which a hull of slope 1 (the diagonal) changes: where the line may start.
        low = np.maximum(betainc(self.alpha, self.beta + 1, self.p), 1e-28)
        ones = np.ones_like(self.p)
        zeros = np.zeros_like(self.p)

        def is_above(log: FloatArray) -> BoolArray:
            start = np.exp(log)
            return self._auc(start, self._steepness(start), zeros) > auc

        low, high = bisected(is_above, np.log(low), zeros, 50)
        start = np.exp((low + high) / 2)
        steepness = self._steepness(start)
        least = self._steepness(ones)
        jumps = self._auc(ones, least, zeros) < auc
        if not jumps.any():
            return start, steepness, zeros

        # The line starts at 1, and the area that it cannot place is the jump.
        def area(steep: FloatArray) -> FloatArray:
            return self._auc(ones, steep, 1 - self._rise(ones, steep))

        steep = np.full_like(ones, 2.0)
        while (short := area(steep) < auc).any():
            steep = np.where(short, 2 * steep, steep)
        _, steep = bisected(lambda middle: area(middle) > auc, least, steep, 60)
        jump = np.where(jumps, 1 - self._rise(ones, steep), 0.0)
        return np.where(jumps, ones, start), np.where(jumps, steep, steepness), jump

    def _costs(self, start: FloatArray, steepness: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Costs at the last and the first point of the curved part."""
        a, b = self.alpha, self.beta + 1
        last = betaincinv(a, b, np.maximum(start - steepness, 0))
        # Nodes are for costs that have any weight.
        low = betaincinv(a, b, 1e-30)
        high = 1 - betaincinv(b, a, 1e-30)
        return np.clip(last, low, high), np.clip(betaincinv(a, b, start), low, high)

    def _rise(self, start: FloatArray, steepness: FloatArray) -> FloatArray:
        """How far the curved part rises in t."""
        first, last = self._costs(start, steepness)
        a, b = self.alpha, self.beta
        share = betainc(a + 1, b, last) - betainc(a + 1, b, first)
        return np.asarray(self.odds * a / b * share / steepness)

    def _steepness(self, start: FloatArray) -> FloatArray:
        """The steepness with which the curved part rises from 0 to 1."""
        high = np.ones_like(start)
        while (over := self._rise(start, high) > 1).any():
            high = np.where(over, 2 * high, high)
        low, high = bisected(
            lambda log: self._rise(start, np.exp(log)) <= 1, np.log(start) - 30, np.log(high), 54
        )
        return np.exp((low + high) / 2)

    def _curve(
        self, start: FloatArray, steepness: FloatArray, jump: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Costs at quadrature nodes, their weights, and the point (f, t) that belongs to each."""
        first, last = self._costs(start, steepness)
        half = ((last - first) / 2)[:, np.newaxis]
        cost = ((last + first) / 2)[:, np.newaxis] + half * NODES
        return cost, half * WEIGHTS, *self._points(cost, start, steepness, jump)

    def _points(
        self, cost: FloatArray, start: FloatArray, steepness: FloatArray, jump: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        a, b = self.alpha, self.beta
        _, last = self._costs(start, steepness)
        fpr = (start[:, np.newaxis] - betainc(a, b + 1, cost)) / steepness[:, np.newaxis]
        gained = betainc(a + 1, b, last)[:, np.newaxis] - betainc(a + 1, b, cost)
        return fpr, jump[:, np.newaxis] + (self.odds * a / b / steepness)[:, np.newaxis] * gained

    def _auc(self, start: FloatArray, steepness: FloatArray, jump: FloatArray) -> FloatArray:
        cost, weights, _, tpr = self._curve(start, steepness, jump)
        a, b = self.alpha, self.beta
        # df along the curve, from the density of Beta(alpha, beta + 1).
        density = beta_density(cost, a, b + 1)
        flat = 1 - np.minimum(start / steepness, 1)
        return np.asarray(np.sum(weights * density * tpr, axis=1) / steepness + flat)

    def _h(self, start: FloatArray, steepness: FloatArray, jump: FloatArray) -> FloatArray:
        cost, weights, fpr, tpr = self._curve(start, steepness, jump)
        first, last = self._costs(start, steepness)
        a, b, p = self.alpha, self.beta, self.p
        density = beta_density(cost, a, b)
        wide = p[:, np.newaxis]
        lost = np.sum(
            weights * density * (cost * (1 - wide) * fpr + (1 - cost) * wide * (1 - tpr)), axis=1
        )
        # Below the first cost all of t is taken, above the last one only the jump.
        lost += (1 - p) * np.minimum(start / steepness, 1) * cost_moment(first, a, b)
        lost += p * (1 - jump) * cost_moment(1 - last, b, a)
        trivial = (1 - p) * cost_moment(p, a, b) + p * cost_moment(1 - p, b, a)
        return np.asarray(1 - lost / trivial)
