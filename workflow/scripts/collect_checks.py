"""The checks of all companion studies in one table."""

from pathlib import Path

import pandas as pd

from _job import run
from study.pages.table_files import write_table
from study.papers.checks import printed_outcomes
from study.published import missing_numbers


def collect_checks(*, of_studies: list[Path], checks: list[Path]) -> None:
    """Write the rows of every study's checks, in the order of the studies."""
    table = pd.concat([pd.read_csv(path) for path in of_studies], ignore_index=True)
    agree, disagree, undecided = map(int, printed_outcomes(table).sum())
    write_table(
        table,
        checks,
        title="Checks of the companion studies",
        note=f"Of {agree + disagree + undecided} printed statements that we could recompute, "
        f"{agree} agree, {disagree} do not, and {undecided} {'is' if undecided == 1 else 'are'} "
        "undecided. Those that do not agree are the sources' own contradictions or overstatements, "
        "explained in forensics/errata. derived: what follows from the sources' equations and "
        "examples; ours: a formula or an experiment of ours. A printed number holds if the value "
        "found rounds to it; holds is empty where that is undecided, or nothing is expected. "
        f"{' '.join(missing_numbers())}".strip(),
    )


if __name__ == "__main__":
    run(collect_checks, snakemake)
