"""Summarise the replicates of the experiment and count rank reversals."""

from pathlib import Path

from _job import run
from study.analysis.joint import auk_given_auc_table
from study.analysis.parts import read_cell
from study.analysis.reversals import rank_reversals
from study.analysis.summaries import summarise
from study.published import published_lookup


def summarise_replicates(
    *,
    parts: list[Path],
    expected: dict[str, int],
    cost_ratio: float | None,
    pair: list[str],
    of_the_paper: bool,
    summary: Path,
    rank_reversal: Path | list[Path],
    auk_given_auc: Path | list[Path],
) -> None:
    """Write what the replicates say of every measure, of the pair's order, and of the paper.

    There is no order of a single model, and no paper about other data.
    """
    cell = read_cell(parts, expected)
    tables = {summary: summarise(cell, published_lookup(cost_ratio) if of_the_paper else None)}
    if isinstance(rank_reversal, Path):
        as_large = of_the_paper and cost_ratio is None
        tables[rank_reversal] = rank_reversals(cell, (pair[0], pair[1]), as_large=as_large)
    if isinstance(auk_given_auc, Path):
        # The paper's kappas have no cost: at one, none of ours is compared with them.
        tables[auk_given_auc] = auk_given_auc_table(cell if cost_ratio is None else cell.iloc[:0])
    for path, table in tables.items():
        table.to_csv(path, index=False, float_format="%.6f")


if __name__ == "__main__":
    run(summarise_replicates, snakemake)
