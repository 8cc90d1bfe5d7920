"""results/index.html: the answer of a run on one page, and the way to everything else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jinja2

from study.pages.typography import typeset
from study.verdict.facts import number_in_words

TEMPLATE = Path(__file__).with_name("landing.html.jinja")
VERDICTS = ("holds", "does not hold", "undecided")


def landing_page(
    facts: Mapping[str, Any], figures: Mapping[str, str], *, datasets: Iterable[str] = ()
) -> str:
    """One page that needs no other file and no network; its links go to the files of the run.

    Parameters
    ----------
    facts
        What the verdict says, of :func:`study.verdict.facts.verdict_facts`.
    figures
        Drawings as SVG: ``published`` and ``prevalences``.
    datasets
        Names of the user's own data sets.
    """
    own = [claim for claim in facts["claims"] if claim["paper"] == facts["paper"]]
    verdicts = [claim["verdict"] for claim in own]
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": number_in_words, "typeset": typeset}
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        facts=facts,
        own=own,
        counts=[verdicts.count(verdict) for verdict in VERDICTS],
        front=[claim for claim in own if claim["front"]],
        others=[claim for claim in facts["claims"] if claim not in own],
        figures={name: _as_address(svg) for name, svg in figures.items()},
        datasets=list(datasets),
    )


def _as_address(svg: str) -> str:
    """The drawing as an address: ids of several drawings on a page do not meet."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
