"""AUC, AUK, H, KS and the largest kappa of every model, positive class and curve."""

from pathlib import Path

from _job import run
from study.data.classes import read_classes, read_named
from study.replicates.evaluation import evaluate_measures


def compute_measures(
    *, scores: Path, measures: Path, skew: float | None, provenance: Path | None = None
) -> None:
    """Write one row for each model, positive class and curve."""
    found = evaluate_measures(read_named(scores), skew=skew, classes=read_classes(provenance))
    found.to_csv(measures, index=False)


if __name__ == "__main__":
    run(compute_measures)
