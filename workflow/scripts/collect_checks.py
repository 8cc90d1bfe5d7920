"""The checks of all companion studies in one table."""

from pathlib import Path

import pandas as pd

from _job import run
from study.pages.table_files import write_table
from study.published import missing_numbers


def collect_checks(*, of_studies: list[Path], checks: list[Path]) -> None:
    """Write the rows of every study's checks, in the order of the studies."""
    table = pd.concat([pd.read_csv(path) for path in of_studies], ignore_index=True)
    printed = table.loc[table["kind"] == "printed", "holds"].astype(bool)
    agree, n = int(printed.sum()), len(printed)
    write_table(
        table,
        checks,
        title="Checks of the companion studies",
        note=f"Of {n} printed statements that we could recompute, {agree} agree; the {n - agree} "
        "that do not are the sources' own contradictions or overstatements, explained in "
        "forensics/errata. derived: what follows from the sources' equations and examples; ours: a "
        "formula or an experiment of ours. A printed number holds if the value found rounds to it. "
        f"{' '.join(missing_numbers())}".strip(),
    )


if __name__ == "__main__":
    run(collect_checks, snakemake)
