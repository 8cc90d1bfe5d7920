"""All models compared on the test rows of the split shown: intervals, tests, and a report."""

import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.data.classes import PART_COLUMN
from study.tables import comparison
from study.tables.files import write_table

log = logging.getLogger(__name__)


def compare_models(
    *,
    scores: Path,
    sample: Path,
    features: Path,
    seed: int,
    prevalence: float | None,
    cost_ratio: float | None,
    models: dict[str, dict[str, Any]],
    at: list[str],
    grouped: bool,
    intervals: Path,
    tests: Path,
    report: Path,
    n_resamples: int | None = None,
) -> None:
    """Write intervals, tests and all that the library says of this comparison.

    A model whose training rows were resampled has learned from as many of either class; without a
    stated prevalence the others' probabilities stay as they are.
    """
    rows = pd.read_csv(scores)
    groups = pd.read_csv(features).set_index("row")[PART_COLUMN] if grouped else None
    split = pd.read_csv(sample)
    train = split.loc[~split["row"].isin(rows["row"]), "minority"]
    trained_at = {
        name: 0.5 if models[name].get("resampling") else train.mean()
        for name in rows["model"].unique()
        if prevalence is not None or models[name].get("resampling")
    }
    options: dict[str, Any] = {"seed": seed, "prevalence": prevalence, "cost_ratio": cost_ratio}
    options |= {"trained_at": trained_at, "n_resamples": n_resamples, "groups": groups}
    missed = ""
    try:
        result = comparison.compare_models(rows, at=at, **options)
    except ValueError as error:  # no threshold of a model may meet a constraint
        result = comparison.compare_models(rows, **options)
        missed = f"\nNot compared at {', '.join(at)}: {error}\n"
        log.warning("config key experiment.at: %s", error)
    write_table(comparison.interval_table(result), intervals)
    write_table(comparison.test_table(result), tests)
    report.write_text(f"{result}\n{missed}", encoding="utf-8")


if __name__ == "__main__":
    run(compare_models, snakemake)
