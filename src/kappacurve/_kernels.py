"""Compiled loops behind the measures: merge the sorted classes, count, make hulls and sum.

Counts and their products are integers (below 2**63 for up to about 4 * 10**9 rows), so areas, hull
and KS are exact up to one last division. Plain loops in a fixed order: no threads, no reassociated
sums.

The formulas stand in ``kappa``, ``auk`` and ``h_measure`` and are compiled from there. Nothing is
compiled at import, only at the first call, and then kept in numba's cache; after a change to one
of the formulas touch this file, because numba compares the date of the caller's file alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from kappacurve import auk, h_measure, kappa
from kappacurve._validation import BoolArray, FloatArray

IntArray = npt.NDArray[np.int64]
Shares = tuple[float, ...]  # as of `kappa.kappa_shares`
F = TypeVar("F", bound=Callable[..., Any])

# What `measure_rows` writes for a row, in this order.
COLUMNS: tuple[str, ...] = ("auc", "auk", "auk_trapezoid", "auch", "auk_hull", "auk_trapezoid_hull")
COLUMNS += ("ks", "h", "kappa_max", "fpr", "tpr", "threshold")

# Kappas nearer to each other than this share are rounded versions of the same number.
SAME_KAPPA = 1.0 + 8 * 2.0**-52


def _compiled(function: F) -> F:
    """Return numba's njit of a function, kept on disk if any cache directory is writable."""
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba: "no locator available"
        return cast(F, numba.njit(nogil=True)(function))


@_compiled
def split(positive: BoolArray, score: FloatArray, ones: FloatArray, zeros: FloatArray) -> None:
    """Fill the first columns of ones and zeros (b, most) with the scores (b, n) of each class.

    Labels (b, n), or (1, n) if all rows of scores share them.
    """
    for r in range(score.shape[0]):
        labels = positive[r if positive.shape[0] > 1 else 0]
        tp = 0
        for i in range(score.shape[1]):  # both are written: no branch that chance decides
            ones[r, tp] = zeros[r, i - tp] = score[r, i]
            tp += labels[i]
        ones[r, tp] = zeros[r, score.shape[1] - tp] = np.inf


@_compiled
def below(ones: FloatArray, zeros: FloatArray, i: int, j: int) -> tuple[int, int]:
    """Places below the highest score at or below places i and j of two sorted classes."""
    one, zero = ones[i], zeros[j]
    score = max(one, zero)
    next_i, next_j = i - (one >= zero), j - (zero >= one)
    while ones[next_i] == score:
        next_i -= 1
    while zeros[next_j] == score:
        next_j -= 1
    return next_i, next_j


@_compiled
def push(
    x: npt.NDArray[Any], y: npt.NDArray[Any], row: IntArray, size: int, corner: Any, slack: Any
) -> int:
    """Add a point (x, y, row) to an upper hull of `size` corners; return the new size.

    Andrew's monotone chain: corners on or below the line to the new point are dropped. Counts
    take no slack; rates are rounded, by a share of the extent.
    """
    x_new, y_new, row_new = corner
    while size > 1:
        x1, y1 = x[size - 1] - x[size - 2], y[size - 1] - y[size - 2]
        x2, y2 = x_new - x[size - 2], y_new - y[size - 2]
        if y1 * x2 - x1 * y2 > slack * (x2 + y2):
            break
        size -= 1
    x[size], y[size], row[size] = x_new, y_new, row_new
    return size + 1


@_compiled
def hull_of_rates(fpr: FloatArray, tpr: FloatArray, slack: float) -> IntArray:
    """Return the positions of the corners of a polyline's upper hull."""
    x, y = np.empty_like(fpr), np.empty_like(tpr)
    row = np.empty(fpr.shape[0], np.int64)
    size = 0
    for i in range(fpr.shape[0]):
        if size > 0 and fpr[i] == x[size - 1] and tpr[i] == y[size - 1]:
            continue
        size = push(x, y, row, size, (fpr[i], tpr[i], i), slack)
    return row[:size].copy()


kappa_shares = _compiled(kappa.kappa_shares)
kappa_terms = _compiled(kappa.kappa_terms)
kappa_segment = _compiled(auk.kappa_segment)
segment_stakes = _compiled(h_measure.segment_stakes)
switch_costs = _compiled(h_measure.switch_costs)
expected_loss = _compiled(h_measure.expected_loss)
cost_moment_2_2 = _compiled(h_measure.cost_moment_2_2)


@_compiled
def kappa_at(terms: tuple[float, float]) -> float:
    """Kappa of its terms, and 0 where it is 0/0."""
    return terms[0] / terms[1] if terms[1] > 0.0 else 0.0


