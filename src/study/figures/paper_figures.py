"""Figures 1 to 3 of Kaymak et al. (2010) from our own curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri

from kappacurve.plots import plot_auk_by_prevalence, plot_curves
from kappacurve.plots.style import ONE_COLUMN, TWO_COLUMNS
from study.data.classes import CLASSES, Names
from study.figures import headlines
from study.figures.headlines import STAR, headed, note
from study.published import MODEL_LABELS, published_point
from study.tables.comparison import OF_CURVE

CURVE_OF_FIGURE = {"figure2": "hull", "figure3": "raw"}


def figure_dominating(separations: Sequence[float], prevalence: float) -> Figure:
    """Figure 1: ROC curves of which one dominates the other, and their kappa curves.

    Each is that of normal scores with unit variance and such a distance of the class means.
    """
    fpr = np.concatenate(([0.0], ndtr(np.linspace(-6, 6, 801)), [1.0]))
    curves = {
        f"means {distance:g} apart": (fpr, ndtr(ndtri(fpr) + distance)) for distance in separations
    }
    figure = plot_curves(curves, prevalence, mark_maximum=False)
    sentence = "Where one ROC curve is above another everywhere, so is its kappa curve"
    return headed(figure, sentence, "Normal scores of unit variance")


def curve_figures(
    curves: pd.DataFrame,
    measures: pd.DataFrame,
    tests: pd.DataFrame,
    *,
    models: Sequence[str],
    names: Names,
    cost_ratio: float | None,
    of_the_paper: bool,
    width: float | None = None,
) -> Iterator[tuple[str, Figure]]:
    """Figures 2 (hull) and 3 (raw) with each positive class, and the AUK by prevalence, by name."""
    scored = set(curves["model"])  # without those that could not be fitted
    models = [name for name in models if name in scored]
    by_prevalence = figure_auk_by_prevalence(
        curves, models, names["minority"], cost_ratio, width or ONE_COLUMN
    )
    yield "auk_by_prevalence", by_prevalence
    tests = tests[tests["model_a"].isin(models) & tests["model_b"].isin(models)]
    width = width or TWO_COLUMNS
    for (figure_name, curve), side in product(CURVE_OF_FIGURE.items(), CLASSES):
        of_side = measures[(measures["positive_class"] == side) & (measures["curve"] == curve)]
        prevalence = float(of_side["prevalence"].iloc[0])
        ratio = 1 / cost_ratio if cost_ratio and side == "majority" else cost_ratio
        points = _points(curves, models, side, curve)
        figure = plot_curves(points, prevalence, cost_ratio=ratio, width=width)
        rows = int(of_side[["n_positive", "n_negative"]].iloc[0].sum())
        about = f"{'Convex hulls' if curve == 'hull' else 'ROC curves'} on {rows} test rows, "
        about += f"{names[side]} positive; dots: largest kappa"
        if curve == "hull" and of_the_paper and cost_ratio is None:
            _mark_published(*figure.axes, named=width == TWO_COLUMNS)
            about += "; star: the network's optimum as printed"
        # The AUC is that of either positive class; the AUK is tested with the minority positive.
        areas = ("auc", "auk") if side == "minority" else ("auc",)
        labels = {OF_CURVE[curve][area]: area for area in areas}
        tested = tests.assign(measure=tests["measure"].map(labels)).dropna(subset="measure")
        yield f"{figure_name}_{side}", headed(figure, headlines.of_curves(tested), about)


def figure_auk_by_prevalence(
    curves: pd.DataFrame,
    models: Sequence[str],
    name: str,
    cost_ratio: float | None = None,
    width: float = ONE_COLUMN,
) -> Figure:
    """The AUK of the raw curves by the prevalence of the minority, which has this name."""
    figure, axes = plt.subplots(figsize=(width, min(2.9, 0.75 * width)))
    points = _points(curves, models, "minority", "raw")
    plot_auk_by_prevalence(points, cost_ratio=cost_ratio, ax=axes)
    lines: list[Any] = axes.get_legend_handles_labels()[0]
    areas = pd.DataFrame(
        {model: line.get_ydata() for model, line in zip(points, lines, strict=True)},
        index=lines[0].get_xdata(),
    )
    about = f"Raw curves, {name} positive; the marks are at AUC \N{MINUS SIGN} 1/2"
    return headed(figure, headlines.of_prevalences(areas), about)


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
        side = "bottom" if shift[1] > 0 else "top"
        if named:
            text = "network's optimum\nas printed"
            note(axes, text, (fpr, height), shift, ha="right", va=side)
