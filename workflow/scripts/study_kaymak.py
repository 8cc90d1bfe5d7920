"""Kaymak et al. (2010) before their experiment: Tables 1-3, and AUK = Gini/2 at p = 1/2."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.table_files import write_table
from study.papers import kaymak
from study.papers.checks import check_table
from study.published import labelled


def study_kaymak(
    *,
    original: Path,
    paper: Path,
    tables1_to_3: list[Path],
    gini: list[Path],
    auk_by_prevalence: list[Path],
    checks: list[Path],
    models: list[str],
) -> None:
    """Write the study's tables, its figure and the checks."""
    cohorts = {"original": pd.read_csv(original), "paper": pd.read_csv(paper)}
    write_table(kaymak.matrices_table(), tables1_to_3, title="Kaymak et al. (2010), Tables 1 to 3")
    areas = kaymak.gini_table(cohorts)
    write_table(
        areas,
        gini,
        title="AUK and Gini/2 of the same curves",
        shown=labelled(areas),
        note="At p = 1/2 the two are equal for any curve; at the data's own prevalence not.",
    )
    with house_style():
        drawn = kaymak.figure_by_prevalence(cohorts["original"], models, "original data")
        save_figure(drawn, auk_by_prevalence)
    write_table(
        check_table("kaymak", kaymak.checks(areas)), checks, title="Kaymak et al. (2010): checks"
    )


if __name__ == "__main__":
    run(study_kaymak)
