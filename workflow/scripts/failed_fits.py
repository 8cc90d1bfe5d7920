"""How often a model could not be fitted."""

from itertools import groupby
from pathlib import Path

from _job import job
from study.experiment.parquet import read_parquet
from study.tables.failures import failures_table
from study.tables.files import write_table


def count_failures(*, measures: list[Path], table: Path) -> None:
    """Write the models that could not be fitted in some splits of a scenario."""
    columns = ["replicate", "model", "failure"]
    scenarios = {
        folder: read_parquet(chunks, columns=columns)
        for folder, chunks in groupby(measures, key=lambda path: path.parent.name)
    }
    write_table(failures_table(scenarios), table)


if __name__ == "__main__":
    with job(snakemake):
        count_failures(
            measures=[Path(path) for path in snakemake.input.measures],
            table=Path(snakemake.output.table),
        )
