"""From checked labels and scores to the measures of each row, through the compiled kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Axis,
    BoolArray,
    Cost,
    FloatArray,
    Scored,
    check_prevalence,
    is_flagged,
)
from kappacurve.auk import area_under_curve, area_under_kappa
from kappacurve.h_measure import beta_at_cost, h_of_hull
from kappacurve.kappa import error_weights, kappa_from_rates
from kappacurve.roc import roc_hull, vertices_of

IntArray = npt.NDArray[np.int64]


class Ranked(NamedTuple):
    """Measures of each row (b,), in no order, and the ROC hull of the last row in rates."""

    measures: dict[str, FloatArray]
    hull_fpr: FloatArray
    hull_tpr: FloatArray


class _Codes(NamedTuple):
    """How scores became integers in the same order, and how to get them back."""

    zero: int
    low: int
    high_negative: int
    distinct: FloatArray | None  # where codes are ranks among these

    def decode(self, codes: IntArray) -> FloatArray:
        """Return the scores of codes."""
        from kappacurve import _kernels as kernels

        if self.distinct is not None:
            return self.distinct[codes]
        above = (codes - self.zero) + self.low
        below = (self.high_negative - (codes + kernels.HALF)) | np.int64(-(2**63))
        return np.where(codes >= self.zero, above, below).view(np.float64)

    def threshold(self, keys: IntArray, place: IntArray) -> FloatArray:
        """Return the score at a place in each row of keys (b, n), and infinity at n."""
        b, n = keys.shape
        codes = keys[np.arange(b), np.minimum(place, n - 1)] >> 1
        return np.where(place < n, self.decode(codes), np.inf)


def measures_of(
    scored: Scored, prevalence: float | None = None, cost: Cost = 0.5, axis: Axis = "fpr"
) -> Ranked:
    """Measures of one vector of labels and scores that were checked already."""
    p = None if prevalence is None else float(check_prevalence(prevalence))
    if scored.weight is not None:
        return _weighted(scored, scored.prevalence() if p is None else p, cost, axis)
    return measure_scores(scored.positive[None], scored.score[None], p, cost, axis)


def measure_scores(
    positive: BoolArray,
    score: FloatArray,
    prevalence: npt.ArrayLike | None = None,
    cost: Cost = 0.5,
    axis: Axis = "fpr",
) -> Ranked:
    """All measures of each row of scores (b, n), equal whatever a row is batched with.

    Labels (b, n), or (1, n) if all rows share them; the prevalence is one, or one per row.
    """
    n_pos = np.broadcast_to(np.count_nonzero(positive, axis=1), len(score)).astype(np.int64)
    return measure_keys(*sorted_keys(positive, score), n_pos, prevalence, cost, axis)


def measure_keys(
    keys: IntArray,
    codes: _Codes,
    n_pos: IntArray,
    prevalence: npt.ArrayLike | None = None,
    cost: Cost = 0.5,
    axis: Axis = "fpr",
) -> Ranked:
    """All measures of each row of sorted keys (b, n), with their counts of positives (b,)."""
    from kappacurve import _kernels as kernels

    b, n = keys.shape
    n_neg = n - n_pos
    # 1 - p is taken from the counts too: it has more digits than the difference if p is near 1.
    p, q = n_pos / n, n_neg / n
    if prevalence is not None:
        p = np.array(np.broadcast_to(prevalence, b), dtype=np.float64)
        q = 1 - p
    hull = np.empty((3, _hull_capacity(n)), dtype=np.int64)
    out = np.empty((b, len(kernels.COLUMNS)))
    weights = np.stack([np.broadcast_to(w, b) for w in error_weights(cost, p, q)])
    flagged = is_flagged(axis)
    best, size = kernels.measure_rows(keys, n_pos, p, q, weights, flagged, hull, out)
    found = {name: out[:, i].copy() for i, name in enumerate(kernels.COLUMNS)}
    found |= {"prevalence": p, "gini": 2 * found["auc"] - 1}
    found["threshold"] = codes.threshold(keys, best)
    return Ranked(found, hull[0, :size] / n_neg[-1], hull[1, :size] / n_pos[-1])


def _weighted(scored: Scored, p: float, cost: Cost, axis: Axis) -> Ranked:
    """Measures of weighted rows: the same in rates, whose sums are rounded."""
    fpr, tpr, thresholds = vertices_of(scored)
    hull = roc_hull(fpr, tpr)
    kappa = kappa_from_rates(hull.fpr, hull.tpr, p, cost=cost)
    at: Any = {"cost": cost, "axis": axis}
    # Of equal maxima, which rounding may set apart, the first.
    best = int(np.argmax(kappa >= kappa.max() * (1 - 8 * np.finfo(float).eps)))
    auc = area_under_curve(fpr, tpr)
    values = {
        "prevalence": p,
        "auc": auc,
        "auch": area_under_curve(hull.fpr, hull.tpr),
        "gini": 2 * auc - 1,
        "ks": np.max(hull.tpr - hull.fpr),
        "auk": area_under_kappa(fpr, tpr, p, **at),
        "auk_hull": area_under_kappa(hull.fpr, hull.tpr, p, **at),
        "auk_trapezoid": area_under_kappa(fpr, tpr, p, integration="trapezoid", **at),
        "auk_trapezoid_hull": area_under_kappa(
            hull.fpr, hull.tpr, p, integration="trapezoid", **at
        ),
        "h": h_of_hull(hull.fpr, hull.tpr, p, *beta_at_cost(*error_weights(cost, p, 1 - p))),
        "kappa_max": kappa[best],
        "threshold": thresholds[hull.index[best]],
        "fpr": hull.fpr[best],
        "tpr": hull.tpr[best],
    }
    return Ranked({k: np.array([v]) for k, v in values.items()}, hull.fpr, hull.tpr)


def sorted_keys(positive: BoolArray, score: FloatArray) -> tuple[IntArray, _Codes]:
    """Pack each score and its label into one integer, and sort the rows of them.

    64 bits do not hold any score and a label. They do once the gap between the largest negative
    and the smallest other score is closed, unless the scores span from minus to plus nearly
    everything a double can be; then the scores' ranks are taken.
    """
    from kappacurve import _kernels as kernels

    bits = np.ascontiguousarray(score).view(np.int64)
    # Python's integers: uncompiled, the kernel gives 64 bits, whose sums could overflow.
    low, high, low_negative, high_negative = map(int, kernels.code_bounds(bits.ravel()))
    negatives = max(0, high_negative - low_negative + 1)
    if negatives + max(0, high - low + 1) <= 2 * kernels.HALF:
        codes = _Codes(negatives - kernels.HALF, low, high_negative, None)
        keys = np.empty(score.shape, dtype=np.int64)
        kernels.pack(bits, positive, codes.zero, codes.low, codes.high_negative, keys)
    else:
        distinct, rank = np.unique(score + 0.0, return_inverse=True)  # -0.0 becomes 0.0
        codes = _Codes(0, 0, 0, distinct)
        keys = 2 * rank.reshape(score.shape).astype(np.int64) + positive
    keys.sort(axis=1)
    return keys, codes


def _hull_capacity(n: int) -> int:
    """Upper limit of the corners of the hull of n rows.

    The edges of a hull have different directions, so at most j + 1 of them take j rows: k edges
    take the fewest rows if they are short ones of all kinds, and then k grows like n^(2/3).
    """
    widest = (3 * n) ** (1 / 3)
    return min(n + 2, int(widest * (widest + 5) / 2) + 8)
