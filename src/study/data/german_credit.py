"""The Statlog German Credit data as one canonical table, whatever their source, and its features.

It has a row number (1 to 1000, the order of UCI's file), the 20 attributes with UCI's codes, and
the class as "good" or "bad". Its CSV text has one known checksum.
"""

from __future__ import annotations

import csv
import hashlib
import logging
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from study.data.classes import to_csv_text
from study.errors import ExperimentError

if TYPE_CHECKING:  # the names in this module are part of the config: read with Snakemake alone
    import pandas as pd

log = logging.getLogger(__name__)
BUNDLED_FILE = Path(__file__).parent / "files" / "german.data"
UCI_ID = 144
URL = "https://archive.ics.uci.edu"
DEADLINE = 8.0  # seconds
CANONICAL_SHA256 = "01c17e13878f5f3563622973878e335b25592e518c49c9a48425bc0cc4250710"

# UCI's attributes under readable names, in the order of german.data.
_KINDS = dict(csv.reader(Path(__file__).with_suffix(".csv").read_text().splitlines()[1:]))
ATTRIBUTES = tuple(_KINDS)
NUMERIC = tuple(name for name, kind in _KINDS.items() if kind == "number")
CODED = tuple(name for name, kind in _KINDS.items() if kind == "code")
CLASS_NAMES = {1: "good", 2: "bad"}
NAMES = {"majority": "good", "minority": "bad"}
# Nominal attributes of which Strathclyde kept some codes, as 0/1 columns.
INDICATORS = {
    "purpose": ("A40", "A41"),
    "other_debtors": ("A101", "A102"),
    "housing": ("A151", "A152"),
    "job": ("A171", "A172", "A173"),
}


def load_german_credit(
    source: str, file: Path | None = None
) -> tuple[pd.DataFrame, dict[str, str]]:
    """The canonical table from a source of the config, and a record of where it is from.

    `auto` asks UCI, and falls back to the bundled copy.
    """
    note = ""
    if source in ("auto", "uci"):
        place = f"{URL} data set {UCI_ID}"
        try:
            table = from_uci_columns(fetch_uci(UCI_ID), place)
            return table, _record(source, "uci", place)
        except ExperimentError as error:
            if source == "uci":
                raise
            note = f"The bundled copy is used instead of UCI's table: {error}"
            log.warning("%s", note)
    path = file or BUNDLED_FILE
    used = "file" if file else "bundled"
    return read_german_data(path), _record(source, used, path.name, note)


def fetch_uci(dataset_id: int) -> pd.DataFrame:
    """Table of a UCI data set, as its API serves it; ExperimentError past the deadline.

    ucimlrepo sets no time-out, and a socket's time-out would not stop a server that drips one byte
    a second: the thread is left behind and ends with the job. Whatever an answer or a redirection
    leads to, the caller knows the table by its checksum.
    """
    from ucimlrepo import fetch

    answer: dict[str, Any] = {}

    def ask() -> None:
        try:
            answer["table"] = fetch.fetch_ucirepo(id=dataset_id).data.original
        except Exception as error:  # of ucimlrepo, pandas, urllib or http
            answer["error"] = str(error) or type(error).__name__

    fetch.API_BASE_URL = f"{URL}/api/dataset"
    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(DEADLINE)
    if "table" in answer:
        table: pd.DataFrame = answer["table"]
        return table
    reason = answer.get("error", f"no complete answer within {DEADLINE:g} s")
    raise ExperimentError(
        f"UCI's data set {dataset_id} could not be fetched from {URL} ({reason}). Try again "
        "later, or set data.source to bundled, the copy of German Credit in this repository, or "
        "to file."
    )


def _record(asked: str, used: str, place: str, note: str = "") -> dict[str, str]:
    licence = "CC BY 4.0, Hofmann (1994), https://doi.org/10.24432/C5NC77"
    record = {"source_asked": asked, "source_used": used, "place": place, "note": note}
    return record | {"licence": licence}


def read_german_data(path: Path) -> pd.DataFrame:
    """Canonical table from a file in the format of UCI's ``german.data``."""
    import pandas as pd

    try:
        raw = pd.read_csv(path, sep=" ", header=None)
    except (OSError, ValueError) as error:  # also of pandas' parser, and text that is not UTF-8
        raise ExperimentError(f"{path} is not in the format of german.data: {error}") from None
    return make_canonical(raw, path.name)


def from_uci_columns(raw: pd.DataFrame, source: str) -> pd.DataFrame:
    """Canonical table from the columns Attribute1..Attribute20 and class that UCI's API serves."""
    names = [f"Attribute{i}" for i in range(1, len(ATTRIBUTES) + 1)] + ["class"]
    return make_canonical(raw.reindex(columns=names), source)


def make_canonical(raw: pd.DataFrame, source: str) -> pd.DataFrame:
    """Canonical table; ExperimentError if it is not the one that this project knows."""
    if raw.shape[1] == len(ATTRIBUTES) + 1:
        table = raw.set_axis([*ATTRIBUTES, "class"], axis=1)
        table["class"] = table["class"].map(CLASS_NAMES)
        table.insert(0, "row", range(1, len(table) + 1))
        if checksum(table) == CANONICAL_SHA256:
            return table
    raise ExperimentError(
        f"the German Credit data from {source} ({len(raw)} rows) are not the ones this project "
        f"knows: 1000 rows of {len(ATTRIBUTES)} attributes and the class, separated by blanks, "
        f"whose canonical table has the SHA-256 {CANONICAL_SHA256[:12]}.... Set data.source to "
        "bundled (the copy in this repository) or auto, which falls back to it."
    )


def checksum(table: pd.DataFrame) -> str:
    """SHA-256 of a table's CSV text."""
    return hashlib.sha256(to_csv_text(table).encode()).hexdigest()


def strathclyde(table: pd.DataFrame) -> pd.DataFrame:
    """The 24 columns of UCI's ``german.data-numeric``, made at Strathclyde University.

    Ordered codes become integers, the amount is in hundreds (rounded half to even), and some
    nominal attributes become 0/1 columns; the instalment rate is left out.
    """
    import pandas as pd

    columns = {}
    for number, name in enumerate(ATTRIBUTES, start=1):
        if name == "amount":
            columns["amount_hundreds"] = (table[name] / 100).round().astype(int)
        elif name in NUMERIC:
            columns[name] = table[name]
        elif name not in INDICATORS:  # a code is A<attribute number><level>
            columns[name] = table[name].str[len(f"A{number}") :].astype(int)
    del columns["installment_rate"]
    for name, codes in INDICATORS.items():
        for code in codes:
            columns[f"{name}_{code}"] = (table[name] == code).astype(int)
    return pd.DataFrame(columns)


def onehot(table: pd.DataFrame) -> pd.DataFrame:
    """The 7 numeric attributes and one 0/1 column for each of the 54 codes: 61 columns."""
    import pandas as pd

    levels = pd.get_dummies(table[list(CODED)], prefix_sep="_", dtype=int)
    return pd.concat([table[list(NUMERIC)], levels], axis=1)


ENCODINGS = {"strathclyde": strathclyde, "onehot": onehot}


def encode(table: pd.DataFrame, encoding: str) -> pd.DataFrame:
    """Row number, minority (0/1) and the features of one of the ``ENCODINGS``."""
    features = ENCODINGS[encoding](table)
    features.insert(0, "row", table["row"])
    features.insert(1, "minority", (table["class"] == "bad").astype(int))
    return features
