"""The data set: its table, the features of each encoding, its classes, and where it is from."""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from _job import job
from kappacurve.files.scores import ScoreFileError, read_table
from study.data import german_credit as german
from study.data.own_data import breast_cancer, prepare
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError

log = logging.getLogger(__name__)
Settings = Mapping[str, Any]


class Prepared(NamedTuple):
    """The canonical table, features by encoding, the classes in it, and what else to record."""

    table: pd.DataFrame
    features: dict[str, pd.DataFrame]
    names: Mapping[str, str]
    record: dict[str, Any]


def _from_uci(uci: Settings) -> tuple[pd.DataFrame, str]:
    """German Credit from UCI, and where it is from."""
    place = f"{uci['uci_url']} data set {german.UCI_ID}"
    asked = {"base_url": uci["uci_url"], "timeout_seconds": uci["timeout_seconds"]}
    try:
        table = fetch_uci(german.UCI_ID, **asked)
    except FetchError as error:
        raise ExperimentError(
            f"UCI's data set {german.UCI_ID} could not be fetched ({error}). Try again later, or "
            "set data.source to bundled (the copy of German Credit in this repository) or file."
        ) from None
    return german.from_uci_columns(table, place), place


def german_credit(file: Path | None, data: Settings, uci: Settings) -> Prepared:
    """German Credit from its source; auto falls back to the bundled copy."""
    used = data["source"]
    note = ""
    table = None
    if used in ("auto", "uci"):
        try:
            table, place = _from_uci(uci)
            used = "uci"
        except ExperimentError as error:
            if used == "uci":
                raise
            used = "bundled"
            note = f"The bundled copy is used instead of UCI's table: {error}"
            log.warning("%s", note)
    if table is None:
        path = file if used == "file" and file else german.BUNDLED_FILE
        table = german.read_german_data(path)
        place = path.name
    features = {name: german.encode(table, name) for name in german.ENCODINGS}
    record = {"source_asked": data["source"], "source_used": used, "place": place, "note": note}
    record["licence"] = "CC BY 4.0, Hofmann (1994), https://doi.org/10.24432/C5NC77"
    names = {"majority": german.CLASS_NAMES[1], "minority": german.CLASS_NAMES[2]}
    return Prepared(table, features, names, record)


def other_data(file: Path | None, data: Settings, group: str | None) -> Prepared:
    """A data set whose target the config names."""
    if data["source"] == "scikit-learn":
        table, place = breast_cancer(), "scikit-learn, breast_cancer"
    elif file is None:  # which the settings have refused
        raise ExperimentError("config key data.path: source file needs it.")
    else:
        place = file.name
        try:
            table = read_table(file, decimal=data["decimal"], header=data["header"] != "none")
        except ScoreFileError as error:
            raise ExperimentError(f"config key data.path: {error}") from None
    prepared = prepare(table, place, data, group)
    names = list(prepared.names.values())
    if names[0].lower() == names[1].lower():
        log.warning("%s and %s are two classes, though only their case differs", *names)
    table.insert(0, "row", range(1, len(table) + 1), allow_duplicates=True)
    record = {"source_asked": data["source"], "source_used": data["source"]}
    record |= {"place": place, **prepared.notes}
    return Prepared(table, {"onehot": prepared.features}, prepared.names, record)


def prepare_data(
    *,
    file: Path | None,
    data: Settings,
    group: str | None,
    uci: Settings,
    table: Path,
    provenance: Path,
    features: list[str],
) -> None:
    """Write the table, its provenance, and row, minority, part (if rows are split by group) and the
    features of each encoding.

    `file` is the one that the config names, if any; `group` is the column of the groups; `uci` says
    how UCI is asked: it holds uci_url and timeout_seconds.
    """
    if data["target"] is None:
        prepared = german_credit(file, data, uci)
    else:
        prepared = other_data(file, data, group)
    table.write_text(german.to_csv_text(prepared.table), encoding="utf-8", newline="\n")
    for encoded, path in zip(prepared.features.values(), features, strict=True):
        encoded.to_csv(path, index=False)
    labels = encoded["minority"]
    counts = {"majority": int((labels == 0).sum()), "minority": int((labels == 1).sum())}
    record = {
        **prepared.record,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "sha256_of_canonical_table": german.checksum(prepared.table),
        "rows": len(prepared.table),
        "classes": {word: prepared.names[word] for word in counts},
        "class_counts": {prepared.names[word]: count for word, count in counts.items()},
    }
    provenance.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    log.info("%d rows from %s", len(prepared.table), record["place"])


if __name__ == "__main__":
    with job(snakemake):
        prepare_data(
            file=Path(snakemake.input.file) if snakemake.input.file else None,
            data=snakemake.params.data,
            group=snakemake.params.group,
            # Not a param: how UCI is asked is no reason to run everything again.
            uci=snakemake.config["data"],
            table=Path(snakemake.output.table),
            provenance=Path(snakemake.output.provenance),
            features=snakemake.output.features,
        )
