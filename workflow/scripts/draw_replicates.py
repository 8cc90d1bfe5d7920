"""Draw and measure one chunk of a scenario: some replicates of some models."""

import logging
from collections.abc import Iterator
from time import monotonic
from typing import Any

import pandas as pd

from _job import job
from study.errors import ImpossibleError
from study.experiment.parquet import nothing_drawn, write_parquet
from study.experiment.replicates import draw_replicates, measure_scenario

log = logging.getLogger(__name__)
SECONDS_BETWEEN = 30


def report_progress(replicates: range) -> Iterator[int]:
    """The replicates; every half minute a line says how many are left, and how long they may take.

    The first counts apart, because it waits for what is imported and compiled once.
    """
    start = last = monotonic()
    for done, number in enumerate(replicates):
        now = monotonic()
        if done == 1:
            start = now
        elif now - last > SECONDS_BETWEEN:
            last = now
            minutes = (now - start) / (done - 1) * (len(replicates) - done) / 60
            left = f"about {minutes:.0f} minutes" if minutes >= 1.5 else "less than 90 seconds"
            log.info("%d of %d splits of this job, %s left", done, len(replicates), left)
        yield number


def draw_part(
    *, features: str, setting: dict[str, Any], seed: int, measures: str, scores: str | None
) -> None:
    """Write the measures of each split, and the scores if they are wanted.

    If the data have too few rows for the scenario, the tables have no rows and say the reason.
    """
    replicates = report_progress(range(setting["first"], setting["last"]))
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
        draw_part(
            features=snakemake.input.features,
            setting=snakemake.params.setting,
            seed=snakemake.params.seed,
            measures=snakemake.output.measures,
            scores=snakemake.output.get("scores"),
        )
