"""Figures of the study: measures, families, ratio of negatives to positives, break-even map."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kappacurve.plots.style import REFERENCE, TWO_COLUMNS
from study.bakeoff.break_even import break_even
from study.bakeoff.draws import MEAN
from study.bakeoff.measures import MEASURES

ROUNDS = {
    1: {"label": "round 1's data sets", "color": "0.45", "marker": "o", "mfc": "white"},
    2: {"label": "new sources", "color": "#332288", "marker": "D", "mfc": "#332288"},
    3: {"label": "your own", "color": "#CC6677", "marker": "s", "mfc": "#CC6677"},
}
LINES = ("#332288", "#CC6677", "#117733", "#DDAA33", "0.4")
AHEAD = "percentage points of attainable gain, less AUC's"


def figure_measures(headline: pd.DataFrame) -> Figure:
    """Every measure against AUC: mean with interval, and the interval for a new data set."""
    rows = headline[(headline["goal"] == MEAN) & headline["measure"].isin(MEASURES)]
    rows = rows[rows["measure"] != "auc"]
    order = rows[rows["round"] == rows["round"].min()].sort_values("difference")["measure"]
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 0.26 * len(order) + 0.9))
    axes.axvline(0, **REFERENCE)
    rounds = _rounds(rows)
    for shift, number in zip(np.linspace(-0.16, 0.16, len(rounds)), rounds, strict=True):
        look = ROUNDS[number]
        own = rows[rows["round"] == number].set_index("measure").reindex(order)
        middle, low, high, least, most = (
            own[key].to_numpy(dtype=float)
            for key in ("difference", "low", "high", "predicted_low", "predicted_high")
        )
        heights = np.arange(len(order)) - shift
        axes.hlines(heights, least, most, color=look["color"], lw=0.6, alpha=0.6)
        around = [middle - low, high - middle]
        style: Any = {"ms": 3.5, "lw": 0, "elinewidth": 1.8, "ecolor": look["color"], **look}
        axes.errorbar(middle, heights, xerr=around, **style)
    axes.set_yticks(range(len(order)), [MEASURES[one] for one in order], fontsize=7)
    axes.set_xlabel(AHEAD)
    axes.legend(loc="lower right")
    return figure


def figure_families(by_family: pd.DataFrame) -> Figure:
    """AUK and log loss against AUC in each family, with two Monte Carlo standard deviations."""
    rows = by_family.sort_values(["round", "auk"], ascending=[False, True])
    figure, panels = plt.subplots(
        1, 2, figsize=(TWO_COLUMNS, 0.15 * len(rows) + 0.9), sharey=True, sharex=True
    )
    for axes, measure in zip(panels, ("auk", "log_loss"), strict=True):
        axes.axvline(0, **REFERENCE)
        for number in _rounds(rows):
            look = ROUNDS[number]
            here = (rows["round"] == number).to_numpy()
            own = rows[here]
            style: Any = {"ms": 3.5, "lw": 0, "elinewidth": 0.8, "ecolor": look["color"], **look}
            heights = np.flatnonzero(here)
            axes.errorbar(own[measure], heights, xerr=2 * own[f"{measure}_mc_sd"], **style)
        axes.set_title(f"{MEASURES[measure]} \N{MINUS SIGN} AUC", fontsize=8)
    panels[0].set_yticks(range(len(rows)), rows["family"].tolist(), fontsize=6)
    panels[0].legend(loc="upper left")
    figure.supxlabel(AHEAD, fontsize=8)
    return figure


def figure_ratio(ratio: pd.DataFrame, by_family: pd.DataFrame, n_positive: int) -> Figure:
    """AUK against AUC over negatives per positive, with the break-even that theory predicts."""
    rows = ratio[(ratio["measure"] == "auk") & (ratio["n_positive"] == n_positive)]
    rounds = _rounds(rows)
    size = TWO_COLUMNS, 3.0
    figure, (panels,) = plt.subplots(
        1, max(len(rounds), 1), figsize=size, sharey=True, squeeze=False
    )
    for axes, number in zip(panels, rounds, strict=False):
        look = ROUNDS[number]
        own = rows[(rows["round"] == number) & (rows["prevalence"] < 0.5)]
        axes.axhline(0, **REFERENCE)
        separation = float(by_family[by_family["round"] == number]["separation"].median())
        for color, (p, part) in zip(LINES, own.groupby("prevalence"), strict=False):
            middle, low, high = part[["difference", "low", "high"]].to_numpy(dtype=float).T
            at = part["ratio"].to_numpy(dtype=float) * 1.04 ** LINES.index(color)
            style: Any = {"marker": "o", "ms": 3, "lw": 1, "elinewidth": 0.6, "color": color}
            axes.errorbar(
                at, middle, yerr=[middle - low, high - middle], label=f"π = {p:g}", **style
            )
            expected = break_even(float(str(p)), separation, 0.5, 0.5)
            axes.plot(expected, 0, "v", ms=6, color=color, mec="black", mew=0.5, zorder=5)
        families = int(own["families"].max()) if len(own) else 0
        axes.set_title(f"{look['label']} ({families})", fontsize=8)
        _ratio_axis(axes, own["ratio"].unique().tolist())
    panels[0].set_ylabel("AUK \N{MINUS SIGN} AUC, percentage points")
    panels[-1].legend(loc="lower right", title="triangles: predicted", title_fontsize=7)
    return figure


def figure_map(table: pd.DataFrame, simulated: pd.DataFrame, by_family: pd.DataFrame) -> Figure:
    """How many negatives per positive AUK needs, over the separation, a line a prevalence."""
    rows = table[(table["correlation"] == 0.5) & (table["cost"] == 0.5)]
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 3.4))
    shades = plt.get_cmap("viridis")(np.linspace(0, 0.9, rows["prevalence"].nunique()))
    for shade, (p, part) in zip(shades, rows.groupby("prevalence"), strict=True):
        axes.plot(part["separation"], part["ratio"], color=shade, lw=1.2, label=f"π = {p:g}")
        own = simulated[simulated["prevalence"] == p]
        axes.plot(own["separation"], own["n_negative"] / own["n_positive"], "o", ms=3, color=shade)
    for number in _rounds(by_family):
        look = ROUNDS[number]
        at = by_family.loc[by_family["round"] == number, "separation"]
        style: Any = {"marker": "|", "lw": 0, "ms": 6, "color": look["color"]}
        axes.plot(at, np.full(len(at), 1.02 + 0.06 * (number - 1)), label=look["label"], **style)
    axes.set_xlim(0.2, 3.05)
    axes.set_ylim(0.95, 32)
    axes.set_yscale("log")
    axes.set_yticks([1, 2, 3, 4, 5, 8, 16, 32], ["1", "2", "3", "4", "5", "8", "16", "32"])
    axes.minorticks_off()
    axes.set_xlabel("separation of the classes, standard deviations")
    axes.set_ylabel("break-even: negatives per positive")
    axes.legend(loc="upper right", ncols=2, title="dots: checked by simulation", title_fontsize=7)
    return figure


def _rounds(rows: pd.DataFrame) -> list[int]:
    """Those in a table."""
    return [number for number in ROUNDS if (rows["round"] == number).any()]


def _ratio_axis(axes: Axes, ticks: list[float]) -> None:
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("negatives per positive in the sample")
