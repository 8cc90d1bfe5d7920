"""Figures 1 to 3 of Kaymak et al. (2010) from our own curves, and a split that reverses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.special import ndtr, ndtri

from kappacurve import area_under_kappa, kappa_from_rates
from kappacurve.plots.style import (
    REFERENCE,
    LineStyle,
    escape_name,
    is_stepped,
    kappa_along,
    line_style,
    marked_point,
)
from study.arrays import FloatArray
from study.experiment.measures import evaluate_curves
from study.figures.style import GREY, LETTERS, LINE, STAR, choose_styles, finish_panels
from study.printed import MODEL_LABELS, PAPER_PAIR, printed_point
from study.tables.reversals import choose_splits

POSITIVE = "majority"
LONG_NAME = 16  # letters of a name whose areas stand below it
Curve = tuple[FloatArray, FloatArray]


def figure_dominating(separations: Sequence[float], prevalence: float, *, width: float) -> Figure:
    """Figure 1: ROC curves of which one dominates the other, and their kappa curves.

    Each is that of normal scores with unit variance and such a distance of the class means.
    """
    fpr = np.concatenate(([0.0], ndtr(np.linspace(-6, 6, 801)), [1.0]))
    curves = {f"means {d:g} apart": (fpr, ndtr(ndtri(fpr) + d)) for d in separations}
    styles = [line_style(number) for number in range(len(curves))]
    return _plot_curves(curves, styles, prevalence, width=width, mark_maximum=False)


def curve_figures(
    curves: pd.DataFrame,
    measures: pd.DataFrame,
    names: Mapping[str, str],
    *,
    sides: Sequence[str],
    models: Sequence[str],
    cost_ratio: float | None,
    has_printed: bool,
    width: float,
) -> Iterator[tuple[str, Figure]]:
    """Figures 2 (hull) and 3 (raw) with each positive class, by name such as figure2_majority.

    Curves and measures are those of the split shown, names what the classes are called, sides
    which of them are drawn as the positive one. Models that could not be fitted are left out. The
    cost ratio is that of a missed minority row. The network's printed optimum is drawn where there
    is one (has_printed) and kappa has no cost ratio, as in the paper.
    """
    styles = choose_styles(model for model in models if model in set(curves["model"]))
    for (number, curve), side in product({2: "hull", 3: "raw"}.items(), sides):
        shown = curves[(curves["curve"] == curve) & (curves["positive_class"] == side)]
        points: Any = {
            MODEL_LABELS[model]: shown.loc[shown["model"] == model, ["fpr", "tpr"]].to_numpy().T
            for model in styles
        }
        figure = _plot_curves(
            points,
            list(styles.values()),
            float(measures.loc[measures["positive_class"] == side, "prevalence"].iloc[0]),
            width=width,
            cost_ratio=1 / cost_ratio if cost_ratio and side == "majority" else cost_ratio,
            title=f"{escape_name(names[side])} positive, ",
            star=curve == "hull" and has_printed and cost_ratio is None,
        )
        yield f"figure{number}_{side}", figure


def _plot_curves(
    curves: Mapping[str, Curve],
    styles: Sequence[LineStyle],
    prevalence: float,
    *,
    width: float,
    cost_ratio: float | None = None,
    title: str = "",
    mark_maximum: bool = True,
    star: bool = False,
) -> Figure:
    """ROC curves beside their kappa curves, each with its areas, and its largest kappa marked.

    The star is the network's printed optimum.
    """
    lines = 1 + sum(1 + (len(name) > LONG_NAME) for name in curves)
    height = 0.5 * width + 0.35 + LINE * lines
    figure, (roc, kappas) = plt.subplots(1, 2, figsize=(width, height))
    handles = []
    ratio = cost_ratio or 1.0
    for (name, (fpr, tpr)), style in zip(curves.items(), styles, strict=True):
        look: dict[str, Any] = {"color": style.color, "linestyle": style.linestyle}
        if mark_maximum and is_stepped(fpr, tpr):
            look["linestyle"] = "-"  # dashes would be lost in the steps
        roc.plot(fpr, tpr, **look)
        kappas.plot(*kappa_along(fpr, tpr, prevalence, ratio), **look)
        if mark_maximum:
            kappa = kappa_from_rates(fpr, tpr, prevalence, cost_ratio=ratio)
            best = int(np.argmax(kappa))
            for axes, values in ((roc, tpr), (kappas, kappa)):
                axes.plot(fpr[best], values[best], **marked_point(style.color, style.marker))
            look |= {"marker": style.marker, "markeredgecolor": "white", "markersize": 5}
        auk = area_under_kappa(fpr, tpr, prevalence, cost_ratio=ratio)
        areas = f"AUC {np.trapezoid(tpr, fpr):.3f}, AUK {auk:.3f}"
        separator = "\n" if len(name) > LONG_NAME else " "
        handles.append(Line2D([], [], label=f"{escape_name(name)}:{separator}{areas}", **look))
    roc.plot([0, 1], [0, 1], **REFERENCE)
    kappas.axhline(0, **REFERENCE)
    for axes in (roc, kappas):
        axes.set(xlim=(-0.02, 1.02), xticks=(0, 0.5, 1), xticklabels=("0", "0.5", "1"))
        axes.set_xlabel("false positive rate $f$")
        axes.set_box_aspect(1)
    roc.set(ylabel="true positive rate $t$", ylim=(-0.02, 1.02), yticks=(0, 0.5, 1))
    at_cost = "" if cost_ratio is None else f"\nat cost ratio {cost_ratio:.3g}"
    kappas.set_ylabel(rf"kappa $\kappa${at_cost}")
    if star:
        point = printed_point()
        look = STAR | {"color": choose_styles(["neural_net"])["neural_net"].color}
        roc.plot(point.fpr.value, point.tpr.value, **look)
        kappas.plot(point.fpr.value, point.kappa.value, **look)
        handles.append(Line2D([], [], label="network's optimum as printed", **look))
        figure.set_figheight(height + LINE)
    figure.legend(
        handles=handles,
        title=f"{title}prevalence {f'{prevalence:.3f}'.rstrip('0')}",
        loc="outside lower center",
        handlelength=2.4,
        title_fontproperties={"size": LETTERS},
    )
    return finish_panels(figure)


def figure_reversing_split(
    measures: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    width: float,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
) -> Figure:
    """ROC and kappa curves, raw (thin) and hull, of both splits with good as the positive class.

    Measures of all replicates choose the splits, of whose test rows there are scores. Prevalence
    (by default that of the test rows) and cost ratio are those of the minority, as in the measures.
    """
    splits = choose_splits(measures)
    size = (width, 1.3 * width)
    figure, grid = plt.subplots(2, len(splits), figsize=size, sharey="row", squeeze=False)
    for (roc, kappas), (title, replicate) in zip(grid.T, splits.items(), strict=True):
        own = scores[(scores["replicate"] == replicate) & scores["model"].isin(PAPER_PAIR)]
        share = own["minority"].mean() if prevalence is None else prevalence
        ratio = 1 / (cost_ratio or 1.0)
        lines = _plot_split(roc, kappas, own.drop(columns="replicate"), 1 - share, ratio)
        roc.set_title(title, loc="right", color=GREY)
    grid[0, 0].set(ylabel="true positive rate $t$", yticks=(0, 0.5, 1))
    at_cost = "" if cost_ratio is None else f"\nat cost ratio {1 / cost_ratio:.3g}"
    grid[1, 0].set_ylabel(rf"kappa $\kappa${at_cost}")
    figure.legend(handles=lines, loc="outside lower center", ncols=2)
    return finish_panels(figure)


def _plot_split(
    roc: Any, kappas: Any, scores: pd.DataFrame, prevalence: float, cost_ratio: float
) -> list[Any]:
    """Draw a split, with what holds for good as the positive class; the lines of its legend."""
    curves = evaluate_curves(scores).set_index(["positive_class", "model", "curve"])
    lines = []
    for number, (model, style) in enumerate(choose_styles(PAPER_PAIR).items()):
        for curve in ("raw", "hull"):
            fpr, tpr = curves.loc[(POSITIVE, model, curve), ["fpr", "tpr"]].to_numpy().T
            look: dict[str, Any] = {"color": style.color, "linewidth": 0.5}
            if curve == "hull":
                look = {"color": style.color, "linestyle": style.linestyle}
            drawn = roc.plot(fpr, tpr, label=MODEL_LABELS[model], **look)
            kappas.plot(*kappa_along(fpr, tpr, prevalence, cost_ratio), **look)
        lines += drawn
        place: Any = {"color": style.color, "xycoords": "axes fraction"}
        height = 0.03 + 0.1 * (1 - number)
        auc = np.trapezoid(tpr, fpr)
        auk = area_under_kappa(fpr, tpr, prevalence, cost_ratio=cost_ratio)
        roc.annotate(f"AUC {auc:.3f}", (0.97, height), ha="right", **place)
        kappas.annotate(f"AUK {auk:.3f}", (0.5, height), ha="center", **place)
    roc.plot([0, 1], [0, 1], **REFERENCE)
    for axes in (roc, kappas):
        axes.set(xticks=(0, 0.5, 1), xticklabels=("0", "0.5", "1"))
        axes.set_box_aspect(1)
    kappas.set_xlabel("false positive rate $f$")
    return lines
