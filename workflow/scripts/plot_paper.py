"""The figures of the verdict: possible prevalences, and a split that reverses the ranking."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.figures.prevalences import figure_prevalences
from study.figures.reversing_split import choose_splits, figure_reversing_split
from study.parquet import read_parquet


def plot_paper(
    *,
    prevalences: Path,
    measures: list[Path],
    scores: list[Path],
    prevalences_figure: list[Path],
    reversing_split: list[Path],
) -> None:
    """Draw both figures."""
    own = read_parquet(measures)
    chosen = list(choose_splits(own).values())
    shown = read_parquet(scores, filters=[("replicate", "in", chosen)])
    with house_style():
        save_figure(figure_prevalences(pd.read_csv(prevalences)), prevalences_figure)
        save_figure(figure_reversing_split(own, shown), reversing_split)


if __name__ == "__main__":
    run(plot_paper, snakemake)
