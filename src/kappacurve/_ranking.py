"""From checked labels and scores to the measures of each row: one sort, then compiled loops."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve import _kernels as kernels
from kappacurve._measures import FORMULAS, MEASURES, EvaluatedCurve
from kappacurve._validation import BoolArray, Conditions, FloatArray, Scored
from kappacurve.kappa import error_weights
from kappacurve.roc import vertices_of

IntArray = npt.NDArray[np.int64]
RowArray = npt.NDArray[np.int32]
# Places where sorted leading bits leave keys unsorted up to which only these are sorted again.
FEW_FALLS = 100
# What `kernels.measure_rows` writes of each row of scores.
COMPILED = [(name, np.float64) for name, measure in MEASURES.items() if measure.compiled]
# Of the type of counts of resamples, so that one compiled kernel serves both.
NOTHING = np.empty((0, 0), dtype=np.uint8)


class Measured(NamedTuple):
    """Measures of each row (b,), in no order, and the ROC hull of the last row in rates."""

    measures: dict[str, FloatArray]
    hull_fpr: FloatArray
    hull_tpr: FloatArray


class Ranking(NamedTuple):
    """Sorted keys (b, n), rising: twice the code of a score, plus one for a positive row.

    Codes are integers in the order of the scores; `codes` says how they were made, or they are
    ranks among the `distinct` scores. `rows` are those of the keys, if they were asked for.
    """

    keys: IntArray
    rows: RowArray
    codes: tuple[int, int, int]
    distinct: FloatArray | None

    def scores(self, keys: IntArray) -> FloatArray:
        """Return the scores of keys."""
        code = keys >> 1
        if self.distinct is not None:
            return np.asarray(self.distinct[code + kernels.HALF])
        zero, low, high_negative = self.codes
        above = (code - zero) + low
        below = (high_negative - (code + kernels.HALF)) | np.int64(-(2**63))
        return np.where(code >= zero, above, below).view(np.float64)

    def threshold(self, position: IntArray) -> FloatArray:
        """Return the score at a place in each row of keys, or in the one row; infinity at n."""
        n = self.keys.shape[1]
        keys = self.keys[np.arange(len(position)) % len(self.keys), np.minimum(position, n - 1)]
        return np.where(position < n, self.scores(keys), np.inf)


def measures_of(scored: Scored, at: Conditions, n_jobs: int = 1) -> Measured:
    """Measures of one vector of labels and scores that were checked already.

    Those of weighted rows are by the formulas of the table, in rates whose sums are rounded.
    """
    if scored.weight is None:
        return measure_scores(scored.positive[None], scored.score[None], at, n_jobs)
    p = scored.prevalence() if at.prevalence is None else at.prevalence
    curve = EvaluatedCurve(vertices_of(scored), p, at)
    values = {name: formula(curve) for name, formula in FORMULAS.items()}
    values["prevalence"] = p
    values["expected_loss"], values["cost_threshold"] = curve.cheapest()
    arrays = {name: np.array([value]) for name, value in values.items()}
    return Measured(arrays, curve.hull.fpr, curve.hull.tpr)


def measure_scores(
    positive: BoolArray, score: FloatArray, at: Conditions, n_jobs: int = 1
) -> Measured:
    """All measures of each row of scores (b, n), equal whatever a row is batched with.

    Labels (b, n), or (1, n) if all rows share them; the prevalence is one, or one per row.
    """
    if n_jobs > 1 and len(score) > 1:
        return _side_by_side(positive, score, at, n_jobs)
    n_pos = np.broadcast_to(np.count_nonzero(positive, axis=1), len(score)).astype(np.int64)
    n_neg = score.shape[1] - n_pos
    return measure_ranking(ranked(positive, score, n_jobs=n_jobs), n_neg, n_pos, at)


def _side_by_side(positive: BoolArray, score: FloatArray, at: Conditions, n_jobs: int) -> Measured:
    """All measures of rows that threads share."""

    def measured(rows: npt.NDArray[np.intp]) -> Measured:
        labels = positive if len(positive) == 1 else positive[rows]
        p = at.prevalence if np.ndim(at.prevalence) == 0 else at.prevalence[rows]
        return measure_scores(labels, score[rows], at._replace(prevalence=p))

    with ThreadPoolExecutor(n_jobs) as pool:
        parts = np.array_split(np.arange(len(score)), min(n_jobs, len(score)))
        parts_measured = list(pool.map(measured, parts))
    joined = {
        name: np.concatenate([part.measures[name] for part in parts_measured])
        for name in parts_measured[0].measures
    }
    return parts_measured[-1]._replace(measures=joined)


def measure_ranking(
    ranking: Ranking,
    n_neg: IntArray,
    n_pos: IntArray,
    at: Conditions,
    counts: npt.NDArray[Any] = NOTHING,
) -> Measured:
    """All measures of sorted rows, or of samples of one row: counts (b, n) of how often each."""
    b = len(n_pos)
    # 1 - p is taken from the counts too: it has more digits than the difference if p is near 1.
    p, q = n_pos / (n_neg + n_pos), n_neg / (n_neg + n_pos)
    if at.prevalence is not None:
        p = np.array(np.broadcast_to(at.prevalence, b), dtype=np.float64)
        q = 1 - p
    n = int((n_neg + n_pos).max())
    widest = (3 * n) ** (1 / 3)  # as at most j + 1 of a hull's edges take j rows
    hull = np.empty((3, min(n + 2, int(widest * (widest + 5) / 2) + 8)), dtype=np.int64)
    out = np.empty(b, dtype=COMPILED)
    weights = np.stack([np.broadcast_to(w, b) for w in error_weights(at.cost, p, q)])
    of_rows = ranking.keys, counts, ranking.rows, n_neg, n_pos, p, q, weights
    best, size = kernels.measure_rows(*of_rows, at.axis == "flagged", hull, out)
    measured = {name: out[name].copy() for name, _ in COMPILED}
    measured["prevalence"] = p
    measured["threshold"], measured["cost_threshold"] = map(ranking.threshold, best)
    others = [name for name in FORMULAS if name not in measured]
    if not isinstance(at.cost, str) and at.cost == 0 and not len(counts):
        others += ["threshold", "fpr", "tpr"]  # more vertices tie than corners of the hull
    if others:
        curves = [_curve_of(ranking, r, counts, p[r], at) for r in range(b)]
        for name in others:
            measured[name] = np.array([FORMULAS[name](curve) for curve in curves])
    return Measured(measured, hull[0, :size] / n_neg[-1], hull[1, :size] / n_pos[-1])


def _curve_of(
    ranking: Ranking, r: int, counts: npt.NDArray[Any], p: float, at: Conditions
) -> EvaluatedCurve:
    """The ROC curve of a row of sorted keys, or of a sample of the one row."""
    keys = ranking.keys[r if len(ranking.keys) > 1 else 0]
    times = counts[r, ranking.rows].astype(np.float64) if len(counts) else None
    rows = Scored(keys & 1 == 1, ranking.scores(keys), times)
    return EvaluatedCurve(vertices_of(rows), float(p), at)


def ranked(
    positive: BoolArray, score: FloatArray, *, with_rows: bool = False, n_jobs: int = 1
) -> Ranking:
    """Pack each score and its label into one integer, and sort the rows (b, n) of them.

    64 bits do not hold any score and a label. They do once the gap between the largest negative
    and the smallest other score is closed, unless the scores span from minus to plus nearly
    everything a double can be; then the scores' ranks are taken. `n_jobs` threads sort one row;
    with rows there is one row of scores.
    """
    bits = np.ascontiguousarray(score).view(np.int64).ravel()
    # Python's integers: uncompiled, the kernel gives 64 bits, whose sums could overflow.
    low, high, low_negative, high_negative = map(int, kernels.code_bounds(bits))
    negatives = max(0, high_negative - low_negative + 1)
    span = negatives + max(0, high - low + 1)
    distinct = None
    if span > 2 * kernels.HALF:
        distinct, rank = np.unique(score + 0.0, return_inverse=True)  # -0.0 becomes 0.0
        bits, span, negatives, low = rank.ravel().astype(np.int64), len(distinct), 0, 0
    codes = negatives - kernels.HALF, low, high_negative
    labels = np.broadcast_to(positive, score.shape).ravel()
    keys: IntArray = np.empty(score.shape, dtype=np.int64)
    rows = np.empty(0, dtype=np.int32)
    kernels.pack(bits, labels, codes, keys.ravel())
    if with_rows:
        rows, ordered = _order(keys[0])
        keys = ordered[None]
    elif len(keys) == 1:
        _sort(keys[0], n_jobs)
    else:
        keys.sort()
    return Ranking(keys, rows, codes, distinct)


def ranked_rows(scored: Scored) -> Ranking:
    """The same of one vector of scores, with the rows of its keys."""
    return ranked(scored.positive[None], scored.score[None], with_rows=True)


def _sort(keys: IntArray, n_jobs: int) -> None:
    """Sort in place, by threads: keys are soon parted into smaller and larger ones."""
    if n_jobs == 1 or len(keys) < n_jobs:
        return keys.sort()
    middle = len(keys) * (n_jobs // 2) // n_jobs
    keys.partition(middle)
    with ThreadPoolExecutor(2) as pool:
        parts = (keys[:middle], keys[middle:]), (n_jobs // 2, n_jobs - n_jobs // 2)
        list(pool.map(_sort, *parts))


def _order(keys: IntArray) -> tuple[RowArray, IntArray]:
    """The rows of keys in rising order, and the sorted keys: twice as fast as argsort."""
    # The leading bits of each key and its row are sorted as one integer; then the few keys that
    # these bits do not tell apart.
    room = np.uint64((len(keys) - 1).bit_length())
    least, most = keys.min(), keys.max()
    span = (int(most) - int(least)).bit_length()
    hidden = np.uint64(max(0, span - (64 - int(room))))
    packed = np.empty(len(keys), np.uint64)
    with np.errstate(over="ignore"):  # differences are those of integers without a sign
        unsigned = keys.view(np.uint64)
        kernels.pack_rows(unsigned, least.view(np.uint64), hidden, room, packed)
    packed.sort()
    rows, ordered = np.empty(len(keys), np.int32), np.empty_like(keys)
    last = (np.uint64(1) << room) - np.uint64(1)
    falls = kernels.unpack_rows(keys, packed, last, rows, ordered)
    parts = [(0, len(keys))] if falls else []
    if 0 < falls < FEW_FALLS:
        packed >>= room
        at = packed[np.flatnonzero(ordered[1:] < ordered[:-1])]
        ends = (np.searchsorted(packed, at, side).tolist() for side in ("left", "right"))
        parts = list(zip(*ends, strict=True))
    for start, stop in parts:
        again = ordered[start:stop].argsort(kind="stable")
        rows[start:stop] = rows[start:stop][again]
        ordered[start:stop] = ordered[start:stop][again]
    return rows, ordered
