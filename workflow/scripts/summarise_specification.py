"""Where the eleven published numbers fall under every choice that the paper leaves open."""

from pathlib import Path
from typing import Any

from _job import run
from study.parquet import read_parquet
from study.tables.joint import specification_table
from study.text.tables import write_table


def summarise_specification(
    *, scores: list[Path], table: list[Path], cells: list[list[dict[str, Any]]]
) -> None:
    """Write one row per combination, nearest first.

    The cells say of each file of scores which networks it has, and where these stand. A combination
    that the data can't give has no scores.
    """
    replicates = zip(cells, map(read_parquet, scores), strict=True)
    combinations = specification_table((places, rows) for places, rows in replicates if len(rows))
    write_table(combinations, table)


if __name__ == "__main__":
    run(summarise_specification, snakemake)
