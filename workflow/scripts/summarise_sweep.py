"""Summary, rank reversals and agreement by cell of the sweep."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.analysis.parts import read_cell
from study.analysis.reversals import rank_reversals
from study.analysis.summaries import agreement, summarise
from study.published import PAPER_PAIR
from study.settings.cells import SWEPT


def summarise_sweep(
    *,
    parts: list[Path],
    skipped: Path,
    expected: dict[str, int],
    cell_sizes: list[dict[str, Any]],
    cells_skipped: list[dict[str, str]],
    cost_ratio: float | None,
    **outputs: Path,
) -> None:
    """Write what the replicates say of each cell, and its size; list the cells left out."""
    pd.DataFrame(cells_skipped, columns=["cell", "reason"]).to_csv(skipped, index=False)
    tables: dict[str, list[pd.DataFrame]] = {name: [] for name in outputs}
    # The parts come in the order of the cells, as many for each.
    per_cell = len(parts) // len(cell_sizes)
    for number, size in enumerate(cell_sizes):
        cell = read_cell(parts[number * per_cell : (number + 1) * per_cell], expected)
        spread = summarise(cell, cost_ratio)
        drawn, left_out = int(spread["replicates"].max()), int(spread["undefined"].max())
        tables["sizes"].append(pd.DataFrame([{**size, "drawn": drawn, "left_out": left_out}]))
        place = {name: cell[name].iloc[0] for name in SWEPT}
        for name, table in (
            ("summary", spread),
            ("rank_reversal", rank_reversals(cell, PAPER_PAIR)),
            ("agreement_table", agreement(cell)),
        ):
            tables[name].append(table.assign(**place)[[*place, *table]])
    for name, path in outputs.items():
        pd.concat(tables[name]).to_csv(path, index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_sweep, snakemake)
