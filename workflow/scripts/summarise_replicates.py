"""Gather the replicates of the paper's setting; summarise them and count rank reversals."""

from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.experiment.summaries import gather, rank_reversals, summarise
from kappacurve.experiment.tables import PAPER_PAIR


def summarise_replicates(
    *,
    parts: list[Path],
    score_parts: list[Path],
    measures: Path,
    scores: Path,
    summary: Path,
    rank_reversal: Path,
    expected: dict[str, int],
) -> None:
    """Write all rows, their summary, and how often two measures order the models differently."""
    rows = gather(parts, expected)
    rows.to_parquet(measures, index=False)
    pd.concat(map(pd.read_parquet, score_parts), ignore_index=True).to_parquet(scores, index=False)
    summarise(rows).to_csv(summary, index=False, float_format="%.6f")
    table = rank_reversals(rows, PAPER_PAIR)
    table.to_csv(rank_reversal, index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_replicates)