@_compiled
def kappa_segments(
    fpr: FloatArray,
    tpr: FloatArray,
    p: FloatArray,
    miss: FloatArray,
    alarm: FloatArray,
    flagged: bool,
) -> FloatArray:
    """Areas (b, n - 1) under kappa along the segments of polylines (b, n) at prevalences (b,)."""
    area = np.empty((fpr.shape[0], fpr.shape[1] - 1))
    for r in range(fpr.shape[0]):
        shares = kappa_shares(1, 1, p[r], 1.0 - p[r], (miss[r], alarm[r]), flagged)
        start = kappa_terms(fpr[r, 0], tpr[r, 0], 1, 1, shares)
        for i in range(1, fpr.shape[1]):
            end = kappa_terms(fpr[r, i], tpr[r, i], 1, 1, shares)
            width, height = fpr[r, i] - fpr[r, i - 1], tpr[r, i] - tpr[r, i - 1]
            if width + height > 0.0:
                area[r, i - 1] = kappa_segment(width, height, start, end, shares)
            else:
                area[r, i - 1] = 0.0
            start = end
    return area


@_compiled
def walk(
    ones: FloatArray, zeros: FloatArray, n_neg: int, n_pos: int, shares: Shares, hull: IntArray
) -> tuple[int, int, float, float]:
    """One pass over the sorted classes of a row, from the highest score to the lowest.

    Fills hull (3, capacity): false and true positives of each corner, and zeros.
    Returns the hull's size, twice the area under the ROC curve in counts, and the exact and the
    trapezoid area under the kappa curve.
    """
    hull_fp, hull_tp, hull_row = hull
    size = push(hull_fp, hull_tp, hull_row, 0, (0, 0, 0), 0)
    area, exact, lost, trapezoid = 0, 0.0, 0.0, 0.0
    fp0, tp0, kappa0 = 0, 0, 0.0  # at the vertex before
    terms0 = kappa_terms(0, 0, n_neg, n_pos, shares)
    # Where the straight run began that ends at the vertex before.
    run_fp, run_tp, run_terms = 0, 0, terms0
    i, j = n_pos, n_neg
    while i + j > 0:
        i, j = below(ones, zeros, i, j)
        fp, tp = n_neg - j, n_pos - i
        area += (fp - fp0) * (tp + tp0)
        terms1 = kappa_terms(fp, tp, n_neg, n_pos, shares)
        kappa1 = kappa_at(terms1)
        length = shares[5] * (fp - fp0) + shares[6] * (tp - tp0)
        trapezoid += length * (kappa1 + kappa0)
        turn = (tp0 - run_tp) * (fp - fp0) - (fp0 - run_fp) * (tp - tp0)
        if turn != 0:
            width, height = fp0 - run_fp, tp0 - run_tp
            if width + shares[6] * height > 0:
                # Kahan's sum: what rounding took from a million small terms is given back.
                term = kappa_segment(width, height, run_terms, terms0, shares) - lost
                total = exact + term
                lost = (total - exact) - term
                exact = total
            if turn > 0:  # only where the curve bends to the right can the hull have a corner
                size = push(hull_fp, hull_tp, hull_row, size, (fp0, tp0, 0), 0)
            run_fp, run_tp, run_terms = fp0, tp0, terms0
        fp0, tp0, terms0, kappa0 = fp, tp, terms1, kappa1
    width, height = n_neg - run_fp, n_pos - run_tp
    exact += kappa_segment(width, height, run_terms, terms0, shares) - lost
    size = push(hull_fp, hull_tp, hull_row, size, (n_neg, n_pos, 0), 0)
    return size, area, exact / n_neg, 0.5 * trapezoid / n_neg


@_compiled
def hull_areas(
    fp: IntArray, tp: IntArray, n_neg: int, n_pos: int, shares: Shares
) -> tuple[int, float, float]:
    """Twice the area under a hull in counts, then its exact and its trapezoid AUK."""
    area, exact, trapezoid = 0, 0.0, 0.0
    start = kappa_terms(0, 0, n_neg, n_pos, shares)
    for i in range(1, fp.shape[0]):
        width, height = fp[i] - fp[i - 1], tp[i] - tp[i - 1]
        end = kappa_terms(fp[i], tp[i], n_neg, n_pos, shares)
        area += width * (tp[i] + tp[i - 1])
        length = shares[5] * width + shares[6] * height
        trapezoid += length * (kappa_at(end) + kappa_at(start))
        exact += kappa_segment(width, height, start, end, shares)
        start = end
    return area, exact / n_neg, 0.5 * trapezoid / n_neg


