"""One look for all figures: sizes, fonts, a palette that survives grey printing, fixed bytes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kappacurve._validation import printable, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ONE_COLUMN = 3.4  # inches, of a two-column page
TWO_COLUMNS = 7.0

RC: dict[Any, Any] = {
    "font.family": "sans-serif",
    # The first ships with matplotlib, so every machine draws the same; the others are for the
    # readers of an svg, whose text stays text.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,  # embed the fonts as TrueType: text stays text
    "svg.fonttype": "none",
    "svg.hashsalt": "kappacurve",
}


class LineStyle(NamedTuple):
    """Colour, dashes and marker of one model: any one of the three tells it from the others."""

    color: str
    linestyle: str | tuple[int, tuple[float, ...]]
    marker: str


# Okabe & Ito's colours, ordered so that neighbours also differ in lightness; the last two darker,
# so that each has a contrast of 3 to white, as the others below.
LINE_STYLES = (
    LineStyle("#0072B2", "-", "o"),
    LineStyle("#D55E00", (0, (5, 1.5)), "s"),
    LineStyle("#009E73", (0, (3, 1.2, 1, 1.2)), "^"),
    LineStyle("#CC79A7", (0, (1, 1)), "D"),
    LineStyle("#3A93CC", (0, (7, 1.5, 1, 1.5, 1, 1.5)), "v"),
    LineStyle("#B37B00", (0, (2, 2)), "P"),
)
# Of classes other colours (after Tol), so that none is taken for a model's; read as text: 4.5.
CLASS_STYLES = {
    "negative": LineStyle("#24786B", "-", "o"),
    "positive": LineStyle("#882255", (0, (5, 1.5)), "s"),
}


def line_style(i: int) -> LineStyle:
    """Style of the i-th model; up to 36 models differ from each other."""
    n = len(LINE_STYLES)
    return LINE_STYLES[(i + i // n) % n]._replace(color=LINE_STYLES[i % n].color)


def line_styles(curves: Any) -> list[LineStyle]:
    """A style for each, all different."""
    if not 1 <= len(curves) <= len(LINE_STYLES) ** 2:
        raise ValueError(
            f"one to {len(LINE_STYLES) ** 2} can be told apart in a figure, got {len(curves)}."
        )
    return [line_style(i) for i in range(len(curves))]


REFERENCE: dict[str, Any] = {
    "color": "0.55",
    "linewidth": 0.7,
    "linestyle": (0, (2, 2)),
    "zorder": 0,
}


@contextmanager
def house_style(ax: Axes | None = None) -> Iterator[None]:
    """Draw what is inside the block in the project's style.

    A matplotlibrc and earlier settings are ignored, so that a figure is the same for everyone; on
    the caller's own axes they stay, with the style on top.
    """
    import matplotlib as mpl

    with mpl.rc_context():
        if ax is None:
            mpl.rcdefaults()  # leaves the backend as it is
        mpl.rcParams.update(RC)
        yield


def axes_or_new(ax: Axes | None) -> Any:
    """The given axes, or those of a new figure one column wide."""
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    return plt.subplots(figsize=(ONE_COLUMN, ONE_COLUMN))[1]


def line_looks(usual: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> dict[str, Any]:
    """The usual looks of a line; the caller's win, by matplotlib's long or short names."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return {**usual, **normalize_kwargs(dict(wanted or {}), Line2D)}


