"""The split that is shown, replicate 0: rows kept, scores, curves and measures."""

import logging
from typing import Any

import pandas as pd

from _job import job
from study.experiment.files import read_parquet
from study.experiment.measures import evaluate_curves, evaluate_measures
from study.experiment.replicates import check_split, draw_sample

log = logging.getLogger(__name__)


def show_split(
    *, features: str, scores: list[str], setting: dict[str, Any], seed: int, written: Any
) -> None:
    """Write row and minority of the sample, the test rows' scores, and their curves and measures.

    Curves and measures are of both choices of the positive class, raw and hull.
    """
    table = pd.read_csv(features, usecols=["row", "minority"])
    sample = draw_sample(table, setting, 0, seed=seed)
    shown = read_parquet(scores, filters=[("replicate", "==", 0)]).drop(columns="replicate")
    check_split(sample, shown)
    sample.to_csv(written.sample, index=False)
    shown.dropna(subset="score").to_csv(written.scores, index=False)
    rows = pd.read_csv(written.scores)
    at = {"prevalence": setting["prevalence"], "cost_ratio": setting["cost_ratio"]}
    evaluate_curves(rows, **at).to_csv(written.curves, index=False)
    evaluate_measures(rows, **at).to_csv(written.measures, index=False)
    n_test = rows["row"].nunique()
    text = "%d of %d rows kept; %s fitted on %d, scored %d"
    models = ", ".join(rows["model"].unique())
    log.info(text, len(sample), len(table), models, len(sample) - n_test, n_test)


if __name__ == "__main__":
    with job(snakemake):
        show_split(
            features=snakemake.input.features,
            scores=snakemake.input.scores,
            setting=snakemake.params.setting,
            seed=snakemake.params.seed,
            written=snakemake.output,
        )
