"""Figures of a data set: ROC and kappa curves for either positive class, and AUK by prevalence."""

from pathlib import Path

from _job import run
from kappacurve.plots.style import LINE_STYLES, house_style, save_figure
from study.data.classes import read_classes, read_named
from study.pages.paper_figures import CURVE_OF_FIGURE, figure_auk_by_prevalence, figure_curves


def draw_dataset(
    *,
    curves: Path,
    measures: Path,
    provenance: Path,
    auk_by_prevalence: list[Path],
    **figures: list[Path],
) -> None:
    """Write every figure (such as figure2_positive); of the first models, if there are many."""
    classes = read_classes(provenance)
    points, ours = read_named(curves), read_named(measures)
    models = points["model"].unique()[: len(LINE_STYLES)].tolist()
    with house_style():
        drawn = figure_auk_by_prevalence(points, models, (classes.one, classes.zero))
        save_figure(drawn, auk_by_prevalence)
        for name, paths in figures.items():
            number, side = name.split("_")
            drawn = figure_curves(
                points,
                ours,
                models=models,
                positive_class=classes.one if side == "positive" else classes.zero,
                curve=CURVE_OF_FIGURE[number],
                of_the_paper=False,
            )
            save_figure(drawn, paths)


if __name__ == "__main__":
    run(draw_dataset)
