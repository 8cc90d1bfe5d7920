"""All that numba compiles: the loops behind the measures and the formulas that they call.

They stand in one file, because numba's cache knows a function by the content of its own file
alone. Importing numba takes a third of a second, so the loops are compiled once there is enough to
do. Compiled or interpreted they give the same bits: plain loops in a fixed order, no threads, no
reassociated sums.

A score and its label are packed into one 64-bit integer, so that one plain sort orders both.
The pass over the sorted keys counts true and false positives. Counts and their products are
integers (below 2**63 for up to about 4 * 10**9 rows), so areas, hull and KS are exact up to one
last division. The functions of hulls take counts, or rates with one row in each class.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kappacurve._validation import BoolArray, FloatArray

F = TypeVar("F", bound=Callable[..., Any])
IntArray = npt.NDArray[np.int64]
UintArray = npt.NDArray[np.uint64]
Shares = tuple[float, ...]  # as of `kappa_shares`

# All bits but the sign, and half the number of codes: codes run from -HALF to HALF - 1.
MAGNITUDE = 0x7FFF_FFFF_FFFF_FFFF
HALF = 1 << 62

# Kappas nearer to each other than this share are rounded versions of the same number.
SAME_KAPPA = 1.0 + 8 * 2.0**-52

# A denominator of kappa that counts as 0.
NOTHING = 1e-290

# The weight of each pseudo-row, in rows: with it the intervals hold with few rows of a class.
PSEUDO = 0.1

# Coefficients of the power series of the first two moments, see `moments`.
FIRST, SECOND = (np.arange(1.0, 17.0) / np.arange(k, k + 16.0) for k in (2.0, 3.0))

# Elements that are looped over without a compiler before one is loaded.
PATIENCE = 20_000

_helpers: list[Callable[..., Any]] = []
_interpreted = 0


def helper(function: F) -> F:
    """Let kernels call a function, which stays as it is for other callers."""
    _helpers.append(function)
    return function


class Kernel:
    """A function of arrays and numbers that calls nothing but helpers."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, size: int = 0) -> Any:
        """Call it; `size` is how often its inner loop runs, if not once an element."""
        global _interpreted
        if "numba" not in sys.modules:
            size = size or max(arg.size for arg in args if isinstance(arg, np.ndarray))
            if (_interpreted := _interpreted + size) < PATIENCE:
                return self.function(*args)
        return self.compiled(*args)

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        import numba
        from numba.extending import register_jitable

        while _helpers:
            register_jitable(_helpers.pop())
        options: Any = {"nogil": True, "error_model": "numpy"}
        try:
            return numba.njit(cache=True, **options)(self.function)  # type: ignore[no-any-return]
        except RuntimeError:  # numba: "no locator available"
            return numba.njit(**options)(self.function)  # type: ignore[no-any-return]


@helper
def kappa_shares(
    n_neg: Any, n_pos: Any, p: Any, q: Any, weights: Any = (1.0, 1.0), flagged: bool = False
) -> tuple[Any, ...]:
    """What one negative and one positive row stand for, in counts or in rates (one row each).

    Shares of all rows; costs of their errors; the slope of kappa's denominator in the predicted
    share; and their lengths on the axis of the AUK, times the negatives.
    """
    miss, alarm = weights[0] * p, weights[1] * q
    lengths = (q, p * n_neg / n_pos) if flagged else (1.0, 0.0)
    return q / n_neg, p / n_pos, alarm / n_neg, miss / n_pos, alarm - miss, lengths[0], lengths[1]


@helper
def kappa_terms(fp: Any, tp: Any, n_neg: Any, n_pos: Any, shares: Any) -> tuple[Any, Any]:
    """Numerator and denominator of kappa at a ROC vertex (equation 19, with weighted errors).

    Written so, no digits are lost for p near 0 or 1, and kappa is 1 without errors and never more.
    """
    above = 2.0 * shares[0] * shares[1] * (tp * n_neg - fp * n_pos)
    return above, above + (shares[2] * fp + shares[3] * (n_pos - tp))


