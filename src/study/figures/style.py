"""What the study's figures have in common: widths and letters of the document, stars and notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from kappacurve.plots.style import (
    LINE_STYLES,
    LineStyle,
    house_style,
    line_style,
    save_figure,
)
from study.printed import MODEL_LABELS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNITS = {"pt": 72.27, "mm": 25.4, "cm": 2.54, "in": 1.0}  # in an inch; a point is LaTeX's
GUTTER = 10 / 72.27  # inches between two columns
LETTERS = 8  # points, of all letters but notes in panels
SMALL = 7
LINE = 0.16  # inches of a line in a legend
SIZES: tuple[Any, ...] = ("font.size", "axes.labelsize", "axes.titlesize", "legend.fontsize")
SIZES += ("xtick.labelsize", "ytick.labelsize")
FONTS: dict[str, dict[Any, Any]] = {
    "sans": {},
    "serif": {"font.family": "serif", "mathtext.fontset": "dejavuserif"},
}
GREY = "0.35"
# A printed value.
STAR: dict[str, Any] = {"marker": "*", "linestyle": "none", "color": "white", "mec": "black"}
STAR |= {"mew": 0.8, "markersize": 9, "zorder": 4}
# Classes have other colours (after Tol), so that none is taken for a model; contrast as text: 4.5.
CLASS_STYLES = {
    "majority": LineStyle("#24786B", "-", "o"),
    "minority": LineStyle("#882255", (0, (5, 1.5)), "s"),
}
NEUTRAL = LineStyle("0.3", "-", "o")


def inches_of(width: str) -> float:
    """The inches of a width such as 229pt."""
    return float(width[:-2]) / UNITS[width[-2:]]


def both_columns(width: float) -> float:
    """The width of two columns and what is between them."""
    return 2 * width + GUTTER


@contextmanager
def document_column(document: dict[str, str]) -> Iterator[float]:
    """Draw and save figures with a document's letters; yields the inches of its column's width.

    Its font is sans or serif, its width such as 229pt.
    """
    from matplotlib import rcParams  # a job that needs a width alone does without

    with house_style():
        rcParams.update(FONTS[document["font"]] | dict.fromkeys(SIZES, LETTERS))
        yield inches_of(document["width"])


def save_figures(figures: dict[str, Figure], files: Iterable[str]) -> None:
    """Save each figure in the files that have its name."""
    paths = [Path(file) for file in files]
    for name, figure in figures.items():
        save_figure(figure, [path for path in paths if path.stem == name])


def finish_panels(figure: Figure) -> Figure:
    """Letter the panels if there are several, and set the font of tick labels drawn later."""
    from matplotlib import rcParams

    panels = [axes for axes in figure.axes if axes.axison]
    for axes, letter in zip(panels, ascii_lowercase, strict=False):
        axes.tick_params(labelfontfamily=rcParams["font.family"][0])
        if len(panels) > 1:
            axes.set_title(f"({letter})", loc="left", fontweight="bold")
    return figure


def choose_styles(models: Iterable[str]) -> dict[str, LineStyle]:
    """A style for each model: a built-in one has its own, the user's have those that are left."""
    built_in = dict(zip(MODEL_LABELS, LINE_STYLES, strict=False))
    names = list(dict.fromkeys(models))
    styles = {name: built_in[name] for name in names if name in built_in}
    free = (style for style in map(line_style, count()) if style not in styles.values())
    return {name: styles.get(name) or next(free) for name in names}


def draw_intervals(
    axes: Any, at: Any, values: Any, style: LineStyle, *, sideways: bool = False, **look: Any
) -> None:
    """Points, the first column, with what lies between the second and the third."""
    middle, low, high = values.to_numpy(dtype=float).T
    spread = [middle - low, high - middle]
    places = (middle, at, None, spread) if sideways else (at, middle, spread)
    look = {"color": style.color, "marker": style.marker, "markersize": 4, **look}
    axes.errorbar(*places, linestyle="none", elinewidth=1, **look)
