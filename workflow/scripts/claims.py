"""Which of the paper's sixteen claims hold, from csv files alone."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.paper.claims import judge_claims
from study.tables.files import write_table


def write_claims(*, tables: dict[str, str], setting: dict[str, Any], claims: str) -> None:
    """Write the verdicts; the tables are those of study.paper.claims.FILES, by their names."""
    read = {name: pd.read_csv(path) for name, path in tables.items()}
    write_table(judge_claims(read, setting), Path(claims))


if __name__ == "__main__":
    with job(snakemake):
        write_claims(
            tables=dict(snakemake.input.items()),
            setting=snakemake.params.setting,
            claims=snakemake.output[0],
        )
