"""A document's text, filled with the numbers of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pandas as pd

from study.errors import ExperimentError
from study.pages import facts


def fill_text(
    texts: Sequence[Path],
    captions: Mapping[str, Path],
    tables: Mapping[str, pd.DataFrame],
    facts_of_run: Mapping[str, Any],
) -> str:
    """The parts of a text, one after the other, with every number put in.

    Parameters
    ----------
    texts : sequence of Path
        Jinja templates of reStructuredText, in order.
    captions : mapping of str to Path
        The report's captions, which the text shares.
    tables : mapping of str to DataFrame
        For ``value``, ``values`` and ``rows`` in the templates.
    facts_of_run : mapping
        Whatever else the templates name, ``config`` among it.

    Raises
    ------
    ExperimentError
        If a template names what is not there.
    """
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 no HTML: pandoc escapes what it writes
    )
    environment.filters |= {
        "percent": facts.percent,
        "d": facts.decimals,
        "count": facts.count,
        "plain": facts.plain,
    }

    def caption(name: str, params: Mapping[str, Any] | None = None, **wildcards: str) -> str:
        if name not in captions:
            raise ExperimentError(f"the text names the caption {name}, which there isn't.")
        template = environment.from_string(captions[name].read_text(encoding="utf-8"))
        config = facts_of_run["config"]
        job = SimpleNamespace(config=config, params=params or {}, wildcards=wildcards)
        return " ".join(template.render(snakemake=job).split())

    environment.globals |= {
        "caption": caption,
        "value": partial(facts.look_up, tables),
        "values": partial(facts.values_of, tables),
        "rows": lambda name, **where: len(facts.rows_of(tables, name, where)),
        **facts_of_run,
    }
    parts = []
    for path in texts:
        try:
            parts.append(environment.from_string(path.read_text(encoding="utf-8")).render())
        except jinja2.TemplateError as error:
            raise ExperimentError(f"the text {path.name} can't be filled: {error}") from None
    return "\n\n".join(parts)
