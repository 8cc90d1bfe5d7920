"""Figures 1 to 4 of Hand (2009), redrawn from curves of ours, and the curves of Example 3."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import norm

from kappacurve import roc_hull
from kappacurve.algebra import implied_costs
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from study.arrays import FloatArray
from study.papers.curves import curves_of, panel
from study.published import printed_by

_SHIFT = 1 - np.sqrt(0.5)
# ASSUME: the figure itself is not described in words; these are the curves (fpr, tpr) that give
# Table 1: (a) three steps, (b) two uniform scores, one shifted, (c) two straight segments.
CURVES = {
    "a": (np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.5, 0.5, 1.0])),
    "b": (np.array([0.0, 0.0, 1 - _SHIFT, 1.0]), np.array([0.0, _SHIFT, 1.0, 1.0])),
    "c": (np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0])),
}
# ASSUME: Figures 1 and 2 are given as drawings only. Here the density of the positive class is
# that of the negative one, a standard normal, times these factors (rescaled) between the
# thresholds t1 to t4: two falling steps, nothing from t2 to t3, a step again.
THRESHOLDS = (-1.2, -0.4, 0.3, 1.1)
FACTORS = (2.4, 1.6, 0.0, 0.7, 0.1)

CURVE: dict[str, Any] = {"color": LINE_STYLES[0].color, "linestyle": "-"}
HULL: dict[str, Any] = {
    "color": LINE_STYLES[1].color,
    "linestyle": LINE_STYLES[1].linestyle,
    "linewidth": 1.2,
}


def dented_curve() -> tuple[FloatArray, FloatArray, float]:
    """The curve of Figures 1 and 2 (fpr, tpr), and the scale of its positive density.

    Low scores are positive here, as in the source; the densities' ratio is constant between the
    thresholds, so the curve is straight between its vertices: t4, t3, t2 and t1.
    """
    below = np.diff(norm.cdf([-np.inf, *THRESHOLDS, np.inf]))
    positive = below * np.array(FACTORS)
    scale = positive.sum()
    fpr = np.concatenate(([0.0], np.cumsum(below)))
    tpr = np.concatenate(([0.0], np.cumsum(positive / scale)))
    fpr[-1] = tpr[-1] = 1.0
    return fpr, tpr, float(scale)


def implied_weights_table() -> pd.DataFrame:
    """The weights of Figure 4: curve, cost, weight; and zero at c = 1/2 where there is none."""
    rows = []
    for name in "bc":
        cost, weight = implied_costs(*CURVES[name], 0.5)
        pairs = dict(zip(cost.tolist(), weight.tolist(), strict=True))
        rows += [(name, c, w) for c, w in sorted({0.5: 0.0, **pairs}.items())]
    return pd.DataFrame(rows, columns=["curve", "cost", "weight"])


def figure_dent() -> Figure:
    """Figures 1 and 2: a ROC curve with a dent and its hull, and the scores behind both."""
    figure, (roc, scores) = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 3.0))
    fpr, tpr, scale = dented_curve()
    hull = roc_hull(fpr, tpr)
    _roc_and_hull(roc, fpr, tpr)
    for i in range(1, 5):
        roc.plot(fpr[i], tpr[i], marker="o", markersize=4, color=CURVE["color"])
        offset = (-13, 4) if i != 3 else (-4, -13)
        roc.annotate(f"$t_{i}$", (fpr[i], tpr[i]), xytext=offset, textcoords="offset points")
    _finish_roc(roc)
    _densities(scores, hull.fpr, hull.tpr, scale)
    letter(roc, "a")
    letter(scores, "b")
    return figure


def _densities(axes: Any, hull_fpr: FloatArray, hull_tpr: FloatArray, scale: float) -> None:
    score = np.linspace(-3, 3, 1201)
    ratio = np.array(FACTORS) / scale
    # On the hull the ratio of the densities is the slope of each segment.
    slopes = np.diff(hull_tpr) / np.diff(hull_fpr)
    corners = norm.ppf(hull_fpr[1:-1])
    below = norm.pdf(score)
    axes.plot(score, below, label="negative class", color="0.2", linestyle="-", linewidth=0.9)
    by_curve = below * ratio[np.searchsorted(THRESHOLDS, score)]
    by_hull = below * slopes[np.searchsorted(corners, score)]
    axes.plot(score, by_curve, label="positive class", **CURVE)
    axes.plot(score, by_hull, label="positive class, hull", **HULL)
    beside = {"xytext": (2, -6), "textcoords": "offset points"}
    for i, threshold in enumerate(THRESHOLDS, start=1):
        axes.axvline(threshold, **REFERENCE)
        axes.annotate(f"$t_{i}$", (threshold, 1), xycoords=("data", "axes fraction"), **beside)
    axes.set(xlabel="score (low: positive)", ylabel="density", xlim=(-3, 3))
    axes.set_ylim(0, float(by_curve.max()) * 1.3)
    white = {"frameon": True, "facecolor": "white", "edgecolor": "none", "framealpha": 1}
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.9), **white)


def figure3() -> Figure:
    """Figure 3: the curves (a), (b) and (c) with their hulls."""
    printed = printed_by("hand")
    return _rocs(
        [
            (*curve, f"AUC {of['auc'].text}, H {of['h'].text}")
            for name, curve in CURVES.items()
            for of in [printed[f"Table 1 ({name})"]]
        ],
        height=2.9,
    )


def figure7(scores: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Figure 7: the ROC curves of Example 3's two classifiers in one plot, their hulls thin."""
    found = example.set_index(["model", "measure"])["found"]
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS / 2, 3.2))
    for one, style in zip(curves_of(scores), LINE_STYLES, strict=False):
        name = one.model
        label = f"{name}: AUC {found[name, 'auc']:.3f}, H {found[name, 'h']:.3f}"
        line: dict[str, Any] = {"color": style.color, "linestyle": style.linestyle}
        axes.plot(*one.raw, label=label, **line)
        axes.plot(*one.hull, linewidth=0.6, **line)
    _finish_roc(axes)
    return figure


