"""The checks of all companion studies in one table."""

from pathlib import Path

import pandas as pd

from _job import run
from study.text.tables import write_table


def collect_checks(*, of_studies: list[Path], checks: list[Path]) -> None:
    """Write the rows of every study's checks, in the order of the studies."""
    table = pd.concat([pd.read_csv(path) for path in of_studies], ignore_index=True)
    write_table(table, checks)


if __name__ == "__main__":
    run(collect_checks, snakemake)
