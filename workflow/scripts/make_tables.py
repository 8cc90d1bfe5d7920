"""Tables 4 and 5, the operating point, and the rankings on the original data."""

from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.experiment.tables import (
    AREAS,
    OPERATING_POINT,
    comparison,
    rankings,
    to_latex,
    to_markdown,
)

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
    """Write each table as csv, md and tex, in that order."""
    measures, spread = pd.read_csv(paper), pd.read_csv(summary)
    _write(comparison(measures, "hull", AREAS, spread), TITLES["table4"], table4)
    _write(comparison(measures, "raw", AREAS, spread), TITLES["table5"], table5)
    optimum = comparison(measures, "hull", OPERATING_POINT, spread)
    _write(optimum, TITLES["operating_point"], operating_point)
    _write(rankings(pd.read_csv(original)), TITLES["original"], original_tables)


def _write(table: pd.DataFrame, title: str, paths: list[Path]) -> None:
    csv, md, tex = paths
    # Six decimals: more than anyone compares, fewer than the last bits of the arithmetic.
    table.to_csv(csv, index=False, float_format="%.6f")
    md.write_text(to_markdown(table, title), encoding="utf-8")
    tex.write_text(to_latex(table), encoding="utf-8")


if __name__ == "__main__":
    run(make_tables)
