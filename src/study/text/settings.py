"""What the experiment assumes where the paper leaves something open, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from study.settings import Assumption, Config, Section, find_section_in


def assumption_table(config: Mapping[str, Any]) -> pd.DataFrame:
    """One row per assumption on a key that the config has: key, value, reason."""
    rows = []
    for key, reason in list_assumptions(Config):
        value: Any = config
        for name in key.split("."):
            value = value.get(name, ...) if isinstance(value, Mapping) else ...
        if value is not ...:
            rows.append((key, _describe(value), reason))
    return pd.DataFrame(rows, columns=["key", "value", "reason"])


def list_assumptions(section: type[Section], above: str = "") -> Iterator[tuple[str, str]]:
    """The dotted keys whose settings carry an assumption, each with the reason."""
    for name, field in section.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Assumption):
                yield f"{above}{name}", mark.reason
        if (inner := find_section_in(field.annotation)) and inner is not section:
            yield from list_assumptions(inner, f"{above}{name}.")


def _describe(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_describe(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return {"None": "derived", "True": "yes", "False": "no"}.get(str(value), str(value))
