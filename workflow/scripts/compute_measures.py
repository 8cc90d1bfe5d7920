"""AUC, AUK, H, KS and the largest kappa of every model, positive class and curve."""

from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.experiment.evaluation import evaluate_measures


def compute_measures(*, scores: Path, measures: Path, skew: float | None) -> None:
    """Write one row for each model, positive class and curve."""
    evaluate_measures(pd.read_csv(scores), skew=skew).to_csv(measures, index=False)


if __name__ == "__main__":
    run(compute_measures)
