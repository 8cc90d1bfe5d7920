"""Tables of a data set: measures with intervals, ranks, pairwise tests, and the AUK's bounds."""

from pathlib import Path

from _job import run
from study.analysis.comparison import bounds_table, interval_table, paired_tests
from study.data.classes import read_classes, read_named
from study.pages.table_files import write_table
from study.published import rankings


def compare_models(
    *,
    scores: Path,
    measures: Path,
    provenance: Path,
    intervals: list[Path],
    ranks: list[Path],
    tests: list[Path],
    bounds: list[Path],
    seed: int,
    prevalence: float | None,
    n_resamples: int,
) -> None:
    """Write each table in every format asked for."""
    rows, ours = read_named(scores), read_named(measures)
    classes = read_classes(provenance)
    table = interval_table(rows, classes, seed=seed, prevalence=prevalence, n_resamples=n_resamples)
    write_table(table, intervals, title="Measures with 95 % intervals over test rows")
    write_table(rankings(ours), ranks, title="Measures and ranks (1 is best)")
    table = paired_tests(rows, classes, prevalence=prevalence)
    write_table(table, tests, title="Paired tests of every two models")
    write_table(bounds_table(ours), bounds, title="The AUKs that each AUC allows (hulls)")


if __name__ == "__main__":
    run(compare_models)
