"""The verdict in words: the template filled with the facts, whole or by section."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

TEMPLATE = Path(__file__).with_name("text.md.jinja")


def verdict_text(facts: Mapping[str, Any]) -> str:
    """The verdict as Markdown, one section for each question.

    Parameters
    ----------
    facts : mapping
        As from :func:`study.verdict.facts.verdict_facts`.
    """
    return f"{_module(facts)}\n"


def verdict_section(facts: Mapping[str, Any], name: str) -> str:
    """One section as Markdown, without its heading.

    Parameters
    ----------
    facts : mapping
        As from :func:`study.verdict.facts.verdict_facts`, or read from verdict.json.
    name : str
        A section's macro in the template: short, which_class_was_positive, table_4, table_5,
        the_operating_point, the_rank_reversal, exact_or_trapezoid or what_stays_unexplained.

    Raises
    ------
    AttributeError
        If there is no such section.
    """
    section: str = getattr(_module(facts), name)()
    return section


def _module(facts: Mapping[str, Any]) -> Any:
    undefined = jinja2.StrictUndefined
    environment = jinja2.Environment(undefined=undefined, autoescape=False)  # noqa: S701 no HTML here
    environment.filters["percent"] = "{:.1%}".format
    environment.filters["capitalise"] = lambda text: text[:1].upper() + text[1:]
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.make_module(dict(facts))
