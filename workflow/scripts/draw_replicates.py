"""Draw and measure one chunk of a scenario: some replicates of some models."""

import logging
from typing import Any

import pandas as pd

from _job import job
from study.errors import ImpossibleError
from study.experiment.files import nothing_drawn, write_parquet
from study.experiment.replicates import draw_replicates, measure_scenario

log = logging.getLogger(__name__)


def draw_chunk(
    *, features: str, setting: dict[str, Any], seed: int, measures: str, scores: str | None
) -> None:
    """Write the measures of each split, and the scores if they are wanted.

    If the data have too few rows for the scenario, the tables have no rows and say the reason.
    """
    replicates = range(setting["first"], setting["last"])
    try:
        drawn = draw_replicates(pd.read_csv(features), setting, replicates, seed=seed)
        measured = measure_scenario(drawn, setting)
    except ImpossibleError as error:
        log.warning("none is drawn: %s", error)
        drawn = measured = nothing_drawn(str(error))
    write_parquet(measured, measures)
    if scores is not None:
        write_parquet(drawn, scores)


if __name__ == "__main__":
    with job(snakemake):
        draw_chunk(
            features=snakemake.input.features,
            setting=snakemake.params.setting,
            seed=snakemake.params.setting["seed"],
            measures=snakemake.output.measures,
            scores=snakemake.output.get("scores"),
        )
