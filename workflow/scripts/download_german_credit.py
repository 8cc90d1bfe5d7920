"""German Credit, from UCI or a file: one canonical table, its features, and where it is from."""

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.data import german_credit as german
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError

log = logging.getLogger(__name__)


@job
def download(
    *,
    bundled: Path,
    own: Path | list[Path],
    table: Path,
    provenance: Path,
    features: list[Path],
    source: str,
    uci: dict[str, Any],
    encodings: list[str],
) -> None:
    """Write the canonical table, its provenance, and row, bad and the features of each encoding."""
    used, note = source, ""
    path = own if source == "file" and isinstance(own, Path) else bundled
    if source in ("auto", "uci"):
        try:
            data = german.from_uci_columns(fetch_uci(german.UCI_ID, **uci))
            used, place = "uci", f"{uci['base_url']} data set {german.UCI_ID}"
        except FetchError as error:
            if source == "uci":
                raise ExperimentError(
                    f"German Credit could not be fetched from UCI ({error}). Try again later, or "
                    "set data.source to bundled (the copy in this repository) or auto."
                ) from None
            used = "bundled"
            note = f"UCI could not be used ({error}); took the bundled copy instead."
            log.warning("%s", note)
    if used != "uci":
        data, place = german.read_german_data(path), path.name
    german.require_known(data, place)
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
