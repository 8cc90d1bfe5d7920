"""Gather the replicates of the paper's setting; summarise them and count rank reversals."""

from pathlib import Path

import pandas as pd

from _job import run
from study.analysis.gathering import (
    auk_given_auc_in_cell,
    certainty_in_cell,
    gather,
    join,
    reversals_as_large_in_cell,
    reversals_in_cell,
    summarise_cell,
)
from study.published import PAPER_PAIR


def summarise_replicates(
    *,
    parts: list[Path],
    score_parts: list[Path],
    measures: Path,
    scores: Path,
    summary: Path,
    rank_reversal: Path,
    certainty: Path,
    auk_given_auc: Path,
    expected: dict[str, int],
) -> None:
    """Write all rows, and what they say of every measure and of the ranking."""
    join(score_parts, scores)
    (cell,) = gather(parts, expected, measures)  # one, because only the models differ
    reversals = [reversals_in_cell(cell, PAPER_PAIR), reversals_as_large_in_cell(cell)]
    for table, path in (
        (summarise_cell(cell), summary),
        (pd.concat(reversals), rank_reversal),
        (certainty_in_cell(cell, PAPER_PAIR), certainty),
        (auk_given_auc_in_cell(cell), auk_given_auc),
    ):
        table.to_csv(path, index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_replicates)
