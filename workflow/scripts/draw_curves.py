"""Figures 2 (convex) and 3 (non-convex): ROC and kappa curves of the models."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.paper_figures import figure_curves


def draw_curves(
    *,
    curves: Path,
    measures: Path,
    figure: list[Path],
    models: list[str],
    positive_class: str,
    curve: str,
) -> None:
    """Write the figure in every format asked for."""
    with house_style():
        drawn = figure_curves(
            pd.read_csv(curves),
            pd.read_csv(measures),
            models=models,
            positive_class=positive_class,
            curve=curve,
        )
        save_figure(drawn, figure)


if __name__ == "__main__":
    run(draw_curves)
