"""Figures 1 to 3 of the paper, of the run's own curves, and the AUK by prevalence."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import ONE_COLUMN, house_style, save_figure
from study.data.classes import read_names
from study.figures.paper_figures import curve_figures, figure_dominating


def plot_curves(
    *,
    curves: Path,
    measures: Path,
    tests: Path,
    provenance: Path,
    models: list[str],
    names: dict[str, str] | None,
    dominating: dict[str, Any] | None,
    cost_ratio: float | None,
    of_the_paper: bool,
    figure1: list[Path],
    narrow: list[Path],
    **figures: list[Path],
) -> None:
    """Write every figure (such as figure2_majority); Figure 1 only if it is configured.

    `narrow` are those that a phone shows.
    """
    points = pd.read_csv(curves)
    read = [pd.read_csv(measures), pd.read_csv(tests)]
    words = read_names(provenance, names)
    options: dict[str, Any] = {"models": models, "names": words, "cost_ratio": cost_ratio}
    with house_style():
        if dominating:
            save_figure(figure_dominating(**dominating), figure1)
        for width, files in ((None, figures), (ONE_COLUMN, {path.stem: [path] for path in narrow})):
            drawn = curve_figures(points, *read, of_the_paper=of_the_paper, width=width, **options)
            for name, figure in drawn:
                save_figure(figure, files.get(name, []))


if __name__ == "__main__":
    run(plot_curves, snakemake)
