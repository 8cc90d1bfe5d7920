"""Figures 1 to 3 of Kaymak et al. (2010), redrawn from our own curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from kappacurve.plots.figures import plot_auk_by_prevalence, plot_curves
from kappacurve.plots.style import TWO_COLUMNS, letter
from study.published import MODEL_LABELS, read_published

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_dominating(separations: Sequence[float], prevalence: float) -> Figure:
    """Figure 1: ROC curves of which one dominates the other, and their kappa curves.

    Parameters
    ----------
    separations : sequence of float
        Distance between the class means of normal scores with unit variance, one a curve.
    prevalence : float in (0, 1)
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
    of_the_paper: bool = True,
) -> Figure:
    """Figures 2 (hull) and 3 (raw): ROC and kappa curves with their largest kappa.

    Parameters
    ----------
    curves, measures : DataFrame
        As from :mod:`study.replicates.evaluation`.
    models : sequence of str
        At most six, drawn in this order.
    positive_class : {"good", "bad"}
    curve : {"raw", "hull"}
    of_the_paper : bool
        Whether the published optimum belongs into the figure.
    """
    prevalence = float(measures.query("positive_class == @positive_class")["prevalence"].iloc[0])
    points = {}
    for model in models:
        one = curves.query(
            "positive_class == @positive_class and curve == @curve and model == @model"
        )
        points[_name(model)] = (one["fpr"].to_numpy(), one["tpr"].to_numpy())
    note = f"positive class: {_plain(positive_class)}, $p$ = {prevalence:.3f}"
    figure = plot_curves(points, prevalence, note=note)
    if curve == "hull" and of_the_paper:
        _mark_published(*figure.axes)
    return figure


def figure_auk_by_prevalence(
    curves: pd.DataFrame, models: Sequence[str], positive_classes: Sequence[str]
) -> Figure:
    """The AUK of unchanged ROC curves over the prevalence, a panel for each positive class.

    Parameters
    ----------
    curves : DataFrame
        As from :func:`study.replicates.evaluation.evaluate_curves`; the raw ones are drawn.
    models : sequence of str
        At most six.
    positive_classes : sequence of str
        Two names of classes.
    """
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.9), sharey=True)
    raw = curves[curves["curve"] == "raw"]
    for axes, positive_class, name in zip(panels, positive_classes, "ab", strict=True):
        points = {}
        for model in models:
            one = raw[(raw["model"] == model) & (raw["positive_class"] == positive_class)]
            points[_name(model)] = (one["fpr"], one["tpr"])
        plot_auk_by_prevalence(points, ax=axes)
        letter(axes, name)
        axes.set_title(f"positive class: {_plain(positive_class)}", loc="right", color="0.35")
    panels[1].set_ylabel("")
    panels[1].get_legend().remove()
    return figure


def _name(model: str) -> str:
    return MODEL_LABELS.get(model, _plain(model))


def _plain(text: str) -> str:
    """A user's word, in which a dollar sign is no formula."""
    return text.replace("$", r"\$")


def _mark_published(roc: Any, kappa: Any) -> None:
    point = read_published().query("place == 'Section 8'").set_index("measure")["value"]
    star = {
        "marker": "*",
        "markersize": 8,
        "color": "white",
        "mec": "black",
        "mew": 0.8,
        "linestyle": "none",
    }
    roc.plot(point["fpr"], point["tpr"], label="published optimum", **star)
    kappa.plot(point["fpr"], point["kappa_max"], **star)
    roc.legend(loc="lower right")
