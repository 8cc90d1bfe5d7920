"""Which of the paper's sixteen claims hold, from csv files alone."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.paper.claims import judged_claims
from study.tables.files import write_table


def claims(*, verdicts: Path, settings: dict[str, Any], **tables: Path) -> None:
    """Write the verdicts; the tables are those of study.paper.claims.FILES, by their names."""
    read = {name: pd.read_csv(path) for name, path in tables.items()}
    write_table(judged_claims(read, settings), verdicts)


if __name__ == "__main__":
    run(claims, snakemake)
