"""At which shares of positives each printed number is possible."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.plots.style import LINE_STYLES, escape_name
from study.data.classes import Names
from study.figures.style import CLASS_STYLES, GREY, SMALL, finish_panels
from study.printed import MODEL_LABELS, STATED, printed_pairs, printed_point

OTHER = 1 - STATED  # share of good customers


def figure_prevalences(prevalences: pd.DataFrame, names: Names, *, width: float) -> Figure:
    """A bar per interval of shares at which a printed number is possible; 11 % and 89 % marked.

    `prevalences` is the table of :func:`study.paper.printed.prevalences_table`, `names` what the
    classes are called. A dot marks a share at which the number is possible, a cross one at which
    it is not.
    """
    is_row = (prevalences["model"] != "all") & prevalences["rule"].isin(["exact", "kappa"])
    numbers = prevalences[is_row].groupby(["place", "model", "rule"], sort=False)
    printed = {(pair.place, pair.model): f"AUK {pair.auk.text}" for pair in printed_pairs()}
    figure, axes = plt.subplots(figsize=(width, 0.72 * width))
    possible = {STATED: 0, OTHER: 0}
    for height, ((place, model, rule), rows) in enumerate(numbers):
        label = f"{place}, {MODEL_LABELS[str(model)]}", printed.get((str(place), str(model)), "")
        if rule == "kappa":
            label = "best threshold", f"kappa {printed_point().kappa.text}"
        axes.broken_barh([(0, 100)], (height - 0.31, 0.62), color="0.94", linewidth=0, zorder=0)
        low, high = (100 * rows[["low", "high"]].to_numpy(dtype=float)).T
        spans = list(zip(low, high - low, strict=True))
        axes.broken_barh(spans, (height - 0.31, 0.62), color=LINE_STYLES[0].color, linewidth=0)
        axes.text(-3, height - 0.17, label[0], ha="right", va="center", fontsize=SMALL)
        axes.text(-3, height + 0.23, label[1], ha="right", va="center", fontsize=SMALL, color=GREY)
        for share in possible:
            fits = bool(((rows["low"] <= share) & (share <= rows["high"])).any())
            possible[share] += fits
            color = CLASS_STYLES["minority" if share == STATED else "majority"].color
            look: dict[str, Any] = {"color": color, "markersize": 5, "mec": "white", "mew": 0.6}
            axes.plot(100 * share, height, marker="o" if fits else "X", zorder=4, **look)
    for share, (side, percent, align) in {
        STATED: ("minority", "11 %", "center"),
        OTHER: ("majority", "89 %", "right"),
    }.items():
        color = CLASS_STYLES[side].color
        axes.axvline(100 * share, color=color, linewidth=1.1, zorder=3)
        text = f"{escape_name(names[side])} customers\npositive, {percent}"
        place = 101.5 if align == "right" else 100 * share
        axes.text(place, -0.62, text, color=color, ha=align, va="bottom", fontsize=SMALL)
    axes.set(xlim=(0, 100), ylim=(len(numbers) - 0.45, -0.5), yticks=[], xticks=range(0, 101, 25))
    axes.set_xlabel("share of positives (%)")
    axes.spines["left"].set_visible(False)
    if possible[OTHER] == len(numbers) > possible[STATED]:
        figure.suptitle(
            "The printed numbers fit 89 % positives, not 11 %",
            x=0.01,
            ha="left",
            fontweight="bold",
            fontsize=plt.rcParams["axes.titlesize"],
        )
    return finish_panels(figure)
