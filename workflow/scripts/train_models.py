"""Split a cohort, fit every model on the training rows, keep the scores of the test rows."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.data.classes import GERMAN_CREDIT
from study.models.registry import Scaling
from study.models.training import train_and_score
from study.replicates.sampling import replicate_seeds, split_rows, training_rows


def train_models(
    *,
    features: Path,
    sample: Path,
    scores: Path,
    seed: int,
    n_train: float,
    stratify: bool,
    scaling: Scaling,
    models: dict[str, dict[str, Any]],
    column: str = GERMAN_CREDIT.column,
) -> None:
    """Write row, bad, model, score (higher = more likely bad)."""
    kept = pd.read_csv(sample)[["row"]].merge(pd.read_csv(features), on="row", how="left")
    seeds = replicate_seeds(seed, 0)
    rows = training_rows(n_train, len(kept))
    split = split_rows(kept[column], rows, seeds.split, stratify=stratify)
    table = train_and_score(kept, split, models, seed=seeds.models, scaling=scaling, column=column)
    table.to_csv(scores, index=False)


if __name__ == "__main__":
    run(train_models)
