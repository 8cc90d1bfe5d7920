"""Baker: the worked example, our models by every measure, and tests of their AUCs."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.table_files import write_table
from study.papers import baker
from study.papers.checks import check_table
from study.published import labelled

CAVEAT = (
    "The tests take the test rows as independent and the fitted models as given: another training "
    "sample would give other models, and that spread is not in these intervals. Models that share "
    "features are not independent of one another either."
)


def study_baker(
    *,
    original: Path,
    paper: Path,
    table: Path,
    matrix: list[Path],
    measures: list[Path],
    auc_tests: list[Path],
    sees_and_misses: list[Path],
    precision_recall: list[Path],
    checks: list[Path],
    models: list[str],
    threshold: baker.Rule,
    group: str,
    prevalences: list[float],
) -> None:
    """Write the study's tables, its figure and the checks."""
    cohorts = {"original": pd.read_csv(original), "paper": pd.read_csv(paper)}
    write_table(baker.matrix_table(), matrix, title="Baker: the worked example")
    by_model = baker.models_table(cohorts, threshold)
    write_table(
        by_model,
        measures,
        title="Our models by Baker's measures",
        shown=labelled(by_model),
        note="The threshold was chosen on the same rows, so the counts flatter every model alike.",
    )
    groups = pd.read_csv(table).set_index("row")[group]
    tests = baker.auc_tests(cohorts["original"], models, groups)
    write_table(
        tests,
        auc_tests,
        shown=labelled(tests),
        title="Tests of the AUC on the original data",
        note=CAVEAT,
    )
    _write_sees_and_misses(cohorts["original"], models[0], prevalences, threshold, sees_and_misses)
    with house_style():
        save_figure(baker.figure_precision_recall(cohorts, models), precision_recall)
    write_table(check_table("baker", baker.checks(by_model)), checks, title="Baker: checks")


def _write_sees_and_misses(
    scores: pd.DataFrame,
    model: str,
    prevalences: list[float],
    threshold: baker.Rule,
    paths: list[Path],
) -> None:
    one = scores[scores["model"] == model]
    table = baker.sees_and_misses(
        one["bad"].to_numpy(dtype=float), one["score"].to_numpy(), prevalences, threshold
    )
    write_table(
        table,
        paths,
        title="What each measure sees and misses as the prevalence changes",
        note=f"Model {model} on the original data: one curve, one threshold, other class sizes.",
    )


if __name__ == "__main__":
    run(study_baker)
