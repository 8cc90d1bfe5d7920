"""What the study's figures have in common: letters of panels, stars, and notes."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

from matplotlib import pyplot as plt, rcParams
from matplotlib.figure import Figure
from matplotlib.text import Text

from kappacurve.plots.style import letter

COLUMN = 240 / 72.27  # inches, of a paper with two columns
NARROW = 5.0  # below this width panels stand one above the other
LETTERS = 8  # points
FAMILIES = {"sans": ["sans-serif"], "serif": ["STIXGeneral", "serif"]}

# A published value.
STAR: dict[str, Any] = {"marker": "*", "linestyle": "none", "color": "white", "mec": "black"}
STAR |= {"mew": 0.8, "zorder": 4}
GREY = "0.35"


def letter_panels(figure: Figure) -> Figure:
    """Letter the panels of a figure that has several."""
    panels = [axes for axes in figure.axes if axes.axison]
    if len(panels) > 1:
        for axes, name in zip(panels, ascii_lowercase, strict=False):
            letter(axes, name)
    return figure


def add_note(axes: Any, text: str, at: Any, shift: tuple[float, float], **look: Any) -> None:
    """A few words so many points beside a place in a panel."""
    small = {"fontsize": rcParams["legend.fontsize"], "textcoords": "offset points"}
    axes.annotate(text, at, shift, **{**small, **look})


def set_letters(figure: Figure, font: str) -> Figure:
    """Give all letters of a figure one size and the font of the document (sans or serif)."""
    for axes in figure.axes:
        axes.tick_params(labelsize=LETTERS)
    figure.draw_without_rendering()  # makes the labels of the ticks
    for text in figure.findobj(Text):
        text.set_fontsize(LETTERS)
        text.set_fontfamily(FAMILIES[font])
        text.set_math_fontfamily("stix" if font == "serif" else "dejavusans")
    return figure


def make_pair(width: float, **shared: Any) -> tuple[Figure, Any]:
    """Two panels beside each other, or one above the other where that is too narrow."""
    if width < NARROW:
        return plt.subplots(2, 1, figsize=(width, 4.2), **shared)
    return plt.subplots(1, 2, figsize=(width, 2.4), **shared)
