"""A document's text, filled with the numbers of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pandas as pd

from study.errors import ExperimentError
from study.pages import facts


def fill_text(
    texts: Sequence[Path],
    *,
    title: str,
    captions: Sequence[Path],
    config: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    verdict: str,
    facts_of_run: Mapping[str, Any],
) -> str:
    """The parts of a text, one after the other, with every number put in.

    Parameters
    ----------
    texts : sequence of Path
        Jinja templates of reStructuredText, in order.
    title : str
    captions : sequence of Path
        The report's captions, which the text shares; named by file, without suffix.
    config : mapping
        The settings of the run, ``config`` in the templates.
    tables : mapping of str to DataFrame
        For ``value``, ``values`` and ``rows`` in the templates.
    verdict : str
        Markdown, for ``verdict`` in the templates.
    facts_of_run : mapping
        Whatever else the templates name.

    Raises
    ------
    ExperimentError
        If a template names what is not there.
    """
    # The text is reStructuredText, not HTML: each renderer escapes what it writes.
    undefined = jinja2.StrictUndefined
    environment = jinja2.Environment(undefined=undefined, autoescape=False)  # noqa: S701 no HTML here
    by_name = {path.stem: path for path in captions}
    environment.filters |= {
        "percent": facts.percent,
        "d": facts.decimals,
        "count": facts.count,
        "plain": facts.plain,
    }

    def caption(name: str, params: Mapping[str, Any] | None = None, **wildcards: str) -> str:
        if name not in by_name:
            raise ExperimentError(f"the text names the caption {name}, which there isn't.")
        source = by_name[name].read_text(encoding="utf-8")
        job = SimpleNamespace(config=config, params=params or {}, wildcards=wildcards)
        return " ".join(environment.from_string(source).render(snakemake=job).split())

    environment.globals |= {
        "config": config,
        "caption": caption,
        "value": lambda name, column, **where: facts.look_up(tables, name, column, **where),
        "values": lambda name, column, **where: facts.values_of(tables, name, column, **where),
        "rows": lambda name, **where: facts.count_rows(tables, name, **where),
        "verdict": lambda heading: facts.markdown_section(verdict, heading),
        **facts_of_run,
    }
    rule = "#" * len(title)
    parts = [f"{rule}\n{title}\n{rule}\n"]
    for path in texts:
        try:
            parts.append(environment.from_string(path.read_text(encoding="utf-8")).render())
        except jinja2.TemplateError as error:
            raise ExperimentError(f"the text {path.name} can't be filled: {error}") from None
    return "\n\n".join(parts)