@_compiled
def best_corners(
    fp: IntArray, tp: IntArray, n_neg: int, n_pos: int, shares: Shares
) -> tuple[int, int, float]:
    """Largest lift t n_pos n_neg - f n_pos n_neg, and the first corner of the largest kappa.

    Lines of equal t - f and of equal kappa are straight, so no other vertex can beat the hull's.
    """
    lift, best, kappa_max = 0, 0, 0.0
    for i in range(1, fp.shape[0]):
        lift = max(lift, tp[i] * n_neg - fp[i] * n_pos)
        kappa_here = kappa_at(kappa_terms(fp[i], tp[i], n_neg, n_pos, shares))
        if kappa_here > kappa_max * SAME_KAPPA:
            best, kappa_max = i, kappa_here
    return lift, best, kappa_max


@_compiled
def h_beta_2_2(fp: IntArray, tp: IntArray, n_neg: int, n_pos: int, p: float, q: float) -> float:
    """H-measure of a hull with Beta(2, 2) weight."""
    if fp.shape[0] == 2:  # the diagonal: no digits lost to rounding
        return 0.0
    gain, harm = segment_stakes(fp, tp, n_neg, n_pos, p, q)
    below = cost_moment_2_2(switch_costs(gain, harm, 1.0))
    above = cost_moment_2_2(switch_costs(harm, gain, 0.0))
    loss = expected_loss(fp, tp, n_neg, n_pos, p, q, below, above)
    return 1.0 - loss / (q * cost_moment_2_2(p) + p * cost_moment_2_2(q))  # type: ignore[no-any-return]


@_compiled
def measure_rows(
    ones: FloatArray,
    zeros: FloatArray,
    n_neg: IntArray,
    n_pos: IntArray,
    p: FloatArray,
    q: FloatArray,
    weights: FloatArray,
    flagged: bool,
    hull: IntArray,
    out: FloatArray,
) -> int:
    """Fill out (b, columns) with the measures of each row of sorted classes, as `sorted_classes`.

    hull (3, capacity) is work space that keeps the hull of the last row, whose size is returned.
    """
    size = 0
    for r in range(ones.shape[0]):
        positives, negatives = n_pos[r], n_neg[r]
        both = 2.0 * positives * negatives
        shares = kappa_shares(
            negatives, positives, p[r], q[r], (weights[0, r], weights[1, r]), flagged
        )
        size, area, exact, trapezoid = walk(ones[r], zeros[r], negatives, positives, shares, hull)
        fp, tp = hull[0, :size], hull[1, :size]
        out[r, 0], out[r, 1], out[r, 2] = area / both, exact, trapezoid
        area, exact, trapezoid = hull_areas(fp, tp, negatives, positives, shares)
        out[r, 3], out[r, 4], out[r, 5] = area / both, exact, trapezoid
        lift, best, kappa_max = best_corners(fp, tp, negatives, positives, shares)
        out[r, 6] = lift / (positives * negatives)
        out[r, 7] = h_beta_2_2(fp, tp, negatives, positives, p[r], q[r])
        out[r, 8] = kappa_max
        out[r, 9], out[r, 10] = fp[best] / negatives, tp[best] / positives
        # The lowest score that is predicted positive; -0.0 becomes 0.0.
        first = ones[r, positives + 1 - tp[best]], zeros[r, negatives + 1 - fp[best]]
        out[r, 11] = min(first[0], first[1]) + 0.0
    return size


@_compiled
def placement_spread(
    ones: FloatArray, zeros: FloatArray, n_neg: int, n_pos: int
) -> tuple[float, float, float]:
    """Return the AUC of sorted classes, and each class's sum of squared placements about it.

    The placement of a positive row is the share of negatives below it, ties counted half.
    """
    auc, of_positives, of_negatives = 0.0, 0.0, 0.0
    for _ in range(2):  # first the mean, then the squares about it
        i, j, pairs = n_pos, n_neg, 0
        of_positives, of_negatives = 0.0, 0.0
        while i + j > 0:
            tp, fp = n_pos - i, n_neg - j
            i, j = below(ones, zeros, i, j)
            more_tp, more_fp = n_pos - i - tp, n_neg - j - fp
            below_share = (n_neg - fp - 0.5 * more_fp) / n_neg - auc
            above_share = (tp + 0.5 * more_tp) / n_pos - auc
            of_positives += more_tp * below_share * below_share
            of_negatives += more_fp * above_share * above_share
            pairs += more_fp * (2 * tp + more_tp)
        auc = 0.5 * pairs / (float(n_pos) * float(n_neg))
    return auc, of_positives, of_negatives
