"""What the config assumes where the paper leaves something open, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

ASSUMPTION = re.compile(r"# ASSUME: (.*(?:\n *#.*)*)\n( *)(\w+):")


def read_assumptions(config_text: str) -> dict[str, str]:
    """Read every ``# ASSUME:`` of a config file, by the dotted key that follows it."""
    assumptions: dict[str, str] = {}
    for match in ASSUMPTION.finditer(config_text):
        reason, indent, key = match.groups()
        if indent:
            section = re.findall(r"^\w+", config_text[: match.start()], re.MULTILINE)[-1]
            key = f"{section}.{key}"
        assumptions[key] = " ".join(line.strip(" #") for line in reason.splitlines())
    return assumptions


def assumption_table(config: Mapping[str, Any], assumptions: Mapping[str, str]) -> pd.DataFrame:
    """One row per assumption whose section the config has: key, value, reason."""
    rows = []
    for key, reason in assumptions.items():
        value: Any = config
        for name in key.split("."):
            value = value.get(name, ...) if isinstance(value, Mapping) else ...
        if value is not ...:
            rows.append((key, _describe(value), reason))
    return pd.DataFrame(rows, columns=["key", "value", "reason"])


def _describe(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_describe(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return {"None": "derived", "True": "yes", "False": "no"}.get(str(value), str(value))
