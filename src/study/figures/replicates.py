"""Figures of the replicates; of the swept settings but the skew, the first level is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.figure import Figure

from kappacurve.plots.style import (
    CLASS_STYLES as BY_SIGN,
    LINE_STYLES,
    REFERENCE,
    LineStyle,
    in_figure,
    line_style,
)
from study.data.classes import CLASSES, Names
from study.figures.marks import (
    COLUMN,
    GREY,
    NARROW,
    STAR,
    add_note,
    letter_panels,
    make_pair,
)
from study.labels import MEASURE_LABELS
from study.published import MODEL_LABELS, PAPER_PAIR

CLASS_STYLES = {"majority": BY_SIGN["negative"], "minority": BY_SIGN["positive"]}
MODEL_STYLES = dict(zip(MODEL_LABELS, LINE_STYLES, strict=False))
PAIR_LABELS = {
    "auc-auk": "AUC, AUK",
    "auc-auk_trapezoid": "AUC, AUK\n(trapezoid)",
    "auc-h": "AUC, H",
    "auk-h": "AUK, H",
}
NEUTRAL = LineStyle("0.3", "-", "o")
HOLLOW = {"mfc": "white"}
# One at every skew: its rows, its style, and further looks, the label among them.
Series = tuple[pd.DataFrame, LineStyle, dict[str, Any]]
# Of each level of a column: its style, and further looks.
Looks = dict[str, tuple[LineStyle, dict[str, Any]]]


class Words(NamedTuple):
    """Names of the classes, and the two models whose order is compared."""

    names: Names
    pair: Sequence[str]

    def shown(self, side: str) -> str:
        """The name in a panel, where matplotlib reads formulas."""
        return in_figure(self.names[side])

    def positive(self, side: str) -> str:
        """Which class is the positive one, in a panel."""
        return f"{self.shown(side)} positive"


def figure_published(tables: pd.DataFrame, words: Words, width: float = COLUMN) -> Figure:
    """Published areas beside those of the replicates, with either class as the positive one.

    Marks are labelled where they stand.
    """
    areas = tables[tables["measure"].isin(["auc", "auk"]) & tables["model"].isin(PAPER_PAIR)]
    rows = list(dict.fromkeys(zip(areas["table"], areas["model"], strict=True)))
    heights = np.arange(len(rows))
    figure, panels = make_pair(width, sharey=True)
    below: Any = {"ha": "center", "va": "top"}
    above = below | {"va": "bottom"}
    right = {"ha": "left", "va": "center"}
    for axes, measure, side, style, place, label in (
        (panels[0], "auc", "majority", NEUTRAL, 0, "mean and central 95 % of our splits"),
        (panels[1], "auk", "majority", CLASS_STYLES["majority"], -0.17, words.positive("majority")),
        (panels[1], "auk", "minority", CLASS_STYLES["minority"], 0.17, words.positive("minority")),
    ):
        estimates = _where(areas, measure=measure, positive_class=side)
        estimates = estimates.set_index(["table", "model"]).reindex(rows)
        _intervals(axes, heights + place, estimates[["mean", "low", "high"]], style, True)
        first = estimates.iloc[0]
        if place > 0:  # the lower of two intervals is named at its right end
            add_note(axes, label, (first["high"], place), (4, 0), color=style.color, **right)
        else:
            add_note(axes, label, (first["mean"], place), (0, 5), color=style.color, **above)
        if side == "majority":
            axes.plot(estimates["published"], heights, markersize=9, **STAR)
            axes.set_xlabel(MEASURE_LABELS[measure])
        if measure == "auc" and pd.notna(first["published"]):
            add_note(axes, "published", (first["published"], 0), (0, -7), color="0.2", **below)
    names = [f"{table.replace('table', 'Table ')}, {MODEL_LABELS[model]}" for table, model in rows]
    panels[0].set_yticks(heights, names)
    panels[0].set_ylim(len(rows) - 0.45, -0.65)
    return letter_panels(figure)


def figure_rank_reversal(reversals: pd.DataFrame, words: Words, width: float = COLUMN) -> Figure:
    """Share of replicates with a reversal, by pair of measures, positive class and curve."""
    figure, panels = make_pair(width, sharex=True, sharey=True)
    first, second = (MODEL_LABELS[model] for model in words.pair)
    titles = {"any": "ordered differently"}
    titles["published"] = f"{first} by first, {second} by second"
    for axes, (pattern, title) in zip(panels, titles.items(), strict=True):
        for i, (positive_class, curve) in enumerate(product(CLASSES, ("raw", "hull"))):
            shares = _where(reversals, pattern=pattern, positive_class=positive_class, curve=curve)
            shares = 100 * shares.set_index("pair").loc[list(PAIR_LABELS), ["share", "low", "high"]]
            look = {"label": f"{words.positive(positive_class)}, {curve}"}
            look |= {} if curve == "raw" else HOLLOW
            heights = np.arange(len(shares)) + 0.18 * (i - 1.5)
            _intervals(axes, heights, shares, CLASS_STYLES[positive_class], True, **look)
        axes.set(xlabel="replicates (%)", xlim=(0, None))
        axes.set_title(title, loc="right", color=GREY)
    panels[0].set_yticks(range(len(PAIR_LABELS)), list(PAIR_LABELS.values()))
    panels[0].invert_yaxis()
    panels[0].set_ylabel("measures compared")
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2 if width < NARROW else 4)
    return letter_panels(figure)


def figure_sweep(summary: pd.DataFrame, words: Words, width: float = COLUMN) -> Figure:
    """Measures of the raw curves by skew: mean and the central 95 % of replicates."""
    measures = (
        ("auc", "minority", 0.5, "AUC"),
        ("h", "minority", 0, "H-measure"),
        ("auk", "majority", 0, f"AUK\n{words.positive('majority')}"),
        ("auk", "minority", 0, f"AUK\n{words.positive('minority')}"),
    )
    figure, panels = plt.subplots(2, 2, figsize=(width, 4.6), sharex=True)
    raw = _where(_first_levels(summary), curve="raw")
    for axes, (measure, side, reference, title) in zip(panels.ravel(), measures, strict=True):
        estimates = _where(raw, measure=measure, positive_class=side)
        series: list[Series] = [
            (_where(estimates, model=model), _model_style(model, i), {"label": MODEL_LABELS[model]})
            for i, model in enumerate(estimates["model"].unique())
        ]
        _by_skew(axes, series, ["mean", "low", "high"], words)
        axes.set_title(title, loc="left")
        axes.axhline(reference, **REFERENCE)
    for axes in panels[0]:
        axes.set_xlabel("")
    for axes, name in zip(panels.flat, "abcd", strict=True):
        axes.set_title(f"({name}) {axes.get_title(loc='left')}", loc="left")
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=6)
    return figure


def figure_reversal_by_skew(reversals: pd.DataFrame, words: Words, width: float = COLUMN) -> Figure:
    """Share of replicates with any reversal on the raw curves, by skew."""
    figure, panels = make_pair(width, sharey=True)
    of_raw = _first_levels(_where(reversals, pattern="any", curve="raw"))
    looks: Looks = {
        "auc-auk": (NEUTRAL, {"label": "AUC against AUK"}),
        "auc-h": (NEUTRAL._replace(marker="s"), {"label": "AUC against H", **HOLLOW}),
        "auk-h": (NEUTRAL._replace(color="0.55", marker="D"), {"label": "AUK against H"}),
    }
    _shares_by_skew(panels, of_raw, "pair", looks, words)
    for axes, positive_class in zip(panels, CLASSES, strict=True):
        axes.set_title(f"positive class: {words.shown(positive_class)}", color=GREY)
    figure.supylabel("replicates ordered differently (%)", fontsize=rcParams["axes.labelsize"])
    panels[0].legend(loc="upper right")
    return letter_panels(figure)


def _where(table: pd.DataFrame, **levels: str) -> pd.DataFrame:
    """The rows with the given levels."""
    for name, level in levels.items():
        table = table[table[name] == level]
    return table


def _first_levels(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with the first level of every swept setting but the skew."""
    first = table[["encoding", "sampling", "n_train"]].head(1)
    return table.merge(first) if len(first) else table


