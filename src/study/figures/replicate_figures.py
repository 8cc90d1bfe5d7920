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

from kappacurve.plots.figures import NARROW
from kappacurve.plots.style import (
    CLASS_STYLES as BY_SIGN,
    LINE_STYLES,
    REFERENCE,
    TWO_COLUMNS,
    LineStyle,
    in_figure,
    line_style,
)
from study.data.classes import CLASSES, Names
from study.figures import headlines
from study.figures.headlines import STAR, headed, note
from study.labels import MEASURE_LABELS
from study.published import MODEL_LABELS, PAPER_PAIR, SAMPLING_LABELS
from study.tables.rarity import DESIGNS

CLASS_STYLES = {"majority": BY_SIGN["negative"], "minority": BY_SIGN["positive"]}
MODEL_STYLES = dict(zip(MODEL_LABELS, LINE_STYLES, strict=False))
PAIR_LABELS = {
    "auc-auk": "AUC, AUK",
    "auc-auk_trapezoid": "AUC, AUK\n(trapezoid)",
    "auc-h": "AUC, H",
    "auk-h": "AUK, H",
}
AGREEMENT_LABELS = {
    "auc": "AUC",
    "auk, majority positive": "AUK",
    "auk, minority positive": "AUK",
    "h": "H",
    "ks": "KS",
    "kappa_max": r"max. $\kappa$",
}
CHOICES = ["positive_class", "encoding", "scaling", "network", "prevalence", "sampling"]
CHOICES += ["integration"]
CHOICE_LABELS = {"positive_class": "class", "sampling": "rows", "integration": "AUK"}
CHOICE_LABELS |= {**SAMPLING_LABELS, **MODEL_LABELS, "strathclyde": "Strathclyde"}
CHOICE_LABELS |= {"onehot": "one-hot", "minmax": "min-max", "test": "of the test rows"}
CHOICE_LABELS |= {"trapezoid": "trapezoid rule"}
NEUTRAL = LineStyle("0.3", "-", "o")
HOLLOW = {"mfc": "white"}
GREY = "0.35"
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

    @property
    def models(self) -> str:
        """The two models."""
        return " and ".join(MODEL_LABELS[model] for model in self.pair)


def figure_published(tables: pd.DataFrame, words: Words, width: float = TWO_COLUMNS) -> Figure:
    """Published areas beside those of the replicates, with either class as the positive one.

    The title says how far the AUKs lie from the means; marks are labelled where they stand.
    """
    areas = tables[tables["measure"].isin(["auc", "auk"]) & tables["model"].isin(PAPER_PAIR)]
    rows = list(dict.fromkeys(zip(areas["table"], areas["model"], strict=True)))
    heights = np.arange(len(rows))
    figure, panels = _pair(width, sharey=True)
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
            note(axes, label, (first["high"], place), (4, 0), color=style.color, **right)
        else:
            note(axes, label, (first["mean"], place), (0, 5), color=style.color, **above)
        if side == "majority":
            axes.plot(estimates["published"], heights, markersize=9, **STAR)
            axes.set_xlabel(MEASURE_LABELS[measure])
        if measure == "auc" and pd.notna(first["published"]):
            note(axes, "published", (first["published"], 0), (0, -7), color="0.2", **below)
    names = [f"{table.replace('table', 'Table ')}, {MODEL_LABELS[model]}" for table, model in rows]
    panels[0].set_yticks(heights, names)
    panels[0].set_ylim(len(rows) - 0.45, -0.65)
    about = (
        "Tables 4 (convex hulls) and 5 (raw curves); mean and central 95 % of our random splits; "
    )
    about += "stars: as published"
    return headed(figure, headlines.of_published(areas, words.names), about)


