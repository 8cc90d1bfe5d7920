"""Compiled loops behind the measures: sort, count, make hulls and sum.

A score and its label are packed into one 64-bit integer, so that one plain sort orders both.
The pass over the sorted keys counts true and false positives. Counts and their products are
integers (below 2**63 for up to about 4 * 10**9 rows), so areas, hull and KS are exact up to one
last division. The formulas stand in ``kappa``, ``auk`` and ``h_measure``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from kappacurve import auk, h_measure
from kappacurve._compiled import Kernel, helper
from kappacurve._validation import BoolArray, FloatArray

IntArray = npt.NDArray[np.int64]
Shares = tuple[float, ...]  # as of `kappa.kappa_shares`

# What is written for a row of scores, in this order.
COLUMNS: tuple[str, ...] = ("auc", "auk", "auk_trapezoid", "auch", "auk_hull", "auk_trapezoid_hull")
COLUMNS += ("ks", "h", "kappa_max", "fpr", "tpr", "expected_loss", "average_precision")

# All bits but the sign, and half the number of codes: codes run from -HALF to HALF - 1.
MAGNITUDE = 0x7FFF_FFFF_FFFF_FFFF
HALF = 1 << 62

# Kappas nearer to each other than this share are rounded versions of the same number.
SAME_KAPPA = 1.0 + 8 * 2.0**-52


@Kernel
def code_bounds(bits: IntArray) -> tuple[int, int, int, int]:
    """Least and largest bits of the scores >= 0, then least and largest magnitude of the rest."""
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


@Kernel
def pack(bits: IntArray, positive: BoolArray, codes: tuple[int, int, int], keys: IntArray) -> None:
    """Fill keys: twice the code of a score's bits, plus one for a positive row.

    Codes number the doubles in their order, -0.0 as zero: `low` are the bits of the code `zero`,
    negative scores lie below, and the most negative one has the code -HALF.
    """
    zero, low, high_negative = codes
    for i in range(len(bits)):
        magnitude = bits[i] & MAGNITUDE
        if bits[i] >= 0 or magnitude == 0:
            code = zero + (magnitude - low)
        else:
            code = (high_negative - magnitude) - HALF
        keys[i] = 2 * code + positive[i]


@helper
def push(
    x: npt.NDArray[Any], y: npt.NDArray[Any], row: IntArray, size: int, corner: Any, slack: Any
) -> int:
    """Add a point (x, y, row) to an upper hull of `size` corners; return the new size.

    Andrew's monotone chain: corners on or below the line to the new point are dropped.
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


@Kernel
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


kappa_shares, kappa_terms, kappa_segment = auk.kappa_shares, auk.kappa_terms, auk.kappa_segment
segment_stakes = helper(h_measure.segment_stakes)
switch_costs = helper(h_measure.switch_costs)
loss_of_corners = helper(h_measure.loss_of_corners)
beta_at_cost = helper(h_measure.beta_at_cost)
h_at_end = helper(h_measure.h_at_end)
cost_moment_2_2 = helper(h_measure.cost_moment_2_2)
cost_moment_2 = helper(h_measure.cost_moment_2)
cost_moments_2 = helper(h_measure.cost_moments_2)


@helper
def kappa_at(terms: tuple[float, float]) -> float:
    """Kappa of its terms, and 0 where it is 0/0."""
    return terms[0] / terms[1] if terms[1] > 0.0 else 0.0


@helper
def walk(
    keys: IntArray,
    counts: npt.NDArray[Any],
    rows: npt.NDArray[Any],
    n_neg: int,
    n_pos: int,
    shares: Shares,
    hull: IntArray,
) -> tuple[int, int, float, float, float]:
    """One pass over the sorted keys of a row, from the highest score to the lowest.

    counts, if there are any, say how often each row is taken; `rows` are those of the keys. Fills
    hull (3, capacity): false positives, true positives and position of each corner. Returns the
    hull's size, twice the area under the ROC curve in counts, the exact and the trapezoid area
    under the kappa curve, and the average precision.
    """
    n, area, exact, lost, trapezoid, precision = len(keys), 0, 0.0, 0.0, 0.0, 0.0
    # The last vertex, the step to it, and where the straight run began that ends with that step.
    fp, tp, row, x0, y0, run_fp, run_tp = 0, 0, n, 0, 0, 0, 0
    begin = terms = kappa_terms(0.0, 0.0, n_neg, n_pos, shares)
    size = push(hull[0], hull[1], hull[2], 0, (0, 0, n), 0)
    n_fp, n_tp, kappa_here = 0, 0, kappa_at(terms)
    for i in range(n - 1, -1, -1):
        count = counts[rows[i]] if len(counts) else 1
        n_tp += count * (keys[i] & 1)
        n_fp += count * (1 - (keys[i] & 1))
        # No vertex at a tie with the next row, nor where no row was taken.
        if (i > 0 and (keys[i - 1] ^ keys[i]) >> 1 == 0) or n_fp + n_tp == fp + tp:
            continue
        x, y, end = n_fp - fp, n_tp - tp, kappa_terms(n_fp, n_tp, n_neg, n_pos, shares)
        kappa_before, kappa_here = kappa_here, kappa_at(end)
        trapezoid += (shares[5] * x + shares[6] * y) * (kappa_here + kappa_before)
        area += x * (n_tp + tp)
        if y > 0:
            hits = shares[1] * n_tp
            precision += y * (hits / (hits + shares[0] * n_fp))
        if y0 * x != x0 * y:
            width, height = fp - run_fp, tp - run_tp
            if width + shares[6] * height > 0:
                # Kahan's sum: what rounding took from a million small terms is given back.
                term = kappa_segment(width, height, begin, terms, shares) - lost
                total = exact + term
                exact, lost = total, (total - exact) - term
            # Only where the curve bends to the right can the hull have a corner.
            if height * x > width * y:
                size = push(hull[0], hull[1], hull[2], size, (fp, tp, row), 0)
            run_fp, run_tp, begin = fp, tp, terms
        fp, tp, row, x0, y0, terms = n_fp, n_tp, i, x, y, end
    exact += kappa_segment(fp - run_fp, tp - run_tp, begin, terms, shares) - lost
    size = push(hull[0], hull[1], hull[2], size, (fp, tp, row), 0)
    return size, area, exact / n_neg, 0.5 * trapezoid / n_neg, precision / n_pos


