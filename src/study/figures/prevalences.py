"""Which AUKs each printed AUC allows, and which prevalences the printed numbers allow."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve import auk_bounds
from kappacurve.plots.style import LINE_STYLES
from study.figures.style import GREY, SMALL, both_columns, finish_panels
from study.published import MODEL_LABELS, published_pairs

STATED, OTHER = 0.11, 0.89
COLORS = {"hull": LINE_STYLES[0].color, "raw": LINE_STYLES[4].color, "kappa": "0.15"}
KINDS = {
    "hull": "AUK possible on a hull (concave)",
    "raw": "AUK possible on a raw curve (monotone)",
    "kappa": "kappa possible (equation 19)",
}


def figure_prevalences(prevalences: pd.DataFrame, *, width: float) -> Figure:
    """(a) to (d): AUKs that curves of the printed AUCs can have; (e): the possible prevalences.

    `prevalences` is the table of :func:`study.paper.printed_numbers.prevalences_table`; `width` is
    that of one column, the figure is as wide as two.
    """
    figure = plt.figure(figsize=(both_columns(width), 1.35 * width))
    grid = figure.add_gridspec(2, 4, height_ratios=(1, 1.15))
    for i, pair in enumerate(published_pairs()):
        axes = figure.add_subplot(grid[0, i])
        p = np.linspace(0.002, 0.998, 499)
        bounds = auk_bounds(pair.auc.value, p, curve=pair.curve)
        axes.fill_between(p, bounds.lower, bounds.upper, linewidth=0, color=COLORS[pair.curve])
        axes.axhline(pair.auk.value, color="black", linewidth=0.9)
        _mark_prevalences(axes)
        axes.set(xlim=(0, 1), ylim=(-0.02, 0.42), xticks=(0, 0.5, 1), xlabel="$p$")
        axes.set_xticklabels(("0", "0.5", "1"))
        axes.set_title(pair.place, loc="right", color=GREY)
        printed = f"{MODEL_LABELS[pair.model]}\nAUC {pair.auc.text}\nAUK {pair.auk.text}"
        axes.text(0.5, 0.06, printed, transform=axes.transAxes, ha="center", fontsize=SMALL)
        axes.tick_params(labelleft=i == 0)
    figure.axes[0].set_ylabel("exact AUK")
    bars = figure.add_subplot(grid[1, :])
    _plot_intervals(bars, prevalences)
    handles = [bars.barh(np.nan, np.nan, label=KINDS[kind], color=COLORS[kind]) for kind in KINDS]
    handles.append(bars.barh(np.nan, np.nan, label="possible in every row", color="0.8"))
    figure.legend(handles=handles, ncols=2, loc="outside lower center")
    return finish_panels(figure)


def _plot_intervals(axes: Any, prevalences: pd.DataFrame) -> None:
    """A bar for each interval of a printed result, and one behind them for what all allow."""
    is_row = (prevalences["model"] != "all") & prevalences["rule"].isin(["exact", "kappa"])
    labels: list[str] = []
    for (place, model, curve, rule), rows in prevalences[is_row].groupby(
        ["place", "model", "curve", "rule"], sort=False
    ):
        is_point = rule == "kappa"
        color = COLORS["kappa" if is_point else str(curve)]
        widths = list(zip(rows["low"], rows["high"] - rows["low"], strict=True))
        axes.broken_barh(widths, (len(labels) - 0.25, 0.5), linewidth=0, color=color)
        labels.append("operating point" if is_point else f"{place}, {MODEL_LABELS[str(model)]}")
    joint = prevalences[prevalences["place"] == "Table 4 and Section 8"].dropna(subset="low")
    for low, high in joint[["low", "high"]].to_numpy():
        axes.axvspan(low, high, zorder=0, color="0.8", linewidth=0)
    _mark_prevalences(axes)
    note: dict[str, Any] = {"va": "center", "fontsize": SMALL}
    axes.text(STATED, -0.62, f" {STATED}: the paper's text (bad positive)", ha="left", **note)
    axes.text(OTHER, -0.62, f"{OTHER}: good positive ", ha="right", **note)
    axes.set(
        xlim=(0, 1),
        ylim=(len(labels) - 0.5, -0.95),
        xlabel="prevalence $p$ of the positive class",
        yticks=range(len(labels)),
        yticklabels=labels,
    )
    axes.tick_params(axis="y", length=0)


def _mark_prevalences(axes: Any) -> None:
    for value, dashes in ((STATED, (0, (5, 2.5))), (OTHER, (0, (1, 1.6)))):
        axes.axvline(value, color="black", linewidth=1, linestyle=dashes)
