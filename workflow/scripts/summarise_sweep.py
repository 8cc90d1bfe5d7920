"""Gather the cells of the sweep: summary, rank reversals and agreement by cell."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.analysis.gathering import (
    agreement_in_cell,
    certainty_in_cell,
    gather,
    reversals_in_cell,
    summarise_cell,
)
from study.analysis.summaries import SWEPT
from study.published import PAPER_PAIR


def summarise_sweep(
    *,
    parts: list[Path],
    measures: Path,
    summary: Path,
    rank_reversal: Path,
    certainty: Path,
    agreement_table: Path,
    sizes: Path,
    skipped: Path,
    expected: dict[str, int],
    cell_sizes: list[dict[str, Any]],
    cells_skipped: list[dict[str, str]],
) -> None:
    """Write all rows, what they say of each cell, and its size; list the cells that can't be."""
    rows = []
    # The parts come in the order of the cells.
    for cell, size in zip(gather(parts, expected, measures, SWEPT), cell_sizes, strict=True):
        spread = summarise_cell(cell)
        drawn, left_out = int(spread["replicates"].max()), int(spread["undefined"].max())
        rows.append({**size, "drawn": drawn, "left_out": left_out})
        _add(spread, summary)
        _add(reversals_in_cell(cell, PAPER_PAIR), rank_reversal)
        _add(certainty_in_cell(cell, PAPER_PAIR), certainty)
        _add(agreement_in_cell(cell), agreement_table)
    pd.DataFrame(rows).to_csv(sizes, index=False, float_format="%.6f")
    pd.DataFrame(cells_skipped, columns=["cell", "reason"]).to_csv(skipped, index=False)


def _add(table: pd.DataFrame, path: Path) -> None:
    """Write a cell's rows below those of the cells before."""
    table.to_csv(path, mode="a", header=not path.exists(), index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_sweep)
