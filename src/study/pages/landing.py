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


def landing_page(
    facts: Mapping[str, Any], figures: Mapping[str, str], *, datasets: Iterable[str] = ()
) -> str:
    """One page that needs no other file and no network; its links go to the files of the run.

    It says what :func:`study.verdict.facts.verdict_facts` says, shows two drawings, given as SVG
    (``published`` and ``prevalences``), and names the user's own data sets.
    """
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": number_in_words, "typeset": typeset}
    # As addresses, so that ids of several drawings on a page do not meet.
    addresses = {
        name: f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
        for name, svg in figures.items()
    }
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(facts=facts, figures=addresses, datasets=list(datasets))
