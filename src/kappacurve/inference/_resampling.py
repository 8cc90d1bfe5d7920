"""Bootstrap resamples that several sets of scores share."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from kappacurve._ranking import Ranking, measure_ranking, measures_of, ranked_rows
from kappacurve._validation import Conditions, FloatArray, Scored, check_jobs
from kappacurve.inference._sample import Sample
from kappacurve.inference.results import Sampling

# Resamples are evaluated in blocks of about this many scores, so that memory stays bounded.
BLOCK = 2**21
# A bootstrap that takes longer says so: how long it will take, and how far it is.
SECONDS_IN_SILENCE = 5.0

Counts = npt.NDArray[np.uint8]  # (b, n): how often each row is in each resample


def resampled(
    sample: Sample,
    at: Conditions,
    n_resamples: int,
    random_state: int,
    n_jobs: int | None = None,
    progress: TextIO | None = None,
) -> dict[str, dict[str, FloatArray]]:
    """All measures of every resample by model, of the same drawn rows.

    Blocks of resamples are drawn one after the other and measured by `n_jobs` threads (-1: one per
    processor), with the same bytes for any number of them.
    """
    n_threads = check_jobs(n_jobs)
    report = _Progress(progress, n_resamples)
    ready = [(scored, ranked_rows(scored)) for scored in map(sample.scored, sample.scores)]
    blocks: list[list[dict[str, FloatArray]]] = []
    waiting: deque[Future[list[dict[str, FloatArray]]]] = deque()

    def measured(counts: Counts) -> list[dict[str, FloatArray]]:
        return [_measures(*model, at, counts) for model in ready]

    def finish() -> None:
        blocks.append(waiting.popleft().result())
        report.done(len(blocks[-1][0]["auc"]))

    with ThreadPoolExecutor(n_threads) as pool:
        for counts in draw_counts(
            sample.positive, sampling_of(at), n_resamples, random_state, sample.groups
        ):
            waiting.append(pool.submit(measured, counts))
            if len(waiting) > n_threads:
                finish()
        while waiting:
            finish()
    return {
        model: _joined(parts)
        for model, parts in zip(sample.scores, zip(*blocks, strict=True), strict=True)
    }


def sampling_of(at: Conditions) -> Sampling:
    """How rows are drawn: with an estimated prevalence the class ratio is left to chance."""
    return "random" if at.estimated else "stratified"


def _measures(
    scored: Scored, ranking: Ranking, at: Conditions, counts: Counts
) -> dict[str, FloatArray]:
    """All measures of each resample: how often each row is drawn is all that it needs."""
    if at.estimated:
        at = at._replace(prevalence=None)  # that of each resample
    if scored.weight is None:
        positive = ranking.keys[0] & 1 == 1
        n_pos = counts[:, ranking.rows[positive]].sum(axis=1, dtype=np.int64)
        n_neg = counts[:, ranking.rows[~positive]].sum(axis=1, dtype=np.int64)
        return measure_ranking(ranking, n_neg, n_pos, at, counts=counts).measures
    measured = []
    for times in counts:
        rows = times > 0
        weight = scored.weight[rows] * times[rows]
        drawn = Scored(scored.positive[rows], scored.score[rows], weight)
        measured.append(measures_of(drawn, at).measures)
    return _joined(measured)


def _joined(parts: Sequence[dict[str, FloatArray]]) -> dict[str, FloatArray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class _Progress:
    """Lines on a stream with the time left, if all will take more than a few seconds."""

    def __init__(self, stream: TextIO | None, total: int) -> None:
        self._stream, self._total, self._finished = stream, total, 0
        self._start = self._next = time.monotonic()

    def done(self, resamples: int) -> None:
        self._finished += resamples
        now = time.monotonic()
        seconds = (now - self._start) * self._total / self._finished
        is_last = self._finished == self._total
        is_due = is_last or now >= self._next
        if self._stream is None or seconds < SECONDS_IN_SILENCE or not is_due:
            return
        is_terminal = self._stream.isatty()
        self._next = now + (0.5 if is_terminal else 30)
        left = self._start + seconds - now
        text = f"{self._finished} of {self._total} resamples, {left:.0f} s left"
        self._stream.write(f"\r{'' if is_last else text:<60}\r" if is_terminal else f"{text}\n")
        self._stream.flush()


def draw_counts(
    labels: npt.NDArray[Any],
    sampling: Sampling,
    n_resamples: int,
    random_state: int,
    groups: npt.NDArray[np.intp] | None = None,
) -> Iterator[Counts]:
    """Blocks of resamples (b, n): how often each row is drawn, groups as a whole.

    A byte is enough: nothing is drawn 256 times in as many draws as there are rows.
    """
    if groups is None:
        for rows in draw_rows(labels, sampling, n_resamples, random_state):
            counts = np.empty(rows.shape, np.uint8)
            for row, drawn in zip(counts, rows, strict=True):
                row[:] = np.bincount(drawn, minlength=len(row))
            yield counts
        return
    random, n_groups = np.random.default_rng(random_state), int(groups.max()) + 1
    positive = labels == labels[0]
    block = max(1, BLOCK // len(labels))
    for start in range(0, n_resamples, block):
        counts = np.empty((min(block, n_resamples - start), len(labels)), np.uint8)
        for row in counts:
            while True:
                drawn = np.bincount(random.integers(n_groups, size=n_groups), minlength=n_groups)
                row[:] = drawn[groups]
                # Without one of the classes no measure is defined.
                if row[positive].any() and row[~positive].any():
                    break
        yield counts


def draw_rows(
    labels: npt.NDArray[Any], sampling: Sampling, n_resamples: int, random_state: int
) -> Iterator[npt.NDArray[np.intp]]:
    """Blocks of resamples: their row numbers, each of shape (b, n)."""
    random = np.random.default_rng(random_state)
    n = len(labels)
    # Which class is drawn first does not depend on which is called positive, so that measures that
    # a swap of the classes leaves alone have the same interval both ways.
    classes, last = np.unique(labels[::-1], return_index=True)
    strata = [np.flatnonzero(labels == label) for label in classes[np.argsort(last)]]
    block = max(1, BLOCK // n)
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        if sampling == "random":
            rows = random.integers(n, size=(size, n))
            # Without one of the classes no measure is defined: such resamples are drawn again.
            while len(single := _of_one_class(labels, rows)):
                rows[single] = random.integers(n, size=(len(single), n))
        else:
            rows = np.hstack([c[random.integers(len(c), size=(size, len(c)))] for c in strata])
        yield rows


def _of_one_class(labels: npt.NDArray[Any], rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Which resamples have rows of one class alone: mostly their first rows tell."""
    found = np.arange(len(rows))
    for drawn in (rows[:, :64], rows):
        drawn_labels = labels[drawn[found]]
        found = found[(drawn_labels == drawn_labels[:, :1]).all(axis=1)]
    return found
