"""The figures of the verdict: possible prevalences, and a split that reverses the ranking."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.figures.marks import set_letters
from study.figures.prevalences import figure_prevalences
from study.figures.reversing_split import choose_splits, figure_reversing_split
from study.parquet import read_parquet
from study.settings.config import inches


def plot_paper(
    *,
    prevalences: Path,
    measures: list[Path],
    scores: list[Path],
    prevalences_figure: list[Path],
    reversing_split: list[Path],
    document: dict[str, str],
) -> None:
    """Draw both figures."""
    own = read_parquet(measures)
    chosen = list(choose_splits(own).values())
    shown = read_parquet(scores, filters=[("replicate", "in", chosen)])
    width = inches(document["width"])
    with house_style():
        save_figure(
            set_letters(figure_prevalences(pd.read_csv(prevalences), width), document["font"]),
            prevalences_figure,
        )
        save_figure(
            set_letters(figure_reversing_split(own, shown, width), document["font"]),
            reversing_split,
        )


if __name__ == "__main__":
    run(plot_paper, snakemake)
