"""One split, replicate 0 of its cell: the rows kept, the test rows' scores, curves, measures."""

import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.replicates.engine import Cell, single_split
from study.replicates.evaluation import evaluate_curves, evaluate_measures

log = logging.getLogger(__name__)


def draw_split(
    *,
    features: Path,
    sample: Path,
    scores: Path,
    curves: Path,
    measures: Path,
    cell: dict[str, Any],
    seed: int,
) -> None:
    """Write row, minority of the sample; row, minority, model, score (higher = more likely of the
    minority), probability; and these scores' curves and measures, for both choices of the positive
    class, raw and hull.
    """
    table = pd.read_csv(features)
    sampled, scored = single_split(table, Cell(**cell), seed=seed)
    sampled.to_csv(sample, index=False)
    scored.to_csv(scores, index=False)
    at = {"prevalence": cell["prevalence"], "cost_ratio": cell["cost_ratio"]}
    rows = pd.read_csv(scores)
    evaluate_curves(rows, **at).to_csv(curves, index=False)
    evaluate_measures(rows, **at).to_csv(measures, index=False)
    n_test = scored["row"].nunique()
    models = ", ".join(scored["model"].unique())
    text = "%d of %d rows kept; %s fitted on %d, scored %d"
    log.info(text, len(sampled), len(table), models, len(sampled) - n_test, n_test)


if __name__ == "__main__":
    run(draw_split, snakemake)
