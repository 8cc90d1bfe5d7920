"""Figures 1 to 3 of the paper, or of a data set; of a data set also its AUK by prevalence."""

from pathlib import Path
from typing import Any

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.data.classes import read_classes, read_named
from study.pages.paper_figures import (
    CURVE_OF_FIGURE,
    figure_auk_by_prevalence,
    figure_curves,
    figure_dominating,
)


def draw_curves(
    *,
    curves: Path,
    measures: Path,
    provenance: Path | None = None,
    models: list[str] | None = None,
    dominating: dict[str, Any] | None = None,
    cost_ratio: float | None = None,
    **figures: list[Path],
) -> None:
    """Write every figure (such as figure2_majority); of all models, if none are named."""
    classes = read_classes(provenance)
    points, ours = read_named(curves), read_named(measures)
    scored = points["model"].unique().tolist()  # without those that could not be fitted
    models = [name for name in models or scored if name in scored]
    with house_style():
        for name, paths in figures.items():
            if name == "figure1":
                drawn = figure_dominating(**dominating or {})
            elif name == "auk_by_prevalence":
                drawn = figure_auk_by_prevalence(points, models, classes.one, cost_ratio)
            else:
                # The paper's, by number and positive class; else the user's curves.
                number, side = name.split("_") if provenance is None else ("", classes.one)
                other = cost_ratio and 1 / cost_ratio
                drawn = figure_curves(
                    points,
                    ours,
                    models=models,
                    positive_class=side,
                    curve=CURVE_OF_FIGURE.get(number, "raw"),
                    cost_ratio=cost_ratio if side == classes.one else other,
                    of_the_paper=provenance is None and cost_ratio is None,
                )
            save_figure(drawn, paths)


if __name__ == "__main__":
    run(draw_curves, snakemake)
