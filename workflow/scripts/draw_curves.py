"""Figures 1 to 3: two dominating curves, and the models' ROC and kappa curves, hull and raw."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.paper_figures import CURVE_OF_FIGURE, figure_curves, figure_dominating


def draw_curves(
    *,
    curves: Path,
    measures: Path,
    figure1: list[Path],
    models: list[str],
    separations: list[float],
    prevalence: float,
    **figures: list[Path],
) -> None:
    """Write every figure (such as figure2_good) in every format asked for."""
    points, ours = pd.read_csv(curves), pd.read_csv(measures)
    with house_style():
        save_figure(figure_dominating(separations, prevalence), figure1)
        for name, paths in figures.items():
            number, positive_class = name.split("_")
            drawn = figure_curves(
                points,
                ours,
                models=models,
                positive_class=positive_class,
                curve=CURVE_OF_FIGURE[number],
            )
            save_figure(drawn, paths)


if __name__ == "__main__":
    run(draw_curves)
