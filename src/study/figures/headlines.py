"""What is written over and into the study's figures: by a rule for each, what a run's tables say.

A sentence is empty where the run has not the rows that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from string import ascii_lowercase
from typing import Any

import pandas as pd
from matplotlib import rcParams
from matplotlib.figure import Figure

from kappacurve.plots.style import RC, headline, house_style, letter
from study.data.classes import Names
from study.published import MODEL_LABELS
from study.tables.rarity import DESIGNS, rarest

AREAS = {"auc": "AUC", "auk": "AUK"}
SIGNIFICANT = 0.05
MOST_NAMED = 2  # prevalences in one sentence
STAR: dict[str, Any] = {"marker": "*", "linestyle": "none", "color": "white", "mec": "black"}
STAR |= {"mew": 0.8, "zorder": 4}  # a published value


def headed(figure: Figure, sentence: str, about: str) -> Figure:
    """Letter the panels, if there are several, and put a sentence and what is shown over them."""
    panels = [axes for axes in figure.axes if axes.axison]
    if len(panels) > 1:
        for axes, name in zip(panels, ascii_lowercase, strict=False):
            letter(axes, name)
    headline(figure, sentence or about, about if sentence else "")
    return figure


def take_headline(figure: Figure, *, away: bool = True) -> str:
    """What :func:`headed` put above the panels, which is taken away."""
    texts = [text for text in figure.texts if text.get_gid() in ("sentence", "about")]
    sentences = [text.get_text().replace("\n", " ").rstrip(".") for text in texts]
    if texts and away:
        engine: Any = figure.get_layout_engine()
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height * engine.get()["rect"][3])
        figure.set_layout_engine("constrained", rect=(0, 0, 1, 1))
        for text in texts:
            text.remove()
    return " ".join(f"{sentence}." for sentence in sentences)


@contextmanager
def one_size(font: str, size: float) -> Iterator[None]:
    """The house style inside the block with one font (serif, sans-serif) and size of letters."""
    usual = dict(RC)
    RC.update((name, size) for name in usual if name.endswith("size"))
    # Both ship with matplotlib; the first is cut like the Times of most journals.
    RC.update({"font.serif": ["STIXGeneral"], "font.family": font})
    RC["mathtext.fontset"] = "stix" if font == "serif" else "dejavusans"
    try:
        with house_style():
            yield
    finally:
        RC.clear()
        RC.update(usual)


def note(axes: Any, text: str, at: Any, shift: tuple[float, float], **look: Any) -> None:
    """A few words so many points beside a place in a panel."""
    small = {"fontsize": rcParams["legend.fontsize"], "textcoords": "offset points"}
    axes.annotate(text, at, shift, **{**small, **look})


def of_published(shown: pd.DataFrame, names: Names) -> str:
    """How far the published AUKs lie from our means, by positive class; AUC depends on none."""
    auks = shown[shown["measure"] == "auk"]
    auks = auks.assign(distance=((auks["published"] - auks["mean"]) / auks["sd"]).abs())
    distances = auks.dropna(subset="distance").groupby("positive_class", sort=False)["distance"]
    largest = ", ".join(
        f"{largest:.1f} with {names[str(name)]} positive"
        for name, largest in distances.max().items()
    )
    return (
        largest and f"Published AUKs lie up to so many SDs from the mean of our splits: {largest}"
    )


def of_rank_reversal(reversals: pd.DataFrame) -> str:
    """How often two pairs of measures differ, over both curves and classes."""
    rows = reversals[(reversals["pattern"] == "any") & (reversals["curve"] != "both")]
    by_auk, by_h = (rows[rows["pair"] == pair]["share"].dropna() for pair in ("auc-auk", "auc-h"))
    if by_auk.empty or by_h.empty:
        return ""
    return (
        f"AUC and AUK order the two models differently in {per_cent(by_auk)} of random splits, "
        f"AUC and H in {per_cent(by_h)}"
    )


def of_reversal_by_skew(reversals: pd.DataFrame, names: Names) -> str:
    """How often AUC and AUK differ at the ends of the sweep, over both classes."""
    pair = reversals[reversals["pair"] == "auc-auk"].dropna(subset="share")
    shares = _at_ends(pair, lambda rows: f"{per_cent(rows['share'])} of the splits", names)
    return shares and f"AUC and AUK order the two models differently in {shares}"


def of_rarity(rarity: pd.DataFrame, names: Names) -> str:
    """How often AUC and AUK differ at the rarest level by what makes it rare, over both classes."""
    by_design = {name: rows["share"] for name, rows in rarest(rarity).items()}
    if not by_design:
        return ""
    shares = [f"by {name} {per_cent(by_design[name])}" for name in DESIGNS[1:]]
    skew = f"{100 * rarity['skew'].min():g} % {names['minority']} rows"
    share = per_cent(by_design[DESIGNS[0]])
    return f"AUC and AUK disagree at {skew} in {share} of splits: {', '.join(shares)}"


def of_sweep(summary: pd.DataFrame, names: Names) -> str:
    """Mean AUC and AUK of the first model at the ends of the sweep."""
    means = []
    for measure, label in (("auc", "AUC"), ("auk", f"AUK ({names['majority']} positive)")):
        rows = summary[(summary["measure"] == measure) & (summary["positive_class"] == "majority")]
        rows = rows[rows["model"].isin(summary["model"].head(1))].dropna(subset="mean")
        means.append(_at_ends(rows, lambda end: span(end["mean"], ".3f"), names))
        means[-1] = means[-1] and f"mean {label} {means[-1]}"
    model = summary["model"].iloc[0] if all(means) else ""
    return model and f"{MODEL_LABELS[model].capitalize()} model: {'; '.join(means)}"


def of_cost_profile(profile: pd.DataFrame, names: Names) -> str:
    """In how many splits the first model has the larger area, over all costs."""
    first_model = profile[profile["model"].isin(profile["model"].head(1))].dropna(subset="ahead")
    if first_model.empty:
        return ""
    name = MODEL_LABELS[first_model["model"].iloc[0]]
    share = per_cent(first_model["ahead"])
    cost = f"Whatever a missed {names['minority']} row costs"
    return f"{cost}, {name} has the larger area in {share} of the splits"


def of_agreement(agreement: pd.DataFrame, names: Names) -> str:
    """Kendall's tau of AUC and AUK at the ends of the sweep, over both classes."""
    is_pair = (agreement["measure_a"] == "auc") & agreement["measure_b"].str.startswith("auk,")
    defined = agreement[is_pair].dropna(subset="tau")
    taus = _at_ends(defined, lambda end: span(end["tau"], ".2f"), names)
    return taus and f"AUC and AUK rank the models with a Kendall's tau of {taus}"


