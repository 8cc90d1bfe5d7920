"""Draw and measure replicates of one cell."""

from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from _job import run
from study.data.classes import read_classes
from study.replicates.engine import Cell, run_replicates


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
    # The bar goes to a terminal only, never into a log.
    numbers = tqdm(range(*bounds), unit="replicate", disable=None, leave=False)
    whole = Cell(**cell, classes=read_classes(provenance))
    found = run_replicates(pd.read_csv(features), whole, numbers, seed=seed)
    if measures is not None:
        found.measures.to_parquet(measures, index=False)
    if scores is not None:
        found.scores.to_parquet(scores, index=False, compression="zstd")


if __name__ == "__main__":
    run(draw_part)