@helper
def kappa_at(terms: tuple[float, float]) -> float:
    """Kappa of its terms, and 0 where it is 0/0."""
    return terms[0] / terms[1] if terms[1] > 0.0 else 0.0


@helper
def kappa_segment(width: Any, height: Any, start: Any, end: Any, shares: Any) -> Any:
    """Integral of kappa along a straight ROC segment, in closed form.

    Takes the false and true positives that the segment gains, kappa's terms at both ends, and its
    shares. With u from -1 to 1 along the segment kappa's numerator is m + h u and its denominator
    c (1 + z u): it adds

        width / c * [m (1 + z^2 R) - h z R],   R = (atanh(z)/z - 1) / z^2,

    and R is 1/3 + z^2/5 + z^4/7 + ... where z is small; width stands for the length on the axis.
    """
    above0, below0 = start
    above1, below1 = end
    inverse = 1.0 / (below0 + below1)
    length = shares[5] * width + shares[6] * height
    if below0 < NOTHING or below1 < NOTHING:  # a line to where kappa is 0/0: it is constant
        return length * (above0 + above1) * inverse
    z = shares[4] * (shares[0] * width + shares[1] * height) * inverse
    w = z * z
    if w < 1e-8:
        tail = 1.0 / 3.0 + w / 5.0
    elif w < 0.01:  # the series; beyond, the logarithm keeps enough digits
        tail = 0.0
        for k in range(19, 1, -2):
            tail = tail * w + 1.0 / k
    else:
        tail = (0.5 * math.log(below1 / below0) / z - 1.0) / w
    mean = (above0 + above1) * (1.0 + z * z * tail) - (above1 - above0) * z * tail
    return length * mean * inverse


@Kernel
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


@helper
def segment_stakes(fp: Any, tp: Any, n_neg: Any, n_pos: Any, p: Any, q: Any) -> tuple[Any, Any]:
    """Shares of all rows that are positive, and negative, with a score on each hull segment."""
    return p * ((tp[1:] - tp[:-1]) / n_pos), q * ((fp[1:] - fp[:-1]) / n_neg)


@helper
def switch_costs(gain: Any, harm: Any, first: float) -> Any:
    """Costs between which each corner is best: from 1 (`first`), by those of the segments, to 0.

    At a segment's cost its two ends lose the same. With gain and harm exchanged and 0 first these
    are the values of 1 - c, computed apart, as near c = 1 the difference would lose digits.
    """
    costs = np.empty(len(gain) + 2)
    costs[0], costs[-1] = first, 1.0 - first
    # Not by assignment to the slice, which takes numba five seconds longer to compile.
    np.divide(gain, gain + harm, costs[1:-1])
    return costs


@helper
def loss_of_corners(
    fp: Any, tp: Any, n_neg: Any, n_pos: Any, p: Any, q: Any, below: Any, above: Any
) -> Any:
    """Loss of the best corners, from the integrals of c below each cost and of 1 - c above it."""
    loss = 0.0
    for i in range(len(fp)):
        loss += q * (fp[i] / n_neg) * (below[i] - below[i + 1])
        loss += p * ((n_pos - tp[i]) / n_pos) * (above[i + 1] - above[i])
    return loss


@helper
def beta_at_cost(miss: Any, alarm: Any) -> tuple[Any, Any]:
    """Parameters of the weight on c whose mean is the cost of these errors, the smaller one 2.

    A parameter is infinite where an error costs nothing, or so little that it would overflow.
    """
    if miss > alarm:
        return 2.0, 2.0 * miss / alarm if alarm > 1e-300 else np.inf
    return 2.0 * alarm / miss if miss > 1e-300 else np.inf, 2.0


@helper
def h_at_end(fp: Any, tp: Any, n_neg: Any, n_pos: Any, only_misses: bool) -> Any:
    """H where one error costs nothing: what the hull gains before the other one is made."""
    if only_misses:
        return (n_neg - fp[-2]) / n_neg if tp[-2] == n_pos else 0.0
    return tp[1] / n_pos if fp[1] == 0 else 0.0


@helper
def cost_moment_2_2(x: Any) -> Any:
    """Integral of c times the Beta(2, 2) density 6 c (1 - c) from 0 to x."""
    return x * x * x * (2.0 - 1.5 * x)


