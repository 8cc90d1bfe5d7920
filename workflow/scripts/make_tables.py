"""What the replicates say, Tables 4 and 5 beside it, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.published import AREAS, POINT_MEASURES, published_lookup
from study.tables.areas import rankings, split_and_replicates
from study.tables.joint import auk_given_auc_table
from study.tables.parts import read_cell
from study.tables.reversals import rank_reversals
from study.tables.summaries import summarise
from study.text.tables import write_table


def make_tables(
    *,
    measures: Path,
    original: list[Path],
    parts: list[Path],
    cost_ratio: float | None,
    pair: list[str],
    of_the_paper: bool,
    **outputs: list[Path],
) -> None:
    """Write each table that this run has.

    There is no order of a single model, and no paper about other data. Without parts of replicates
    there is one split, whose areas compare_models.py shows with their tests.
    """
    split = pd.read_csv(measures)
    published = published_lookup(cost_ratio) if of_the_paper else None
    tables = {}
    spread = None
    if parts:
        cell = read_cell(parts)
        write_table(summarise(cell, published), outputs["summary"])
        spread = pd.read_csv(outputs["summary"][0])
        if pair:
            as_large = of_the_paper and cost_ratio is None
            tables["rank_reversal"] = rank_reversals(cell, pair, as_large=as_large)
        if of_the_paper:
            # The paper's kappas have no cost: at one, none of ours is compared with them.
            compared = cell if cost_ratio is None else cell.iloc[:0]
            tables["auk_given_auc"] = auk_given_auc_table(compared)
    for curve, columns, name in (
        ("hull", AREAS, "table4"),
        ("raw", AREAS, "table5"),
        ("hull", POINT_MEASURES, "operating_point"),
    ):
        tables[name] = split_and_replicates(split, curve, columns, spread, published)
    for path in original:
        tables["original_tables"] = rankings(pd.read_csv(path))
    for name, table in tables.items():
        write_table(table, outputs[name])


if __name__ == "__main__":
    run(make_tables, snakemake)
