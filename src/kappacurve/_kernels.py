"""Compiled loops behind the measures: sort, count, make hulls and sum.

A score and its label are packed into one 64-bit integer, so that one plain sort orders both.
The pass over the sorted keys counts true and false positives. Counts and their products are
integers (below 2**63 for up to about 4 * 10**9 rows), so areas, hull and KS are exact up to one
last division. Plain loops in a fixed order: no threads, no reassociated sums.

The formulas stand in ``kappa``, ``auk`` and ``h_measure`` and are compiled from there. Nothing is
compiled at import, only at the first call, and then kept in numba's cache; after a change to one
of the formulas touch this file, because numba compares the date of the caller's file alone.
"""

from __future__ import annotations

import math
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
COLUMNS += ("ks", "h", "kappa_max", "fpr", "tpr")

# All bits but the sign, and half the number of codes: codes run from -HALF to HALF - 1.
MAGNITUDE = 0x7FFF_FFFF_FFFF_FFFF
HALF = 1 << 62

# Kappas nearer to each other than this share are rounded versions of the same number.
SAME_KAPPA = 1.0 + 8 * 2.0**-52


def _compiled(function: F) -> F:
    """Return numba's njit of a function, kept on disk if any cache directory is writable."""
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba: "no locator available"
        return cast(F, numba.njit(nogil=True)(function))


@_compiled
def code_bounds(bits: IntArray) -> tuple[int, int, int, int]:
    """Least and largest bits of the scores >= 0, then least and largest magnitude of the rest.

    A class of scores that is empty has its least value above its largest one.
    """
    low, high, low_negative, high_negative = MAGNITUDE, -1, MAGNITUDE, -1
    for i in range(bits.shape[0]):
        magnitude = bits[i] & MAGNITUDE
        # -0.0 is counted here as zero: the scores >= 0 are those whose bits are >= 0.
        if bits[i] == magnitude or magnitude == 0:
            low, high = min(low, magnitude), max(high, magnitude)
        else:
            low_negative = min(low_negative, magnitude)
            high_negative = max(high_negative, magnitude)
    return low, high, low_negative, high_negative


@_compiled
def pack(
    bits: IntArray, positive: BoolArray, zero: int, low: int, high_negative: int, keys: IntArray
) -> None:
    """Fill keys (b, n): twice the code of a score, plus one for a positive row.

    Codes have the order of the scores: the score with bits `low` has the code `zero`, the next
    double the next code; negative scores lie below, the most negative one has the code -HALF.
    Labels (b, n), or (1, n) if all rows of scores share them.
    """
    for r in range(bits.shape[0]):
        labels = positive[r if positive.shape[0] > 1 else 0]
        for i in range(bits.shape[1]):
            magnitude = bits[r, i] & MAGNITUDE
            if bits[r, i] == magnitude or magnitude == 0:
                code = zero + (magnitude - low)
            else:
                code = (high_negative - magnitude) - HALF
            keys[r, i] = 2 * code + labels[i]


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
loss_of_corners = _compiled(h_measure.loss_of_corners)
beta_at_cost = _compiled(h_measure.beta_at_cost)
h_at_end = _compiled(h_measure.h_at_end)
cost_moment_2 = _compiled(h_measure.cost_moment_2)


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
    keys: IntArray, n_neg: int, n_pos: int, shares: Shares, hull: IntArray
) -> tuple[int, int, float, float]:
    """One pass over the sorted keys of a row, from the highest score to the lowest.

    Fills hull (3, capacity): false positives, true positives and row of each corner.
    Returns the hull's size, twice the area under the ROC curve in counts, and the exact and the
    trapezoid area under the kappa curve.
    """
    hull_fp, hull_tp, hull_row = hull
    size = push(hull_fp, hull_tp, hull_row, 0, (0, 0, keys.shape[0]), 0)
    area, exact, lost, trapezoid = 0, 0.0, 0.0, 0.0
    fp, tp = 0, 0  # at the row
    fp0, tp0, row0, kappa0 = 0, 0, keys.shape[0], 0.0  # at the vertex before
    terms0 = kappa_terms(0, 0, n_neg, n_pos, shares)
    # Where the straight run began that ends at the vertex before.
    run_fp, run_tp, run_terms = 0, 0, terms0
    for i in range(keys.shape[0] - 1, -1, -1):
        label = keys[i] & 1
        tp += label
        fp += 1 - label
        if i > 0 and keys[i - 1] >> 1 == keys[i] >> 1:
            continue  # a tie: no vertex yet
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
                size = push(hull_fp, hull_tp, hull_row, size, (fp0, tp0, row0), 0)
            run_fp, run_tp, run_terms = fp0, tp0, terms0
        fp0, tp0, row0, terms0, kappa0 = fp, tp, i, terms1, kappa1
    width, height = fp - run_fp, tp - run_tp
    exact += kappa_segment(width, height, run_terms, terms0, shares) - lost
    size = push(hull_fp, hull_tp, hull_row, size, (fp, tp, 0), 0)
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
def h_beta(
    fp: IntArray, tp: IntArray, n_neg: int, n_pos: int, p: float, q: float, weight: tuple[Any, Any]
) -> float:
    """H-measure of a hull with a Beta weight of which a parameter is 2."""
    if fp.shape[0] == 2:  # the diagonal: no digits lost to rounding
        return 0.0
    alpha, beta = weight
    if math.isinf(alpha + beta):
        return h_at_end(fp, tp, n_neg, n_pos, math.isinf(beta))  # type: ignore[no-any-return]
    gain, harm = segment_stakes(fp, tp, n_neg, n_pos, p, q)
    x, y = switch_costs(gain, harm, 1.0), switch_costs(harm, gain, 0.0)
    below, above = cost_moment_2(x, y, alpha, beta), cost_moment_2(y, x, beta, alpha)
    loss = loss_of_corners(fp, tp, n_neg, n_pos, p, q, below, above)
    trivial = q * cost_moment_2(p, q, alpha, beta) + p * cost_moment_2(q, p, beta, alpha)
    return max(0.0, 1.0 - loss / trivial)  # type: ignore[no-any-return]


