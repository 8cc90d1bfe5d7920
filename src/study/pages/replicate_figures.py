"""Figures of the replicates; of the swept settings but the skew, the first level is drawn."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from kappacurve.plots.figures import plot_specifications
from kappacurve.plots.style import LINE_STYLES, REFERENCE, TWO_COLUMNS, letter
from study.published import MEASURE_LABELS, MODEL_LABELS, SAMPLING_LABELS

CLASS_STYLES = dict(zip(("good", "bad"), LINE_STYLES, strict=False))
PAIR_LABELS = {
    "auc-auk": "AUC, AUK",
    "auc-auk_trapezoid": "AUC, AUK\n(trapezoid)",
    "auc-h": "AUC, H",
    "auk-h": "AUK, H",
}
AGREEMENT_LABELS = {
    "auc": "AUC",
    "auk, good positive": "AUK good",
    "auk, bad positive": "AUK bad",
    "h": "H",
    "ks": "KS",
    "kappa_max": r"max. $\kappa$",
}
CLASS_LABELS = {"good": "good positive", "bad": "bad positive"}
CHOICES = {"positive_class": "class", "encoding": "encoding", "sampling": "rows"}
CHOICES |= {"scaling": "scaling", "network": "network", "prevalence": "p", "integration": "AUK"}


def figure_published(tables: pd.DataFrame) -> Figure:
    """Published values beside the central 95 % of the replicates, and their mean."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.3), sharey=True)
    shown = tables[tables["published"].notna()]
    rows = list(dict.fromkeys(zip(shown["table"], shown["model"], strict=True)))
    for axes, measure, name in zip(panels, ("auc", "auk"), "ab", strict=True):
        for shift, (side, style) in zip((-0.16, 0.16), CLASS_STYLES.items(), strict=True):
            one = _where(shown, measure=measure, positive_class=side)
            one = one.set_index(["table", "model"]).reindex(rows)
            if measure == "auc" and side == "bad":  # whichever class is positive
                continue
            both = measure == "auk"
            look: Any = {"color": style.color if both else "0.3", "marker": style.marker}
            look |= {"markersize": 3.5, "linestyle": "none", "elinewidth": 1.2}
            spread = [one["mean"] - one["low"], one["high"] - one["mean"]]
            heights = np.arange(len(rows)) + shift * both
            label = CLASS_LABELS[side] if both else "either class positive"
            axes.errorbar(one["mean"], heights, xerr=spread, label=label, **look)
        star: Any = {"marker": "*", "markersize": 8, "color": "white", "mec": "black", "mew": 0.8}
        axes.plot(one["published"], range(len(rows)), linestyle="none", label="published", **star)
        axes.set_xlabel(MEASURE_LABELS[measure])
        _head(axes, name, "")
    labels = [f"{table.replace('table', 'Table ')}, {MODEL_LABELS[one]}" for table, one in rows]
    panels[0].set_yticks(range(len(rows)), labels)
    panels[0].invert_yaxis()
    handles = [axes.get_legend_handles_labels() for axes in panels]
    found = {label: handle for pair in handles for handle, label in zip(*pair, strict=True)}
    figure.legend(found.values(), found, loc="outside lower center", ncols=4)
    return figure


