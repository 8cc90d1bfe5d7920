"""Summary, rank reversals, certainty and agreement by cell of the sweep."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.analysis.certainty import ranking_certainty
from study.analysis.parts import read_cell, refuse_others
from study.analysis.reversals import rank_reversals
from study.analysis.summaries import agreement, summarise
from study.published import PAPER_PAIR
from study.settings.cells import SWEPT


def summarise_sweep(
    *,
    parts: list[Path],
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
    """Write what the replicates say of each cell, and its size; list the cells left out."""
    refuse_others(parts)
    rows = []
    # The parts come in the order of the cells, as many for each.
    per_cell = len(parts) // len(cell_sizes)
    for number, size in enumerate(cell_sizes):
        cell = read_cell(parts[number * per_cell : (number + 1) * per_cell], expected)
        place = {name: cell[name].iloc[0] for name in SWEPT}
        spread = summarise(cell)
        drawn, left_out = int(spread["replicates"].max()), int(spread["undefined"].max())
        rows.append({**size, "drawn": drawn, "left_out": left_out})
        _add(place, spread, summary)
        _add(place, rank_reversals(cell, PAPER_PAIR), rank_reversal)
        _add(place, ranking_certainty(cell, PAPER_PAIR), certainty)
        _add(place, agreement(cell), agreement_table)
    pd.DataFrame(rows).to_csv(sizes, index=False, float_format="%.6f")
    pd.DataFrame(cells_skipped, columns=["cell", "reason"]).to_csv(skipped, index=False)


def _add(place: dict[str, Any], table: pd.DataFrame, path: Path) -> None:
    """Write a cell's rows, its place in front, below those of the cells before."""
    whole = table.assign(**place)[[*place, *table]]
    whole.to_csv(path, mode="a", header=not path.exists(), index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_sweep)