def figure_rank_reversal(
    reversals: pd.DataFrame, words: Words, width: float = TWO_COLUMNS
) -> Figure:
    """Share of replicates with a reversal, by pair of measures, positive class and curve."""
    figure, panels = _pair(width, sharex=True, sharey=True)
    first, second = (MODEL_LABELS[model] for model in words.pair)
    titles = {"any": "ordered differently"}
    titles["published"] = f"first prefers {first}, second {second}"
    for axes, (pattern, title) in zip(panels, titles.items(), strict=True):
        for i, (positive_class, curve) in enumerate(product(CLASSES, ("raw", "hull"))):
            shares = _where(reversals, pattern=pattern, positive_class=positive_class, curve=curve)
            shares = 100 * shares.set_index("pair").loc[list(PAIR_LABELS), ["share", "low", "high"]]
            look = {"label": f"{words.positive(positive_class)}, {curve}"}
            look |= {} if curve == "raw" else HOLLOW
            heights = np.arange(len(shares)) + 0.18 * (i - 1.5)
            _intervals(axes, heights, shares, CLASS_STYLES[positive_class], True, **look)
        axes.set(xlabel="replicates (%)", xlim=(0, None))
        axes.set_title(title, color=GREY)
    panels[0].set_yticks(range(len(PAIR_LABELS)), list(PAIR_LABELS.values()))
    panels[0].invert_yaxis()
    panels[0].set_ylabel("measures compared")
    handles = panels[0].get_legend_handles_labels()
    ncols = 2 if width < NARROW else 4
    figure.legend(*handles, loc="outside lower center", ncols=ncols)
    about = f"{reversals['replicates'].max()} random splits, {words.models}; bars: "
    about += "95 % Wilson intervals"
    return headed(figure, headlines.of_rank_reversal(reversals), about)


def figure_sweep(summary: pd.DataFrame, words: Words) -> Figure:
    """Measures of the raw curves by skew: mean and the central 95 % of replicates."""
    measures = (
        ("auc", "minority", 0.5, "AUC"),
        ("h", "minority", 0, "H-measure"),
        ("auk", "majority", 0, f"AUK, {words.positive('majority')}"),
        ("auk", "minority", 0, f"AUK, {words.positive('minority')}"),
    )
    figure, panels = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 4.6), sharex=True)
    raw = _where(_first_levels(summary), curve="raw")
    for axes, (measure, side, reference, title) in zip(panels.ravel(), measures, strict=True):
        estimates = _where(raw, measure=measure, positive_class=side)
        series: list[Series] = [
            (_where(estimates, model=model), _model_style(model, i), {"label": MODEL_LABELS[model]})
            for i, model in enumerate(estimates["model"].unique())
        ]
        _by_skew(axes, series, ["mean", "low", "high"], words)
        axes.set_title(title, color=GREY)
        axes.axhline(reference, **REFERENCE)
    for axes in panels[0]:
        axes.set_xlabel("")
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=6)
    about = f"Up to {raw['replicates'].max()} random splits at each share, raw curves; marks: "
    about += "means, bars: central 95 %"
    return headed(figure, headlines.of_sweep(raw, words.names), about)


def figure_reversal_by_skew(
    reversals: pd.DataFrame, words: Words, width: float = TWO_COLUMNS
) -> Figure:
    """Share of replicates with any reversal on the raw curves, by skew."""
    figure, panels = _pair(width, sharey=True)
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
    about = f"Up to {of_raw['replicates'].max()} random splits at each share, raw curves, "
    about += f"{words.models}; bars: 95 % Wilson intervals"
    return headed(figure, headlines.of_reversal_by_skew(of_raw, words.names), about)


