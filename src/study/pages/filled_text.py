"""A document's text, filled with the numbers of a run, and the run's settings as tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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


def read_assumptions(config_text: str) -> dict[str, str]:
    """Every ``# ASSUME:`` of a config file, by the key that follows it."""
    assumptions: dict[str, str] = {}
    above, why = list[tuple[int, str]](), list[str]()
    for line in config_text.splitlines():
        text = line.strip()
        if text.startswith("# ASSUME:"):
            why = [text.removeprefix("# ASSUME:").strip()]
        elif text.startswith("#"):
            if why:
                why.append(text.removeprefix("#").strip())
        elif match := re.match(r"( *)([A-Za-z_0-9]+):", line):
            indent = len(match[1])
            above = [*(pair for pair in above if pair[0] < indent), (indent, match[2])]
            if why:
                assumptions[".".join(name for _, name in above)] = " ".join(why)
            why = []
    return assumptions


def setting_tables(
    config: Mapping[str, Any], assumptions: Mapping[str, str], derived: Mapping[str, Any]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Assumed settings (key, value, why), and all others by section (section, values).

    A key that stands for a whole section, such as a model's, shows the section's values. A key
    without a value shows what the run derived for it; one that the config doesn't have, such as a
    model that is switched off, needs no assumption.
    """
    known = dict(_with_sections(config))
    words = {key: _in_words(value) for key, value in known.items()}
    words |= {key: f"derived: {value}" for key, value in derived.items() if known[key] is None}
    assumed = [(key, words[key], why) for key, why in assumptions.items() if key in known]
    others: dict[str, list[str]] = {}
    for key, value in _settings(config):
        if not any(f"{key}.".startswith(f"{assumed}.") for assumed in assumptions):
            section, _, name = key.partition(".")
            # A model without settings is a model all the same.
            text = "without settings" if name and value == {} else words[key]
            others.setdefault(section, []).append(f"{name} {text}".strip())
    in_sections = [(name, "; ".join(all_)) for name, all_ in others.items()]
    why = pd.DataFrame(assumed, columns=["key", "value", "why"])
    return why, pd.DataFrame(in_sections, columns=["section", "values"])


def settings_table(settings: Mapping[str, Any]) -> pd.DataFrame:
    """Settings as a table (key, value), one row each."""
    rows = [(key, _in_words(value)) for key, value in _settings(settings)]
    return pd.DataFrame(rows, columns=["key", "value"])


def _with_sections(config: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting and each section with its dotted key."""
    for name, value in config.items():
        yield f"{above}{name}", value
        if isinstance(value, Mapping):
            yield from _with_sections(value, f"{above}{name}.")


def _settings(config: Mapping[str, Any]) -> list[tuple[str, Any]]:
    known = _with_sections(config)
    return [(key, value) for key, value in known if not (isinstance(value, Mapping) and value)]


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_in_words(own)}" for name, own in _settings(value)) or "none"
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(value))
