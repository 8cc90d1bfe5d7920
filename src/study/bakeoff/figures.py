"""Figures of the study: by family, by design, measure by goal, crossing curves, efficiency."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kappacurve.plots.style import MEASURE_STYLES, REFERENCE, TWO_COLUMNS
from study.bakeoff.measures import MEASURES
from study.bakeoff.summary import MEAN

SAMPLE_LOOKS = {
    "rarest": {"color": "#332288", "marker": "D", "linestyle": "-"},
    # Of other sizes at other prevalences: its points are not joined.
    "natural": {"color": "0.35", "marker": "o", "linestyle": "none", "mfc": "white"},
    "balanced": {"color": "#CC6677", "marker": "s", "linestyle": "-"},
}
GOALS = {
    "cost_balanced": "cost, c = 1 \N{MINUS SIGN} π",
    "precision_top": "precision at the top",
    MEAN: "mean of goals",
    "own": "itself",
}
GAIN = "AUK \N{MINUS SIGN} AUC"


def figure_families(by_family: pd.DataFrame, headline: pd.DataFrame) -> Figure:
    """Forest plot: AUK - AUC of each family, and pooled with its interval."""
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 0.16 * len(by_family) + 1.2))
    axes.axvline(0, **REFERENCE)
    axes.plot(by_family[MEAN], range(len(by_family)), "o", color="0.3", ms=3.5)
    labels = by_family["family"].tolist()
    pooled = headline.query("measure == 'auk' and goal == @MEAN").head(1)
    middle = pooled["difference"].to_numpy(dtype=float)
    spread = [middle - pooled["low"], pooled["high"] - middle]
    heights = [*range(len(labels)), *(len(labels) + 0.5 + n for n in range(len(pooled)))]
    axes.errorbar(
        middle, heights[len(labels) :], xerr=spread, fmt="D", color="black", ms=4, capsize=2
    )
    labels += [
        f"pooled, tier {a} ({n})" for a, n in zip(pooled["tier"], pooled["families"], strict=True)
    ]
    axes.set_yticks(heights, labels, fontsize=6)
    axes.set_xlabel(f"{GAIN}, percentage points of attainable gain (mean of the goals)")
    return figure


def figure_designs(by_design: pd.DataFrame, n_positive: int) -> Figure:
    """AUK - AUC over the prevalence at fixed positives, for each kind of sample."""
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 2.8))
    axes.axhline(0, **REFERENCE)
    chosen = by_design.query("n_positive == @n_positive and goal == @MEAN")
    kinds = {
        "rarest": chosen["n_negative"] == chosen["n_negative"].max(),
        "natural": chosen["sample"] == "natural",
        "balanced": chosen["n_negative"] == n_positive,
    }
    for shift, (name, rows) in zip((0.97, 1, 1.03), kinds.items(), strict=True):
        part = chosen[rows].sort_values("prevalence")
        middle, low, high = part[["difference", "low", "high"]].to_numpy(dtype=float).T
        look: Any = {"label": f"{name} sample", "ms": 4, "lw": 1, **SAMPLE_LOOKS[name]}
        around = [middle - low, high - middle]
        axes.errorbar(shift * part["prevalence"], middle, yerr=around, **look)
    _prevalence_axis(axes, chosen)
    families = int(chosen["families"].max()) if len(chosen) else 0
    axes.set_xlabel(f"evaluation prevalence ({n_positive} positives, {families} families)")
    axes.set_ylabel(f"{GAIN}, points")
    axes.legend(loc="upper right")
    return figure


def figure_matrix(matrix: pd.DataFrame) -> Figure:
    """Share of attainable gain, measure by goal, as shades with numbers."""
    shares = matrix.query("outcome == 'gain' or (outcome == 'reliability' and goal == 'own')")
    table = shares[shares["measure"].isin(MEASURES)].pivot_table(
        index="measure", columns="goal", values="value"
    )
    goals = [g for g in table.columns if g != "own"]
    table = table.loc[[m for m in MEASURES if m in table.index], [*goals, "own"]]
    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 0.24 * len(table) + 1.1))
    values = table.to_numpy(dtype=float)
    axes.imshow(values, cmap="Blues", aspect="auto", vmin=np.nanmin(values), vmax=100)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            color = "white" if value > 75 else "black"
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", size=7, color=color)
    axes.set_yticks(range(len(table)), [MEASURES[m].label for m in table.index], fontsize=7)
    labels = [GOALS.get(goal, goal.replace("cost_", "cost, c = ")) for goal in table.columns]
    axes.set_xticks(range(len(labels)), labels, fontsize=7, rotation=20, ha="right")
    axes.set_title("Attainable gain obtained, per cent, by measure and goal", fontsize=8)
    return figure


def figure_efficiency(efficiency: pd.DataFrame) -> Figure:
    """Relative efficiency by prevalence (natural and balanced samples), and along the cost."""
    shown = ("auk", "auk_symmetric", "ks", "kappa_max", "h", "average_precision")
    base = efficiency.query("separation == separation.min() and correlation == correlation.max()")
    figure, panels = plt.subplots(1, 3, figsize=(TWO_COLUMNS, 2.9), sharey=True)
    for axes, sample in zip(panels, ("natural", "balanced"), strict=False):
        part = base[(base["n_negative"] == base["n_positive"]) | (sample == "natural")]
        part = part[(part["sample"] == sample) | (part["prevalence"] == 0.5)]
        for measure in shown:
            one = part[part["measure"] == measure].sort_values("prevalence")
            style = MEASURE_STYLES[measure.removesuffix("_symmetric")]
            look: Any = {"color": style.color, "marker": style.marker, "ms": 3.5, "lw": 1}
            look["mfc"] = "white" if measure.endswith("_symmetric") else style.color
            # Natural samples are of other sizes at other prevalences: their points are not joined.
            look["ls"] = "none" if sample == "natural" else "-"
            axes.plot(one["prevalence"], one["efficiency"], label=MEASURES[measure].label, **look)
        _finish(axes, f"{sample} sample", "evaluation prevalence")
        _prevalence_axis(axes, part)
    panels[0].set_ylabel("efficiency relative to AUC")
    costs = base[(base["measure"] == "auk_goal") & (base["sample"] == "natural")]
    prevalences = sorted(costs["prevalence"].unique())
    for p, shade in zip(prevalences, np.linspace(0.0, 0.7, len(prevalences)), strict=True):
        one, look = costs[costs["prevalence"] == p].sort_values("cost"), {"color": f"{shade:g}"}
        panels[2].plot(one["cost"], one["efficiency"], "o", ms=3, **look)
        by_influence = one["efficiency_by_influence"]
        panels[2].plot(one["cost"], by_influence, lw=1, label=f"π = {p:g}", **look)
    _finish(panels[2], "AUK at a cost", "cost share c of a missed positive")
    panels[2].legend(loc="lower left")
    figure.legend(*panels[1].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return figure


def _prevalence_axis(axes: Axes, table: pd.DataFrame) -> None:
    ticks = sorted(table["prevalence"].unique())
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def _finish(axes: Axes, title: str, label: str) -> None:
    axes.axhline(1, **REFERENCE)
    axes.set_title(title, fontsize=8)
    axes.set_xlabel(label)
