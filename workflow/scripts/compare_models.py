"""Tables of a data set: measures with intervals, ranks, pairwise tests, and the AUK's bounds."""

from pathlib import Path

from _job import run
from study.analysis.comparison import bounds_table, interval_table, paired_tests
from study.data.classes import read_classes, read_named
from study.pages.table_files import write_table
from study.published import labelled, rankings


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
    tables = {
        "Measures with 95 % intervals over test rows": (
            interval_table(
                rows, classes, seed=seed, prevalence=prevalence, n_resamples=n_resamples
            ),
            intervals,
        ),
        "Measures and ranks (1 is best)": (rankings(ours), ranks),
        "Paired tests of every two models": (
            paired_tests(rows, classes, prevalence=prevalence),
            tests,
        ),
        "The AUKs that each AUC allows (hulls)": (bounds_table(ours), bounds),
    }
    for title, (table, paths) in tables.items():
        write_table(table, paths, title=title, shown=labelled(table))


if __name__ == "__main__":
    run(compare_models)
