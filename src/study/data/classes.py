"""What the two classes of a data set are called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd


class Classes(NamedTuple):
    """A 0/1 column, and the names of the classes that it tells apart.

    Scores are higher where `one` is more likely.
    """

    column: str
    zero: str
    one: str


# Kaymak et al. (2010) delete bad rows, the minority.
GERMAN_CREDIT = Classes("bad", "good", "bad")
OWN_COLUMN = "positive"  # of data sets that a user brings
# Their column of the group, or 1 for a test row, if the rows are not split at random.
PART_COLUMN = "part"
NAME_COLUMNS = ("positive_class", "model", "model_a", "model_b")


def spellings(label: str | float | bool) -> list[str]:
    """How a label of the config may be spelt in the data.

    YAML reads an unquoted yes, no, on or off as a truth value.

    >>> spellings(True), spellings(1.0), spellings("bad")
    (['true', 'yes', 'on'], ['1'], ['bad'])
    """
    if isinstance(label, bool):
        return ["true", "yes", "on"] if label else ["false", "no", "off"]
    if isinstance(label, float) and label.is_integer():
        label = int(label)
    return [str(label).strip()]


def as_text(value: Any) -> str:
    """A class or level as text; 1.0 and True read from a file are the 1 and true of the config."""
    return spellings(value)[0]


def read_named(path: Path) -> pd.DataFrame:
    """A table whose classes and models are texts, also where they are called 1 or True."""
    return pd.read_csv(path, converters=dict.fromkeys(NAME_COLUMNS, str))


def read_classes(provenance: Path | None) -> Classes:
    """The classes of a data set's provenance; German Credit's if there is none."""
    if provenance is None:
        return GERMAN_CREDIT
    return Classes(OWN_COLUMN, *json.loads(provenance.read_text(encoding="utf-8"))["classes"])
