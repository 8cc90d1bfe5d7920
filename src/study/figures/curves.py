"""Figures 1 to 3 of Kaymak et al. (2010) from our own curves, and a split that reverses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri

from kappacurve.algebra import kappa_from_rates
from kappacurve.plots import plot_curves
from kappacurve.plots.style import REFERENCE, TWO_COLUMNS, in_figure, line_style
from study.data.classes import CLASSES, Names
from study.figures.marks import GREY, STAR, add_note, letter_panels
from study.published import MODEL_LABELS, MissingNumberError, published_numbers
from study.replicates.evaluation import evaluate_curves, evaluate_measures

CURVE_OF_FIGURE = {"figure2": "hull", "figure3": "raw"}


def figure_dominating(separations: Sequence[float], prevalence: float) -> Figure:
    """Figure 1: ROC curves of which one dominates the other, and their kappa curves.

    Each is that of normal scores with unit variance and such a distance of the class means.
    """
    fpr = np.concatenate(([0.0], ndtr(np.linspace(-6, 6, 801)), [1.0]))
    curves = {
        f"means {distance:g} apart": (fpr, ndtr(ndtri(fpr) + distance)) for distance in separations
    }
    return letter_panels(plot_curves(curves, prevalence, mark_maximum=False))


def curve_figures(
    curves: pd.DataFrame,
    measures: pd.DataFrame,
    *,
    models: Sequence[str],
    cost_ratio: float | None,
    of_the_paper: bool,
) -> Iterator[tuple[str, Figure]]:
    """Figures 2 (hull) and 3 (raw) with each positive class, by name."""
    scored = set(curves["model"])  # without those that could not be fitted
    models = [name for name in models if name in scored]
    for (figure_name, curve), side in product(CURVE_OF_FIGURE.items(), CLASSES):
        of_side = measures[(measures["positive_class"] == side) & (measures["curve"] == curve)]
        prevalence = float(of_side["prevalence"].iloc[0])
        ratio = 1 / cost_ratio if cost_ratio and side == "majority" else cost_ratio
        points = _points(curves, models, side, curve)
        figure = letter_panels(plot_curves(points, prevalence, cost_ratio=ratio, width=TWO_COLUMNS))
        if curve == "hull" and of_the_paper and cost_ratio is None:
            _mark_published(*figure.axes)
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


def _mark_published(roc: Any, kappa: Any) -> None:
    numbers, place = published_numbers(), ("Section 8", "hull", "neural_net")
    try:
        fpr, tpr, kappa_max = (numbers[*place, name].value for name in ("fpr", "tpr", "kappa_max"))
    except MissingNumberError:
        return
    # Where no curve is: above the ROC curves, below the kappa curves.
    for axes, height, shift in ((roc, tpr, (-4, 4)), (kappa, kappa_max, (8, -15))):
        axes.plot(fpr, height, markersize=8, **STAR)
        side = "bottom" if shift[1] > 0 else "top"
        text = "network's optimum\nas printed"
        add_note(axes, text, (fpr, height), shift, ha="right", va=side)


def reversing_splits(measures: pd.DataFrame, pair: Sequence[str], side: str) -> pd.Index:
    """Replicates in which AUC prefers the first model and AUK the second, on hulls.

    The most decisive comes first: that with the largest of the smaller of its two leads, each in
    standard deviations.
    """
    chosen = measures[(measures["curve"] == "hull") & (measures["positive_class"] == side)]
    wide: Any = chosen.pivot_table(index="replicate", columns="model", values=["auc", "auk"])
    first, second = pair
    if not {*pair} <= {*wide.columns.levels[1]}:  # one of them was never fitted
        return pd.Index([])
    auc = wide["auc", first] - wide["auc", second]
    auk = wide["auk", second] - wide["auk", first]
    lead = pd.DataFrame({"auc": auc, "auk": auk}).dropna()
    reversing = lead[(lead > 1e-12).all(axis=1)]
    return (reversing / lead.std()).min(axis=1).sort_values(ascending=False, kind="stable").index


def figure_reversing_split(
    scores: pd.DataFrame,
    reversing: pd.Index,
    count: int,
    pair: Sequence[str],
    side: str,
    names: Names,
) -> Figure:
    """ROC and kappa curves of split 0 and of the split that reverses most decisively.

    `scores` are those of both splits, `count` is the number of all splits.
    """
    figure, grid = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 5.8), sharex=True, sharey="row")
    first, second = (in_figure(MODEL_LABELS[model]) for model in pair)
    splits = {"the split of the tables": 0}
    share = f"{len(reversing)} in {count}" if len(reversing) else f"none of {count} splits"
    title = f"{share}: AUC prefers {first}, AUK {second}"
    if len(reversing):
        splits[title] = int(reversing[0])
    else:
        grid[0, 1].set_title(title, loc="right", color=GREY)
    for column, (heading, replicate) in zip(grid.T, splits.items(), strict=False):
        own = scores[(scores["replicate"] == replicate) & scores["model"].isin(pair)]
        _plot_split(column, own.dropna(subset="score").drop(columns="replicate"), pair, side)
        column[0].set_title(heading, loc="right", color=GREY)
    grid[0, 0].set_ylabel("true positive rate $t$")
    grid[1, 0].set_ylabel(r"Cohen's kappa $\kappa$")
    for axes in grid[1]:
        axes.set_xlabel(f"false positive rate $f$ ({in_figure(names[side])} positive)")
    return letter_panels(figure)


def _plot_split(column: Any, scores: pd.DataFrame, pair: Sequence[str], side: str) -> None:
    roc, kappas = column
    if scores["minority"].nunique() < 2:
        return
    curves, measures = (
        table[table["positive_class"] == side]
        for table in (evaluate_curves(scores), evaluate_measures(scores))
    )
    areas = measures[measures["curve"] == "hull"].set_index("model")
    for i, model in enumerate(model for model in pair if model in areas.index):
        style, area = line_style(i), areas.loc[model]
        name = in_figure(MODEL_LABELS[model])
        for curve in ("raw", "hull"):
            own = curves[(curves["model"] == model) & (curves["curve"] == curve)]
            f, t, kappa = (own[column].to_numpy() for column in ("fpr", "tpr", "kappa"))
            if curve == "raw":
                thin = {"color": style.color, "linewidth": 0.6}
                roc.plot(f, t, **thin)
                kappas.plot(f, kappa, **thin)
                continue
            thick: Any = {"color": style.color, "linestyle": style.linestyle}
            roc.plot(f, t, label=f"{name}, AUC {area['auc']:.3f}", **thick)
            along = np.union1d(np.linspace(0, 1, 401), f)  # between corners kappa is curved
            kappa = kappa_from_rates(along, np.interp(along, f, t), float(area["prevalence"]))
            kappas.plot(along, kappa, label=f"{name}, AUK {area['auk']:.3f}", **thick)
    roc.plot([0, 1], [0, 1], **REFERENCE)
    roc.set_box_aspect(1)
    roc.legend(loc="lower right")
    kappas.legend(loc="lower center")
