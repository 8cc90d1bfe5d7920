"""Figures of the replicates: printed areas, the sweep over the class ratio, and the changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.plots.style import REFERENCE, LineStyle, escape_name
from study.data.classes import CLASSES, Names
from study.figures.style import (
    CLASS_STYLES,
    GREY,
    LINE,
    NEUTRAL,
    STAR,
    both_columns,
    choose_styles,
    draw_intervals,
    finish_panels,
)
from study.printed import MODEL_LABELS, PAPER_PAIR

SPREAD = ["mean", "low", "high"]
SHARE = ["share", "low", "high"]
LETTER = 0.07  # inches of a letter in the legend


def figure_printed(
    table4: pd.DataFrame, table5: pd.DataFrame, names: Names, *, width: float
) -> Figure:
    """Printed areas (stars) beside mean and central 95 % of the replicates.

    AUK has an interval for either positive class; the AUC is the same for both.
    """
    tables = pd.concat({"Table 4": table4, "Table 5": table5}, names=["table"])
    keys = ["measure", "positive_class", "table", "model"]
    areas: Any = tables.reset_index("table").set_index(keys).sort_index()
    rows = [(table, model) for table in ("Table 4", "Table 5") for model in PAPER_PAIR]
    heights = np.arange(len(rows))
    shown = {
        "auc": [("majority", 0.0, NEUTRAL, "our splits")],
        "auk": [
            (side, shift, CLASS_STYLES[side], f"{escape_name(names[side])} positive")
            for side, shift in zip(CLASSES, (-0.17, 0.17), strict=True)
        ],
    }
    figure, panels = plt.subplots(2, 1, figsize=(width, 3.4), height_ratios=(1, 1.25))
    for axes, (measure, intervals) in zip(panels, shown.items(), strict=True):
        for side, shift, style, label in intervals:
            estimates = areas.loc[measure, side].reindex(rows)
            draw_intervals(
                axes, heights + shift, estimates[SPREAD], style, sideways=True, label=label
            )
        for model, style in choose_styles(PAPER_PAIR).items():
            own = [table_and_model[1] == model for table_and_model in rows]
            label = f"printed, {MODEL_LABELS[model]}"
            star = STAR | {"color": style.color}
            axes.plot(estimates["printed"][own], heights[own], label=label, **star)
        axes.set_xlabel(measure.upper())
        axes.set_yticks(heights, [f"{table}, {MODEL_LABELS[model]}" for table, model in rows])
        axes.set_ylim(len(rows) - 0.45, -0.55)
        axes.tick_params(axis="y", length=0)
    handles = panels[1].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, columnspacing=1, handlelength=1)
    return finish_panels(figure)


def figure_measures_by_skew(
    sweep: pd.DataFrame, names: Names, *, sides: Sequence[str], width: float
) -> Figure:
    """Measures of the raw curves by the share of the minority: mean and central 95 %.

    AUK is drawn with each of `sides` as the positive class. `width` is that of one column; the
    figure is as wide as two.
    """
    panels = {
        "AUC": ("auc", "minority", 0.5),
        "H": ("h", "minority", 0.0),
        **{f"AUK, {escape_name(names[side])} positive": ("auk", side, 0.0) for side in sides},
    }
    shape, height = ((2, 2), 3.8) if len(sides) == 2 else ((1, 3), 2.0)
    size = both_columns(width), height
    figure, grid = plt.subplots(*shape, figsize=size, sharex=True, squeeze=False)
    raw = sweep[sweep["curve"] == "raw"]
    for axes, (title, (measure, side, reference)) in zip(grid.flat, panels.items(), strict=True):
        own = raw[(raw["measure"] == measure) & (raw["positive_class"] == side)]
        styles = {
            model: (MODEL_LABELS[model], style, style.color)
            for model, style in choose_styles(own["model"]).items()
        }
        _draw_by_skew(axes, own, "model", styles, SPREAD)
        axes.set_title(title, loc="right", color=GREY)
        axes.axhline(reference, **REFERENCE)
    for axes in grid[-1]:
        axes.set_xlabel(f"share of {escape_name(names['minority'])} rows")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    room = int(both_columns(width) / (0.4 + LETTER * max(map(len, labels), default=0)))
    columns = max(1, min(6, room))
    figure.set_figheight(height + LINE * (len(labels) // columns))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)
    return finish_panels(figure)


def figure_reversal_by_skew(
    reversals: pd.DataFrame, names: Names, *, sides: Sequence[str], width: float
) -> Figure:
    """How often AUC and AUK order the compared models differently, raw curves, by the share.

    A panel for each of `sides` as the positive class.
    """
    size = width, 0.6 + 1.3 * len(sides)
    figure, grid = plt.subplots(
        len(sides), 1, figsize=size, sharex=True, sharey=True, squeeze=False
    )
    panels = grid[:, 0]
    raw = reversals.query("pattern == 'any' and curve == 'raw' and pair == 'auc-auk'")
    raw = raw.assign(**{name: 100 * raw[name] for name in SHARE})
    styles = {"auc-auk": ("AUC and AUK", NEUTRAL, NEUTRAL.color)}
    for axes, side in zip(panels, sides, strict=True):
        _draw_by_skew(axes, raw[raw["positive_class"] == side], "pair", styles, SHARE)
        axes.set_ylim(bottom=-1)
        axes.set_title(f"{escape_name(names[side])} positive", loc="right", color=GREY)
    panels[-1].set_xlabel(f"share of {escape_name(names['minority'])} rows")
    lines = "\n" if len(sides) == 1 else " "
    label = f"splits in which{lines}AUC and AUK disagree (%)"
    size = plt.rcParams["axes.labelsize"]
    figure.supylabel(label, fontsize=size, multialignment="center")
    return finish_panels(figure)


def _draw_by_skew(
    axes: Any,
    table: pd.DataFrame,
    key: str,
    styles: Mapping[str, tuple[str, LineStyle, str]],
    columns: list[str],
) -> None:
    """Intervals beside each other at every share, by the values of a key.

    The shares differ in the number of test rows as well, so no line joins them.
    """
    levels = sorted(set(table["skew"]))
    for number, (value, (label, style, fill)) in enumerate(styles.items()):
        rows = table[table[key] == value]
        shift = (number - (len(styles) - 1) / 2) * 0.7 / len(styles)
        places = [levels.index(skew) + shift for skew in rows["skew"]]
        draw_intervals(axes, places, rows[columns], style, label=label, mfc=fill)
    axes.set_xticks(range(len(levels)), [f"{100 * level:g} %" for level in levels])


def figure_sensitivity(sensitivity: pd.DataFrame, *, width: float) -> Figure:
    """Per scenario how often AUC and AUK reverse as the paper prints it.

    Scenarios that the data can't give are left out.
    """
    table = sensitivity[sensitivity["replicates"] > 0]
    shares = 100 * table[SHARE]
    figure, axes = plt.subplots(figsize=(width, 0.8 + 0.2 * len(table)))
    heights = np.arange(len(table))
    draw_intervals(axes, heights, shares, NEUTRAL, sideways=True)
    end = max(1.0, float(shares.to_numpy().max()))
    axes.set(xlim=(-0.05 * end, 1.05 * end), ylim=(len(table) - 0.5, -0.5))
    axes.set_xlabel("splits reversed as printed (%)")
    axes.set_yticks(heights, table["scenario"].str.replace("_", " "))
    return finish_panels(figure)
