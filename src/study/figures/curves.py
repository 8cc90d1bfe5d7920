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
    line_style,
    marked_point,
)
from study.arrays import FloatArray
from study.data.classes import CLASSES
from study.experiment.measures import evaluate_curves
from study.figures.style import GREY, LETTERS, STAR, choose_styles, finish_panels
from study.published import MODEL_LABELS, PAPER_PAIR, published_point

CURVE_OF_FIGURE = {"figure2": "hull", "figure3": "raw"}
TYPICAL = "a typical split:\nlinear wins by both"
RARE = "a rare split:\nAUC prefers linear,\nAUK the network"
POSITIVE = "majority"
LINE = 0.16  # inches of a line in the legend
LONG_NAME = 16  # letters of a name whose areas stand below it
STEPS = 32  # points along a segment, on which kappa is not straight
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
    models: Sequence[str],
    cost_ratio: float | None,
    has_published: bool,
    width: float,
) -> Iterator[tuple[str, Figure]]:
    """Figures 2 (hull) and 3 (raw) with each positive class, by name such as figure2_majority.

    Parameters
    ----------
    curves, measures : DataFrame
        Of the split shown: model, positive_class, curve with threshold, fpr, tpr, or with
        prevalence.
    names : mapping of str to str
        What the classes are called.
    models : sequence of str
        Those drawn; without those that could not be fitted.
    cost_ratio : float or None
        Cost of a missed minority row in false alarms.
    has_published : bool
        Whether the network's printed optimum is drawn; it has no cost.
    width : float
        In inches.
    """
    fitted = set(curves["model"])
    drawn = [name for name in models if name in fitted]
    styles = [*choose_styles(drawn).values()]
    for (figure_name, curve), side in product(CURVE_OF_FIGURE.items(), CLASSES):
        own = measures[(measures["positive_class"] == side) & (measures["curve"] == curve)]
        shown = curves[(curves["curve"] == curve) & (curves["positive_class"] == side)]
        points: Any = {
            MODEL_LABELS[model]: tuple(
                shown.loc[shown["model"] == model, ["fpr", "tpr"]].to_numpy().T
            )
            for model in drawn
        }
        ratio = 1 / cost_ratio if cost_ratio and side == "majority" else cost_ratio
        figure = _plot_curves(
            points,
            styles,
            float(own["prevalence"].iloc[0]),
            width=width,
            cost_ratio=ratio,
            positive=escape_name(names[side]),
        )
        if curve == "hull" and has_published and cost_ratio is None:
            _mark_published(figure)
        yield f"{figure_name}_{side}", figure


def _plot_curves(
    curves: Mapping[str, Curve],
    styles: Sequence[LineStyle],
    prevalence: float,
    *,
    width: float,
    cost_ratio: float | None = None,
    positive: str = "",
    mark_maximum: bool = True,
) -> Figure:
    """ROC curves beside their kappa curves, each with its areas, and its largest kappa marked."""
    lines = 1 + sum(1 + (len(name) > LONG_NAME) for name in curves)
    height = 0.5 * width + 0.35 + LINE * lines
    figure, (roc, kappas) = plt.subplots(1, 2, figsize=(width, height))
    handles = []
    for (name, (fpr, tpr)), style in zip(curves.items(), styles, strict=True):
        ratio = cost_ratio or 1.0
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
        label = f"{escape_name(name)}:{chr(10) if len(name) > LONG_NAME else ' '}{areas}"
        handles.append(Line2D([], [], label=label, **look))
    roc.plot([0, 1], [0, 1], **REFERENCE)
    kappas.axhline(0, **REFERENCE)
    for axes in (roc, kappas):
        axes.set(xlim=(-0.02, 1.02), xticks=(0, 0.5, 1), xticklabels=("0", "0.5", "1"))
        axes.set_xlabel("false positive rate $f$")
        axes.set_box_aspect(1)
    roc.set(ylabel="true positive rate $t$", ylim=(-0.02, 1.02), yticks=(0, 0.5, 1))
    at_cost = "" if cost_ratio is None else f"\nat cost ratio {cost_ratio:.3g}"
    kappas.set_ylabel(rf"kappa $\kappa${at_cost}")
    title = f"{positive} positive, " if positive else ""
    _add_legend(figure, handles, f"{title}prevalence {f'{prevalence:.3f}'.rstrip('0')}")
    return finish_panels(figure)


def _add_legend(figure: Figure, handles: Sequence[Any], title: str) -> None:
    look: dict[str, Any] = {"handlelength": 2.4, "title_fontproperties": {"size": LETTERS}}
    figure.legend(handles=handles, title=title, loc="outside lower center", **look)


def kappa_along(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, cost_ratio: float = 1.0
) -> Curve:
    """False positive rates and kappas along the segments, on which kappa is not straight."""
    corners = np.arange(len(fpr))
    places = np.linspace(0, len(fpr) - 1, STEPS * (len(fpr) - 1) + 1)
    f, t = np.interp(places, corners, fpr), np.interp(places, corners, tpr)
    return f, np.asarray(kappa_from_rates(f, t, prevalence, cost_ratio=cost_ratio))


