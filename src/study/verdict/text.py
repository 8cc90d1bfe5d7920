"""The verdict in words: the template filled with the facts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2


def verdict_text(facts: Mapping[str, Any]) -> str:
    """Five sentences, then what they rest on, in Markdown; of :func:`.verdict_facts`."""
    undefined = jinja2.StrictUndefined
    environment = jinja2.Environment(undefined=undefined, autoescape=False)  # noqa: S701 no HTML here
    environment.filters["percent"] = lambda share, places=1: f"{100 * share:.{places}f} %"
    template = Path(__file__).with_name("verdict.md.jinja").read_text(encoding="utf-8")
    return f"{environment.from_string(template).render(facts)}\n"
