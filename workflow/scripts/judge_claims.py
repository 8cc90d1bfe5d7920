"""Which of the papers' claims hold."""

from pathlib import Path

import pandas as pd

from _job import run
from study.text.tables import write_table
from study.verdict.claims import COLUMNS, judged_claims


def judge_claims(
    *, tables: list[Path], kept: list[Path], claims: list[Path], cost_ratio: float | None
) -> None:
    """Write the claims.

    `tables` are the run's, `kept` what the repository keeps of the study of many data sets.
    """
    folder = claims[0].parents[1]
    named = {
        path.relative_to(folder).with_suffix("").as_posix(): pd.read_csv(path) for path in tables
    }
    named |= {f"many_data_sets/{path.stem}": pd.read_csv(path) for path in kept}
    # At a cost ratio our kappas are not the paper's.
    nothing = pd.DataFrame(columns=COLUMNS)
    judged = judged_claims(named) if cost_ratio is None else nothing
    write_table(judged, claims)


if __name__ == "__main__":
    run(judge_claims, snakemake)
