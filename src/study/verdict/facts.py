"""The verdict: its facts, from the tables of the run, and the template filled with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from study.papers.kaymak2010_experiment import (
    PIMA,
    STATED_PREVALENCE,
    STATED_SAMPLES,
    point_if_published,
    stated_sample,
)
from study.published import (
    MEASURE_LABELS,
    MODEL_LABELS,
    SPREAD,
    STUDY_LABELS,
    UNUSUAL,
    published_numbers,
)
from study.verdict.claims import Claim
from study.verdict.evidence import EVIDENCE, Case, findings
from study.verdict.readings import Reading, in_words
from study.verdict.simulation import AS_LARGE, COINCIDENCE, EIGHT, ELEVEN, REVERSAL, key_of

Facts = dict[str, Any]
SIGNS = {"yes": "+", "no": "\N{MINUS SIGN}", "undecided": "?"}
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
    return str(macros.published_table(facts["published"], ["good"])).strip()


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
    share = "share of" in claim["claim"]

    def text(value: float) -> str:
        if share:
            return f"{100 * value:.1f}".removesuffix(".0")
        return "0" if abs(value) < 1e-9 else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"

    value, low, high = (claim[name] for name in ("value", "low", "high"))
    unit = " %" if share else ""
    return f"{text(value)}{unit}" + ("" if low is None else f" [{text(low)}, {text(high)}]")


def readings_facts(
    readings: Sequence[Reading],
    table: pd.DataFrame,
    case: Case,
    specification: pd.DataFrame | None = None,
) -> Facts:
    """What the table of the readings says, as plain values that JSON can hold.

    The table is that of :func:`study.verdict.evidence.readings_table`; the specification that of
    :func:`study.analysis.joint.specification_table`.
    """
    status = dict(zip(readings, table["compatible"], strict=True))
    fits = [one for one in readings if status[one] == "yes"]
    fitting = {one.departures for one in fits}
    smallest = sorted(
        (one for one in fitting if not _subsets(one) & fitting),
        key=lambda one: (len(one), in_words(one)),
    )
    shown = [_best(frozenset(), status), *(_best(one, status) for one in smallest)]
    text = shown[0]
    point = point_if_published()
    return {
        "level": UNUSUAL,
        "stated": STATED_PREVALENCE,
        "skew": f"{100 * STATED_PREVALENCE:g} %",
        "combinations": len(readings),
        "statuses": {
            name: int((table["compatible"] == name).sum()) for name in ("yes", "open", "no")
        },
        "smallest": [in_words(one) for one in smallest if len(one) <= 2],
        "single": [in_words(one) for one in smallest if len(one) == 1],
        "pairs": [in_words(one) for one in smallest if len(one) == 2],
        "text_status": status[text],
        "kappa": findings(text, case)["triple: digits"].value,
        "printed": None if point is None else [number.text for number in point],
        "shown": [_shown(one, status, case) for one in shown],
        "evidence": list(EVIDENCE),
        "sizes": list(case.stated),
        "not_judged": _not_judged(shown, case),
        "reversal": _reversal(fits, case, specification),
        "coincidence": _coincidence(fits, case),
        "samples": {"stated": STATED_SAMPLES, "left": stated_sample().rows, "pima": PIMA},
    }


def _subsets(departures: frozenset[str]) -> set[frozenset[str]]:
    """All smaller sets of these departures."""
    return {
        frozenset(some)
        for size in range(len(departures))
        for some in combinations(departures, size)
    }


def _best(departures: frozenset[str], status: Mapping[Reading, str]) -> Reading:
    """The reading with these departures that fits best; the text leaves two prevalences open."""
    order = ("yes", "open", "no")
    own = [one for one in status if one.departures == departures]
    return min(own, key=lambda one: order.index(status[one]))


def _shown(reading: Reading, status: Mapping[Reading, str], case: Case) -> Facts:
    """A row of the evidence: signs, and the numbers behind them."""
    found = findings(reading, case)
    distances: dict[str, Any] = {}
    for compared in (ELEVEN, EIGHT):
        row: Any = case.simulated.get(key_of(reading, compared))
        names = ("near", "far", "typical", "share", "low", "high", "cells")
        distances[compared] = None if row is None else {name: float(row[name]) for name in names}
    return {
        "words": reading.words,
        "prevalence": reading.prevalence,
        "compatible": status[reading],
        "counted": found["triple: counts"].answer == "yes",
        "signs": {name: SIGNS[one.answer] for name, one in found.items()},
        "how": {name: one.how for name, one in found.items()},
        "distances": distances,
    }


def _not_judged(shown: Sequence[Reading], case: Case) -> list[str]:
    """What keeps evidence from being judged at all."""
    each = (found.how for one in shown for found in findings(one, case).values())
    return sorted({how for how in each if how.startswith("Not judged")})


def _reversal(
    fits: Sequence[Reading], case: Case, specification: pd.DataFrame | None
) -> Facts | None:
    """How often random splits show the published reversal on hull and raw curve both.

    The range over all readings that fit, and its maximum over all cells with an interval.
    """
    areas = {(one.area, one.prevalence): one for one in fits}
    rows: list[Any] = [
        row for one in areas.values() if (row := case.simulated.get(key_of(one, REVERSAL)))
    ]
    large: list[Any] = [
        row for one in areas.values() if (row := case.simulated.get(key_of(one, AS_LARGE)))
    ]
    if not rows:
        return None
    most = max(rows, key=lambda row: row["share"])
    found: Facts = {
        "least": min(float(row["least"]) for row in rows),
        "most": float(most["share"]),
        "low": float(most["low"]),
        "high": max(float(row["high"]) for row in rows),
        "cells": sum(int(row["cells"]) for row in rows),
        "readings": len(fits),
        "network": MODEL_LABELS[most["network"]],
        "as_large": max(int(row["count"]) for row in large),
        "as_large_high": max(float(row["high"]) for row in large),
    }
    if specification is not None:
        own = specification[specification["positive_class"] == "good"]
        found["cells"] += len(own)
        if len(own) and own["reversal_share_both"].max() > found["most"]:
            cell = own.iloc[int(own["reversal_share_both"].argmax())]
            found |= {"most": float(cell["reversal_share_both"])}
            found |= {end: float(cell[f"reversal_{end}_both"]) for end in ("low", "high")}
            found["high"] = max(found["high"], float(own["reversal_high_both"].max()))
    return found


def _coincidence(fits: Sequence[Reading], case: Case) -> float | None:
    """In how many splits at most kappa has the digits of t - f, where 0.328 is not t - f."""
    rows: list[Any] = [
        row
        for one in fits
        if one.view.share is not None
        if (row := case.simulated.get(key_of(one, COINCIDENCE)))
    ]
    return max((float(row["share"]) for row in rows), default=None)


def verdict_facts(
    readings: Facts,
    claims: Iterable[tuple[Claim, bool]],
    checks: pd.DataFrame | None,
    published: pd.DataFrame,
) -> Facts:
    """The facts of the readings, the claims, the counts of printed statements, and our values.

    published: the tables of :func:`study.published.published_and_ours`, one below the other.
    """
    return {
        **readings,
        "paper": STUDY_LABELS["kaymak"],
        "claims": [_plain(claim._asdict()) | {"front": front} for claim, front in claims],
        "statements": [] if checks is None else printed_statements(checks),
        "published": beside_ours(published),
    }


def _plain(values: Mapping[str, Any]) -> Facts:
    """With None for what is not a number, as JSON has it."""
    return {name: None if value != value else value for name, value in values.items()}


def beside_ours(tables: pd.DataFrame) -> list[Facts]:
    """Each published number with our mean, central 95 % and percentile, for either class."""
    rows: list[Facts] = []
    for (place, curve, model, measure), printed in published_numbers().items():
        own = tables[(tables["model"] == model) & (tables["measure"] == measure)]
        own = own[(own["curve"] == curve) & own["published"].notna()].set_index("positive_class")
        if own.empty:
            continue
        spread = {
            name: _plain({one: float(own.loc[name, one]) for one in SPREAD}) for name in own.index
        }
        label = f"{MODEL_LABELS[model]}, {MEASURE_LABELS[measure]}"
        rows.append({"place": place, "number": label, "printed": printed.text, **spread})
    return rows


def printed_statements(checks: pd.DataFrame) -> list[Facts]:
    """How many printed statements of each source agree, disagree, and are undecided."""
    printed = checks[checks["kind"] == "printed"]
    rows = []
    for study, label in STUDY_LABELS.items():
        own = printed.loc[printed["study"] == study, "holds"].astype(str)
        agree, disagree = int((own == "True").sum()), int((own == "False").sum())
        if len(own):
            counts = {
                "agree": agree,
                "disagree": disagree,
                "undecided": len(own) - agree - disagree,
            }
            rows.append({"source": label, **counts})
    return rows
