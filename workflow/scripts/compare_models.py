"""All models compared on the test rows of the split shown: intervals, tests, and a report."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.experiment.files import write_table
from study.tables.comparison import compare_models, intervals_table, tests_table


def compare_on_split(
    *,
    scores: str,
    features: str,
    setting: dict[str, Any],
    at: list[str],
    seed: int,
    written: Any,
) -> None:
    """Write intervals, tests and all that the library says of this comparison."""
    groups = None
    if setting["split"] == "group":
        groups = pd.read_csv(features).set_index("row")["part"]
    result = compare_models(
        pd.read_csv(scores),
        seed=seed,
        prevalence=setting["prevalence"],
        cost_ratio=setting["cost_ratio"],
        at=at,
        groups=groups,
    )
    write_table(intervals_table(result), Path(written.intervals))
    write_table(tests_table(result), Path(written.tests))
    Path(written.report).write_text(f"{result}\n", encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake):
        compare_on_split(
            scores=snakemake.input.scores,
            features=snakemake.input.features,
            setting=snakemake.params.setting,
            at=snakemake.params.at,
            seed=snakemake.params.seed,
            written=snakemake.output,
        )
