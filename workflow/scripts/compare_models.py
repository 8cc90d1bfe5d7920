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
    seed: int,
    prevalence: float | None,
    n_resamples: int,
    **outputs: list[Path],
) -> None:
    """Write each table in every format asked for."""
    rows, ours, classes = read_named(scores), read_named(measures), read_classes(provenance)
    measured = interval_table(
        rows, classes, seed=seed, prevalence=prevalence, n_resamples=n_resamples
    )
    tested = paired_tests(rows, classes, prevalence=prevalence)
    for name, table, title in (
        ("intervals", measured, "Measures with 95 % intervals over test rows"),
        ("ranks", rankings(ours), "Measures and ranks (1 is best)"),
        ("tests", tested, "Paired tests of every two models"),
        ("bounds", bounds_table(ours), "The AUKs that each AUC allows (hulls)"),
    ):
        write_table(table, outputs[name], title=title)


if __name__ == "__main__":
    run(compare_models)