@helper
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


@helper
def best_corners(
    fp: IntArray, tp: IntArray, n_neg: int, n_pos: int, shares: Shares
) -> tuple[int, int, float, int, float]:
    """Largest t - f in counts; the first corner of the largest kappa, of the least loss, and these.

    Their lines of equal value are straight, so that no other vertex can beat the hull's.
    """
    lift, best, kappa_max, cheapest, least = 0, 0, 0.0, 0, shares[3] * n_pos
    for i in range(1, fp.shape[0]):
        loss = shares[2] * fp[i] + shares[3] * (n_pos - tp[i])
        if loss * SAME_KAPPA < least:
            cheapest, least = i, loss
        lift = max(lift, tp[i] * n_neg - fp[i] * n_pos)
        kappa_here = kappa_at(kappa_terms(fp[i], tp[i], n_neg, n_pos, shares))
        if kappa_here > kappa_max * SAME_KAPPA:
            best, kappa_max = i, kappa_here
    return lift, best, kappa_max, cheapest, 0.5 * least


@helper
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
    if alpha == beta:
        below, above = cost_moment_2_2(x), cost_moment_2_2(y)
        trivial = q * cost_moment_2_2(p) + p * cost_moment_2_2(q)
    else:
        below, above = cost_moments_2(x, y, alpha, beta), cost_moments_2(y, x, beta, alpha)
        trivial = q * cost_moment_2(p, q, alpha, beta) + p * cost_moment_2(q, p, beta, alpha)
    loss = loss_of_corners(fp, tp, n_neg, n_pos, p, q, below, above)
    return max(0.0, 1.0 - loss / trivial)  # type: ignore[no-any-return]


@Kernel
def measure_rows(
    keys: IntArray,
    counts: npt.NDArray[Any],
    rows: npt.NDArray[Any],
    n_neg: IntArray,
    n_pos: IntArray,
    p: FloatArray,
    q: FloatArray,
    weights: FloatArray,
    flagged: bool,
    hull: IntArray,
    out: FloatArray,
) -> tuple[IntArray, int]:
    """Fill out (b, columns) with the measures of each row of sorted keys (b, n).

    Or of samples of the rows of one vector of keys (1, n): counts (b, n) say how often each
    row is taken, and `rows` (n,) are those of the keys.
    hull (3, capacity) is work space that keeps the hull of the last row. Returns the positions
    (2, b) in their row of the scores with the largest kappa and with the least loss (n: the
    threshold is infinite), and the number of corners of the last hull.
    """
    best_rows = np.empty((2, len(out)), np.int64)
    size = 0
    for r in range(len(out)):
        positives, negatives = n_pos[r], n_neg[r]
        both = 2.0 * positives * negatives
        costs = weights[0, r], weights[1, r]
        shares = kappa_shares(negatives, positives, p[r], q[r], costs, flagged)
        taken = counts[r] if len(counts) else counts.ravel()
        size, area, exact, trapezoid, precision = walk(
            keys[r if len(keys) > 1 else 0], taken, rows, negatives, positives, shares, hull
        )
        fp, tp = hull[0, :size], hull[1, :size]
        out[r, 0], out[r, 1], out[r, 2] = area / both, exact, trapezoid
        area, exact, trapezoid = hull_areas(fp, tp, negatives, positives, shares)
        out[r, 3], out[r, 4], out[r, 5] = area / both, exact, trapezoid
        lift, best, kappa_max, cheapest, loss = best_corners(fp, tp, negatives, positives, shares)
        out[r, 6] = lift / (positives * negatives)
        weight = beta_at_cost(weights[0, r], weights[1, r])
        out[r, 7] = h_beta(fp, tp, negatives, positives, p[r], q[r], weight)
        out[r, 8] = kappa_max
        out[r, 9], out[r, 10] = fp[best] / negatives, tp[best] / positives
        out[r, 11], out[r, 12] = loss, precision
        best_rows[0, r], best_rows[1, r] = hull[2, best], hull[2, cheapest]
    return best_rows, size
