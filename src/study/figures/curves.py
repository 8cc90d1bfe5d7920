"""Figures 1 to 3 of Kaymak et al. (2010) from our own curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri

from kappacurve.plots import plot_curves
from study.data.classes import CLASSES
from study.figures.marks import COLUMN, NARROW, STAR, add_note, letter_panels
from study.published import MODEL_LABELS, published_point

CURVE_OF_FIGURE = {"figure2": "hull", "figure3": "raw"}


def figure_dominating(
    separations: Sequence[float], prevalence: float, width: float = COLUMN
) -> Figure:
    """Figure 1: ROC curves of which one dominates the other, and their kappa curves.

    Each is that of normal scores with unit variance and such a distance of the class means.
    """
    fpr = np.concatenate(([0.0], ndtr(np.linspace(-6, 6, 801)), [1.0]))
    curves = {
        f"means {distance:g} apart": (fpr, ndtr(ndtri(fpr) + distance)) for distance in separations
    }
    return letter_panels(plot_curves(curves, prevalence, mark_maximum=False, width=width))


def curve_figures(
    curves: pd.DataFrame,
    measures: pd.DataFrame,
    *,
    models: Sequence[str],
    cost_ratio: float | None,
    of_the_paper: bool,
    width: float = COLUMN,
) -> Iterator[tuple[str, Figure]]:
    """Figures 2 (hull) and 3 (raw) with each positive class, by name."""
    scored = set(curves["model"])  # without those that could not be fitted
    models = [name for name in models if name in scored]
    for (figure_name, curve), side in product(CURVE_OF_FIGURE.items(), CLASSES):
        of_side = measures[(measures["positive_class"] == side) & (measures["curve"] == curve)]
        prevalence = float(of_side["prevalence"].iloc[0])
        ratio = 1 / cost_ratio if cost_ratio and side == "majority" else cost_ratio
        points = _points(curves, models, side, curve)
        figure = letter_panels(plot_curves(points, prevalence, cost_ratio=ratio, width=width))
        if curve == "hull" and of_the_paper and cost_ratio is None:
            _mark_published(*figure.axes, named=width >= NARROW)
        yield f"{figure_name}_{side}", figure


def _points(curves: pd.DataFrame, models: Sequence[str], positive_class: str, curve: str) -> Any:
    """Rates of each model's curve, by the name that people read."""
    shown = curves[(curves["curve"] == curve) & (curves["positive_class"] == positive_class)]
    ours = list(MODEL_LABELS)  # first and in this order, so that each has its own colour
    ordered = sorted(models, key=lambda model: ours.index(model) if model in ours else len(ours))
    return {
        MODEL_LABELS[model]: tuple(shown.loc[shown["model"] == model, ["fpr", "tpr"]].to_numpy().T)
        for model in ordered
    }


def _mark_published(roc: Any, kappa: Any, *, named: bool) -> None:
    fpr, tpr, kappa_max = (printed.value for printed in published_point())
    # Where no curve is: above the ROC curves, below the kappa curves.
    for axes, height, shift in ((roc, tpr, (-4, 4)), (kappa, kappa_max, (8, -15))):
        axes.plot(fpr, height, markersize=8, **STAR)
        if named:
            side = "bottom" if shift[1] > 0 else "top"
            text = "network's optimum\nas printed"
            add_note(axes, text, (fpr, height), shift, ha="right", va=side)
