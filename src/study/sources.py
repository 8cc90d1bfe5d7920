"""The related papers that are recomputed, by the entries of sources.yaml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import yaml


class Entry(NamedTuple):
    """What a source is called, and what its study is made of."""

    label: str
    module: str
    inputs: Sequence[str]
    shown: Sequence[Sequence[str]]
    settings: Sequence[str] = ()
    shown_with: Mapping[str, Sequence[Sequence[str]]] = MappingProxyType({})


_ENTRIES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
SOURCES = {name: Entry(**entry) for name, entry in _ENTRIES.items()}
STUDY_LABELS = {name: entry.label for name, entry in SOURCES.items()}