def figure4() -> Figure:
    """Figure 4: the cost weights that the AUC implies for the curves (b) and (c)."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.4), sharey=True)
    by_curve = implied_weights_table().groupby("curve")
    for axes, (name, weights), place in zip(panels, by_curve, "ab", strict=True):
        axes.vlines(weights["cost"], 0, weights["weight"], color=CURVE["color"], linewidth=2.5)
        dots = {"color": CURVE["color"], "marker": "o", "ls": "none", "clip_on": False}
        axes.plot(weights["cost"], weights["weight"], **dots)
        for cost, weight in zip(weights["cost"], weights["weight"], strict=True):
            above = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center"}
            axes.annotate(f"{weight:.3f}", (cost, weight), **above)
        panel(axes, place, f"curve ({name}) of Figure 3", xlim=(-0.08, 1.08), ylim=(0, 0.85))
        axes.set_xlabel("cost share $c$ of a false positive")
    panels[0].set_ylabel("weight implied by the AUC")
    return figure


def _rocs(curves: list[tuple[FloatArray, FloatArray, str]], *, height: float) -> Figure:
    """Curves (fpr, tpr, title) with their hulls, side by side."""
    figure, panels = plt.subplots(1, len(curves), figsize=(TWO_COLUMNS, height), sharey=True)
    for axes, (fpr, tpr, title), name in zip(panels, curves, "abc", strict=False):
        _roc_and_hull(axes, fpr, tpr, clip_on=False)
        _finish_roc(axes, legend=name == "a")
        panel(axes, name, title)
        if name != "a":
            axes.set_ylabel("")
    return figure


def _roc_and_hull(axes: Any, fpr: FloatArray, tpr: FloatArray, **style: Any) -> None:
    hull = roc_hull(fpr, tpr)
    axes.plot(fpr, tpr, label="ROC curve", **style, **CURVE)
    axes.plot(hull.fpr, hull.tpr, label="convex hull", **style, **HULL)


def _finish_roc(axes: Any, *, legend: bool = True) -> None:
    axes.plot([0, 1], [0, 1], **REFERENCE)
    axes.set_box_aspect(1)
    axes.set(xlabel="false positive rate $f$", ylabel="true positive rate $t$")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.03))
    if legend:
        axes.legend(loc="lower right")
