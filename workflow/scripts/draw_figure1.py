"""Figure 1: two ROC curves, one dominating the other, and their kappa curves."""

from pathlib import Path

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.paper_figures import figure_dominating


def draw_figure1(*, figure: list[Path], separations: list[float], prevalence: float) -> None:
    """Write the figure in every format asked for."""
    with house_style():
        save_figure(figure_dominating(separations, prevalence), figure)


if __name__ == "__main__":
    run(draw_figure1)
