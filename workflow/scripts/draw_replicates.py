"""Draw and measure replicates of one cell."""

import logging
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pandas as pd

from _job import run
from study.errors import ImpossibleError
from study.parquet import write_parquet
from study.replicates.engine import Cell, run_replicates
from study.tables.parts import nothing_drawn

log = logging.getLogger(__name__)
SECONDS_BETWEEN = 30


def _with_progress(numbers: range) -> Iterator[int]:
    """The numbers; a line about the time left, every half minute.

    The first split counts apart, because it waits for what is imported and compiled once.
    """
    start = last = monotonic()
    for done, number in enumerate(numbers):
        now = monotonic()
        if done == 1:
            start = now
        elif now - last > SECONDS_BETWEEN:
            seconds = (now - start) / (done - 1)
            last = now
            minutes = seconds * (len(numbers) - done) / 60
            left = f"about {minutes:.0f} minutes" if minutes >= 1.5 else "less than 90 seconds"
            log.info("%d of %d splits of this job, %s left", done, len(numbers), left)
        yield number


def draw_replicates(
    *,
    features: Path,
    cell: dict[str, Any],
    seed: int,
    bounds: tuple[int, int],
    measures: Path | None = None,
    scores: Path | None = None,
) -> None:
    """Write measures and scores of the replicates within bounds (the last not included).

    Each table says of how many rows they were drawn. If the data have too few for the cell, it has
    no rows, and says the reason.
    """
    try:
        numbers = _with_progress(range(*bounds))
        table = pd.read_csv(features)
        drawn = run_replicates(table, Cell(**cell), numbers, seed=seed)
    except ImpossibleError as error:
        log.warning("none is drawn: %s", error)
        for path in (measures, scores):
            if path is not None:
                write_parquet(nothing_drawn(str(error)), path)
        return
    rows = {**drawn.counts._asdict(), "n_train": drawn.cell.n_train}
    if measures is not None:
        write_parquet(drawn.measures, measures, about=rows)
    if scores is not None:
        write_parquet(drawn.scores, scores, about=rows)


if __name__ == "__main__":
    run(draw_replicates, snakemake)
