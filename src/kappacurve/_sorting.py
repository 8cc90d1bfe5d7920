"""Labels and scores as sorted integers: the one sort behind every measure, test and interval."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve import _kernels as kernels
from kappacurve._validation import BoolArray, FloatArray

IntArray = npt.NDArray[np.int64]
RowArray = npt.NDArray[np.int32]


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

    def threshold(self, place: IntArray) -> FloatArray:
        """Return the score at a place in each row of keys, or in the one row; infinity at n."""
        n = self.keys.shape[1]
        keys = self.keys[np.arange(len(place)) % len(self.keys), np.minimum(place, n - 1)]
        return np.where(place < n, self.scores(keys), np.inf)


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
    span, distinct = negatives + max(0, high - low + 1), None
    if span > 2 * kernels.HALF:
        distinct, rank = np.unique(score + 0.0, return_inverse=True)  # -0.0 becomes 0.0
        bits, span, negatives, low = rank.ravel().astype(np.int64), len(distinct), 0, 0
    codes = negatives - kernels.HALF, low, high_negative
    labels = np.broadcast_to(positive, score.shape).ravel()
    keys, rows = np.empty(score.shape, dtype=np.int64), np.empty(0, dtype=np.int32)
    kernels.pack(bits, labels, codes, keys.ravel())
    if with_rows:
        rows = _order(keys[0])
        keys[0] = keys[0, rows]
    elif len(keys) == 1:
        _sort(keys[0], n_jobs)
    else:
        keys.sort()
    return Ranking(keys, rows, codes, distinct)


def _sort(keys: IntArray, n_jobs: int) -> None:
    """Sort in place, by threads: keys are soon parted into smaller and larger ones."""
    if n_jobs == 1 or len(keys) < n_jobs:
        return keys.sort()
    place = len(keys) * (n_jobs // 2) // n_jobs
    keys.partition(place)
    with ThreadPoolExecutor(2) as pool:
        parts = (keys[:place], keys[place:]), (n_jobs // 2, n_jobs - n_jobs // 2)
        list(pool.map(_sort, *parts))


def _order(keys: IntArray) -> RowArray:
    """The rows of keys in rising order: three times as fast as argsort.

    The leading bits of each key and its row are sorted as one integer; then the few keys that these
    bits do not tell apart.
    """
    room = (len(keys) - 1).bit_length()
    above = (keys - keys.min()).view(np.uint64)
    hidden = max(0, int(above.max()).bit_length() - (64 - room))
    packed = above >> hidden << room | np.arange(len(keys), dtype=np.uint64)
    packed.sort()
    rows = (packed & ((1 << room) - 1)).astype(np.int32)
    if hidden:
        rows = rows[keys[rows].argsort(kind="stable")]
    return np.asarray(rows)
