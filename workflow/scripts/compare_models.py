"""Tables of a data set: measures, ranks, tests, thresholds and bounds, and the answer in words."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.analysis import comparison
from study.data.classes import PART_COLUMN, read_classes, read_named
from study.models.registry import score_scale
from study.pages.table_files import write_table
from study.published import rankings


def _ranks(measures: pd.DataFrame, side: str) -> pd.DataFrame:
    own = (measures["positive_class"] == side) & (measures["curve"] == "raw")
    return rankings(measures[own]).drop(columns=["positive_class", "curve"])


def compare_models(
    *,
    scores: Path,
    measures: Path,
    provenance: Path,
    seed: int,
    prevalence: float | None,
    cost_ratio: float | None,
    models: dict[str, dict[str, Any]],
    answer: Path,
    sample: Path,
    features: Path,
    grouped: bool = False,
    n_resamples: int | None = None,
    **outputs: list[Path],
) -> None:
    """Write each table in every format asked for, and the answer.

    The models are those that were trained, on the rows of the sample that have no score.
    """
    rows, ours, classes = read_named(scores), read_named(measures), read_classes(provenance)
    groups = pd.read_csv(features).set_index("row")[PART_COLUMN] if grouped else None
    result = comparison.compare_models(
        rows,
        classes,
        seed=seed,
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        n_resamples=n_resamples,
        groups=groups,
    )
    scales = {name: score_scale(name, settings) for name, settings in models.items()}
    thresholds = comparison.threshold_table(result, scales)
    for name, table, title in (
        ("intervals", comparison.interval_table(result), "Measures with 95 % intervals"),
        ("ranks", _ranks(ours, classes.one), "Measures and ranks (1 is best)"),
        ("tests", comparison.test_table(result), "Paired tests of every two models"),
        ("thresholds", thresholds, "Thresholds and what follows"),
        (
            "bounds",
            comparison.bounds_table(ours, classes.one, cost_ratio),
            "The AUKs that each AUC allows (hulls)",
        ),
    ):
        write_table(table, outputs[name], title=title)
    train = pd.read_csv(sample)
    train = train[~train["row"].isin(rows["row"])]
    ones = int(train[classes.column].sum())
    said = comparison.answer(result, classes.one, thresholds, len(train), ones)
    pd.DataFrame({"sentence": said}).to_csv(answer, index=False)


if __name__ == "__main__":
    run(compare_models, snakemake)
