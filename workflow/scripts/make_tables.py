"""Tables 4 and 5, the operating point, and the rankings on the original data."""

from pathlib import Path

import pandas as pd

from _job import run
from study.analysis.beside_published import published_and_ours, rankings
from study.published import AREAS, POINT_MEASURES
from study.text.tables import write_table


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
    for curve, names, output in (
        ("hull", AREAS, "table4"),
        ("raw", AREAS, "table5"),
        ("hull", POINT_MEASURES, "operating_point"),
    ):
        table = published_and_ours(measures, curve, names, spread, cost_ratio)
        write_table(table, outputs[output])
    write_table(rankings(pd.read_csv(original)), outputs["original_tables"])


if __name__ == "__main__":
    run(make_tables, snakemake)
