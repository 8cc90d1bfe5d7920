"""Figures 1 to 4 and 7 of Hand (2009), redrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from kappacurve import HMeasureDisplay, roc_hull
from kappacurve.plots.style import LINE_STYLES, ONE_COLUMN, REFERENCE, TWO_COLUMNS, letter
from study.papers.hand2009 import (
    CURVES,
    FACTORS,
    THRESHOLDS,
    Scored,
    dented_curve,
    implied_weights_table,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVE: dict[str, Any] = {"color": LINE_STYLES[0].color, "linestyle": "-"}
HULL: dict[str, Any] = {
    "color": LINE_STYLES[1].color,
    "linestyle": LINE_STYLES[1].linestyle,
    "linewidth": 1.2,
}
NEGATIVE: dict[str, Any] = {"color": "0.2", "linestyle": "-", "linewidth": 0.9}


def figure_dent() -> Figure:
    """Figures 1 and 2: a ROC curve with a dent and its hull, and the scores behind both."""
    import matplotlib.pyplot as plt

    figure, (roc, scores) = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 3.0))
    fpr, tpr, scale = dented_curve()
    hull = roc_hull(fpr, tpr)
    roc.plot(fpr, tpr, label="ROC curve", **CURVE)
    roc.plot(hull.fpr, hull.tpr, label="convex hull", **HULL)
    for i in range(1, 5):
        roc.plot(fpr[i], tpr[i], marker="o", markersize=4, color=CURVE["color"])
        offset = (-13, 4) if i != 3 else (-4, -13)
        roc.annotate(f"$t_{i}$", (fpr[i], tpr[i]), xytext=offset, textcoords="offset points")
    _finish_roc(roc)
    _densities(scores, hull.fpr, hull.tpr, scale)
    letter(roc, "a")
    letter(scores, "b")
    return figure


def _densities(axes: Any, hull_fpr: Any, hull_tpr: Any, scale: float) -> None:
    score = np.linspace(-3, 3, 1201)
    ratio = np.array(FACTORS) / scale
    # On the hull the ratio of the densities is the slope of each segment.
    slopes = np.diff(hull_tpr) / np.diff(hull_fpr)
    corners = norm.ppf(hull_fpr[1:-1])
    below = norm.pdf(score)
    axes.plot(score, below, label="negative class", **NEGATIVE)
    by_curve = below * ratio[np.searchsorted(THRESHOLDS, score)]
    by_hull = below * slopes[np.searchsorted(corners, score)]
    axes.plot(score, by_curve, label="positive class", **CURVE)
    axes.plot(score, by_hull, label="positive class, hull", **HULL)
    for i, threshold in enumerate(THRESHOLDS, start=1):
        axes.axvline(threshold, **REFERENCE)
        axes.annotate(
            f"$t_{i}$",
            (threshold, 1),
            xycoords=("data", "axes fraction"),
            xytext=(2, -6),
            textcoords="offset points",
        )
    axes.set(xlabel="score (low: positive)", ylabel="density", xlim=(-3, 3))
    axes.set_ylim(0, float(by_curve.max()) * 1.3)
    white = {"frameon": True, "facecolor": "white", "edgecolor": "none", "framealpha": 1}
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.9), **white)


def figure3() -> Figure:
    """Figure 3: the curves (a), (b) and (c) with their hulls."""
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 3, figsize=(TWO_COLUMNS, 2.5), sharey=True)
    for axes, (name, curve) in zip(panels, CURVES.items(), strict=True):
        hull = roc_hull(curve.fpr, curve.tpr)
        axes.plot(curve.fpr, curve.tpr, label="ROC curve", clip_on=False, **CURVE)
        axes.plot(hull.fpr, hull.tpr, label="convex hull", clip_on=False, **HULL)
        _finish_roc(axes, legend=name == "a")
        letter(axes, name)
        axes.set_title(f"AUC {curve.auc}, H {curve.h}", loc="right", color="0.35")
        if name != "a":
            axes.set_ylabel("")
    return figure


def figure4() -> Figure:
    """Figure 4: the cost weights that the AUC implies for the curves (b) and (c)."""
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.4), sharey=True)
    table = implied_weights_table()
    for axes, name in zip(panels, ("b", "c"), strict=True):
        weights = table[table["curve"] == name]
        axes.vlines(weights["cost"], 0, weights["weight"], color=CURVE["color"], linewidth=2.5)
        dots = {"color": CURVE["color"], "marker": "o", "ls": "none", "clip_on": False}
        axes.plot(weights["cost"], weights["weight"], **dots)
        for cost, weight in zip(weights["cost"], weights["weight"], strict=True):
            above = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center"}
            axes.annotate(f"{weight:.3f}", (cost, weight), **above)
        axes.set(xlabel="cost share $c$ of a false positive", xlim=(-0.08, 1.08), ylim=(0, 0.85))
        axes.set_title(f"curve ({name}) of Figure 3", loc="right", color="0.35")
        letter(axes, "a" if name == "b" else "b")
    panels[0].set_ylabel("weight implied by the AUC")
    return figure


def figure_six_panels(scores: pd.DataFrame, name: str) -> Figure:
    """Figures 5 and 6: the six diagnostic panels of one model (bad, score), with its name above."""
    display = HMeasureDisplay.from_predictions(scores["bad"], scores["score"], name=name)
    return display.figure_


def figure7(curves: dict[str, Scored], pair: pd.DataFrame) -> Figure:
    """Figure 7: the ROC curves of the two classifiers that AUC and H order differently.

    Parameters
    ----------
    curves : dict
        The curve of the classifiers "first" and "second".
    pair : DataFrame
        As from :func:`study.papers.hand2009_search.pair_table`.
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(ONE_COLUMN, 3.3))
    values = pair.set_index("classifier")
    for (name, curve), style in zip(curves.items(), LINE_STYLES, strict=False):
        auc, h = (float(values[measure][name]) for measure in ("auc", "h"))
        text = f"{name}: AUC {auc:.3f}, H {h:.3f}"
        axes.plot(curve.fpr, curve.tpr, color=style.color, linestyle=style.linestyle, label=text)
    _finish_roc(axes)
    return figure


def _finish_roc(axes: Any, *, legend: bool = True) -> None:
    axes.plot([0, 1], [0, 1], **REFERENCE)
    axes.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.03))
    if legend:
        axes.legend(loc="lower right")
