"""Figures 1 to 3 of Kaymak et al. (2010), redrawn from our own curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import norm

from kappacurve.plots.figures import plot_auk_by_prevalence, plot_curves
from kappacurve.plots.style import TWO_COLUMNS, letter
from study.papers.forensics import point_if_published
from study.published import MODEL_LABELS

CURVE_OF_FIGURE = {"figure2": "hull", "figure3": "raw"}


def figure_dominating(separations: Sequence[float], prevalence: float) -> Figure:
    """Figure 1: ROC curves of which one dominates the other, and their kappa curves.

    Each is that of normal scores with unit variance and such a distance of the class means.
    """
    fpr = np.concatenate(([0.0], norm.cdf(np.linspace(-6, 6, 801)), [1.0]))
    curves = {f"means {one:g} apart": (fpr, norm.cdf(norm.ppf(fpr) + one)) for one in separations}
    note = f"normal scores, $p$ = {prevalence:g}"
    return plot_curves(curves, prevalence, mark_maximum=False, note=note)


def figure_curves(
    curves: pd.DataFrame,
    measures: pd.DataFrame,
    *,
    models: Sequence[str],
    positive_class: str,
    curve: str,
    cost_ratio: float | None = None,
    of_the_paper: bool = True,
) -> Figure:
    """Figures 2 (hull) and 3 (raw): ROC and kappa curves.

    `curves` and `measures` are those of :mod:`study.replicates.evaluation`; the published optimum
    belongs into the hulls of the paper.
    """
    prevalence = float(measures.query("positive_class == @positive_class")["prevalence"].iloc[0])
    points = _points(curves, models, positive_class, curve)
    note = f"positive class: {_plain(positive_class)}, $p$ = {prevalence:.3f}"
    figure = plot_curves(points, prevalence, cost_ratio=cost_ratio, note=note)
    if curve == "hull" and of_the_paper:
        _mark_published(*figure.axes)
    return figure


def figure_auk_by_prevalence(
    curves: pd.DataFrame,
    models: Sequence[str],
    positive_classes: Sequence[str],
    cost_ratio: float | None = None,
) -> Figure:
    """The AUK of unchanged raw curves over the prevalence, a panel for either positive class.

    The cost ratio is that of the first class.
    """
    ratios = (cost_ratio, cost_ratio and 1 / cost_ratio)
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.9), sharey=True)
    of_each = zip(panels, positive_classes, ratios, "ab", strict=True)
    for axes, positive_class, ratio, name in of_each:
        points = _points(curves, models, positive_class, "raw")
        plot_auk_by_prevalence(points, cost_ratio=ratio, ax=axes)
        letter(axes, name)
        axes.set_title(f"positive class: {_plain(positive_class)}", loc="right", color="0.35")
    if cost_ratio is None:
        panels[1].set_ylabel("")
    panels[1].get_legend().remove()
    return figure


def _points(curves: pd.DataFrame, models: Sequence[str], positive_class: str, curve: str) -> Any:
    """Rates of each model's curve, by the name that people read."""
    own = curves[(curves["curve"] == curve) & (curves["positive_class"] == positive_class)]
    ours = list(MODEL_LABELS)  # first and in this order, so that each has its own colour
    ordered = sorted(models, key=lambda one: ours.index(one) if one in ours else len(ours))
    by_model = {model: own[own["model"] == model] for model in ordered}
    return {
        MODEL_LABELS.get(model, _plain(model)): (one["fpr"].to_numpy(), one["tpr"].to_numpy())
        for model, one in by_model.items()
    }


def _plain(text: str) -> str:
    """A user's word, in which a dollar sign is no formula."""
    return text.replace("$", r"\$")


def _mark_published(roc: Any, kappa: Any) -> None:
    if (point := point_if_published()) is None:
        return
    fpr, tpr, kappa_max = (printed.value for printed in point)
    star: Any = {"marker": "*", "markersize": 8, "color": "white", "mec": "black", "mew": 0.8}
    for axes, height, beside in ((roc, tpr, (2, -20)), (kappa, kappa_max, (7, 0))):
        axes.plot(fpr, height, linestyle="none", **star)
        place: Any = {"xytext": beside, "textcoords": "offset points", "fontsize": 7}
        axes.annotate("published optimum", (fpr, height), va="center", **place)
