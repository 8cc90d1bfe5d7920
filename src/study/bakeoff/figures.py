"""Figures of the study: by family, by design, measure by goal, crossing curves, efficiency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kappacurve.plots.style import LINE_STYLES, REFERENCE as DASHED, TWO_COLUMNS
from study.bakeoff.measures import MEASURES
from study.bakeoff.summary import MEAN

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REFERENCE: dict[str, Any] = dict(DASHED)
SAMPLES = {"natural": "natural sample", "balanced": "balanced sample", "rarest": "rarest sample"}
GOALS = {
    "cost_balanced": "cost, c = 1 - π",
    "precision_top": "precision at the top",
    MEAN: "mean of goals",
    "own": "itself",
}
POINTS = "AUK - AUC, percentage points of attainable gain"


def goal_label(goal: str) -> str:
    """A goal for people."""
    return GOALS.get(goal, goal.replace("cost_", "cost, c = "))


def figure_families(by_family: pd.DataFrame, headline: pd.DataFrame) -> Figure:
    """Forest plot: AUK - AUC of each family, and pooled with its interval."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 0.16 * len(by_family) + 1.2))
    axes.axvline(0, **REFERENCE)
    axes.plot(by_family[MEAN], range(len(by_family)), "o", color=LINE_STYLES[0].color, ms=3.5)
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
    axes.set_xlabel(f"{POINTS} (mean of the goals)")
    return figure


def figure_designs(by_design: pd.DataFrame, n_positive: int) -> Figure:
    """AUK - AUC over the prevalence at fixed positives, a line for each kind of sample."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(TWO_COLUMNS, 2.8))
    axes.axhline(0, **REFERENCE)
    chosen = by_design.query("n_positive == @n_positive and goal == @MEAN")
    kinds = {
        "balanced": chosen["n_negative"] == n_positive,
        "natural": chosen["sample"] == "natural",
        "rarest": chosen["n_negative"] == chosen["n_negative"].max(),
    }
    for style, (name, rows) in zip(LINE_STYLES, kinds.items(), strict=False):
        part = chosen[rows].sort_values("prevalence")
        spread = [part["difference"] - part["low"], part["high"] - part["difference"]]
        options: dict[str, Any] = {
            "color": style.color,
            "capsize": 2,
            "marker": "o",
            "ms": 3.5,
            "lw": 1,
        }
        axes.errorbar(
            part["prevalence"], part["difference"], yerr=spread, label=SAMPLES[name], **options
        )
    axes.set_xscale("log")
    ticks = sorted(chosen["prevalence"].unique())
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    families = int(chosen["families"].max()) if len(chosen) else 0
    axes.set_xlabel(f"evaluation prevalence ({n_positive} positives, {families} families)")
    axes.set_ylabel("AUK - AUC, points")
    axes.legend(frameon=False, fontsize=7)
    return figure


def figure_matrix(matrix: pd.DataFrame) -> Figure:
    """Share of attainable gain, measure by goal, as shades with numbers."""
    import matplotlib.pyplot as plt

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
    labels = [goal_label(goal) for goal in table.columns]
    axes.set_xticks(range(len(labels)), labels, fontsize=7, rotation=20, ha="right")
    axes.set_title("Attainable gain obtained, per cent, by measure and goal", fontsize=8)
    return figure


def figure_efficiency(efficiency: pd.DataFrame) -> Figure:
    """Relative efficiency by prevalence (natural and balanced samples), and along the cost."""
    import matplotlib.pyplot as plt

    shown = ("auk", "auk_symmetric", "ks", "kappa_max", "h", "average_precision")
    base = efficiency.query("separation == separation.min() and correlation == correlation.max()")
    figure, panels = plt.subplots(1, 3, figsize=(TWO_COLUMNS, 2.6), sharey=True)
    for axes, sample in zip(panels, ("natural", "balanced"), strict=False):
        part = base[(base["n_negative"] == base["n_positive"]) | (sample == "natural")]
        part = part[(part["sample"] == sample) | (part["prevalence"] == 0.5)]
        for style, measure in zip(LINE_STYLES, shown, strict=False):
            one = part[part["measure"] == measure].sort_values("prevalence")
            axes.plot(one["prevalence"], one["efficiency"], color=style.color, marker="o", ms=3)
            axes.lines[-1].set_label(MEASURES[measure].label)
        _finish(axes, SAMPLES[sample], "evaluation prevalence")
        axes.set_xscale("log")
        ticks = sorted(part["prevalence"].unique())
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
    panels[0].set_ylabel("efficiency relative to AUC")
    panels[0].legend(frameon=False, fontsize=5.5)
    costs = base[(base["measure"] == "auk_goal") & (base["sample"] == "natural")]
    for style, (p, one) in zip(LINE_STYLES, costs.groupby("prevalence"), strict=False):
        one = one.sort_values("cost")
        panels[2].plot(one["cost"], one["efficiency"], "o", color=style.color, ms=3)
        panels[2].plot(
            one["cost"], one["efficiency_by_influence"], color=style.color, label=f"π = {p:g}"
        )
    _finish(panels[2], "AUK at a cost", "cost share c of a missed positive")
    panels[2].legend(frameon=False, fontsize=5.5)
    return figure


def _finish(axes: Axes, title: str, label: str) -> None:
    axes.axhline(1, **REFERENCE)
    axes.set_title(title, fontsize=8)
    axes.set_xlabel(label)
