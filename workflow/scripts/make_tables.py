"""Tables 4 and 5, the operating point, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.pages.table_files import write_table
from study.published import (
    ALSO_BESIDE,
    AREAS,
    PAPER_PAIR,
    POINT_MEASURES,
    published_and_ours,
    rankings,
)

ALSO = [name for names in ALSO_BESIDE.values() for name in names]


def make_tables(
    *,
    paper: Path,
    original: Path,
    summary: Path,
    cost_ratio: float | None,
    **outputs: list[Path],
) -> None:
    """Write each table in every format asked for."""
    measures, spread = pd.read_csv(paper), pd.read_csv(summary)
    at = "" if cost_ratio is None else f", kappa at a cost ratio of {cost_ratio:g}:1"
    for curve, names, output, title in (
        ("hull", AREAS, "table4", "Table 4: areas under the convex curves (hull)"),
        ("raw", AREAS, "table5", "Table 5: areas under the non-convex curves (raw)"),
        ("hull", POINT_MEASURES, "operating_point", "Section 8: where kappa is largest (hull)"),
    ):
        table = published_and_ours(measures, curve, names, spread, cost_ratio)
        chosen = {"model": PAPER_PAIR, "measure": [name for name in names if name not in ALSO]}
        write_table(table, outputs[output], title=f"{title}{at}", first=chosen)
    title = f"The original data (30 % bad): measures and ranks{at}"
    write_table(rankings(pd.read_csv(original)), outputs["original_tables"], title=title)


if __name__ == "__main__":
    run(make_tables, snakemake)