def _mark_published(figure: Figure) -> None:
    """The network's printed optimum, with a line of its own in the legend."""
    roc, kappas = figure.axes
    point = published_point()
    for axes, height in ((roc, point.tpr), (kappas, point.kappa)):
        axes.plot(point.fpr.value, height.value, **STAR)
    (legend,) = figure.legends
    handles = [*legend.legend_handles, Line2D([], [], label="network's optimum as printed", **STAR)]
    legend.remove()
    _add_legend(figure, handles, legend.get_title().get_text())
    figure.set_figheight(figure.get_figheight() + LINE)


def choose_splits(measures: pd.DataFrame) -> dict[str, int]:
    """The split whose leads are nearest to their medians, and the clearest reversal, by title.

    A reversal shows on curve and hull both, with good as the positive class; the clearest has the
    largest of the smaller leads, each in standard deviations. Without one there is one split.
    """
    own = measures[measures["positive_class"] == POSITIVE]
    wide: Any = own.pivot_table(
        index="replicate", columns=["curve", "model"], values=["auc", "auk"]
    )
    first, second = (wide.xs(model, axis=1, level="model") for model in PAPER_PAIR)
    lead = (first - second).dropna()
    scaled = lead / lead.std()
    agrees = lead[(lead > 0).all(axis=1)].index
    distance = (scaled.loc[agrees] - scaled.median()).abs().max(axis=1)
    signs = np.where(lead.columns.get_level_values(0) == "auc", 1.0, -1.0)
    reversal = scaled[(lead * signs > 0).all(axis=1)] * signs
    candidates = {TYPICAL: distance, RARE: -reversal.min(axis=1)}
    return {title: int(rank.idxmin()) for title, rank in candidates.items() if len(rank)}


def figure_reversing_split(measures: pd.DataFrame, scores: pd.DataFrame, *, width: float) -> Figure:
    """ROC and kappa curves, raw (thin) and hull, of both splits with good as the positive class.

    Parameters
    ----------
    measures : DataFrame
        Of the replicates: replicate, model, positive_class, curve, auc, auk.
    scores : DataFrame
        Of their test rows: replicate, minority, model, score; the chosen splits are enough.
    width : float
        In inches.
    """
    splits = choose_splits(measures)
    size = (width, 1.3 * width)
    figure, grid = plt.subplots(2, len(splits), figsize=size, sharey="row", squeeze=False)
    for (roc, kappas), (title, replicate) in zip(grid.T, splits.items(), strict=True):
        own = scores[(scores["replicate"] == replicate) & scores["model"].isin(PAPER_PAIR)]
        lines = _plot_split(roc, kappas, own.drop(columns="replicate"))
        roc.set_title(title + "\n" * (2 - title.count("\n")), loc="right", color=GREY)
    grid[0, 0].set(ylabel="true positive rate $t$", yticks=(0, 0.5, 1))
    grid[1, 0].set_ylabel(r"kappa $\kappa$")
    figure.legend(handles=lines, loc="outside lower center", ncols=2)
    return finish_panels(figure)


def _plot_split(roc: Any, kappas: Any, scores: pd.DataFrame) -> list[Any]:
    prevalence = 1 - float(scores["minority"].mean())
    curves = evaluate_curves(scores)
    curves = curves[curves["positive_class"] == POSITIVE]
    lines = []
    for number, (model, style) in enumerate(choose_styles(PAPER_PAIR).items()):
        for curve in ("raw", "hull"):
            own = curves[(curves["model"] == model) & (curves["curve"] == curve)]
            fpr, tpr = own["fpr"].to_numpy(), own["tpr"].to_numpy()
            look: dict[str, Any] = {"color": style.color, "linewidth": 0.5}
            if curve == "hull":
                look = {"color": style.color, "linestyle": style.linestyle}
            drawn = roc.plot(fpr, tpr, label=MODEL_LABELS[model], **look)
            kappas.plot(*kappa_along(fpr, tpr, prevalence), **look)
        lines += drawn
        areas = (("AUC", np.trapezoid(tpr, fpr)), ("AUK", area_under_kappa(fpr, tpr, prevalence)))
        for axes, (measure, area) in zip((roc, kappas), areas, strict=True):
            place: Any = {"xy": (0.5, 0.03 + 0.1 * (1 - number)), "xycoords": "axes fraction"}
            if axes is roc:
                place |= {"xy": (0.97, place["xy"][1]), "ha": "right"}
            axes.annotate(f"{measure} {area:.3f}", color=style.color, **{"ha": "center", **place})
    roc.plot([0, 1], [0, 1], **REFERENCE)
    for axes in (roc, kappas):
        axes.set(xticks=(0, 0.5, 1), xticklabels=("0", "0.5", "1"))
        axes.set_box_aspect(1)
    kappas.set_xlabel("false positive rate $f$")
    return lines
