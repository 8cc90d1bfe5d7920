"""Figures of the paper's numbers: Figure 1, printed areas, prevalences, and a reversing split."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve.plots.style import save_figure
from study.data.classes import read_names
from study.experiment.parquet import read_parquet
from study.figures.curves import choose_splits, figure_dominating, figure_reversing_split
from study.figures.prevalences import figure_prevalences
from study.figures.replicates import figure_published
from study.figures.style import document_style, to_inches


def plot_paper(
    *,
    tables: list[str],
    prevalences: str,
    measures: list[str],
    scores: list[str],
    provenance: str,
    figure1: dict[str, Any],
    names: dict[str, str] | None,
    document: dict[str, Any],
    files: list[Path],
) -> None:
    """Write the four figures."""
    table4, table5 = map(pd.read_csv, tables)
    own = read_parquet(measures)
    chosen = list(choose_splits(own).values())
    shown = read_parquet(scores, filters=[("replicate", "in", chosen)])
    width = to_inches(document["width"])
    with document_style(document["font"]):
        classes = read_names(Path(provenance), names)
        figures = {
            "figure1": figure_dominating(**figure1, width=width),
            "published": figure_published(table4, table5, classes, width=width),
            "prevalences": figure_prevalences(pd.read_csv(prevalences), width=width),
            "reversing_split": figure_reversing_split(own, shown, width=width),
        }
        for name, figure in figures.items():
            save_figure(figure, [path for path in files if path.stem == name])


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
            document=snakemake.params.document,
            files=[Path(path) for path in snakemake.output],
        )
