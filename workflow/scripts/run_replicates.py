"""Draw and measure the replicates of one cell, or of a part of it."""

from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from _job import run
from study.data.classes import read_classes
from study.replicates.engine import Cell, run_replicates


def compute_part(
    *,
    features: Path,
    measures: Path,
    cell: dict[str, Any],
    seed: int,
    first: int,
    last: int,
    keep_scores: int = 0,
    scores: Path | None = None,
    provenance: Path | None = None,
) -> None:
    """Write the measures of the replicates from `first` to `last` (not included)."""
    # The bar goes to a terminal only, never into a log.
    numbers = tqdm(range(first, last), unit="replicate", disable=None, leave=False)
    found = run_replicates(
        pd.read_csv(features),
        Cell(**cell, classes=read_classes(provenance)),
        numbers,
        seed=seed,
        keep_scores=keep_scores,
    )
    found.measures.to_parquet(measures, index=False)
    if scores is not None:
        found.scores.to_parquet(scores, index=False)


if __name__ == "__main__":
    run(compute_part)
