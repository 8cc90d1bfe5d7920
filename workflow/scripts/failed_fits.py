"""How often a model could not be fitted."""

from itertools import groupby
from pathlib import Path

import pandas as pd

from _job import job
from study.experiment.files import read_parquet, write_table


def count_failures(*, measures: list[Path], table: Path) -> None:
    """Write a row for each scenario and model that could not be fitted in some of its splits."""
    columns = ["replicate", "model", "failure"]
    scenarios = {
        folder: read_parquet(chunks, columns=columns)
        for folder, chunks in groupby(measures, key=lambda path: path.parent.name)
    }
    write_table(failures_table(scenarios), table)


def failures_table(scenarios: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Splits, failed ones and their most frequent reason by scenario and model."""
    replicates = pd.concat(scenarios, names=["scenario"]).reset_index("scenario")
    splits = replicates.drop_duplicates(["scenario", "replicate", "model"])
    failures = splits.groupby(["scenario", "model"], sort=False)["failure"]
    table = failures.agg(splits="size", failed="count").reset_index()
    table["reason"] = failures.agg(lambda reasons: "".join(reasons.mode()[:1])).to_numpy()
    return table[table["failed"] > 0]


if __name__ == "__main__":
    with job(snakemake):
        count_failures(
            measures=[Path(path) for path in snakemake.input.measures],
            table=Path(snakemake.output.table),
        )
