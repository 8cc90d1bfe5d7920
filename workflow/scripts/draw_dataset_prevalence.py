"""The AUK of a data set's models as the prevalence changes, for either positive class."""

from pathlib import Path

from _job import run
from kappacurve.plots.style import LINE_STYLES, house_style, save_figure
from study.data.classes import read_classes, read_named
from study.pages.paper_figures import figure_auk_by_prevalence


def draw_dataset_prevalence(*, curves: Path, provenance: Path, figure: list[Path]) -> None:
    """Write the figure in every format asked for; the first models, if there are many."""
    classes = read_classes(provenance)
    points = read_named(curves)
    models = points["model"].unique()[: len(LINE_STYLES)].tolist()
    with house_style():
        drawn = figure_auk_by_prevalence(points, models, (classes.one, classes.zero))
        save_figure(drawn, figure)


if __name__ == "__main__":
    run(draw_dataset_prevalence)
