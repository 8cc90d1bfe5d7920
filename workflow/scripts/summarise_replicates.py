"""Summarise the replicates of the experiment and count rank reversals."""

from pathlib import Path

from _job import run
from study.published import published_lookup
from study.tables.joint import auk_given_auc_table
from study.tables.parts import read_cell
from study.tables.reversals import rank_reversals
from study.tables.summaries import summarise
from study.text.tables import write_table


def summarise_replicates(
    *,
    parts: list[Path],
    expected: dict[str, int],
    cost_ratio: float | None,
    pair: list[str],
    of_the_paper: bool,
    summary: list[Path],
    rank_reversal: list[Path],
    auk_given_auc: list[Path],
) -> None:
    """Write what the replicates say of every measure, of the pair's order, and of the paper.

    There is no order of a single model, and no paper about other data.
    """
    cell = read_cell(parts, expected)
    published = published_lookup(cost_ratio) if of_the_paper else None
    write_table(summarise(cell, published), summary)
    if rank_reversal:
        as_large = of_the_paper and cost_ratio is None
        reversals = rank_reversals(cell, (pair[0], pair[1]), as_large=as_large)
        write_table(reversals, rank_reversal)
    if auk_given_auc:
        # The paper's kappas have no cost: at one, none of ours is compared with them.
        compared = cell if cost_ratio is None else cell.iloc[:0]
        write_table(auk_given_auc_table(compared), auk_given_auc)


if __name__ == "__main__":
    run(summarise_replicates, snakemake)
