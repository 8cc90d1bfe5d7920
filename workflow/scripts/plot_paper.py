"""Figures of the paper's numbers: Figure 1, printed areas, prevalences, and a reversing split."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.data.classes import read_names
from study.experiment.files import read_parquet
from study.figures.curves import figure_dominating, figure_reversing_split
from study.figures.prevalences import figure_prevalences
from study.figures.replicates import figure_printed
from study.figures.style import document_column, save_figures
from study.tables.reversals import choose_splits


def plot_paper(
    *,
    tables: list[str],
    prevalences: str,
    measures: list[str],
    scores: list[str],
    provenance: str,
    figure1: dict[str, Any],
    names: dict[str, str] | None,
    prevalence: float | None,
    cost_ratio: float | None,
    document: dict[str, Any],
    files: list[str],
) -> None:
    """Write the four figures."""
    table4, table5 = map(pd.read_csv, tables)
    replicates = read_parquet(measures)
    chosen = list(choose_splits(replicates).values())
    shown = read_parquet(scores, filters=[("replicate", "in", chosen)])
    classes = read_names(Path(provenance), names)
    with document_column(document) as width:
        figures = {
            "figure1": figure_dominating(**figure1, width=width),
            "printed": figure_printed(table4, table5, classes, width=width),
            "prevalences": figure_prevalences(pd.read_csv(prevalences), classes, width=width),
            "reversing_split": figure_reversing_split(
                replicates,
                shown,
                width=width,
                prevalence=prevalence,
                cost_ratio=cost_ratio,
            ),
        }
        save_figures(figures, files)


if __name__ == "__main__":
    with job(snakemake):
        plot_paper(
            tables=snakemake.input.tables,
            prevalences=snakemake.input.prevalences,
            measures=snakemake.input.measures,
            scores=snakemake.input.scores,
            provenance=snakemake.input.provenance,
            figure1=snakemake.params.figure1,
            names=snakemake.params.names,
            prevalence=snakemake.params.prevalence,
            cost_ratio=snakemake.params.cost_ratio,
            document=snakemake.params.document,
            files=snakemake.output,
        )