@_compiled
def measure_rows(
    keys: IntArray,
    n_pos: IntArray,
    p: FloatArray,
    q: FloatArray,
    weights: FloatArray,
    flagged: bool,
    hull: IntArray,
    out: FloatArray,
) -> tuple[IntArray, int]:
    """Fill out (b, columns) with the measures of each row of sorted keys (b, n).

    hull (3, capacity) is work space that keeps the hull of the last row. Returns the position in
    its row of the score with the largest kappa (n: the threshold is infinite), and the number of
    corners of the last hull.
    """
    best_row = np.empty(keys.shape[0], np.int64)
    size = 0
    for r in range(keys.shape[0]):
        positives, negatives = n_pos[r], keys.shape[1] - n_pos[r]
        both = 2.0 * positives * negatives
        shares = kappa_shares(
            negatives, positives, p[r], q[r], (weights[0, r], weights[1, r]), flagged
        )
        size, area, exact, trapezoid = walk(keys[r], negatives, positives, shares, hull)
        fp, tp = hull[0, :size], hull[1, :size]
        out[r, 0], out[r, 1], out[r, 2] = area / both, exact, trapezoid
        area, exact, trapezoid = hull_areas(fp, tp, negatives, positives, shares)
        out[r, 3], out[r, 4], out[r, 5] = area / both, exact, trapezoid
        lift, best, kappa_max = best_corners(fp, tp, negatives, positives, shares)
        out[r, 6] = lift / (positives * negatives)
        weight = beta_at_cost(weights[0, r], weights[1, r])
        out[r, 7] = h_beta(fp, tp, negatives, positives, p[r], q[r], weight)
        out[r, 8] = kappa_max
        out[r, 9], out[r, 10] = fp[best] / negatives, tp[best] / positives
        best_row[r] = hull[2, best]
    return best_row, size


@_compiled
def count_rows(rows: IntArray, counts: npt.NDArray[np.uint8]) -> None:
    """Fill counts (b, n) with how often each row is among the drawn ones (b, n).

    A byte is enough: of n draws from n rows no one takes the same row 256 times.
    """
    counts[:] = 0
    for r in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            counts[r, rows[r, i]] += 1


@_compiled
def repeat_keys(
    keys: IntArray, order: IntArray, counts: npt.NDArray[np.uint8], out: IntArray, n_pos: IntArray
) -> None:
    """Fill out (b, m) with the sorted keys (n,), the i-th as often as row order[i] was drawn.

    n_pos (b,) are the positives among them. Three copies are always written, of which the next key
    takes back those that are too many: a processor can't guess the counts.
    """
    last = out.shape[1] - 1
    for r in range(counts.shape[0]):
        size, positives = np.int64(0), np.int64(0)
        for i in range(keys.shape[0]):
            if size > last:
                break
            key, times = keys[i], np.int64(counts[r, order[i]])
            for j in range(3):
                out[r, min(size + j, last)] = key
            for j in range(3, times):
                out[r, size + j] = key
            size += times
            positives += times * (key & 1)
        n_pos[r] = positives


@_compiled
def least_losses(
    keys: IntArray, n_pos: IntArray, alarm: FloatArray, miss: FloatArray, out: FloatArray
) -> IntArray:
    """Fill out (b,) with the least cost over the thresholds of each row of sorted keys (b, n).

    `alarm` and `miss` (b,) are the costs of all negatives, and of all positives, as errors. Returns
    positions as :func:`measure_rows` does.
    """
    best_row = np.empty(keys.shape[0], np.int64)
    n = keys.shape[1]
    for r in range(keys.shape[0]):
        tp, fp, n_neg = 0, 0, n - n_pos[r]
        out[r], best_row[r] = miss[r], n
        for i in range(n - 1, -1, -1):
            label = keys[r, i] & 1
            tp += label
            fp += 1 - label
            if i == 0 or keys[r, i - 1] >> 1 != keys[r, i] >> 1:
                loss = alarm[r] * fp / n_neg + miss[r] * (n_pos[r] - tp) / n_pos[r]
                if loss * SAME_KAPPA < out[r]:
                    out[r], best_row[r] = loss, i
    return best_row


@_compiled
def placement_spread(keys: IntArray, n_pos: int) -> tuple[float, float, float]:
    """Return the AUC of sorted keys, and each class's sum of squared placements about it.

    The placement of a positive row is the share of negatives below it, ties counted half.
    """
    n = keys.shape[0]
    n_neg = n - n_pos
    auc, of_positives, of_negatives = 0.0, 0.0, 0.0
    for _ in range(2):  # first the mean, then the squares about it
        fp, tp, pairs, i = 0, 0, 0, n - 1
        of_positives, of_negatives = 0.0, 0.0
        while i >= 0:
            start, code, more_tp = i, keys[i] >> 1, keys[i] & 1
            i -= 1
            while i >= 0 and keys[i] >> 1 == code:
                more_tp += keys[i] & 1
                i -= 1
            more_fp = start - i - more_tp
            below = (n_neg - fp - 0.5 * more_fp) / n_neg - auc
            above = (tp + 0.5 * more_tp) / n_pos - auc
            of_positives += more_tp * below * below
            of_negatives += more_fp * above * above
            pairs += more_fp * (2 * tp + more_tp)
            fp += more_fp
            tp += more_tp
        auc = 0.5 * pairs / (float(n_pos) * float(n_neg))
    return auc, of_positives, of_negatives
