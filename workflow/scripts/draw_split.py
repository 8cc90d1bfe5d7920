"""One split, replicate 0 of its cell: the rows kept, the test rows' scores, curves, measures."""

import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.data.classes import read_classes, read_named
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
    provenance: Path | None = None,
) -> None:
    """Write row, minority of the sample; row, minority, model, score (higher = more likely minority); and these
    scores' curves and measures, for both choices of the positive class, raw and hull.
    """
    table, classes = pd.read_csv(features), read_classes(provenance)
    kept, scored = single_split(table, Cell(**cell, classes=classes), seed=seed)
    kept.to_csv(sample, index=False)
    scored.to_csv(scores, index=False)
    chosen: Any = {"prevalence": cell["prevalence"], "classes": classes}
    chosen["cost_ratio"] = cell.get("cost_ratio")
    rows = read_named(scores)
    evaluate_curves(rows, **chosen).to_csv(curves, index=False)
    evaluate_measures(rows, **chosen).to_csv(measures, index=False)
    n_test = scored["row"].nunique()
    log.info(
        "%d of %d rows kept; %s fitted on %d, scored %d",
        *(len(kept), len(table), ", ".join(scored["model"].unique()), len(kept) - n_test, n_test),
    )


if __name__ == "__main__":
    run(draw_split, snakemake)
