"""The run's settings as tables: what was assumed and why, and all others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd


def read_assumptions(config_text: str) -> dict[str, str]:
    """Every ``# ASSUME:`` of a config file, by the key that follows it."""
    assumptions: dict[str, str] = {}
    above = list[tuple[int, str]]()
    why = list[str]()
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
    settings = dict(_with_sections(config))
    words = {key: _in_words(value) for key, value in settings.items()}
    words |= {key: f"derived: {value}" for key, value in derived.items() if settings[key] is None}
    assumed = [(key, words[key], why) for key, why in assumptions.items() if key in settings]
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


def _with_sections(config: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting and each section with its dotted key."""
    for name, value in config.items():
        yield f"{above}{name}", value
        if isinstance(value, Mapping):
            yield from _with_sections(value, f"{above}{name}.")


def _settings(config: Mapping[str, Any]) -> list[tuple[str, Any]]:
    settings = _with_sections(config)
    return [(key, value) for key, value in settings if not (isinstance(value, Mapping) and value)]


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {_in_words(item)}" for name, item in _settings(value)) or "none"
    return {"None": "none", "True": "yes", "False": "no"}.get(str(value), str(value))
