"""Silipo & Widmann: a tree on 10 % bad, with and without SMOTE, and kappa against prevalence."""

from pathlib import Path

import numpy as np
import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.table_files import write_table
from study.papers import silipo, silipo_prevalence
from study.papers.agreement import Matrix
from study.papers.checks import check_table

LEAK = (
    "before_split: rows are drawn with replacement and then split, so copies of a row stand on "
    "both sides. after_split: the rows are divided first, so none does."
)


def study_silipo(
    *,
    features: Path,
    printed: list[Path],
    replicates: list[Path],
    summary: list[Path],
    leak: list[Path],
    by_prevalence: list[Path],
    kappa_by_prevalence: list[Path],
    checks: list[Path],
    seed: int,
    n_replicates: int,
    n_rows: int,
    share_bad: float,
    train_share: float,
    neighbors: int,
    min_rows_per_leaf: int,
    n_levels: int,
    n_test_sets: int,
) -> None:
    """Write the study's tables, its figure and the checks."""
    sizes = silipo.Sizes(n_rows, share_bad, train_share)
    found = silipo.replicate(
        pd.read_csv(features),
        replicates=n_replicates,
        seed=seed,
        neighbors=neighbors,
        min_rows_per_leaf=min_rows_per_leaf,
        sizes=sizes,
    )
    leaks = silipo.leak_table(found, sizes)
    write_table(silipo.printed_table(), printed, title="Silipo & Widmann: the printed matrices")
    write_table(found, replicates, title="Silipo & Widmann: every replicate", note=LEAK)
    title = "Silipo & Widmann: printed, one split of ours, and all replicates"
    write_table(silipo.summary(found), summary, title=title, note=LEAK)
    write_table(leaks, leak, title="Share of test rows that were also trained on", note=LEAK)
    levels = np.linspace(0.05, 0.95, n_levels).tolist()
    _by_prevalence(found, levels, n_test_sets, seed, by_prevalence, kappa_by_prevalence)
    tested = check_table("silipo", silipo.checks(leaks, replicates=n_replicates))
    write_table(tested, checks, title="Silipo & Widmann: checks")


def _by_prevalence(
    found: pd.DataFrame,
    levels: list[float],
    n_test_sets: int,
    seed: int,
    table: list[Path],
    figure: list[Path],
) -> None:
    """The printed matrices, and those of all our replicates without leak."""
    without_leak = found[found["draw"] == "after_split"]
    matrices = {
        "printed": {model: [one.matrix] for model, one in silipo.PRINTED.items()},
        "ours": {
            str(model): [Matrix(*counts) for counts in one[list(Matrix._fields)].to_numpy(float)]
            for model, one in without_leak.groupby("model", sort=False)
        },
    }
    curves = {
        source: silipo_prevalence.kappa_by_prevalence(
            own, levels=levels, n_sets=n_test_sets, seed=seed
        )
        for source, own in matrices.items()
    }
    both = pd.concat([one.assign(source=source) for source, one in curves.items()])
    write_table(both, table, title="Silipo & Widmann: kappa against prevalence")
    with house_style():
        save_figure(
            silipo_prevalence.figure_by_prevalence(curves["printed"], curves["ours"]), figure
        )


if __name__ == "__main__":
    run(study_silipo)
