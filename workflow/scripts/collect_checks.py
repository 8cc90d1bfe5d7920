"""The checks of all companion studies in one table."""

from pathlib import Path

import pandas as pd

from _job import run
from study.pages.table_files import write_table


def collect_checks(*, of_studies: list[Path], checks: list[Path]) -> None:
    """Write the rows of every study's checks, in the order of the studies."""
    table = pd.concat([pd.read_csv(path) for path in of_studies], ignore_index=True)
    held = table.groupby("kind", sort=False)["holds"].agg(["sum", "size"])
    counts = ", ".join(f"{n} of {size} {kind}" for kind, n, size in held.itertuples())
    write_table(
        table,
        checks,
        title="Checks of the companion studies",
        note=f"Hold: {counts}. printed: a number or statement as the source has it; identity: an "
        "equation of a source, on our models or on its examples; own: a formula of ours, "
        "corrections among them. A printed number holds if the value found rounds to it.",
    )


if __name__ == "__main__":
    run(collect_checks)
