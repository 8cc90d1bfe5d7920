"""Figures of the study: measures, families, ratio of negatives to positives, break-even map."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.plots.style import REFERENCE, TWO_COLUMNS, headline
from many_data_sets.break_even import break_even
from many_data_sets.draws import MEAN
from many_data_sets.measures import MEASURES

ROUNDS = {
    1: {"label": "round 1's data sets", "color": "0.45", "marker": "o", "mfc": "white"},
    2: {"label": "new sources", "color": "#332288", "marker": "D", "mfc": "#332288"},
    3: {"label": "your own", "color": "#CC6677", "marker": "s", "mfc": "#CC6677"},
}
LINES = ("#332288", "#CC6677", "#117733", "#DDAA33", "0.4")
AHEAD = "percentage points of attainable gain, less AUC's"


def figure_measures(table: pd.DataFrame) -> Figure:
    """Every measure against AUC: mean with interval, and the interval for a new data set."""
    rows = table[(table["goal"] == MEAN) & table["measure"].isin(MEASURES)]
    rows = rows[rows["measure"] != "auc"]
    order = rows[rows["round"] == rows["round"].min()].sort_values("difference")["measure"]
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 0.26 * len(order) + 0.9))
    axes.axvline(0, **REFERENCE)
    parts = _by_round(rows)
    for shift, (look, part) in zip(np.linspace(-0.16, 0.16, len(parts)), parts, strict=True):
        own = part.set_index("measure").reindex(order)
        middle, low, high, least, most = (
            own[key].to_numpy(dtype=float)
            for key in ("difference", "low", "high", "predicted_low", "predicted_high")
        )
        heights = np.arange(len(order)) - shift
        axes.hlines(heights, least, most, color=look["color"], lw=0.6, alpha=0.6)
        around = [middle - low, high - middle]
        style: Any = {"ms": 3.5, "lw": 0, "elinewidth": 1.8, "ecolor": look["color"], **look}
        axes.errorbar(middle, heights, xerr=around, **style)
    axes.set_yticks(range(len(order)), [MEASURES[measure] for measure in order], fontsize=7)
    axes.set_xlabel(AHEAD)
    axes.legend(loc="lower right")
    best = str(rows.groupby("measure")["difference"].min().idxmax())
    told = (
        f"{MEASURES[measure]} {_of_rounds(rows[rows['measure'] == measure])}"
        for measure in (best, "auk")
    )
    about = "mean over data sets; thick: its 95 % interval, thin: interval for a new data set"
    headline(
        figure, f"Points gained on AUC: {', '.join(told)}", f"25 positives in 500 rows; {about}"
    )
    return figure


def figure_families(by_family: pd.DataFrame) -> Figure:
    """AUK and log loss against AUC in each family, with two Monte Carlo standard deviations."""
    rows = by_family.sort_values(["round", "auk"], ascending=[False, True], ignore_index=True)
    figure, panels = plt.subplots(
        1, 2, figsize=(TWO_COLUMNS, 0.15 * len(rows) + 0.9), sharey=True, sharex=True
    )
    for axes, measure in zip(panels, ("auk", "log_loss"), strict=True):
        axes.axvline(0, **REFERENCE)
        for look, own in _by_round(rows):
            style: Any = {"ms": 3.5, "lw": 0, "elinewidth": 0.8, "ecolor": look["color"], **look}
            axes.errorbar(own[measure], own.index, xerr=2 * own[f"{measure}_mc_sd"], **style)
        axes.set_title(f"{MEASURES[measure]} \N{MINUS SIGN} AUC", fontsize=8)
    panels[0].set_yticks(range(len(rows)), rows["family"].tolist(), fontsize=6)
    panels[0].legend(loc="upper left")
    figure.supxlabel(AHEAD, fontsize=8)
    told = (f"{MEASURES[one]} {_ahead(rows, one)}" for one in ("auk", "log_loss"))
    headline(
        figure,
        f"Data sets in which a measure leads AUC: {', '.join(told)}",
        "bars: two Monte Carlo standard deviations of a data set's own value",
    )
    return figure


def figure_ratio(ratio: pd.DataFrame, by_family: pd.DataFrame, n_positive: int) -> Figure:
    """AUK against AUC over negatives per positive, with the break-even that theory predicts."""
    rows = ratio[(ratio["measure"] == "auk") & (ratio["n_positive"] == n_positive)]
    parts = _by_round(rows)
    size, n = (TWO_COLUMNS, 3.0), max(len(parts), 1)
    figure, (panels,) = plt.subplots(1, n, figsize=size, sharey=True, squeeze=False)
    separations = by_family.groupby("round")["separation"].median()
    for axes, (look, part) in zip(panels, parts, strict=False):
        own = part[part["prevalence"] < 0.5]
        axes.axhline(0, **REFERENCE)
        separation = float(separations.get(part["round"].iloc[0], np.nan))
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
        ticks = own["ratio"].unique().tolist()
        axes.set_xscale("log")
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel("negatives per positive in the sample")
    panels[0].set_ylabel("AUK \N{MINUS SIGN} AUC, percentage points")
    panels[-1].legend(loc="lower right", title="triangles: predicted", title_fontsize=7)
    if len(rows):
        rare = rows[rows["prevalence"] == rows["prevalence"].min()]
        ends = [
            rare[rare["ratio"] == ratio] for ratio in (rare["ratio"].min(), rare["ratio"].max())
        ]
        told = (f"{_of_rounds(end)} at {end['ratio'].iloc[0]:g}" for end in ends)
        where = f"AUK less AUC by negatives per positive, π = {rare['prevalence'].iloc[0]:g}"
        about = f"{n_positive} positives; mean over data sets with its 95 % interval"
        headline(figure, f"{where}: {', '.join(told)}", about)
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
    for look, own in _by_round(by_family):
        style: Any = {"marker": "|", "lw": 0, "ms": 6, "color": look["color"]}
        heights = 0.96 + 0.06 * own["round"]
        axes.plot(own["separation"], heights, label=look["label"], **style)
    axes.set_xlim(0.2, 3.05)
    axes.set_ylim(0.95, 32)
    axes.set_yscale("log")
    axes.set_yticks([1, 2, 3, 4, 5, 8, 16, 32], ["1", "2", "3", "4", "5", "8", "16", "32"])
    axes.minorticks_off()
    axes.set_xlabel("separation of the classes, standard deviations")
    axes.set_ylabel("break-even: negatives per positive")
    axes.legend(loc="upper right", ncols=2, title="dots: checked by simulation", title_fontsize=7)
    middle = rows[rows["separation"] == 1.0].sort_values("prevalence").iloc[[0, -1]]
    told = (f"{row['ratio']:.1f} at π = {row['prevalence']:g}" for _, row in middle.iterrows())
    sentence = f"To match AUC, AUK needs so many negatives per positive: {', '.join(told)}"
    about = (
        "by influence functions; normal scores of equal variance, correlation 0.5; at separation 1"
    )
    headline(figure, sentence, about)
    return figure


def _of_rounds(rows: pd.DataFrame) -> str:
    """A difference in words, on the data sets of each round."""
    parts = ((look["label"], float(part["difference"].iloc[0])) for look, part in _by_round(rows))
    return " and ".join(f"{value:+.1f} ({name})" for name, value in parts).replace(
        "-", "\N{MINUS SIGN}"
    )


def _ahead(rows: pd.DataFrame, measure: str) -> str:
    """In how many data sets of each round a measure leads."""
    parts = ((look["label"], part[measure].dropna()) for look, part in _by_round(rows))
    return " and ".join(f"{(own > 0).sum()} of {len(own)} ({name})" for name, own in parts)


def _by_round(rows: pd.DataFrame) -> list[tuple[dict[str, str], pd.DataFrame]]:
    """The look and the rows of each round that a table has."""
    return [(ROUNDS[int(str(number))], part) for number, part in rows.groupby("round")]
