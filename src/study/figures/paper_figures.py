"""Figures 1 to 3 of Kaymak et al. (2010) from our own curves, and the figures of the forensics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.special import ndtr, ndtri

from kappacurve.bounds import auk_bounds
from kappacurve.plots import BOUND_STYLES, plot_auk_by_prevalence, plot_curves
from kappacurve.plots.style import LINE_STYLES, ONE_COLUMN, TWO_COLUMNS
from study.companions import kaymak2010_experiment as experiment
from study.data.classes import CLASSES, Names
from study.figures import headlines
from study.figures.headlines import STAR, headed, note
from study.published import MODEL_LABELS
from study.tables.comparison import OF_CURVE

COMMON: dict[str, Any] = {"color": "0.8", "linewidth": 0}
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
    if (point := experiment.point_if_published()) is None:
        return
    fpr, tpr, kappa_max = (printed.value for printed in point)
    # Where no curve is: above the ROC curves, below the kappa curves.
    for axes, height, shift in ((roc, tpr, (-4, 4)), (kappa, kappa_max, (8, -15))):
        axes.plot(fpr, height, markersize=8, **STAR)
        side = "bottom" if shift[1] > 0 else "top"
        if named:
            text = "network's optimum\nas printed"
            note(axes, text, (fpr, height), shift, ha="right", va=side)


def figure_prevalence() -> Figure:
    """Range of the AUK over the prevalence, and the prevalences that are consistent."""
    pairs = experiment.published_pairs()
    figure = plt.figure(figsize=(TWO_COLUMNS, 4.6))
    grid = figure.add_gridspec(2, 4, height_ratios=(1, 1.15))
    p = np.linspace(0.002, 0.998, 499)
    for i, pair in enumerate(pairs):
        axes = figure.add_subplot(grid[0, i])
        bounds = auk_bounds(pair.auc.value, p, curve=pair.curve)
        axes.fill_between(p, bounds.lower, bounds.upper, linewidth=0, **BOUND_STYLES[pair.curve])
        axes.axhline(pair.auk.value, color="black", linewidth=0.9)
        _mark_prevalences(axes)
        axes.set(xlim=(0, 1), ylim=(-0.02, 0.42), xticks=(0, 0.5, 1), xlabel="$p$")
        axes.set_xticklabels(("0", "0.5", "1"))
        axes.set_title(f"{pair.place}, {MODEL_LABELS[pair.model]}", loc="right", color="0.35")
        printed = f"AUC {pair.auc.value:.4f}\nAUK {pair.auk.value:.4f}"
        axes.text(0.5, 0.06, printed, transform=axes.transAxes, ha="center", fontsize=7)
        axes.tick_params(labelleft=i == 0)
    figure.axes[0].set_ylabel("exact AUK")
    bars = figure.add_subplot(grid[1, :])
    sentence = _plot_intervals(bars, pairs)
    about = "Kaymak et al. (2010), Tables 4 and 5 and section 8. (a) to (d): every exact AUK that "
    about += "a curve with the printed AUC can have; line: the printed AUK. (e): the prevalences "
    about += "at which each result is possible. No data are used"
    return headed(figure, sentence, about)


def figure_readings(shown: Sequence[Mapping[str, Any]], evidence: Sequence[str]) -> Figure:
    """The text and the departures from it that fit (rows) beside the evidence (columns)."""
    colors = {"+": LINE_STYLES[0].color, "\N{MINUS SIGN}": LINE_STYLES[1].color}
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 0.34 * len(shown) + 1.6))
    for y, row in enumerate(shown):
        for x, name in enumerate(evidence):
            sign = row["signs"][name]
            look: Any = {"fc": colors.get(sign, "0.85"), "alpha": 0.55, "ec": "white", "lw": 1}
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, **look))
            axes.text(x, y, sign, ha="center", va="center_baseline", fontsize=9)
    axes.set(xlim=(-0.5, len(evidence) - 0.5), ylim=(len(shown) - 0.5, -0.5))
    axes.set_yticks(range(len(shown)), [row["words"].replace(", ", ",\n") for row in shown])
    labels = [name.replace(", ", ",\n") for name in evidence]
    axes.set_xticks(range(len(evidence)), labels, rotation=45, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("+ fits   \N{MINUS SIGN} does not fit   ? undecided")
    about = "Rows: the paper's text, and the departures from it that fit; columns: what they are "
    about += "held against"
    return headed(figure, headlines.of_readings(shown), about)


def _plot_intervals(axes: Any, pairs: list[experiment.Pair]) -> str:
    """The prevalences at which each pair and the operating point, if published, are possible.

    Says how many are so at the prevalences of the text and of the numbers.
    """
    labels = [*(f"{pair.place}, {MODEL_LABELS[pair.model]}" for pair in pairs), "operating point"]
    point = experiment.point_if_published()
    rows = [
        (experiment.pair_intervals(pair, pair.curve), BOUND_STYLES[pair.curve]) for pair in pairs
    ]
    rows.append((experiment.point_intervals(point) if point else [], {"color": "0.15"}))
    for row, (intervals, style) in enumerate(rows):
        widths = [(low, high - low) for low, high in intervals]
        axes.broken_barh(widths, (row - 0.25, 0.5), linewidth=0, **style)
    every = [intervals for intervals, _ in rows if intervals]
    for low, high in reduce(experiment.intersection, every):
        axes.axvspan(low, high, zorder=0, **COMMON)
    _mark_prevalences(axes)
    for value, text, side, shift in (
        (experiment.STATED_PREVALENCE, "the paper's text (bad positive)", "left", 3),
        (experiment.IMPLIED_PREVALENCE, "good positive", "right", -3),
    ):
        note(axes, f"{value:g}: {text}", (value, -0.62), (shift, 0), ha=side, va="center")
    names = {
        "AUK possible on a hull (concave)": BOUND_STYLES["hull"],
        "AUK possible on a raw curve (monotone)": BOUND_STYLES["raw"],
        "kappa possible (equation 19)": {"color": "0.15"},
        "possible in every row": COMMON,
    }
    handles = [axes.barh(np.nan, np.nan, label=name, **style) for name, style in names.items()]
    axes.figure.legend(handles=handles, ncols=2, loc="outside lower center")
    axes.set(
        xlim=(0, 1),
        ylim=(len(labels) - 0.5, -0.95),
        xlabel="prevalence $p$ of the positive class",
        yticks=range(len(labels)),
        yticklabels=labels,
    )
    axes.tick_params(axis="y", length=0)
    return headlines.of_forensics(
        every, experiment.STATED_PREVALENCE, experiment.IMPLIED_PREVALENCE
    )


def _mark_prevalences(axes: Any) -> None:
    for value, dashes in (
        (experiment.STATED_PREVALENCE, (0, (5, 2.5))),
        (experiment.IMPLIED_PREVALENCE, (0, (1, 1.6))),
    ):
        axes.axvline(value, color="black", linewidth=1, linestyle=dashes)
