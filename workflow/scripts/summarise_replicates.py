"""Gather the replicates of the paper's setting; summarise them and count rank reversals."""

from pathlib import Path

from _job import run

from kappacurve.experiment.gathering import (
    certainty_in_cell,
    gather,
    join,
    reversals_in_cell,
    summarise_cell,
)
from kappacurve.experiment.tables import PAPER_PAIR


def summarise_replicates(
    *,
    parts: list[Path],
    score_parts: list[Path],
    measures: Path,
    scores: Path,
    summary: Path,
    rank_reversal: Path,
    certainty: Path,
    expected: dict[str, int],
) -> None:
    """Write all rows, their summary, how often two measures differ, and how sure each is."""
    join(score_parts, scores)
    (cell,) = gather(parts, expected, measures)  # one, because only the models differ
    summarise_cell(cell).to_csv(summary, index=False, float_format="%.6f")
    for table, path in (
        (reversals_in_cell(cell, PAPER_PAIR), rank_reversal),
        (certainty_in_cell(cell, PAPER_PAIR), certainty),
    ):
        table.to_csv(path, index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_replicates)
