"""Tables 4 and 5, the operating point, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.pages.table_files import write_table
from study.published import AREAS, OPERATING_POINT, comparison, labelled, rankings

TITLES = {
    "table4": "Table 4: areas under the convex curves (hull)",
    "table5": "Table 5: areas under the non-convex curves (raw)",
    "operating_point": "Section 8: where kappa is largest (hull)",
    "original": "The original data (30 % bad): measures and ranks",
}


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
    _write(comparison(measures, "hull", AREAS, spread), TITLES["table4"], table4)
    _write(comparison(measures, "raw", AREAS, spread), TITLES["table5"], table5)
    optimum = comparison(measures, "hull", OPERATING_POINT, spread)
    _write(optimum, TITLES["operating_point"], operating_point)
    _write(rankings(pd.read_csv(original)), TITLES["original"], original_tables)


def _write(table: pd.DataFrame, title: str, paths: list[Path]) -> None:
    write_table(table, paths, title=title, shown=labelled(table))


if __name__ == "__main__":
    run(make_tables)
