"""At which prevalences the published numbers are possible."""

from __future__ import annotations

from functools import reduce
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from kappacurve.bounds import auk_bounds
from kappacurve.plots import BOUND_STYLES
from kappacurve.plots.style import TWO_COLUMNS
from study.companions import kaymak2010_experiment as experiment
from study.figures.marks import add_note, letter_panels
from study.published import MODEL_LABELS

COMMON: dict[str, Any] = {"color": "0.8", "linewidth": 0}


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
    _plot_intervals(bars, pairs)
    return letter_panels(figure)


def _plot_intervals(axes: Any, pairs: list[experiment.Pair]) -> None:
    """The prevalences at which each pair and the operating point, if published, are possible."""
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
        add_note(axes, f"{value:g}: {text}", (value, -0.62), (shift, 0), ha=side, va="center")
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


def _mark_prevalences(axes: Any) -> None:
    for value, dashes in (
        (experiment.STATED_PREVALENCE, (0, (5, 2.5))),
        (experiment.IMPLIED_PREVALENCE, (0, (1, 1.6))),
    ):
        axes.axvline(value, color="black", linewidth=1, linestyle=dashes)
