"""Curves and measures of every model, for both choices of the positive class, raw and hull."""

from pathlib import Path

from _job import run
from study.data.classes import read_classes, read_named
from study.replicates.evaluation import evaluate_curves, evaluate_measures


def measure_scores(
    *,
    scores: Path,
    curves: Path,
    measures: Path,
    prevalence: float | None,
    provenance: Path | None = None,
) -> None:
    """Write the vertices of each curve, and one row of measures for each curve."""
    rows, classes = read_named(scores), read_classes(provenance)
    evaluate_curves(rows, prevalence=prevalence, classes=classes).to_csv(curves, index=False)
    evaluate_measures(rows, prevalence=prevalence, classes=classes).to_csv(measures, index=False)


if __name__ == "__main__":
    run(measure_scores)
