"""What the replicates say, Tables 4 and 5 beside it, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.parquet import read_parquet
from study.published import AREAS, POINT_MEASURES, published_lookup
from study.tables.areas import rankings, split_and_replicates
from study.tables.files import write_table
from study.tables.leads import distinct_splits, leads_table
from study.tables.parts import read_cell
from study.tables.reversals import rank_reversals
from study.tables.summaries import summarise


def make_tables(
    *,
    measures: Path,
    original: Path | list[Path],
    parts: list[Path],
    scores: list[Path],
    cost_ratio: float | None,
    pair: list[str],
    of_the_paper: bool,
    summary: Path,
    leads: Path,
    table4: Path,
    table5: Path,
    operating_point: Path,
    rank_reversal: Path | list[Path],
    original_table: Path | list[Path],
) -> None:
    """Write each table that this run has: there is no order of a single model."""
    split = pd.read_csv(measures)
    published = published_lookup(cost_ratio) if of_the_paper else None
    cell = read_cell(parts)
    write_table(summarise(cell, published), summary)
    spread = pd.read_csv(summary)
    if isinstance(rank_reversal, Path):
        as_large = of_the_paper and cost_ratio is None
        write_table(rank_reversals(cell, pair, as_large=as_large), rank_reversal)
    n_train = cell.attrs["n_train"]
    n_test = cell.attrs["majority"] + cell.attrs["minority"] - n_train
    splits = distinct_splits(read_parquet(scores, columns=["replicate", "model", "row"]))
    write_table(leads_table(cell, splits, n_test / n_train), leads)
    for curve, columns, path in (
        ("hull", AREAS, table4),
        ("raw", AREAS, table5),
        ("hull", POINT_MEASURES, operating_point),
    ):
        write_table(split_and_replicates(split, curve, columns, spread, published), path)
    if isinstance(original, Path) and isinstance(original_table, Path):
        write_table(rankings(pd.read_csv(original)), original_table)


if __name__ == "__main__":
    run(make_tables, snakemake)
