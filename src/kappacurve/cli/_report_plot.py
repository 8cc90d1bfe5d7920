"""The picture of ``kappacurve measure``: ROC curves with hulls, and kappa curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kappacurve._validation import FloatArray
from kappacurve.io import ScoreTable
from kappacurve.plots.displays import KappaCurveDisplay, RocHullDisplay
from kappacurve.plots.style import TWO_COLUMNS, house_style, letter, save_figure
from kappacurve.roc import RocVertices, roc_hull, roc_vertices

# More vertices than this can't be told apart in print, and make a file too large to open.
MOST_VERTICES = 5000


def draw_curves(table: ScoreTable, prevalence: float, cost_ratio: float | None, path: Path) -> None:
    """Draw the curves of all models into a .pdf, .svg or .png."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    with house_style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 3.6))
        for name, score in table.scores.items():
            vertices = roc_vertices(table.positive, score)
            fpr, tpr = _fewer(vertices)
            # The areas in the legend are those of all vertices, whatever is drawn.
            at: Any = {"prevalence": prevalence, "cost_ratio": cost_ratio}
            for kind, axes in ((RocHullDisplay, left), (KappaCurveDisplay, right)):
                display = kind(fpr=vertices.fpr, tpr=vertices.tpr, **at)
                display.fpr, display.tpr = fpr, tpr
                display.plot(ax=axes, name=_plain(name))
        letter(left, "a")
        right.set_title("(b)", loc="right", fontweight="bold")  # the legend is on the left
        save_figure(figure, [path])


def _fewer(vertices: RocVertices) -> tuple[FloatArray, FloatArray]:
    """All vertices, or of very many some that are evenly spread and the hull's corners."""
    if len(vertices.fpr) <= MOST_VERTICES:
        return vertices.fpr, vertices.tpr
    even = np.linspace(0, len(vertices.fpr) - 1, MOST_VERTICES).astype(np.intp)
    kept = np.union1d(even, roc_hull(vertices.fpr, vertices.tpr).index)
    return vertices.fpr[kept], vertices.tpr[kept]


def _plain(name: str) -> str:
    """A name that matplotlib takes as it is: neither formula nor hidden label."""
    name = name.replace("$", r"\$")
    return f" {name}" if name.startswith("_") else name
