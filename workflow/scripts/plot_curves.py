"""Figures 1 to 3 of the paper, of the run's own curves, and the AUK by prevalence."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.data.classes import CLASSES, read_names
from study.figures.paper_figures import (
    CURVE_OF_FIGURE,
    figure_auk_by_prevalence,
    figure_curves,
    figure_dominating,
)


def plot_curves(
    *,
    curves: Path,
    measures: Path,
    provenance: Path,
    models: list[str],
    dominating: dict[str, Any] | None,
    cost_ratio: float | None,
    of_the_paper: bool,
    auk_by_prevalence: list[Path],
    figure1: list[Path],
    **figures: list[Path],
) -> None:
    """Write every figure (such as figure2_majority); Figure 1 only if it is configured."""
    names, points, ours = read_names(provenance), pd.read_csv(curves), pd.read_csv(measures)
    scored = set(points["model"])  # without those that could not be fitted
    shown = [name for name in models if name in scored]
    of_side = {"minority": cost_ratio, "majority": cost_ratio and 1 / cost_ratio}
    with house_style():
        if dominating:
            save_figure(figure_dominating(**dominating), figure1)
        by_prevalence = figure_auk_by_prevalence(points, shown, names["minority"], cost_ratio)
        save_figure(by_prevalence, auk_by_prevalence)
        for number, curve in CURVE_OF_FIGURE.items():
            for side in CLASSES:
                drawn = figure_curves(
                    points,
                    ours,
                    models=shown,
                    positive_class=side,
                    name=names[side],
                    curve=curve,
                    cost_ratio=of_side[side],
                    of_the_paper=of_the_paper and cost_ratio is None,
                )
                save_figure(drawn, figures[f"{number}_{side}"])


if __name__ == "__main__":
    run(plot_curves, snakemake)
