"""In what two manifests differ: files and settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Differences(NamedTuple):
    """Names of files that two manifests do not have in common."""

    changed: list[str]
    only_first: list[str]
    only_second: list[str]


def compare_digests(first: Mapping[str, str], second: Mapping[str, str]) -> Differences:
    """Which files two manifests give other checksums, and which stand in one of them only."""
    both = first.keys() & second.keys()
    return Differences(
        sorted(name for name in both if first[name] != second[name]),
        sorted(first.keys() - second.keys()),
        sorted(second.keys() - first.keys()),
    )


def different_settings(
    first: Mapping[str, Any], second: Mapping[str, Any], above: str = ""
) -> list[str]:
    """Dotted names of the settings in which two configs differ."""
    names = []
    for name in sorted(first.keys() | second.keys(), key=str):
        here, there = first.get(name), second.get(name)
        if isinstance(here, Mapping) and isinstance(there, Mapping):
            names += different_settings(here, there, f"{above}{name}.")
        elif here != there:
            names.append(f"{above}{name}")
    return names
