"""ROC and kappa curves of a data set's models, for either positive class, hull or raw."""

from pathlib import Path

from _job import run
from kappacurve.plots.style import LINE_STYLES, house_style, save_figure
from study.data.classes import read_classes, read_named
from study.pages.paper_figures import figure_curves


def draw_dataset(
    *,
    curves: Path,
    measures: Path,
    provenance: Path,
    figure: list[Path],
    side: str,
    curve: str,
) -> None:
    """Write the figure in every format asked for; the first models, if there are many."""
    classes = read_classes(provenance)
    points = read_named(curves)
    with house_style():
        drawn = figure_curves(
            points,
            read_named(measures),
            models=points["model"].unique()[: len(LINE_STYLES)].tolist(),
            positive_class=classes.one if side == "positive" else classes.zero,
            curve=curve,
            of_the_paper=False,
        )
        save_figure(drawn, figure)


if __name__ == "__main__":
    run(draw_dataset)
