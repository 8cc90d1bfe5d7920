"""What the config assumes where the paper leaves something open, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd


def read_assumptions(config_text: str) -> dict[str, str]:
    """Read every ``# ASSUME:`` of a config file, by the dotted key that follows it."""
    assumptions: dict[str, str] = {}
    parents = list[tuple[int, str]]()
    reason = list[str]()
    for line in config_text.splitlines():
        text = line.strip()
        if text.startswith("# ASSUME:"):
            reason = [text.removeprefix("# ASSUME:").strip()]
        elif text.startswith("#"):
            if reason:
                reason.append(text.removeprefix("#").strip())
        elif match := re.match(r"( *)([A-Za-z_0-9]+):", line):
            indent = len(match[1])
            parents = [*(pair for pair in parents if pair[0] < indent), (indent, match[2])]
            if reason:
                assumptions[".".join(name for _, name in parents)] = " ".join(reason)
            reason = []
    return assumptions


def assumption_table(config: Mapping[str, Any], assumptions: Mapping[str, str]) -> pd.DataFrame:
    """One row per assumption on the experiment whose key the config has: key, value, reason."""
    rows = []
    for key, reason in assumptions.items():
        if key.startswith("companions."):
            continue
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
