"""What a text may say about a run: values of its tables, its settings and its verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from study.errors import ExperimentError


class Assumption(NamedTuple):
    """A setting that a source leaves open: its key, and why it is as it is."""

    key: str
    why: str


def rows_of(
    tables: Mapping[str, pd.DataFrame], name: str, where: Mapping[str, Any]
) -> pd.DataFrame:
    """The rows of a table that have these values in these columns.

    Raises
    ------
    ExperimentError
        If there is no such table.
    """
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
    found: list[Any] = rows_of(tables, name, where)[column].tolist()
    if not found:
        raise ExperimentError(f"the text asks for rows of {name} with {where}; there are none.")
    return found


def look_up(tables: Mapping[str, pd.DataFrame], name: str, column: str, **where: Any) -> Any:
    """The same where there is one such row."""
    found = values_of(tables, name, column, **where)
    if len(found) > 1:
        raise ExperimentError(
            f"the text asks for one row of {name} with {where}, not {len(found)}."
        )
    return found[0]


def read_assumptions(config_text: str) -> list[Assumption]:
    """Every ``# ASSUME:`` of a config file, with the key that follows it.

    >>> read_assumptions("a:\\n  # ASSUME: no one\\n  # says.\\n  b: 1\\n")
    [Assumption(key='a.b', why='no one says.')]
    """
    found: list[Assumption] = []
    above: list[tuple[int, str]] = []
    why: list[str] = []
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
                found.append(Assumption(".".join(name for _, name in above), " ".join(why)))
            why = []
    return found


def flat_settings(config: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting with its dotted key.

    >>> dict(flat_settings({"a": {"b": 1, "c": [2]}, "d": {}}))
    {'a.b': 1, 'a.c': [2], 'd': {}}
    """
    for name, value in config.items():
        key = f"{above}{name}"
        if isinstance(value, Mapping) and value:
            yield from flat_settings(value, f"{key}.")
        else:
            yield key, value


def setting_in_words(value: Any) -> str:
    """A setting's value for people.

    >>> setting_in_words([1, 2]), setting_in_words(None), setting_in_words({})
    ('1, 2', 'none', 'none')
    """
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        words = (f"{name} {setting_in_words(one)}" for name, one in flat_settings(value))
        return "; ".join(words) or "none"
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(value))


def setting_tables(
    config: Mapping[str, Any], assumptions: list[Assumption], derived: Mapping[str, Any]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Assumed settings (key, value, why), and all others by section (section, values).

    A key that stands for a whole section, such as a model's, shows the section's values. A key
    without a value shows what the run derived for it; one that the config doesn't have, such as a
    model that is switched off, needs no assumption.
    """
    known = dict(_settings_and_sections(config))
    assumed = []
    for key, why in assumptions:
        if key in known:
            words = setting_in_words(known[key])
            if known[key] is None and key in derived:
                words = f"derived: {derived[key]}"
            assumed.append((key, words, why))
    others: dict[str, list[str]] = {}
    for key, value in flat_settings(config):
        if not any(f"{key}.".startswith(f"{one.key}.") for one in assumptions):
            section, _, name = key.partition(".")
            # A model without settings is a model all the same.
            words = "without settings" if name and value == {} else setting_in_words(value)
            others.setdefault(section, []).append(f"{name} {words}".strip())
    in_sections = [(name, "; ".join(all_)) for name, all_ in others.items()]
    return (
        pd.DataFrame(assumed, columns=["key", "value", "why"]),
        pd.DataFrame(in_sections, columns=["section", "values"]),
    )


def _settings_and_sections(config: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        yield f"{above}{name}", value
        if isinstance(value, Mapping):
            yield from _settings_and_sections(value, f"{above}{name}.")


def settings_table(settings: Mapping[str, Any]) -> pd.DataFrame:
    """Settings as a table (key, value), one row each."""
    rows = [{"key": key, "value": setting_in_words(one)} for key, one in flat_settings(settings)]
    return pd.DataFrame(rows, columns=["key", "value"])


def percent(value: float, digits: int = 1) -> str:
    """A share in per cent.

    >>> percent(0.0091)
    '0.9 %'
    """
    return f"{100 * value:.{digits}f} %"


def decimals(value: float, digits: int = 4) -> str:
    """A number with so many decimals."""
    return f"{value:.{digits}f}"


def count(value: float) -> str:
    """An integer, thousands set apart from five digits on.

    >>> count(1000), count(44850)
    ('1000', '44,850')
    """
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.0f}"


def plain(text: object) -> str:
    r"""Words from data or settings, so that none of their characters is taken for markup.

    >>> print(plain("*bad* (x_)"))
    \*bad\* (x\_)
    """
    return re.sub(r"([\\*`|_:<>\[\]])", r"\\\1", str(text))