def _model_style(model: str, number: int) -> LineStyle:
    """A model's own style; a user's model has that of its number after ours."""
    return MODEL_STYLES.get(model) or line_style(len(MODEL_STYLES) + number)


def _by_skew(
    axes: Any, series: list[Series], columns: list[str], words: Words, scale: float = 1
) -> None:
    """Intervals of each series side by side at every skew.

    The shares differ in the number of test rows as well, so no line joins them.
    """
    levels = sorted({skew for rows, *_ in series for skew in rows["skew"]})
    for i, (rows, style, look) in enumerate(series):
        shift = (i - (len(series) - 1) / 2) * 0.7 / len(series)
        places = [levels.index(skew) + shift for skew in rows["skew"]]
        _intervals(axes, places, scale * rows[columns], style, **look)
    axes.set_xticks(range(len(levels)), [f"{100 * level:g}" for level in levels])
    axes.set_xlabel(f"{words.shown('minority')} rows (%)")


def _shares_by_skew(
    panels: Any, shares: pd.DataFrame, column: str, looks: Looks, words: Words
) -> None:
    """Shares in per cent by skew, of each level of a column, in a panel for either class."""
    for axes, positive_class in zip(panels, CLASSES, strict=True):
        rows = _where(shares, positive_class=positive_class)
        series = [(_where(rows, **{column: level}), *look) for level, look in looks.items()]
        _by_skew(axes, series, ["share", "low", "high"], words, scale=100)
        axes.set_ylim(bottom=-1)


def _intervals(
    axes: Any, at: Any, values: pd.DataFrame, style: LineStyle, sideways: bool = False, **look: Any
) -> None:
    """Points, the first column, with what lies between the second and the third."""
    middle, low, high = values.to_numpy(dtype=float).T
    spread = [middle - low, high - middle]
    places = (middle, at, None, spread) if sideways else (at, middle, spread)
    look |= {"color": style.color, "marker": style.marker, "markersize": 4}
    axes.errorbar(*places, linestyle="none", elinewidth=1, **look)


FIGURES: dict[str, Callable[..., Figure]] = {
    "published": figure_published,
    "rank_reversal": figure_rank_reversal,
    "sweep": figure_sweep,
    "reversal_by_skew": figure_reversal_by_skew,
}
