"""Summarise the replicates of the paper's setting and count rank reversals."""

from pathlib import Path

from _job import run
from study.analysis.joint import auk_given_auc_table
from study.analysis.parts import read_cell
from study.analysis.reversals import rank_reversals
from study.analysis.summaries import summarise
from study.published import PAPER_PAIR


def summarise_replicates(
    *,
    parts: list[Path],
    expected: dict[str, int],
    cost_ratio: float | None,
    **outputs: Path,
) -> None:
    """Write what the replicates say of every measure and of the ranking."""
    cell = read_cell(parts, expected)
    # The paper's kappas have no cost: at one, none of ours is compared with them.
    compared = cell if cost_ratio is None else cell.iloc[:0]
    for name, table in (
        ("summary", summarise(cell, cost_ratio)),
        ("rank_reversal", rank_reversals(cell, PAPER_PAIR, as_large=cost_ratio is None)),
        ("auk_given_auc", auk_given_auc_table(compared)),
    ):
        table.to_csv(outputs[name], index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_replicates, snakemake)