def of_specification(table: pd.DataFrame, names: Names) -> str:
    """How many combinations with one positive class come nearer than any with the other."""
    known = table.dropna(subset="distance")
    if known["positive_class"].nunique() < 2:
        return ""
    nearest = known["positive_class"].iloc[int(known["distance"].argmin())]
    is_nearest = known["positive_class"] == nearest
    near = known[is_nearest]
    far = known[~is_nearest]
    nearer = int((near["distance"] < far["distance"].min()).sum())
    count = f"all {len(near)}" if nearer == len(near) else f"{nearer} of {len(near)}"
    return (
        f"With {names[nearest]} positive, {count} combinations of choices come "
        f"nearer to the published numbers than any of the {len(far)} others"
    )


def of_curves(tests: pd.DataFrame) -> str:
    """What the paired tests of the models drawn say, by measure; which is larger is no finding."""
    p_values = tests["p_adjusted"].fillna(tests["p_value"])
    leads = []
    for pair in tests[p_values < SIGNIFICANT].to_dict("records"):
        first, second = (MODEL_LABELS[pair[end]] for end in ("model_a", "model_b"))
        above, below = (first, second) if pair["difference"] > 0 else (second, first)
        leads.append((pair["measure"], f"{above} above {below}"))
    significant = [
        f"{label}: {', '.join(of_measure)}"
        for measure, label in AREAS.items()
        if (of_measure := [pair for name, pair in leads if name == measure])
    ]
    if significant:
        return f"Statistically significant on these rows: {'; '.join(significant)}"
    tested = " or ".join(label for name, label in AREAS.items() if (tests["measure"] == name).any())
    return tested and f"No difference in {tested} is statistically significant on these rows"


def of_prevalences(areas: pd.DataFrame) -> str:
    """Where the order of the models (columns) by AUK changes over the prevalence (index)."""
    order = areas.rank(axis="columns")
    changes = list(order.index[1:][(order.diff().iloc[1:] != 0).any(axis="columns")])
    if not changes:
        return "On these rows the order of the models by AUK is the same at every prevalence"
    if len(changes) > MOST_NAMED:
        return "On these rows the order of the models by AUK changes with the prevalence"
    places = " and ".join(f"{place:.2g}" for place in changes)
    return f"On these rows the order of the models by AUK changes at a prevalence of {places}"


def per_cent(shares: pd.Series[float]) -> str:
    """The range of some shares, such as 3 to 4 %."""
    return f"{span(100 * shares, '.1f')} %"


def span(values: pd.Series[float], digits: str) -> str:
    """From the least to the largest."""
    low = format(values.min(), digits)
    high = format(values.max(), digits)
    return low if low == high else f"{low} to {high}"


def _at_ends(table: pd.DataFrame, describe: Callable[[pd.DataFrame], str], names: Names) -> str:
    """A description of the rows at the smallest and the largest share of minority rows."""
    skews = sorted({table["skew"].min(), table["skew"].max()}) if len(table) else []
    rows = f" {names['minority']} rows"
    return ", ".join(
        f"{describe(table[table['skew'] == skew])} at {100 * skew:g} %{rows if not i else ''}"
        for i, skew in enumerate(skews)
    )
