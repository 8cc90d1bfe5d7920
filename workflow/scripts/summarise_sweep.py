"""Gather the cells of the sweep: summary, rank reversals and agreement by cell."""

from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.experiment.summaries import (
    SWEPT,
    agreement,
    gather,
    rank_reversals,
    summarise,
)
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
    rows = gather(parts, expected)
    rows.to_parquet(measures, index=False)
    summarise(rows, SWEPT).to_csv(summary, index=False, float_format="%.6f")
    reversals = rank_reversals(rows, PAPER_PAIR, SWEPT)
    reversals.to_csv(rank_reversal, index=False, float_format="%.6f")
    agreement(rows, SWEPT).to_csv(agreement_table, index=False, float_format="%.6f")
    pd.DataFrame(cells_skipped, columns=["cell", "reason"]).to_csv(skipped, index=False)


if __name__ == "__main__":
    run(summarise_sweep)
