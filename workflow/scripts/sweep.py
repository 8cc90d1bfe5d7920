"""Measures and rank reversals by the share of the minority."""

from pathlib import Path

from _job import job
from study.tables.files import read_scenarios, write_table
from study.tables.sweep import sweep_tables


def summarise_sweep(
    *,
    parts: list[Path],
    levels: dict[float, str],
    pair: list[str],
    measures: Path,
    reversals: Path,
    sizes: Path,
) -> None:
    """Write the tables of all shares, and the rows of each share or why the data can't give it."""
    tables = sweep_tables(read_scenarios(parts), levels, pair)
    write_table(tables.measures, measures)
    write_table(tables.reversals, reversals)
    write_table(tables.levels, sizes)


if __name__ == "__main__":
    with job(snakemake):
        summarise_sweep(
            parts=[Path(path) for path in snakemake.input.measures],
            levels=snakemake.params.levels,
            pair=snakemake.params.pair,
            measures=Path(snakemake.output.measures),
            reversals=Path(snakemake.output.reversals),
            sizes=Path(snakemake.output.sizes),
        )