def figure_rank_reversal(reversals: pd.DataFrame) -> Figure:
    """Share of replicates with a reversal, by pair of measures, positive class and curve."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.4), sharex=True, sharey=True)
    titles = {"any": "ordered differently", "published": "first prefers linear, second the network"}
    for axes, (pattern, title), name in zip(panels, titles.items(), "ab", strict=True):
        for i, (positive_class, curve) in enumerate(product(("good", "bad"), ("raw", "hull"))):
            one = _where(reversals, pattern=pattern, positive_class=positive_class, curve=curve)
            one = one.set_index("pair").loc[list(PAIR_LABELS)]
            style = CLASS_STYLES[positive_class]
            share, low, high = (100 * one[c].to_numpy() for c in ("share", "low", "high"))
            look: Any = {"color": style.color, "mfc": style.color if curve == "raw" else "white"}
            look |= {"marker": style.marker, "markersize": 4.5, "linestyle": "none"}
            look |= {"elinewidth": 1, "label": f"{positive_class} positive, {curve}"}
            heights = np.arange(len(one)) + 0.18 * (i - 1.5)
            axes.errorbar(share, heights, xerr=[share - low, high - share], **look)
        axes.set(xlabel="replicates (%)", xlim=(0, None))
        _head(axes, name, title)
    panels[0].set_yticks(range(len(PAIR_LABELS)), list(PAIR_LABELS.values()))
    panels[0].invert_yaxis()
    panels[0].set_ylabel("measures compared")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def figure_sweep(summary: pd.DataFrame) -> Figure:
    """Measures of the raw curves against the skew: mean and the central 95 % of replicates."""
    shown = (
        ("auc", "bad", 0.5, "AUC"),
        ("h", "bad", 0, "H-measure"),
        ("auk", "good", 0, "AUK, good positive"),
        ("auk", "bad", 0, "AUK, bad positive"),
    )
    figure, panels = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 4.4), sharex=True)
    raw = _where(_first_levels(summary), curve="raw")
    places = zip(panels.ravel(), shown, "abcd", strict=True)
    for axes, (measure, positive_class, reference, title), name in places:
        for model, style in zip(raw["model"].unique(), LINE_STYLES, strict=False):
            one = _where(raw, measure=measure, positive_class=positive_class, model=model)
            band = one.set_index("skew")[["mean", "low", "high"]].sort_index()
            _line_in_band(axes, band, style, MODEL_LABELS.get(model, model), 0.09)
        _skew_axis(axes, raw["skew"])
        _head(axes, name, title)
        axes.axhline(reference, **REFERENCE)
    for axes in panels[1]:
        axes.set_xlabel("share of bad rows")
    panels[0, 0].legend(loc="lower right")
    return figure


def figure_reversal_by_skew(reversals: pd.DataFrame) -> Figure:
    """Share of replicates with any reversal on the raw curves, against the skew."""
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.4), sharey=True)
    for axes, positive_class, name in zip(panels, ("good", "bad"), "ab", strict=True):
        for pair, style in zip(("auc-auk", "auc-h", "auk-h"), LINE_STYLES, strict=False):
            levels = {"pattern": "any", "curve": "raw", "positive_class": positive_class}
            one = _first_levels(_where(reversals, pair=pair, **levels)).set_index("skew")
            band = 100 * one[["share", "low", "high"]].sort_index()
            _line_in_band(axes, band, style, PAIR_LABELS[pair].replace(", ", " against "), 0.13)
        _skew_axis(axes, reversals["skew"])
        axes.set(xlabel="share of bad rows", ylim=(0, None))
        _head(axes, name, f"positive class: {positive_class}")
    panels[0].set_ylabel("replicates ordered differently (%)")
    panels[0].legend(loc="best")
    return figure


def figure_cost_profile(profile: pd.DataFrame) -> Figure:
    """AUK of two models over the cost, on the raw curves, and in how many splits the first leads.

    Vertical lines are at the marked costs; open markers on them are the published areas.
    """
    pair = profile["model"].unique()
    figure, panels = plt.subplots(2, 2, figsize=(TWO_COLUMNS, 4.6), sharex=True, sharey="row")
    for column, positive_class, names in zip(panels.T, ("good", "bad"), ("ac", "bd"), strict=True):
        rows = _where(profile, positive_class=positive_class).set_index("cost")
        raw = rows[rows["curve"] == "raw"]
        for model, style in zip(pair, LINE_STYLES, strict=False):
            one, look = raw[raw["model"] == model], {"marker": style.marker, "s": 26, "zorder": 3}
            plain = style._replace(marker="none")
            label = MODEL_LABELS.get(model, model)
            _line_in_band(column[0], one[["mean", "low", "high"]], plain, label, 0.13)
            column[0].scatter(one.index, one["published"], fc="none", ec=style.color, **look)
        for curve, style in zip(("raw", "hull"), LINE_STYLES[2:], strict=False):
            one = (
                100 * _where(rows, curve=curve, model=pair[0])[["ahead", "ahead_low", "ahead_high"]]
            )
            _line_in_band(column[1], one, style._replace(marker="none"), curve, 0.2)
        marked = raw[raw["mark"].notna() & (raw["mark"] != "") & (raw["model"] == pair[0])]
        for axes, name in zip(column, names, strict=True):
            _head(axes, name, CLASS_LABELS[positive_class])
            for cost in marked.index:
                axes.axvline(cost, **REFERENCE)
        for cost, mark in marked["mark"].items():
            place: Any = {"xy": (cost, 1), "xycoords": ("data", "axes fraction"), "fontsize": 7}
            place |= {"xytext": (-2, -2), "textcoords": "offset points", "rotation": 90}
            column[0].annotate(mark, **place, ha="right", va="top", color="0.35")
        column[1].axhline(50, **REFERENCE)
        column[1].set_xlabel("cost $c$ of a missed bad row")
    panels[0, 0].set_ylabel("AUK($c$), raw curves")
    panels[1, 0].set_ylabel(f"splits with {MODEL_LABELS.get(pair[0], pair[0])} ahead (%)")
    panels[0, 0].legend(loc="upper left")
    panels[1, 0].legend(loc="lower left")
    return figure


def figure_certainty(certainty: pd.DataFrame) -> Figure:
    """How reliably each measure ranks two models from one split, against the skew."""
    raw = _first_levels(_where(certainty, curve="raw"))
    figure, panels = plt.subplots(1, 2, figsize=(TWO_COLUMNS, 2.6))
    shown = (("effect", "effect_low", "effect_high", 1), ("share", "low", "high", 100))
    for axes, (value, low, high, scale), name in zip(panels, shown, "ab", strict=True):
        for i, (series, style) in enumerate(zip(AGREEMENT_LABELS, LINE_STYLES, strict=True)):
            measure, _, side = series.partition(", ")
            one = _where(raw, measure=measure, positive_class=side.split(" ")[0] or "bad")
            one = one.sort_values("skew")
            places = one["skew"] * 1.025 ** (i - 2.5)  # beside each other, as bars would overlap
            ends = scale * np.array([one[value] - one[low], one[high] - one[value]])
            look = {**_line(style), "elinewidth": 0.7, "label": AGREEMENT_LABELS[series]}
            axes.errorbar(places, scale * one[value], yerr=ends, **look)
        _skew_axis(axes, raw["skew"])
        axes.set_xlabel("share of bad rows")
        letter(axes, name)
    panels[0].set_ylabel("mean lead / its standard deviation")
    panels[0].axhline(0, **REFERENCE)
    panels[1].set_ylabel("splits with the better model ahead (%)")
    panels[1].axhline(50, **REFERENCE)
    panels[0].legend(loc="upper left", ncols=2)
    return figure


def figure_agreement(agreement: pd.DataFrame) -> Figure:
    """Kendall's tau between the measures' rankings of the models, a matrix for each skew."""
    raw = _first_levels(_where(agreement, curve="raw"))
    skews = sorted(raw["skew"].unique())
    rows = -(-len(skews) // 3)
    figure, panels = plt.subplots(
        rows, 3, figsize=(TWO_COLUMNS, 2.3 * rows), squeeze=False, sharex=True, sharey=True
    )
    names = list(AGREEMENT_LABELS)
    for axes in panels.ravel()[len(skews) :]:
        axes.set_axis_off()
    for axes, skew, name in zip(panels.ravel(), skews, ascii_lowercase, strict=False):
        _head(axes, name, f"{100 * skew:g} % bad")
        matrix = np.eye(len(names))
        for one in raw[raw["skew"] == skew].to_dict("records"):
            i, j = names.index(one["measure_a"]), names.index(one["measure_b"])
            matrix[i, j] = matrix[j, i] = one["tau"]
        image = axes.imshow(matrix, vmin=0, vmax=1, cmap="Blues")
        for (i, j), tau in np.ndenumerate(matrix):
            text, color = f"{tau:.2f}".removeprefix("0"), "white" if tau > 0.6 else "black"
            axes.text(j, i, text, ha="center", va="center", size=7.6, color=color)
        labels = list(AGREEMENT_LABELS.values())
        axes.set_xticks(range(len(names)), labels, rotation=60, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(names)), labels)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
    figure.colorbar(image, ax=panels, shrink=0.6, label=r"mean Kendall $\tau$ over replicates")
    return figure


def figure_specification(table: pd.DataFrame) -> Figure:
    """Distance of the published numbers for every combination of choices, nearest first."""
    figure = plot_specifications(
        table,
        "distance",
        CHOICES,
        group="positive_class",
        labels=CLASS_LABELS | SAMPLING_LABELS | MODEL_LABELS,
        ylabel="Mahalanobis distance",
    )
    axes: Any = figure.axes[0]
    typical = table["typical"].median()
    axes.axhline(typical, **REFERENCE)
    place: Any = {"xy": (1, typical), "xycoords": ("axes fraction", "data")}
    place |= {"xytext": (-2, 2), "textcoords": "offset points", "ha": "right"}
    axes.annotate("typical replicate", **place, fontsize=7, color="0.35")
    figure.axes[1].set_xlabel("combination of choices, nearest to the published numbers first")
    return figure


def _where(table: pd.DataFrame, **levels: str) -> pd.DataFrame:
    """The rows with the given levels."""
    for name, level in levels.items():
        table = table[table[name] == level]
    return table


def _first_levels(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with the first level of every swept setting but the skew."""
    for name in ("encoding", "sampling", "trainer", "n_train"):
        table = table[table[name] == table[name].iloc[0]] if len(table) else table
    return table


def _line_in_band(axes: Any, band: pd.DataFrame, style: Any, label: str, alpha: float) -> None:
    """A line, and what lies between low and high, over the index."""
    middle, low, high = (band[name] for name in band)
    axes.plot(band.index, middle, label=label, **_line(style))
    axes.fill_between(band.index, low, high, color=style.color, alpha=alpha, linewidth=0)


def _line(style: Any) -> Any:
    look = {"color": style.color, "linestyle": style.linestyle, "marker": style.marker}
    return look | {"markersize": 3.5}


def _head(axes: Any, name: str, title: str) -> None:
    letter(axes, name)
    axes.set_title(title, color="0.35")


def _skew_axis(axes: Any, skews: pd.Series) -> None:
    levels = sorted(skews.unique())
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(levels, [f"{100 * level:g} %" for level in levels])


FIGURES = {
    "published": figure_published,
    "rank_reversal": figure_rank_reversal,
    "sweep": figure_sweep,
    "cost_profile": figure_cost_profile,
    "reversal_by_skew": figure_reversal_by_skew,
    "certainty": figure_certainty,
    "agreement": figure_agreement,
    "specification": figure_specification,
}
