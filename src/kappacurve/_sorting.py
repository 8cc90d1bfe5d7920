"""Labels and scores as sorted integers: the one sort behind every measure, test and interval."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve import _kernels as kernels
from kappacurve._validation import BoolArray, FloatArray

IntArray = npt.NDArray[np.int64]
RowArray = npt.NDArray[np.int32]

# Keys that are sorted together, about as many as the nearest cache holds.
BUCKET = 2**13
MOST_CELL_BITS = 14


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
    everything a double can be; then the scores' ranks are taken. `n_jobs` threads sort one row.
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
    keys = np.empty(score.shape, dtype=np.int64)
    rows = np.empty(score.size if with_rows else 0, dtype=np.int32)
    if len(score) > 1 or (n_jobs == 1 and not with_rows):
        kernels.pack(bits, labels, codes, keys.ravel())
        keys.sort()
        return Ranking(keys, rows, codes, distinct)
    with ThreadPoolExecutor(n_jobs) as pool:
        each: Any = pool.map if n_jobs > 1 else map
        buckets = _scattered(bits, labels, codes, span, keys[0], rows, n_jobs, each)
        _run(each, _sort, *buckets)
    return Ranking(keys, rows, codes, distinct)


def _scattered(
    bits: IntArray,
    positive: BoolArray,
    codes: tuple[int, int, int],
    span: int,
    keys: IntArray,
    rows: RowArray,
    n_jobs: int,
    each: Any,
) -> Any:
    """Fill keys and rows bucket by bucket, and return the buckets of both, which are not sorted.

    Buckets of neighbouring scores fit into a cache, and can be sorted side by side. The scores
    are counted in cells of equally many codes, to make buckets of about equally many keys.
    """
    n, n_buckets = len(keys), len(keys) // BUCKET + 1
    cell_bits = min(MOST_CELL_BITS, n.bit_length())
    shift, parts = max(0, span.bit_length() - cell_bits), _parts(n, n_jobs)
    counts = np.zeros((n_jobs, 1 << cell_bits), dtype=np.int64)
    cut = _cut(parts, bits, positive)
    _run(each, kernels.count_cells, cut[0], repeat(codes), repeat(shift), counts)
    total = counts.sum(axis=0)
    bucket = (np.cumsum(total) - total) * n_buckets // n
    sizes = np.stack([np.bincount(bucket, one, n_buckets) for one in counts], axis=1)
    # Where the keys of each part go: in a bucket those of the first part come first.
    ends = np.cumsum(sizes.astype(np.int64)).reshape(sizes.shape)
    place = np.ascontiguousarray((ends - sizes.astype(np.int64)).T)
    buckets = [slice(*pair) for pair in pairwise([0, *ends[:, -1].tolist()])]
    first = [part.start for part in parts]
    fixed = map(repeat, (codes, shift, bucket))
    _run(each, kernels.scatter, *cut, *fixed, place, repeat(keys), first, repeat(rows))
    return _cut(buckets, keys, rows)


def _parts(n: int, n_jobs: int) -> list[slice]:
    return [slice(n * job // n_jobs, n * (job + 1) // n_jobs) for job in range(n_jobs)]


def _cut(parts: list[slice], *arrays: Any) -> list[list[Any]]:
    return [[array[part] for part in parts] for array in arrays]


def _run(each: Any, function: Any, *arguments: Any) -> None:
    """Call a function for each of the arguments, in threads if `each` is a pool's map."""
    for _ in each(function, *arguments):
        pass


def _sort(keys: IntArray, rows: RowArray) -> None:
    """Sort keys in place, and their rows if there are any."""
    if not len(rows) or not len(keys):
        keys.sort()
        return
    low, room = keys.min(), (len(keys) - 1).bit_length()
    if int(keys.max()) - int(low) < 1 << (63 - room):
        # Key and place in one integer: a plain sort is faster than one of places.
        packed = ((keys - low) << room) | np.arange(len(keys))
        packed.sort()
        order = packed & ((1 << room) - 1)
        np.add(packed >> room, low, out=keys)
    else:
        order = keys.argsort()
        keys[:] = keys[order]
    rows[:] = rows[order]
