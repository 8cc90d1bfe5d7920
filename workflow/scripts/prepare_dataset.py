"""A data set of the user's own: read it, find its classes, turn its columns into features."""

import json
import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.io import ScoreFileError, read_table
from study.data.german_credit import checksum
from study.data.own_data import breast_cancer, prepare
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError

log = logging.getLogger(__name__)


def prepare_dataset(
    *,
    own: Path | list[Path],
    features: Path,
    provenance: Path,
    name: str,
    declaration: dict[str, Any],
    uci_url: str,
    timeout_seconds: float,
) -> None:
    """Write row, positive and the features; and where they came from, with the classes' names."""
    table, place = _table(own, name, declaration, uci_url, timeout_seconds)
    options = ("target", "positive", "drop", "categorical", "missing", "decimal")
    chosen = {option: declaration[option] for option in options}
    data = prepare(table, name=name, file=place, **chosen)
    data.features.to_csv(features, index=False)
    positive = data.features["positive"]
    classes = [data.classes.zero, data.classes.one]
    counts = {name: int((positive == value).sum()) for value, name in enumerate(classes)}
    record = {
        "data_set": name,
        "place": place,
        "sha256_of_canonical_table": checksum(table),
        "rows": len(table),
        "classes": classes,
        "class_counts": counts,
        "features": data.features.shape[1] - 2,
        **data.notes,
    }
    provenance.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    log.info("%s from %s: %d rows, %s", name, place, len(table), counts)


def _table(
    own: Path | list[Path],
    name: str,
    declaration: dict[str, Any],
    uci_url: str,
    timeout_seconds: float,
) -> tuple[pd.DataFrame, str]:
    source = declaration["source"]
    if source == "scikit-learn":
        return breast_cancer(), "scikit-learn, breast_cancer"
    if source == "uci":
        number = declaration["uci_id"]
        try:
            found = fetch_uci(number, base_url=uci_url, timeout_seconds=timeout_seconds)
        except FetchError as error:
            raise ExperimentError(
                f"config key datasets.{name}: UCI's data set {number} could not be fetched "
                f"({error}). Try again later, or save it as a file and use source file."
            ) from None
        return found, f"{uci_url} data set {number}"
    if not isinstance(own, Path):
        raise ExperimentError(f"config key datasets.{name}.path: a file is needed.")
    try:
        return read_table(own, decimal=declaration["decimal"]), own.name
    except ScoreFileError as error:
        raise ExperimentError(f"config key datasets.{name}.path: {error}") from None


if __name__ == "__main__":
    run(prepare_dataset)
