"""One style for all figures: sizes, fonts, colours that survive grey printing, the same bytes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..curves.curve import kappa
from ..validation import FloatArray, escape_unprintable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

ONE_COLUMN = 3.4  # inches, of a two-column page
STEP = 0.005  # of both rates together, between the points of a kappa curve
MAX_NAME = 40  # letters of a name in a legend

CHINESE = ["Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Micro Hei"]
CHINESE += ["PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "SimHei"]  # with its letters
FIRST_WIDE = "\u2e80"  # the first letter of Chinese, Japanese and Korean

RC: dict[Any, Any] = {
    "font.family": "sans-serif",
    # The first ships with matplotlib, so every machine draws the same; the others are for Chinese
    # letters, which it lacks, and for readers of an svg, whose text stays text.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", *CHINESE],
    **dict.fromkeys(["font.size", "axes.labelsize", "axes.titlesize"], 8),
    **dict.fromkeys(["xtick.labelsize", "ytick.labelsize", "legend.fontsize"], 7),
    **dict.fromkeys(["axes.linewidth", "xtick.major.width", "ytick.major.width"], 0.6),
    **dict.fromkeys(["axes.spines.top", "axes.spines.right", "legend.frameon"], False),
    "lines.linewidth": 1.4,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,  # embed the fonts as TrueType: text stays text
    "svg.fonttype": "none",
    "svg.hashsalt": "kappacurve",
}
REFERENCE: Any = {"color": "0.55", "linewidth": 0.7, "linestyle": (0, (2, 2)), "zorder": 0}
MARKER: dict[str, Any] = {"markersize": 5, "markeredgecolor": "white"}


class LineStyle(NamedTuple):
    """Colour, dashes and marker of one model; any one of the three tells it from the others."""

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


def line_style(i: int) -> LineStyle:
    """Style of the i-th model; up to 36 models differ from each other."""
    n = len(LINE_STYLES)
    return LINE_STYLES[(i + i // n) % n]._replace(color=LINE_STYLES[i % n].color)


@contextmanager
def house_style(ax: Axes | None = None) -> Iterator[None]:
    """Draw what is inside the block in this style.

    A matplotlibrc and earlier settings are ignored, so that a figure is the same for everyone; on
    the caller's own axes they stay, with the style on top.
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise ImportError("Plots need matplotlib: pip install matplotlib.") from None
    with mpl.rc_context():
        if ax is None:
            mpl.rcdefaults()  # leaves the backend as it is
        mpl.rcParams.update(RC)
        yield


def draw_curve(
    ax: Axes, x: Any, y: Any, label: str, options: dict[str, Any], **usual: Any
) -> Line2D:
    """Draw a curve in the style that follows those of earlier curves on the axes.

    The caller's options win, by matplotlib's long or short names. The marker stands beside the name
    alone, so that solid lines differ in more than colour. A colour cycle that was set in matplotlib
    replaces our colours on axes of the caller's.
    """
    import matplotlib as mpl
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    number = sum(line.get_markevery() == [] for line in ax.get_lines())
    style = line_style(number)
    cycle = mpl.rcParams["axes.prop_cycle"]
    if cycle != mpl.rcParamsDefault["axes.prop_cycle"] and "color" in cycle.keys:
        colors = cycle.by_key()["color"]
        style = style._replace(color=colors[number % len(colors)])
    look = style._asdict() | {"label": label} | usual | normalize_kwargs(options, Line2D)
    (line,) = ax.plot(x, y, **look | MARKER, markevery=[])  # a marker in the legend alone
    return line


def mark_point(line: Line2D, x: float, y: float) -> Line2D:
    """Mark a point of a curve in its style."""
    axes: Any = line.axes
    (mark,) = axes.plot(x, y, **marked_point(line.get_color(), line.get_marker()))
    return mark  # type: ignore[no-any-return]


def marked_point(color: Any, marker: Any) -> dict[str, Any]:
    """Options of the mark of a largest kappa."""
    return {"color": color, "marker": marker, "label": "_maximum", **MARKER}


def kappa_along(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, cost_ratio: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """False positive rates and kappas along a ROC curve, on whose segments kappa bends."""
    length = fpr + tpr
    places = np.union1d(length, np.arange(0, 2, STEP))
    f, t = (np.interp(places, length, rate) for rate in (fpr, tpr))
    return f, kappa(f, t, prevalence, cost_ratio)


def is_stepped(fpr: Any, tpr: Any) -> bool:
    """Whether a curve has so many steps that dashes would be lost in them."""
    steps = (np.diff(fpr) == 0) | (np.diff(tpr) == 0)
    return bool(len(steps) > 20 and steps.mean() > 0.5)


def escape_name(name: str) -> str:
    """A name in a figure, where matplotlib reads formulas in $ and leaves out what begins by _."""
    text = escape_unprintable(name)
    if len(text) > MAX_NAME:
        text = f"{text[: MAX_NAME - 3]}..."
    if text != name or not name or name.startswith("_"):
        text = f"'{text}'"
    return text.replace("$", r"\$")


def save_figure(figure: Figure, paths: Iterable[Path]) -> None:
    """Write the figure in the format of each path's suffix; equal figures give equal bytes."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    _find_letters(figure)
    varying = {".pdf": "CreationDate", ".svg": "Date", ".png": "Software"}
    # The ids of an svg and the resolution are set when the file is written.
    style = {**RC, "figure.constrained_layout.use": False}
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.set_dpi(RC["savefig.dpi"])
        layout: Any = figure.get_layout_engine()
        for _ in range(2):  # panels of a fixed shape come to rest at the second
            layout.execute(figure)
        figure.set_layout_engine()  # the same layout in all formats
        for path in paths:
            figure.savefig(path, metadata={varying[path.suffix]: None})
    plt.close(figure)


def _find_letters(figure: Figure) -> None:
    """Give texts with Chinese letters the installed fonts that have these; warn if none has."""
    from matplotlib.font_manager import fontManager
    from matplotlib.text import Text

    texts: Any = figure.findobj(Text)
    texts = [text for text in texts if max(text.get_text(), default="") >= FIRST_WIDE]
    if not texts:
        return
    installed = {font.name for font in fontManager.ttflist}
    fonts = [name for name in CHINESE if name in installed]
    for text in texts:
        text.set_fontfamily([*text.get_fontfamily(), *fonts])
    if not fonts:
        warnings.warn(
            f"No installed font has all letters of {texts[0].get_text()!r}: figures in PDF and PNG "
            "show boxes. Install one, such as Noto Sans CJK SC, or give another name.",
            stacklevel=3,
        )
