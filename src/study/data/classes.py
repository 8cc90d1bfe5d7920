"""What the two classes of a data set are called.

In code, columns and paths *minority* is the class declared positive, whatever its share of the
rows, and *majority* the other one: a column `minority` holds 1 and 0, and scores are higher where
the minority is more likely. What people read has the declared names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

CLASSES = ("majority", "minority")
# What people call the classes, by these words.
Names = Mapping[str, str]
# Of features: the group of a row, if the rows are split by group.
PART_COLUMN = "part"


def as_text(value: object) -> str:
    """A class or level as text; 1.0 and True read from a file are the 1 and true of the config.

    >>> as_text(True), as_text(1.0), as_text(" bad ")
    ('true', '1', 'bad')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def read_names(provenance: Path, declared: Names | None) -> Names:
    """The declared names, or else what the data call the classes."""
    names: Names = declared or json.loads(provenance.read_text(encoding="utf-8"))["classes"]
    return {word: names[word] for word in CLASSES}