@helper
def cost_moment_2(x: Any, y: Any, alpha: float, beta: float) -> Any:
    """Integral of c times the Beta density from 0 to x = 1 - y, if a parameter is 2."""
    if beta == 2:
        below = x ** (alpha + 1.0) * (1.0 + (alpha + 1.0) * y)
    elif beta * x < 0.5 and x < 0.5:  # the difference from 1 would lose digits: the series
        below, term = 0.0, x**3 * y**beta * beta * (beta + 1.0) * (beta + 2.0) / 6.0
        for k in range(60):
            below += term
            term *= x * (3.0 + beta + k) / (4.0 + k)
    else:
        below = 1.0 - y**beta * (1.0 + beta * x * (1.0 + 0.5 * (beta + 1.0) * x))
    return alpha / (alpha + beta) * below


@helper
def cost_moments_2(x: Any, y: Any, alpha: float, beta: float) -> Any:
    """The same at each of several costs."""
    moments = np.empty(len(x))
    for i in range(len(x)):
        moments[i] = cost_moment_2(x[i], y[i], alpha, beta)
    return moments


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


@Kernel
def pack_rows(keys: UintArray, least: Any, hidden: Any, room: Any, packed: UintArray) -> None:
    """The leading bits of each key above the least, then the number of its row."""
    for i in range(len(keys)):
        packed[i] = (((keys[i] - least) >> hidden) << room) | np.uint64(i)


