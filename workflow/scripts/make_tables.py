"""Tables 4 and 5, the operating point, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.published import AREAS, POINT_MEASURES, published_lookup
from study.tables.areas import rankings, split_and_replicates
from study.text.tables import write_table


def make_tables(
    *,
    measures: Path,
    original: Path | list[Path],
    summary: Path | list[Path],
    cost_ratio: float | None,
    of_the_paper: bool,
    original_tables: list[Path],
    **outputs: list[Path],
) -> None:
    """Write each table that this run has.

    Without a summary there is one split, whose areas compare_models.py shows with their tests.
    """
    split = pd.read_csv(measures)
    spread = pd.read_csv(summary) if isinstance(summary, Path) else None
    published = published_lookup(cost_ratio) if of_the_paper else None
    for curve, columns, output in (
        ("hull", AREAS, "table4"),
        ("raw", AREAS, "table5"),
        ("hull", POINT_MEASURES, "operating_point"),
    ):
        table = split_and_replicates(split, curve, columns, spread, published)
        write_table(table, outputs[output])
    if isinstance(original, Path):
        write_table(rankings(pd.read_csv(original)), original_tables)


if __name__ == "__main__":
    run(make_tables, snakemake)
