"""What the two classes of a data set are called, and the files of a prepared data set.

In code, columns and paths *minority* is the class declared positive, whatever its share of the
rows, and *majority* the other one: a column `minority` holds 1 and 0, and scores are higher where
the minority is more likely. What people read has the declared names.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

CLASSES = ("majority", "minority")
# What people call the classes, by these words.
Names = Mapping[str, str]


def write_data(
    table: pd.DataFrame,
    features: Mapping[str, pd.DataFrame],
    record: Mapping[str, Any],
    names: Names,
    *,
    folder: Path,
) -> None:
    """Write the table, the features of each encoding, and provenance.json.

    The record says where the table is from, the names what the classes are called in it.
    """
    text = to_csv_text(table)
    (folder / "table.csv").write_text(text, encoding="utf-8", newline="\n")
    for encoding, encoded in features.items():
        encoded.to_csv(folder / f"features_{encoding}.csv", index=False)
    labels = encoded["minority"]
    counts = {"majority": int((labels == 0).sum()), "minority": int((labels == 1).sum())}
    whole = {
        **record,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "sha256_of_canonical_table": hashlib.sha256(text.encode()).hexdigest(),
        "rows": len(table),
        "classes": {word: names[word] for word in counts},
        "class_counts": {names[word]: count for word, count in counts.items()},
    }
    (folder / "provenance.json").write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    log.info("%d rows from %s", len(table), record["place"])


def to_csv_text(table: pd.DataFrame) -> str:
    """A table as CSV text, the same on every system."""
    return table.to_csv(index=False, lineterminator="\n")


def read_names(provenance: Path, declared: Names | None) -> Names:
    """The declared names, or else what the data call the classes."""
    names: Names = declared or json.loads(provenance.read_text(encoding="utf-8"))["classes"]
    return {word: names[word] for word in CLASSES}
