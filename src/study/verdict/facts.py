"""The verdict: its facts, from the tables of the run, and the template filled with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from study.papers.forensics import DIGITS, STATED_PREVALENCE, STATED_SAMPLES
from study.published import MODEL_LABELS
from study.verdict.evidence import LEVEL, Case, by_interval
from study.verdict.readings import Reading
from study.verdict.simulation import AREAS, AS_LARGE, JOINT, REVERSAL

Facts = dict[str, Any]
# Questions that arithmetic alone answers, without our simulation.
ARITHMETIC = {"kappa", "counts", "bounds", "place"}
RARE = {"yes": "not rare", "no": "rare", "undecided": "not settled"}
SIGNS = {"yes": "+", "no": "-", "undecided": "?"}


def verdict_text(facts: Mapping[str, Any]) -> str:
    """Five sentences, then what they rest on, in Markdown; of :func:`verdict_facts`."""
    undefined = jinja2.StrictUndefined
    environment = jinja2.Environment(undefined=undefined, autoescape=False)  # noqa: S701 no HTML here
    environment.filters["percent"] = lambda share, places=1: f"{100 * share:.{places}f} %"
    template = Path(__file__).with_suffix(".md.jinja").read_text(encoding="utf-8")
    return f"{environment.from_string(template).render(facts)}\n"


def verdict_facts(
    readings: Sequence[Reading],
    table: pd.DataFrame,
    case: Case,
    specification: pd.DataFrame | None = None,
) -> Facts:
    """What the matrix of readings and evidence says, as plain values that JSON can hold.

    The table is that of :func:`study.verdict.evidence.matrix`; the specification that of
    :func:`study.analysis.joint.specification_table`.
    """
    judged = [_judged(one, table) for one in readings if one.key in set(table["reading"])]
    by_status = {
        status: [one for one in judged if one["status"] == status]
        for status in ("compatible", "open", "excluded")
    }
    fits = [one["key"] for one in by_status["compatible"]]
    areas = [one.areas for one in readings if one.key in fits]
    of_good = [view is not None and view.at(STATED_PREVALENCE) > 0.5 for view in areas]
    shown = [one.key for one in readings if one.key in (*fits, readings[0].key)]
    simulated = {key: _simulated(case.simulated, key) for key in shown}
    return {
        "level": LEVEL,
        "stated": STATED_PREVALENCE,
        "readings": judged,
        **by_status,
        "share_of_good": bool(fits) and all(of_good),
        "text": {**judged[0], **_equation_19(table, readings[0].key)},
        "evidence": table["evidence"].unique().tolist(),
        "questions": table["question"].nunique(),
        "left_out": [one.key for one in readings if one.key not in set(table["reading"])],
        "not_judged": sorted(set(table.loc[table["how"].str.startswith("Not judged"), "how"])),
        "simulated": {key: of for key, of in simulated.items() if of},
        "digits": _digits(table, fits),
        "reversal": _reversal(case.simulated, fits, specification),
        "samples": STATED_SAMPLES,
        "sizes": list(case.stated),
        "unfit": [
            one["key"]
            for one in by_status["compatible"]
            if not {one["cells"].get(f"counts, {digits}") for digits in DIGITS} & {"+", None}
        ],
    }


def _judged(reading: Reading, table: pd.DataFrame) -> Facts:
    """A reading's row of the matrix, and what speaks against it.

    A question is answered with no if none of its pieces of evidence is compatible or undecided.
    Two such questions exclude a reading; one leaves it open.
    """
    rows = table[table["reading"] == reading.key]
    against = [
        question
        for question, answers in rows.groupby("question", sort=False)["compatible"]
        if set(answers) == {"no"}
    ]
    status = "compatible" if not against else "open" if len(against) == 1 else "excluded"
    return {
        "key": reading.key,
        "words": reading.words,
        "cells": dict(zip(rows["evidence"], rows["compatible"].map(SIGNS), strict=True)),
        "against": against,
        "arithmetic": [question for question in against if question in ARITHMETIC],
        "status": status,
    }


def _equation_19(table: pd.DataFrame, key: str) -> Facts:
    row = table[(table["reading"] == key) & (table["evidence"] == "equation 19")].iloc[0]
    known = pd.notna(row["value"])
    return {"kappa": row["value"] if known else None, "printed": row["limit"] if known else None}


def _simulated(table: pd.DataFrame, key: str) -> Facts | None:
    """Range over the cells of the distance and of the share of replicates farther out."""
    own = table[table["reading"] == key]
    found = {}
    for name, evidence in (("all", JOINT), ("areas", AREAS)):
        rows = own[own["evidence"] == evidence]
        if rows.empty:
            return None
        most = rows.loc[[rows["share"].idxmax()]].to_dict("records")[0]
        found[name] = {
            "near": float(rows["distance"].min()),
            "far": float(rows["distance"].max()),
            "typical": float(rows["typical"].median()),
            "cells": len(rows),
            **{end: float(most[end]) for end in ("share", "low", "high")},
        }
    return found


def _digits(table: pd.DataFrame, fits: list[str]) -> Facts | None:
    """How often the digits coincide if 0.328 is kappa, and if it is t - f."""
    rows = table[(table["evidence"] == "digits coincide") & table["reading"].isin(fits)]
    known = rows[rows["value"].notna()]
    difference = known["reading"].str.endswith("difference")
    if not 0 < difference.sum() < len(known):
        return None
    return {
        "kappa": float(known.loc[~difference, "value"].max()),
        "difference": float(known.loc[difference, "value"].min()),
    }


def _reversal(
    table: pd.DataFrame, fits: list[str], specification: pd.DataFrame | None
) -> Facts | None:
    """How often random splits show the published reversal on hull and raw curve both."""
    known = table["evidence"].isin((REVERSAL, AS_LARGE))
    rows = table[known & (table["reading"].isin(fits) | (not fits))]
    if rows.empty:
        return None
    shown, large = (rows[rows["evidence"] == name] for name in (REVERSAL, AS_LARGE))
    # The cell with most replicates: the paper's setting, exact integral.
    main = shown[shown["replicates"] == shown["replicates"].max()].iloc[0]
    same = large[(large["reading"] == main["reading"]) & (large["network"] == main["network"])]
    largest = same[same["integration"] == main["integration"]].iloc[0]
    most = shown.iloc[shown["share"].argmax()]
    cells, in_cells = len(shown), float(most["share"])
    if specification is not None:
        cells += len(specification)
        in_cells = max(in_cells, float(specification["reversal_share_both"].max()))
    return {
        "reading": main["reading"],
        "network": MODEL_LABELS[main["network"]],
        "count": int(main["count"]),
        "replicates": int(main["replicates"]),
        **{name: float(main[name]) for name in ("share", "low", "high")},
        "how": RARE[by_interval(main["low"], main["high"])],
        "most": in_cells,
        "cells": cells,
        "as_large": int(largest["count"]),
        "as_large_high": float(largest["high"]),
        "as_large_elsewhere": int(large["count"].max()),
    }
