"""A document's text, filled with the numbers of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pandas as pd

from study.errors import ExperimentError


def fill_text(
    texts: Sequence[Path],
    captions: Mapping[str, Path],
    tables: Mapping[str, pd.DataFrame],
    facts_of_run: Mapping[str, Any],
) -> str:
    """The parts of a text (Jinja templates of reStructuredText), with every number put in.

    The templates look up `tables` by ``value``, ``values`` and ``rows``, share the report's
    `captions`, and name `facts_of_run`, ``config`` among them.
    """
    # No HTML: pandoc escapes what it writes.
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701
    filters: dict[str, Any] = {
        "percent": lambda share, digits=1: f"{100 * share:.{digits}f} %",
        "d": lambda value, digits=4: f"{value:.{digits}f}",
        # Thousands are set apart from five digits on.
        "count": lambda value: f"{value:{',' if abs(value) >= 10_000 else ''}.0f}",
        "plain": plain_words,
    }
    environment.filters |= filters

    def caption(name: str, params: Mapping[str, Any] | None = None, **wildcards: str) -> str:
        if name not in captions:
            raise ExperimentError(f"the text names the caption {name}, which there isn't.")
        template = environment.from_string(captions[name].read_text(encoding="utf-8"))
        config = facts_of_run["config"]
        job = SimpleNamespace(config=config, params=params or {}, wildcards=wildcards)
        return " ".join(template.render(snakemake=job).split())

    environment.globals |= {
        "caption": caption,
        "value": partial(look_up, tables),
        "values": partial(values_of, tables),
        "rows": lambda name, **where: len(_rows(tables, name, where)),
        **facts_of_run,
    }
    parts = []
    for path in texts:
        try:
            parts.append(environment.from_string(path.read_text(encoding="utf-8")).render())
        except jinja2.TemplateError as error:
            raise ExperimentError(f"the text {path.name} can't be filled: {error}") from None
    return "\n\n".join(parts)


def _rows(tables: Mapping[str, pd.DataFrame], name: str, where: Mapping[str, Any]) -> pd.DataFrame:
    if name not in tables:
        raise ExperimentError(f"the text names the table {name}, which the run does not make.")
    table = tables[name]
    for key, value in where.items():
        table = table[table[key] == value]
    return table


def values_of(
    tables: Mapping[str, pd.DataFrame], name: str, column: str, **where: Any
) -> list[Any]:
    """The values of a column in the rows that have these values in other columns, at least one."""
    values: list[Any] = _rows(tables, name, where)[column].tolist()
    if not values:
        raise ExperimentError(f"the text asks for rows of {name} with {where}; there are none.")
    return values


def look_up(tables: Mapping[str, pd.DataFrame], name: str, column: str, **where: Any) -> Any:
    """The same where there is one such row."""
    values = values_of(tables, name, column, **where)
    if len(values) > 1:
        told = f"the text asks for one row of {name} with {where}, not {len(values)}."
        raise ExperimentError(told)
    return values[0]


def plain_words(text: object) -> str:
    """Words from data or settings, so that none of their characters is taken for markup."""
    return re.sub(r"([\\*`|_:<>\[\]])", r"\\\1", str(text))
