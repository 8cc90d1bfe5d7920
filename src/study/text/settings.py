"""What the experiment assumes where the paper leaves something open, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from study.settings import Assumption, Config, Section, find_section_in, read_config, value_at


def describe_assumptions(config: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Subject and reason of each assumption; where the config differs, the key and its value."""
    default = read_config({})
    lines = []
    for key, assumption in list_assumptions(Config):
        value, assumed = (value_at(settings, key.split(".")) for settings in (config, default))
        if assumed is None:  # a key of named changes, which have lines of their own
            continue
        if value == assumed or value is None:
            lines.append((assumption.subject, assumption.reason))
        else:
            lines.append((assumption.subject, f"{key} is {_describe(value)} in this run."))
    return lines


def list_assumptions(section: type[Section], above: str = "") -> Iterator[tuple[str, Assumption]]:
    """The dotted keys whose settings carry an assumption, each with it."""
    for name, field in section.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Assumption):
                yield f"{above}{name}", mark
        if (inner := find_section_in(field.annotation)) and inner is not section:
            yield from list_assumptions(inner, f"{above}{name}.")


def _describe(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_describe(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)
