"""Tables 4 and 5, the operating point, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.pages.table_files import write_table
from study.published import AREAS, OPERATING_POINT, comparison, rankings


def make_tables(
    *,
    paper: Path,
    original: Path,
    summary: Path,
    table4: list[Path],
    table5: list[Path],
    operating_point: list[Path],
    original_tables: list[Path],
) -> None:
    """Write each table in every format asked for."""
    measures, spread = pd.read_csv(paper), pd.read_csv(summary)
    hull = comparison(measures, "hull", AREAS, spread)
    write_table(hull, table4, title="Table 4: areas under the convex curves (hull)")
    raw = comparison(measures, "raw", AREAS, spread)
    write_table(raw, table5, title="Table 5: areas under the non-convex curves (raw)")
    optimum = comparison(measures, "hull", OPERATING_POINT, spread)
    write_table(optimum, operating_point, title="Section 8: where kappa is largest (hull)")
    ranks, title = (
        rankings(pd.read_csv(original)),
        "The original data (30 % bad): measures and ranks",
    )
    write_table(ranks, original_tables, title=title)


if __name__ == "__main__":
    run(make_tables)
