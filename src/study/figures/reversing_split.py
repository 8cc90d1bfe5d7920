"""A typical split beside one in which AUC prefers the linear model and AUK the network."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.algebra import kappa_from_rates
from kappacurve.plots.style import LINE_STYLES, REFERENCE, letter
from study.figures.marks import COLUMN, NARROW
from study.published import MODEL_LABELS, PAPER_PAIR
from study.replicates.evaluation import evaluate_curves, evaluate_measures

TYPICAL = "a typical split:\nlinear by both"
RARE = "a rare split:\nlinear by AUC"
POSITIVE = "majority"
KIND = ["curve", "model"]


def choose_splits(measures: pd.DataFrame) -> dict[str, int]:
    """The split whose leads are nearest to their medians, and the clearest reversal, by title.

    A reversal shows on curve and hull both, with good as the positive class; the clearest has the
    largest of the smaller leads, each in standard deviations. Without one there is one split.
    """
    of_class = measures[measures["positive_class"] == POSITIVE]
    wide: Any = of_class.pivot_table(index="replicate", columns=KIND, values=["auc", "auk"])
    first, second = (wide.xs(model, axis=1, level="model") for model in PAPER_PAIR)
    lead = (first - second).dropna()
    scaled = lead / lead.std()
    agrees = lead[(lead > 0).all(axis=1)].index
    distance = (scaled.loc[agrees] - scaled.median()).abs().max(axis=1)
    signs = np.where(lead.columns.get_level_values(0) == "auc", 1.0, -1.0)
    reversal = scaled[(lead * signs > 0).all(axis=1)] * signs
    chosen = {TYPICAL: distance, RARE: -reversal.min(axis=1)}
    return {title: int(of.idxmin()) for title, of in chosen.items() if len(of)}


def figure_reversing_split(
    measures: pd.DataFrame, scores: pd.DataFrame, width: float = COLUMN
) -> Figure:
    """ROC and kappa curves, raw (thin) and hull, of both splits with good as the positive class.

    Parameters
    ----------
    measures : DataFrame
        Of the replicates: replicate, model, positive_class, curve, auc, auk.
    scores : DataFrame
        Of their test rows: replicate, minority, model, score.
    """
    height = 1.5 * width if width < NARROW else 5.8
    figure, grid = plt.subplots(2, 2, figsize=(width, height), sharex=True, sharey="row")
    for column, (title, replicate) in zip(grid.T, choose_splits(measures).items(), strict=False):
        of_split = scores[(scores["replicate"] == replicate) & scores["model"].isin(PAPER_PAIR)]
        _plot_split(column, of_split)
        column[0].set_title(title, loc="right", color="0.35")
    for axes, name in zip(grid.flat, "abcd", strict=True):
        letter(axes, name)
    grid[0, 0].set_ylabel("true positive rate $t$ (good)")
    grid[1, 0].set_ylabel(r"Cohen's kappa $\kappa$")
    for axes in grid[1]:
        axes.set_xlabel("false positive rate $f$")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _plot_split(column: Any, scores: pd.DataFrame) -> None:
    roc, kappas = column
    rows = scores.drop(columns="replicate")
    curves: Any = evaluate_curves(rows).set_index(["positive_class", *KIND]).sort_index()
    areas: Any = evaluate_measures(rows).set_index(["positive_class", *KIND])
    for model, style in zip(PAPER_PAIR, LINE_STYLES, strict=False):
        look: dict[str, Any] = {"color": style.color, "linestyle": style.linestyle}
        raw = curves.loc[(POSITIVE, "raw", model)]
        roc.plot(raw["fpr"], raw["tpr"], color=style.color, linewidth=0.6)
        kappas.plot(raw["fpr"], raw["kappa"], color=style.color, linewidth=0.6)
        hull = curves.loc[(POSITIVE, "hull", model)]
        of_hull = areas.loc[(POSITIVE, "hull", model)]
        name = MODEL_LABELS[model]
        roc.plot(hull["fpr"], hull["tpr"], label=name, **look)
        f, t = _along(hull["fpr"].to_numpy()), _along(hull["tpr"].to_numpy())
        kappa = kappa_from_rates(f, t, 1 - rows["minority"].mean())
        kappas.plot(f, kappa, **look)
        for axes, measure, x, side in ((roc, "auc", 0.98, "right"), (kappas, "auk", 0.5, "center")):
            text = f"{measure.upper()} {of_hull[measure]:.3f}"
            place: Any = {"transform": axes.transAxes, "ha": side, "color": style.color}
            axes.text(x, 0.13 - 0.1 * (model != PAPER_PAIR[0]), text, **place)
    roc.plot([0, 1], [0, 1], **REFERENCE)
    roc.set_box_aspect(1)
    kappas.margins(y=0.2)


def _along(corners: Any) -> Any:
    """Points along the segments, on which kappa is no straight line."""
    places = np.linspace(0, len(corners) - 1, 32 * (len(corners) - 1) + 1)
    return np.interp(places, np.arange(len(corners)), corners)
