"""One split, replicate 0 of its cell: the rows that are kept and the scores of its test rows."""

import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.data.classes import read_classes
from study.replicates.engine import Cell, single_split

log = logging.getLogger(__name__)


def draw_split(
    *,
    features: Path,
    sample: Path,
    scores: Path,
    cell: dict[str, Any],
    seed: int,
    provenance: Path | None = None,
) -> None:
    """Write row, bad of the sample; and row, bad, model, score (higher = more likely bad)."""
    table = pd.read_csv(features)
    kept, scored = single_split(table, Cell(**cell, classes=read_classes(provenance)), seed=seed)
    kept.to_csv(sample, index=False)
    scored.to_csv(scores, index=False)
    n_test = scored["row"].nunique()
    log.info(
        "%d of %d rows kept; %s fitted on %d, scored %d",
        *(len(kept), len(table), ", ".join(cell["models"]), len(kept) - n_test, n_test),
    )


if __name__ == "__main__":
    run(draw_split)