def line_options(ax: Axes, wanted: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Style of the next curve on the axes, and its marker; the caller's looks win."""
    drawn = {line.get_color() for line in ax.get_lines() if line.get_label() != "_maximum"}
    free = [style for style in LINE_STYLES if style.color not in drawn]
    style = (free or LINE_STYLES)[0]
    looks = line_looks(style._asdict(), wanted)
    return looks, looks.pop("marker")


def is_stepped(fpr: Any, tpr: Any) -> bool:
    """Whether a curve has so many steps that dashes would be lost in them: it is drawn solid."""
    steps = (np.diff(fpr) == 0) | (np.diff(tpr) == 0)
    return bool(len(steps) > 20 and steps.mean() > 0.5)


def spot(color: Any, marker: str) -> dict[str, Any]:
    """Style of the mark of a largest kappa."""
    return {"color": color, "label": "_maximum", **only_in_legend(marker), "markevery": None}


def only_in_legend(marker: str) -> dict[str, Any]:
    """A line's mark beside its name, so that solid lines too differ in more than colour."""
    return {"marker": marker, "markersize": 5, "markeredgecolor": "white", "markevery": []}


def cost_text(cost: Any) -> str:
    """A cost share, or "balanced", in the name of an axis."""
    return cost if isinstance(cost, str) else f"{cost:.3g}"


def legend_text(name: str | None, measure: str, value: float | list[float]) -> str:
    """Name of the curve, if it has one, and its measure: of folds the mean and deviation."""
    text = f"{measure} {np.mean(value):.3f}"
    text += f" \N{PLUS-MINUS SIGN} {np.std(value):.3f}" if np.ndim(value) else ""
    return text if name is None else f"{in_figure(name)}, {text}"


def in_figure(name: str) -> str:
    """A name in a legend, where matplotlib reads formulas in $ and leaves out what begins by _."""
    text = shown(name).replace("$", r"\$")
    return f"'{text}'" if text.startswith("_") else text


def letter(axes: Any, text: str) -> None:
    """Put a panel letter above the upper left corner."""
    axes.set_title(f"({text})", loc="left", fontweight="bold")


def headline(figure: Figure, sentence: str, about: str) -> None:
    """Put a sentence above the panels and, in grey, the data and what bars and marks are.

    The figure grows by what they need. :func:`save_figure` writes them into an svg for those who
    cannot see it, too.
    """
    width, height = figure.get_size_inches()
    small = RC["legend.fontsize"]
    # Of each text the letters that fit an inch, the inches of a line, and the look.
    kinds: list[tuple[str, str, float, float, dict[str, Any]]] = [
        ("sentence", sentence, 13, 0.165, {"weight": "bold", "size": 9}),
        ("about", about, 129.5 / small, 0.13 * small / 7, {"color": "0.3", "size": small}),
    ]
    texts = [
        textwrap.wrap(printable(text).replace(" %", "\N{NO-BREAK SPACE}%"), int(fit * width))
        for _, text, fit, *_ in kinds
    ]
    tall = [len(text) * kind[3] for text, kind in zip(texts, kinds, strict=True)]
    grown = height + 0.12 + sum(tall)
    figure.set_size_inches(width, grown)
    figure.set_layout_engine("constrained", rect=(0, 0, 1, height / grown))
    top = grown - 0.03
    for (name, *_, look), text, used in zip(kinds, texts, tall, strict=True):
        place: Any = {"va": "top", "linespacing": 1.15, "gid": name, "parse_math": False}
        figure.text(0.04 / width, top / grown, "\n".join(text), **place, **look)
        top -= used + 0.02


def save_figure(figure: Figure, paths: Iterable[Path]) -> None:
    """Write the figure in the format of each path's suffix; equal figures give equal bytes."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    from kappacurve.plots.embedding import without_typesetting

    varying = {".pdf": "CreationDate", ".svg": "Date", ".png": "Software"}
    sentences = {str(text.get_gid()): text.get_text() for text in figure.texts if text.get_gid()}
    # The ids of an svg and the resolution are set when the file is written.
    unset = {**RC, "figure.constrained_layout.use": False}
    with mpl.rc_context(unset), without_typesetting():
        figure.set_dpi(RC["savefig.dpi"])
        layout: Any = figure.get_layout_engine()
        for _ in range(2):  # panels of a fixed shape come to rest at the second
            layout.execute(figure)
        figure.set_layout_engine()  # the same layout in all formats
        for path in paths:
            figure.savefig(path, metadata={varying[path.suffix]: None})
            if path.suffix == ".svg" and sentences:
                svg = _described(path.read_text("utf-8"), sentences)
                path.write_text(svg, "utf-8", newline="\n")
    plt.close(figure)


def _described(svg: str, sentences: Mapping[str, str]) -> str:
    """The drawing as one image with a name and a description."""
    start, _, rest = svg.partition("<svg ")
    opening, _, inside = rest.partition(">")
    title, about = (escape(sentences[name].replace("\n", " ")) for name in ("sentence", "about"))
    words = f"<title>{title}</title>\n <desc>{about}</desc>"
    return f'{start}<svg role="img" {opening}>\n {words}{inside}'
