"""German Credit, from UCI or a file: one canonical table, its features, and where it is from."""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.data import german_credit as german
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError

log = logging.getLogger(__name__)


def _from_uci(uci: Mapping[str, Any]) -> tuple[pd.DataFrame, str]:
    """The canonical table, and where it is from; ExperimentError if UCI has no such table."""
    place = f"{uci['uci_url']} data set {german.UCI_ID}"
    try:
        table = fetch_uci(
            german.UCI_ID, base_url=uci["uci_url"], timeout_seconds=uci["timeout_seconds"]
        )
        return german.from_uci_columns(table, place), place
    except FetchError as error:
        raise ExperimentError(
            f"German Credit could not be fetched from UCI ({error}). Try again later, or set "
            "data.source to bundled (the copy in this repository) or auto."
        ) from None


def download(
    *,
    bundled: Path,
    own: Path | list[Path],
    table: Path,
    provenance: Path,
    features: list[Path],
    source: str,
    encodings: list[str],
    uci: Mapping[str, Any],
) -> None:
    """Write the canonical table, its provenance, and row, bad and the features of each encoding.

    `uci` says how UCI is asked: it holds uci_url and timeout_seconds.
    """
    used, note, data = source, "", None
    if source in ("auto", "uci"):
        try:
            data, place = _from_uci(uci)
            used = "uci"
        except ExperimentError as error:
            if source == "uci":
                raise
            used, note = "bundled", f"The bundled copy is used instead of UCI's table: {error}"
            log.warning("%s", note)
    if data is None:
        path = own if isinstance(own, Path) and source == "file" else bundled
        data, place = german.read_german_data(path), path.name
    table.write_text(german.to_csv_text(data), encoding="utf-8", newline="\n")
    counts = data["class"].value_counts().sort_index()
    record = {
        "source_asked": source,
        "source_used": used,
        "place": place,
        "note": note,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "sha256_of_canonical_table": german.checksum(data),
        "rows": len(data),
        "class_counts": {name: int(n) for name, n in counts.items()},
        "licence": "CC BY 4.0, Hofmann (1994), https://doi.org/10.24432/C5NC77",
    }
    provenance.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    for encoding, path in zip(encodings, features, strict=True):
        german.encode(pd.read_csv(table), encoding).to_csv(path, index=False)
    log.info("German Credit from %s: %d rows", place, len(data))


if __name__ == "__main__":
    # No params, which would fetch the data again, and run all else, when only these change.
    run(partial(download, uci=snakemake.config["data"]), snakemake)
