"""The picture of a comparison: ROC curves with their hulls, and kappa curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kappacurve._validation import BoolArray, Cost, FloatArray
from kappacurve.plots.displays import KappaCurveDisplay, RocHullDisplay
from kappacurve.plots.style import TWO_COLUMNS, house_style, letter, line_style
from kappacurve.roc import RocVertices, roc_hull, roc_vertices

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# More vertices than this can't be told apart in print, and make a file too large to open.
MOST_VERTICES = 5000


def comparison_figure(
    positive: BoolArray, scores: Mapping[str, FloatArray], prevalence: float, cost: Cost
) -> Figure:
    """Draw all models; the legend is below, where it covers no curve."""
    import matplotlib.pyplot as plt

    with house_style():
        height = 3.6 + 0.15 * len(scores)
        figure, (left, right) = plt.subplots(1, 2, figsize=(TWO_COLUMNS, height))
        lines, names = [], []
        for i, (name, score) in enumerate(scores.items()):
            vertices = roc_vertices(positive, score)
            # The areas in the legend are those of all vertices, whatever is drawn.
            whole: Any = {"fpr": vertices.fpr, "tpr": vertices.tpr, "prevalence": prevalence}
            roc: Any = RocHullDisplay(**whole, cost=cost)
            kappa: Any = KappaCurveDisplay(**whole, cost=cost)
            for display, axes in ((roc, left), (kappa, right)):
                display.fpr, display.tpr = _fewer(vertices)
                display.plot(ax=axes, curve_kwargs=line_style(i)._asdict())
            lines.append(roc.hull_line_)
            areas = f"AUC {roc.auc:.3f}, AUCH {roc.auch:.3f}, AUK {kappa.auk:.3f}"
            names.append(f"{name}: {areas}".replace("$", r"\$"))
        for axes, text in ((left, "a"), (right, "b")):
            axes.get_legend().remove()
            letter(axes, text)
        figure.legend(lines, names, loc="outside lower center")
    return figure


def _fewer(vertices: RocVertices) -> tuple[FloatArray, FloatArray]:
    """All vertices, or of very many some that are evenly spread and the hull's corners."""
    if len(vertices.fpr) <= MOST_VERTICES:
        return vertices.fpr, vertices.tpr
    even = np.linspace(0, len(vertices.fpr) - 1, MOST_VERTICES).astype(np.intp)
    kept = np.union1d(even, roc_hull(vertices.fpr, vertices.tpr).index)
    return vertices.fpr[kept], vertices.tpr[kept]
