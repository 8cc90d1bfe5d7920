"""Figures 1 to 3 of the paper, of the run's own curves."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.figures.curves import curve_figures, figure_dominating
from study.figures.marks import set_letters
from study.settings.config import inches


def plot_curves(
    *,
    curves: Path,
    measures: Path,
    models: list[str],
    dominating: dict[str, Any] | None,
    cost_ratio: float | None,
    of_the_paper: bool,
    document: dict[str, str],
    figure1: list[Path],
    **figures: list[Path],
) -> None:
    """Write every figure (such as figure2_majority); Figure 1 only if it is configured."""
    tables = pd.read_csv(curves), pd.read_csv(measures)
    options: dict[str, Any] = {"models": models, "cost_ratio": cost_ratio}
    width = inches(document["width"])
    with house_style():
        if dominating:
            save_figure(
                set_letters(figure_dominating(**dominating, width=width), document["font"]), figure1
            )
        for name, figure in curve_figures(
            *tables, of_the_paper=of_the_paper, width=width, **options
        ):
            save_figure(set_letters(figure, document["font"]), figures[name])


if __name__ == "__main__":
    run(plot_curves, snakemake)
