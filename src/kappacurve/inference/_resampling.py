"""Drawing of bootstrap resamples, leaving rows out, and all measures of the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import BoolArray, FloatArray, Scored
from kappacurve.inference.results import Sampling
from kappacurve.measures import RANKING, batch_measures

# Resamples are evaluated in blocks of about this many scores, so that memory stays bounded.
BLOCK = 2**21


def resampled(
    scores: Sequence[Scored],
    sampling: Sampling,
    at: dict[str, Any],
    n_resamples: int,
    seed: int,
) -> list[dict[str, FloatArray]]:
    """All measures of every resample, for each of the scores, of the same drawn rows."""
    blocks: list[list[dict[str, FloatArray]]] = [[] for _ in scores]
    for positive, rows in draw_rows(scores[0].positive, sampling, n_resamples, seed):
        for found, scored in zip(blocks, scores, strict=True):
            found.append(batch_measures(positive, scored.score[rows], **at))
    return [_joined(found) for found in blocks]


def _joined(blocks: Sequence[dict[str, FloatArray]]) -> dict[str, FloatArray]:
    return {name: np.concatenate([block[name] for block in blocks]) for name in RANKING}


def draw_rows(
    positive: BoolArray, sampling: Sampling, n_resamples: int, seed: int
) -> Iterator[tuple[BoolArray, npt.NDArray[np.intp]]]:
    """Blocks of resamples: their labels and their row numbers, each of shape (b, n)."""
    random = np.random.default_rng(seed)
    n = len(positive)
    # Which class is drawn first does not depend on which is called positive, so that measures that
    # a swap of the classes leaves alone have the same interval both ways.
    first = positive == positive[-1]
    block = max(1, BLOCK // n)
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        if sampling == "random":
            rows = random.integers(n, size=(size, n))
            # Without one of the classes no measure is defined: such resamples are drawn again.
            while (single := _has_single_class(positive[rows])).any():
                rows[single] = random.integers(n, size=(int(single.sum()), n))
        else:
            classes = np.flatnonzero(first), np.flatnonzero(~first)
            rows = np.hstack([c[random.integers(len(c), size=(size, len(c)))] for c in classes])
        yield positive[rows], rows


def _has_single_class(positive: BoolArray) -> BoolArray:
    return np.asarray(positive.all(axis=1) | ~positive.any(axis=1))


def jackknife(
    scored: Scored, sampling: Sampling, at: dict[str, Any]
) -> list[dict[str, FloatArray]]:
    """Empirical influences by leaving each row out, one dict for each independent sample."""
    strata = [np.ones_like(scored.positive)]
    if sampling == "stratified":
        strata = [scored.positive, ~scored.positive]
    n = len(scored.score)
    rows_at_once = max(1, BLOCK // n)
    found = []
    for stratum in map(np.flatnonzero, strata):
        parts = []
        for start in range(0, len(stratum), rows_at_once):
            left_out = stratum[start : start + rows_at_once, None]
            kept = np.arange(n - 1) + (np.arange(n - 1) >= left_out)
            positive, score = scored.positive[kept], scored.score[kept]
            parts.append(batch_measures(positive, score, **at))
        # Weighed by (n - 1) / n: a row of a small sample counts more (Davison & Hinkley, 5.29).
        weight = (len(stratum) - 1) / len(stratum)
        found.append({k: weight * (v.mean() - v) for k, v in _joined(parts).items()})
    return found