def figure_rarity(rarity: pd.DataFrame, words: Words) -> Figure:
    """Share of replicates with a reversal of AUC and AUK, by what makes the class rare."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.6), sharey=True)
    of_raw = _first_levels(_where(rarity, curve="raw"))
    signs: Any = (("0.3", "o", {}), ("0.3", "s", HOLLOW), ("0.6", "D", {}), ("0.3", "^", HOLLOW))
    looks: Looks = {
        design: (LineStyle(color, "-", marker), {"label": design, **look})
        for design, (color, marker, look) in zip(DESIGNS, signs, strict=True)
    }
    _shares_by_skew(panels, of_raw, "design", looks, words)
    for axes, positive_class in zip(panels, CLASSES, strict=True):
        axes.set_title(words.positive(positive_class), color=GREY)
    panels[0].set_ylabel("replicates ordered differently (%)")
    panels[0].legend(loc="upper right", title="as rare as the share says")
    base = f"{100 * of_raw['base'].iloc[0]:g} % {words.shown('minority')}"
    about = f"Up to {of_raw['replicates'].max()} random splits at each share, raw curves, "
    about += f"{words.models}; what is not varied is that at {base}; bars: 95 % Wilson intervals"
    return headed(figure, headlines.of_rarity(of_raw, words.names), about)


def figure_cost_profile(profile: pd.DataFrame, words: Words) -> Figure:
    """AUK of two models over the cost, on the raw curves, and in how many splits the first leads.

    Vertical lines are at the marked costs; open markers on them are the published areas.
    """
    pair = profile["model"].unique()
    figure, panels = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 4.6), sharex=True, sharey="row")
    for (areas, leads), side in zip(panels.T, CLASSES, strict=True):
        rows = _where(profile, positive_class=side).set_index("cost")
        raw = _where(rows, curve="raw").sort_index()
        highest = raw["mean"][raw.index == raw.index.max()].max()
        for i, model in enumerate(pair):
            of_model = raw[raw["model"] == model]
            style = _model_style(model, i)
            _line_in_band(areas, of_model[["mean", "low", "high"]], style, MODEL_LABELS[model])
            look: Any = {"marker": style.marker, "s": 26, "zorder": 3, "ec": style.color}
            areas.scatter(of_model.index, of_model["published"], fc="none", **look)
            end = of_model["mean"].iloc[-1]  # the upper line has its name above it, the lower below
            look = {"color": style.color, "va": "bottom" if end == highest else "top"}
            note(areas, MODEL_LABELS[model], (1, end), (3, 0), **look)
        for curve, style in (("raw", NEUTRAL), ("hull", LineStyle("0.55", (0, (5, 1.5)), "o"))):
            ahead = (
                100 * _where(rows, curve=curve, model=pair[0])[["ahead", "ahead_low", "ahead_high"]]
            )
            _line_in_band(leads, ahead, style, curve)
        marks = raw.loc[raw["model"] == pair[0], "mark"].dropna()
        for cost, mark in marks[marks != ""].items():
            for axes in (areas, leads):
                axes.axvline(cost, **REFERENCE)
            look = {"rotation": 90, "ha": "right", "va": "top", "color": GREY}
            text = mark.replace(" - ", " \N{MINUS SIGN} ")
            note(areas, text, (cost, 1), (-2, -2), xycoords=("data", "axes fraction"), **look)
        for axes in (areas, leads):
            axes.set_title(words.positive(side), color=GREY)
        leads.axhline(50, **REFERENCE)
        leads.set(xlabel=f"cost $c$ of a missed {words.shown('minority')} row", xlim=(0, 1))
    panels[0, 0].set_ylabel("AUK($c$), raw curves")
    panels[1, 0].set_ylabel(f"splits with {MODEL_LABELS[pair[0]]} ahead (%)")
    panels[1, 0].legend(loc="lower left")
    about = f"{profile['splits'].max()} random splits; bands: central 95 % (a, b), 95 % Wilson "
    about += "intervals (c, d); open marks: as published"
    return headed(figure, headlines.of_cost_profile(profile, words.names), about)


def figure_agreement(agreement: pd.DataFrame, words: Words) -> Figure:
    """Kendall's tau between the measures' rankings of the models, a triangle for each skew."""
    raw = _first_levels(_where(agreement, curve="raw"))
    skews = sorted(raw["skew"].unique())
    n = -(-len(skews) // 3)
    figure, panels = plt.subplots(
        n, 3, figsize=(TWO_COLUMNS, 2.2 * n + 0.2), squeeze=False, sharex=True, sharey=True
    )
    names = list(AGREEMENT_LABELS)
    labels = [*AGREEMENT_LABELS.values()]
    labels[1:3] = [f"AUK {words.shown(side)}" for side in CLASSES]
    for axes in panels.ravel()[len(skews) :]:
        axes.set_axis_off()
    for axes, skew in zip(panels.ravel(), skews, strict=False):
        axes.set_title(f"{100 * skew:g} % {words.shown('minority')}", color=GREY)
        triangle = np.full((len(names) - 1, len(names) - 1), np.nan)
        for pair in raw[raw["skew"] == skew].to_dict("records"):
            j, i = sorted(names.index(pair[end]) for end in ("measure_a", "measure_b"))
            triangle[i - 1, j] = pair["tau"]
        axes.imshow(triangle, vmin=0, vmax=1, cmap="Blues")
        for (i, j), tau in np.ndenumerate(triangle):
            if np.isfinite(tau):
                text = f"{tau:.2f}".removeprefix("0")
                color = "white" if tau > 0.7 else "black"
                axes.text(j, i, text, ha="center", va="center", size=8, color=color)
        axes.set_xticks(range(len(triangle)), labels[:-1], rotation=45, ha="right")
        axes.set_yticks(range(len(triangle)), labels[1:])
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
    about = (
        f"Kendall's tau within a split, averaged over up to {raw['replicates'].max()}; raw curves"
    )
    return headed(figure, headlines.of_agreement(raw, words.names), about)


def figure_specification(table: pd.DataFrame, words: Words) -> Figure:
    """Distance of the published numbers for every combination of choices, nearest first."""
    table = table.sort_values("distance", kind="stable")
    figure, (top, below) = plt.subplots(
        2, 1, figsize=(TWO_COLUMNS, 4.4), sharex=True, height_ratios=(1, 1.15)
    )
    places = np.arange(1, len(table) + 1)
    for side, style in CLASS_STYLES.items():
        of_class = (table["positive_class"] == side).to_numpy()
        look: Any = {"color": style.color, "markersize": 4, "label": words.positive(side)}
        top.plot(places[of_class], table["distance"][of_class], style.marker, **look)
    top.legend(loc="upper left")
    top.set(ylabel="Mahalanobis distance", ylim=(0, None))
    if table["distance"].notna().any():
        typical = table["typical"].median()
        top.axhline(typical, **REFERENCE)
        near: Any = {"xycoords": ("axes fraction", "data"), "ha": "right", "color": GREY}
        note(top, "typical replicate", (1, typical), (-2, 2), **near)
    else:
        top.text(0.5, 0.5, "too few splits for a distance", transform=top.transAxes, ha="center")
    labels: list[str] = []
    for name in CHOICES:
        levels = sorted(set(table[name]))
        for level in levels if len(levels) > 1 else []:
            chosen = places[(table[name] == level).to_numpy()]
            height = len(labels)
            below.plot(places, np.full(len(places), height), ".", c="0.85", ms=3, zorder=0)
            below.plot(chosen, np.full(len(chosen), height), "s", c="0.15", ms=3)
            texts = CHOICE_LABELS | {side: words.positive(side) for side in CLASSES}
            labels.append(": ".join(str(texts.get(str(word), word)) for word in (name, level)))
    below.set_yticks(range(len(labels)), labels)
    below.invert_yaxis()
    below.set_xlim(0, len(table) + 1)
    below.set_xlabel("combination of choices, nearest to the published numbers first")
    below.tick_params(length=0)
    about = f"Distance of the eleven published numbers from the {table['replicates'].max()} random "
    about += "splits of each combination (a), and what it combines (b)"
    return headed(figure, headlines.of_specification(table, words.names), about)


def _pair(width: float, **shared: Any) -> tuple[Figure, Any]:
    """Two panels beside one another, or where that is too narrow, one above the other."""
    if width < NARROW:
        return plt.subplots(2, 1, figsize=(width, 4.2), **shared)
    return plt.subplots(1, 2, figsize=(width, 2.4), **shared)


def _where(table: pd.DataFrame, **levels: str) -> pd.DataFrame:
    """The rows with the given levels."""
    for name, level in levels.items():
        table = table[table[name] == level]
    return table


def _first_levels(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with the first level of every swept setting but the skew."""
    first = table[["encoding", "sampling", "trainer", "n_train"]].head(1)
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
    axes.set_xticks(range(len(levels)), [f"{100 * level:g} %" for level in levels])
    axes.set_xlabel(f"share of {words.shown('minority')} rows")


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


def _line_in_band(axes: Any, band: pd.DataFrame, style: LineStyle, label: str) -> None:
    """A line, and what lies between low and high, over the index."""
    middle, low, high = (band[name] for name in band)
    axes.plot(band.index, middle, label=label, color=style.color, linestyle=style.linestyle)
    axes.fill_between(band.index, low, high, color=style.color, alpha=0.13, linewidth=0)


FIGURES: dict[str, Callable[..., Figure]] = {
    "published": figure_published,
    "rank_reversal": figure_rank_reversal,
    "sweep": figure_sweep,
    "cost_profile": figure_cost_profile,
    "reversal_by_skew": figure_reversal_by_skew,
    "rarity": figure_rarity,
    "agreement": figure_agreement,
    "specification": figure_specification,
}
