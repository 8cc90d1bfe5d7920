"""Gather the cells of the sweep: summary, rank reversals and agreement by cell."""

from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.experiment.gathering import (
    agreement_in_cell,
    gather,
    reversals_in_cell,
    summarise_cell,
)
from kappacurve.experiment.summaries import SWEPT
from kappacurve.experiment.tables import PAPER_PAIR


def summarise_sweep(
    *,
    parts: list[Path],
    measures: Path,
    summary: Path,
    rank_reversal: Path,
    agreement_table: Path,
    skipped: Path,
    expected: dict[str, int],
    cells_skipped: list[dict[str, str]],
) -> None:
    """Write all rows and what they say of each cell; list the cells that the data can't give."""
    found: dict[Path, list[pd.DataFrame]] = {summary: [], rank_reversal: [], agreement_table: []}
    for cell in gather(parts, expected, measures, SWEPT):
        found[summary].append(summarise_cell(cell))
        found[rank_reversal].append(reversals_in_cell(cell, PAPER_PAIR))
        found[agreement_table].append(agreement_in_cell(cell))
    for path, tables in found.items():
        table = pd.concat(tables, ignore_index=True)
        table.to_csv(path, index=False, float_format="%.6f")
    pd.DataFrame(cells_skipped, columns=["cell", "reason"]).to_csv(skipped, index=False)


if __name__ == "__main__":
    run(summarise_sweep)
