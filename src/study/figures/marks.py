"""What the study's figures have in common: letters of panels, stars, and notes."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

from matplotlib import rcParams
from matplotlib.figure import Figure

from kappacurve.plots.style import letter

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
