"""The prevalences that each published pair and the operating point allow."""

from pathlib import Path

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.forensics_figure import figure_prevalence


def draw_forensics(*, figure: list[Path]) -> None:
    """Write the figure in every format asked for."""
    with house_style():
        save_figure(figure_prevalence(), figure)


if __name__ == "__main__":
    run(draw_forensics)
