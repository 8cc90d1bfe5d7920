"""ROC and kappa curves, raw and hull, for both choices of the positive class."""

from pathlib import Path

from _job import run
from study.data.classes import read_classes, read_named
from study.replicates.evaluation import evaluate_curves


def compute_curves(
    *, scores: Path, curves: Path, skew: float | None, provenance: Path | None = None
) -> None:
    """Write model, positive_class, curve, threshold, fpr, tpr, kappa."""
    found = evaluate_curves(read_named(scores), skew=skew, classes=read_classes(provenance))
    found.to_csv(curves, index=False)


if __name__ == "__main__":
    run(compute_curves)
