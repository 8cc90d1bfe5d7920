"""Draw and measure replicates of one cell."""

import logging
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pandas as pd

from _job import run
from study.data.classes import read_classes
from study.parquet import write_parquet
from study.replicates.engine import Cell, run_replicates

log = logging.getLogger(__name__)
SECONDS_BETWEEN = 30


def _told(numbers: range) -> Iterator[int]:
    """The numbers; a line about the time left, every half minute."""
    start = last = monotonic()
    for done, number in enumerate(numbers):
        now = monotonic()
        if done and now - last > SECONDS_BETWEEN:
            each, last = (now - start) / done, now
            left = each * (len(numbers) - done) / 60
            log.info(
                "%d of %d, %.2g s a split, about %.0f minutes left", done, len(numbers), each, left
            )
        yield number


def draw_part(
    *,
    features: Path,
    cell: dict[str, Any],
    seed: int,
    bounds: tuple[int, int],
    measures: Path | None = None,
    scores: Path | None = None,
    provenance: Path | None = None,
) -> None:
    """Write measures, scores or both of the replicates within bounds (the last not included)."""
    numbers = _told(range(*bounds))
    whole = Cell(**cell, classes=read_classes(provenance))
    replicates = run_replicates(pd.read_csv(features), whole, numbers, seed=seed)
    if measures is not None:
        write_parquet(replicates.measures, measures)
    if scores is not None:
        write_parquet(replicates.scores, scores)


if __name__ == "__main__":
    run(draw_part, snakemake)
