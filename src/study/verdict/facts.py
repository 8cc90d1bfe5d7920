"""The verdict: its facts, from the tables of the run, and the template filled with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from study.labels import MEASURE_LABELS
from study.papers.checks import printed_outcomes
from study.published import CLASS_NAMES, MODEL_LABELS, SPREAD, STUDY_LABELS, published_numbers

Facts = dict[str, Any]
TEMPLATE = Path(__file__).with_suffix(".md.jinja")


def verdict_text(facts: Mapping[str, Any]) -> str:
    """One page, then what it rests on, in Markdown; of :func:`verdict_facts`."""
    return f"{_template().render(facts).strip()}\n"


def findings_block(facts: Mapping[str, Any]) -> str:
    """What the verdict says under "What we find"."""
    return verdict_text(facts).partition("## What we find\n")[2].partition("\n## ")[0].strip()


def claims_block(facts: Mapping[str, Any]) -> str:
    """The few claims of README as a table."""
    front = [claim for claim in facts["claims"] if claim["front"]]
    macros: Any = _template().make_module(dict(facts))
    return str(macros.table_of(front)).strip()


def short_form(facts: Mapping[str, Any]) -> pd.DataFrame:
    """The claims of the paper with their numbers as people read them."""
    rows = [
        (claim["claim"], claim["section"], claim["verdict"], number_in_words(claim))
        for claim in facts["claims"]
        if claim["paper"] == facts["paper"]
    ]
    return pd.DataFrame(rows, columns=["claim", "section", "verdict", "number"])


def published_block(facts: Mapping[str, Any]) -> str:
    """The published numbers beside ours, with the positive class that fits."""
    macros: Any = _template().make_module(dict(facts))
    return str(macros.published_table(facts["published"], ["majority"])).strip()


def _template() -> jinja2.Template:
    undefined = jinja2.StrictUndefined
    environment = jinja2.Environment(undefined=undefined, autoescape=False)  # noqa: S701 no HTML here
    filters: dict[str, Any] = {
        "percent": lambda share, places=1: f"{100 * share:.{places}f} %",
        "number": number_in_words,
    }
    environment.filters |= filters
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8"))


def number_in_words(claim: Mapping[str, Any]) -> str:
    """A claim's number with its interval; shares in per cent."""
    if claim["value"] is None:
        return ""
    share = claim["unit"] == "share"

    def text(value: float) -> str:
        if share:
            return f"{100 * value:.1f}".removesuffix(".0")
        return "0" if abs(value) < 1e-9 else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"

    value, low, high = (claim[name] for name in ("value", "low", "high"))
    unit = " %" if share else ""
    return f"{text(value)}{unit}" + ("" if low is None else f" [{text(low)}, {text(high)}]")


def verdict_facts(
    readings: Facts, claims: pd.DataFrame, checks: pd.DataFrame | None, published: pd.DataFrame
) -> Facts:
    """The facts of the readings, the claims, the counts of printed statements, and our values.

    published: the tables of `published_and_ours`, one below the other.
    """
    return {
        **readings,
        "paper": STUDY_LABELS["kaymak"],
        "class_names": CLASS_NAMES,
        "claims": [_plain(claim) for claim in claims.to_dict("records")],
        "statements": [] if checks is None else printed_statements(checks),
        "causes": shared_causes(claims),
        "published": beside_ours(published),
    }


def shared_causes(claims: pd.DataFrame) -> dict[str, list[str]]:
    """Why claims do not hold as they are printed: the keys of those with one cause."""
    own = claims[claims["cause"] != ""]
    return {str(cause): rows["key"].tolist() for cause, rows in own.groupby("cause", sort=False)}


def _plain(values: Mapping[Any, Any]) -> Facts:
    """With None for what is not a number, as JSON has it."""
    return {name: None if value != value else value for name, value in values.items()}


def beside_ours(tables: pd.DataFrame) -> list[Facts]:
    """Each published number with our mean, central 95 % and percentile, for either class."""
    rows: list[Facts] = []
    for (place, curve, model, measure), printed in published_numbers().items():
        own = tables[(tables["model"] == model) & (tables["measure"] == measure)]
        own = own[(own["curve"] == curve) & own["published"].notna()].set_index("positive_class")
        if len(own):
            label = f"{MODEL_LABELS[model]}, {MEASURE_LABELS[measure]}"
            spread = own[list(SPREAD)].astype(float).to_dict("index")
            row = {"place": place, "number": label, "printed": printed.text}
            rows.append(row | {str(name): _plain(values) for name, values in spread.items()})
    return rows


def printed_statements(checks: pd.DataFrame) -> list[Facts]:
    """How many printed statements of each source agree, disagree, and are undecided."""
    counts: Any = printed_outcomes(checks).to_dict("index")
    return [
        {"source": label, **counts[study]}
        for study, label in STUDY_LABELS.items()
        if study in counts
    ]
