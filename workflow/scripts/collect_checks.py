"""The checks of all companion studies in one table."""

import logging
from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.companions.checks import STUDY_LABELS
from kappacurve.experiment.table_files import write_table
from kappacurve.experiment.tables import labelled

log = logging.getLogger(__name__)


def collect_checks(*, of_studies: list[Path], checks: list[Path]) -> None:
    """Write the rows of every study's checks, in the order of the studies."""
    table = pd.concat([pd.read_csv(path) for path in of_studies], ignore_index=True)
    write_table(
        table,
        checks,
        title="Checks of the companion studies",
        shown=labelled(table.replace({"study": STUDY_LABELS})),
        note="A printed number holds if the value found rounds to it.",
    )
    log.info("%d of %d checks hold", int(table["holds"].sum()), len(table))


if __name__ == "__main__":
    run(collect_checks)
