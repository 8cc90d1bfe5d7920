"""Replicate 0 of the untouched data, whose scores related papers are shown on."""

from typing import Any

import pandas as pd

from _job import job
from study.experiment.replicates import draw_replicates


def score_original(*, features: str, setting: dict[str, Any], seed: int, scores: str) -> None:
    """Write row, minority, model, score and probability of the test rows."""
    drawn = draw_replicates(pd.read_csv(features), setting, [0], seed=seed)
    drawn.drop(columns="replicate").to_csv(scores, index=False)


if __name__ == "__main__":
    with job(snakemake):
        score_original(
            features=snakemake.input.features,
            setting=snakemake.params.setting,
            seed=snakemake.params.seed,
            scores=snakemake.output.scores,
        )