@Kernel
def unpack_rows(
    keys: IntArray, packed: UintArray, last: Any, rows: npt.NDArray[np.int32], ordered: IntArray
) -> int:
    """Fill in rows, of the bits of `last`, and keys; return how often a key is below the former."""
    falls = 0
    for i in range(len(packed)):
        rows[i] = packed[i] & last
        ordered[i] = keys[rows[i]]
        falls += i > 0 and ordered[i] < ordered[i - 1]
    return falls


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
    n = len(keys)
    area = 0
    exact = lost = trapezoid = precision = 0.0
    # The last vertex, the step to it, and where the straight run began that ends with that step.
    row = n
    fp = tp = x0 = y0 = run_fp = run_tp = 0
    begin = terms = kappa_terms(0.0, 0.0, n_neg, n_pos, shares)
    size = push(hull[0], hull[1], hull[2], 0, (0, 0, n), 0)
    n_fp = n_tp = 0
    kappa_here = kappa_at(terms)
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
    area = 0
    exact = trapezoid = 0.0
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
    lift = best = cheapest = 0
    kappa_max = 0.0
    least = shares[3] * n_pos
    for i in range(1, fp.shape[0]):
        loss = shares[2] * fp[i] + shares[3] * (n_pos - tp[i])
        if loss * SAME_KAPPA < least:
            cheapest, least = i, loss
        lift = max(lift, tp[i] * n_neg - fp[i] * n_pos)
        kappa_here = kappa_at(kappa_terms(fp[i], tp[i], n_neg, n_pos, shares))
        if kappa_here > kappa_max * SAME_KAPPA:
            best, kappa_max = i, kappa_here
    return lift, best, kappa_max, cheapest, 0.5 * least


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
    out: npt.NDArray[np.void],
) -> tuple[IntArray, int]:
    """Fill the fields of out (b,) with the measures of each row of sorted keys (b, n).

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
        counts_of_row = counts[r] if len(counts) else counts.ravel()
        size, area, exact, trapezoid, precision = walk(
            keys[r if len(keys) > 1 else 0], counts_of_row, rows, negatives, positives, shares, hull
        )
        fp, tp = hull[0, :size], hull[1, :size]
        out["auc"][r] = area / both
        out["gini"][r] = 2 * (area / both) - 1
        out["auk"][r] = exact
        out["auk_trapezoid"][r] = trapezoid
        out["average_precision"][r] = precision
        area, exact, trapezoid = hull_areas(fp, tp, negatives, positives, shares)
        out["auch"][r] = area / both
        out["auk_hull"][r] = exact
        out["auk_trapezoid_hull"][r] = trapezoid
        lift, best, kappa_max, cheapest, loss = best_corners(fp, tp, negatives, positives, shares)
        out["ks"][r] = lift / (positives * negatives)
        out["kappa_max"][r] = kappa_max
        out["fpr"][r] = fp[best] / negatives
        out["tpr"][r] = tp[best] / positives
        out["expected_loss"][r] = loss
        weight = beta_at_cost(weights[0, r], weights[1, r])
        out["h"][r] = h_beta(fp, tp, negatives, positives, p[r], q[r], weight)
        best_rows[0, r], best_rows[1, r] = hull[2, best], hull[2, cheapest]
    return best_rows, size


@helper
def weigh(
    f: float,
    t: float,
    df: float,
    dt: float,
    p: float,
    denominator: float,
    weights: tuple[float, float],
    shares: Any,
    flagged: bool,
) -> tuple[float, float, float]:
    """Integrals of the AUK's weight and of u times it along a segment; of kappa's slope in p."""
    q = 1.0 - p
    at, length = (q * f + p * t, q * df + p * dt) if flagged else (f, df)
    inverse = 1.0 / denominator
    none, first, second = moments(shares[4] * (q * df + p * dt) * inverse)
    scale = 2.0 * inverse * inverse
    numerator, change = shares[3] + shares[4] * at, shares[4] * length
    whole = p * q * scale * (numerator * none + change * first)
    rising = p * q * scale * (numerator * first + change * second)
    numerator = weights[1] * q * q * f - weights[0] * p * p * (1.0 - t)
    change = weights[1] * q * q * df + weights[0] * p * p * dt
    d, turn = t - f, dt - df
    along = d * numerator * none + (d * change + numerator * turn) * first
    return whole, rising, scale * length * (along + turn * change * second)


@Kernel
def fill_segments(
    keys: IntArray, rows: Any, weight: FloatArray, cells: IntArray, weights: FloatArray
) -> int:
    """Find the straight segments of the ROC curve in sorted keys and their rows; return how many.

    Unlike `roc.vertices_of` it keeps on which segment each row is, and joins neighbouring scores of
    one class; there weights are added up in the order of the rows, and here within each segment.
    Fills the weights (k, 2) of the negatives and positives on each segment, and for each row the
    place of its own among them, flattened. The rows' weights are empty if all are one.
    """
    n = len(keys)
    start = before = 0
    segment = -1
    while start < n:
        code, stop = keys[start] >> 1, start + 1
        while stop < n and keys[stop] >> 1 == code:
            stop += 1
        # Which classes have the score, the negatives first: 1, 2, or 3 if both.
        kind = 1 + (keys[start] & 1) if (keys[start] ^ keys[stop - 1]) & 1 == 0 else 3
        if kind != before or kind == 3:
            segment += 1
            weights[segment, 0] = weights[segment, 1] = 0.0
            before = kind
        for i in range(start, stop):
            side, row = keys[i] & 1, rows[i]
            cells[row] = 2 * segment + side
            weights[segment, side] += weight[row] if len(weight) else 1.0
        start = stop
    return segment + 1


@helper
def place_auk(
    rates: FloatArray,
    steps: FloatArray,
    p: float,
    exact: Any,
    near: Any,
    flagged: bool,
    place: FloatArray,
) -> tuple[float, float]:
    """Fill place as `Ordered.auk` says; return the AUK and its derivative by the prevalence.

    `rates` (k + 1, 2) are the false and true positive rates between the segments, from (1, 1) to
    (0, 0), and `steps` (k, 2) what each segment adds to them; place (k, 2) is of each negative and
    positive row on a segment.
    """
    shares = kappa_shares(1, 1, p, 1.0 - p, near, flagged)
    # Areas over the axis and, where that moves with p, over the false positive rate.
    over_axis = kappa_shares(1, 1, p, 1.0 - p, exact, flagged)
    over_fpr = kappa_shares(1, 1, p, 1.0 - p, exact, False)
    a = b = slope = area = plain = 0.0
    end = kappa_terms(1.0, 1.0, 1, 1, over_axis)
    same = near[0] == exact[0] and near[1] == exact[1]
    for j in range(len(steps)):
        f, t, df, dt = rates[j + 1, 0], rates[j + 1, 1], steps[j, 0], steps[j, 1]
        begin = kappa_terms(f, t, 1, 1, over_axis)
        below = begin[1] if same else kappa_terms(f, t, 1, 1, shares)[1]
        whole, rising, more = weigh(f, t, df, dt, p, below, near, shares, flagged)
        slope += more
        area += kappa_segment(df, dt, begin, end, over_axis)
        if flagged:
            plain += kappa_segment(df, dt, begin, end, over_fpr)
        end = begin
        place[j, 0], place[j, 1] = -(b + rising * dt), a + rising * df
        a, b = a + whole * df, b + whole * dt
    if flagged:  # the axis itself moves, by dt - df
        slope += (area - plain) / p
    return area, slope


auk_placements = Kernel(place_auk)


@helper
def moments(x: float) -> tuple[float, float, float]:
    """Integrals over u of u^k / (1 + xu)^2, k = 0..2, where x > -1."""
    if abs(x) < 1e-4:  # of most segments of many rows
        first = 0.5 - x * (2.0 / 3.0 - x * (0.75 - 0.8 * x))
        second = 1.0 / 3.0 - x * (0.5 - x * (0.6 - x * (2.0 / 3.0)))
        return 1.0 - x * (1.0 - x * (1.0 - x * (1.0 - x))), first, second
    if abs(x) < 0.05:  # the closed forms lose digits near zero
        first = second = 0.0
        for j in range(5 if abs(x) < 1e-3 else 15, -1, -1):
            first, second = first * -x + FIRST[j], second * -x + SECOND[j]
        return 1 / (1 + x), first, second
    log = math.log1p(x)
    inverse = 1 / (1 + x)
    return inverse, (log - x * inverse) / (x * x), (1 - 2 * log / x + inverse) / (x * x)


@helper
def sum_spread(
    values: FloatArray,
    positive: BoolArray,
    weight: FloatArray,
    groups: IntArray,
    lean: FloatArray,
    slope: float,
    pseudo: FloatArray,
    extra: FloatArray,
    by_group: FloatArray,
) -> tuple[float, float, float]:
    """Squares of what the negatives and the positives move a measure, each about its class's mean.

    And what an estimated prevalence adds: `lean` is what a row adds to it, or empty, and `slope`
    the measure's derivative by it. Pseudo-rows of weights (2,) with the values `extra` (2, 2) count
    in the means, and as a tenth of a unit. With `groups` the first two are of pseudo-rows alone,
    and the third has the squares of all that each group moves, in the work space `by_group`.
    """
    total = 2 * pseudo
    mean = pseudo * (extra[:, 0] + extra[:, 1])
    squares = np.zeros(2)
    for i in range(len(values)):
        row_weight = weight[i] if len(weight) else 1.0
        side = 1 if positive[i] else 0
        total[side] += row_weight
        mean[side] += row_weight * values[i]
    mean /= total
    for side in range(2):
        for value in extra[side]:
            squares[side] += pseudo[side] ** 2 / PSEUDO * ((value - mean[side]) / total[side]) ** 2
    more = 0.0
    by_group[:] = 0.0
    for i in range(len(values)):
        row_weight = weight[i] if len(weight) else 1.0
        side = 1 if positive[i] else 0
        moved = row_weight * (values[i] - mean[side]) / total[side]
        leaning = slope * lean[i] if len(lean) else 0.0
        if len(by_group):
            by_group[groups[i]] += moved + leaning
        else:
            squares[side] += moved * moved
            more += leaning * (2.0 * moved + leaning)
    for i in range(len(by_group)):
        more += by_group[i] * by_group[i]
    return squares[0], squares[1], more


spread_sums = Kernel(sum_spread)


@Kernel
def auk_nodes(
    rates: FloatArray,
    steps: FloatArray,
    sizes: IntArray,
    cells: IntArray,
    rows: tuple[Any, ...],
    at: tuple[Any, ...],
    pseudo: FloatArray,
    work: tuple[FloatArray, ...],
    value: FloatArray,
    sums: FloatArray,
) -> None:
    """AUKs of models (m,) at nodes (g,) of prevalences and costs, with the sums of their spreads.

    `rates` (m, k + 1, 2) and `steps` (m, k, 2), of which a model has `sizes` (m,), are those of
    `place_auk`; each row of a model is at `cells` (m, n) of its flattened placements. `rows` and
    `work` are what `sum_spread` takes. Fills value (g, m), and sums (g, m + pairs, 3) of the models
    and of the differences of every two; of the models alone if there is no room for pairs.
    """
    positive, weight, groups, lean = rows
    p, exact, near, flagged = at
    place, values, by_group = work
    n_models = len(sizes)
    paired = sums.shape[1] > n_models
    slope = np.empty(n_models)
    extra = np.zeros((n_models, 2, 2))
    for g in range(len(p)):
        for m in range(n_models):
            k = sizes[m]
            at_cost = (exact[g, 0], exact[g, 1]), (near[g, 0], near[g, 1])
            value[g, m], slope[m] = place_auk(
                rates[m], steps[m, :k], p[g], at_cost[0], at_cost[1], flagged, place[m]
            )
            if pseudo[0] > 0.0:
                extra[m, 0, 0], extra[m, 0, 1] = place[m, 0, 0], place[m, k - 1, 0]
                extra[m, 1, 0], extra[m, 1, 1] = place[m, 1, 1], place[m, k - 2, 1]
        pairs = n_models
        for m in range(n_models):
            for other in range(m, n_models if paired else m + 1):
                row, apart, gap = m, slope[m], extra[m]
                placed = place[m].ravel()
                for i in range(len(values)):
                    values[i] = placed[cells[m, i]]
                if other > m:
                    row, apart, gap = pairs, slope[m] - slope[other], extra[m] - extra[other]
                    pairs += 1
                    placed = place[other].ravel()
                    for i in range(len(values)):
                        values[i] -= placed[cells[other, i]]
                sums[g, row, 0], sums[g, row, 1], sums[g, row, 2] = sum_spread(
                    values, positive, weight, groups, lean, apart, pseudo, gap, by_group
                )


@Kernel
def constrained_points(
    counts: npt.NDArray[np.uint8],
    keys: IntArray,
    rows: IntArray,
    weight: FloatArray,
    p: float,
    line: tuple[float, float, float, float, float],
    takes: int,
    out: FloatArray,
) -> None:
    """Fill out (b, 4) for resamples (b, n): fpr, tpr, prevalence and the place of the threshold.

    Taken is a vertex of the curve with (line[0] + line[1] p) tpr + (line[2] + line[3] q) fpr at
    most line[4]: the first (`takes` 0), the last before any other (1), or the first of those with
    the largest tpr (2). Keys are sorted, `rows` are theirs; without such a vertex the place is -1.
    A prevalence of -1 is that of each resample.
    """
    n = len(keys)
    for b in range(len(counts)):
        negatives = positives = 0.0
        for i in range(n):
            row_weight = float(counts[b, rows[i]]) * (weight[i] if len(weight) else 1.0)
            if keys[i] & 1:
                positives += row_weight
            else:
                negatives += row_weight
        share = positives / (positives + negatives) if p < 0.0 else p
        by_tpr, by_fpr = line[0] + line[1] * share, line[2] + line[3] * (1.0 - share)
        fp = tp = 0.0
        i = n - 1
        out[b, 0], out[b, 1], out[b, 2], out[b, 3] = 0.0, 0.0, share, -1.0
        while i >= 0:
            row_weight = float(counts[b, rows[i]]) * (weight[i] if len(weight) else 1.0)
            if keys[i] & 1:
                tp += row_weight
            else:
                fp += row_weight
            if i == 0 or keys[i - 1] >> 1 != keys[i] >> 1:
                # Sums of weights in another order may be above the whole by rounding.
                f, t = min(1.0, fp / negatives), min(1.0, tp / positives)
                meets = by_tpr * t + by_fpr * f <= line[4]
                if takes == 1 and not meets:
                    break
                if meets and (takes != 2 or t > out[b, 1]):
                    out[b, 0], out[b, 1], out[b, 3] = f, t, float(i)
                    if takes == 0:
                        break
            i -= 1
