"""A data set of the user's own: read it, find its classes, turn its columns into features."""

import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.io import ScoreFileError, read_table
from study.data.classes import provenance_text
from study.data.german_credit import checksum
from study.data.own_data import breast_cancer, prepare
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError

log = logging.getLogger(__name__)


def prepare_dataset(
    *,
    own: Any,
    features: Path,
    provenance: Path,
    name: str,
    declaration: dict[str, Any],
    uci_url: str,
    timeout_seconds: float,
) -> None:
    """Write row, positive and the features; and where they came from, with the classes' names.

    `own` is the file, if the declaration names one.
    """
    table, place = _table(own, name, declaration, uci_url, timeout_seconds)
    options = ("target", "positive", "drop", "categorical", "numeric", "missing", "decimal")
    chosen = {option: declaration[option] for option in options}
    data = prepare(table, name=name, file=place, **chosen)
    data.features.to_csv(features, index=False)
    notes = {"features": data.features.shape[1] - 2, **data.notes}
    text = provenance_text(
        name, place, checksum(table), len(table), data.classes, data.features["positive"], notes
    )
    provenance.write_text(text, encoding="utf-8")
    log.info("%s from %s: %d rows", name, place, len(table))


def _table(
    own: Path, name: str, declaration: dict[str, Any], uci_url: str, timeout_seconds: float
) -> tuple[pd.DataFrame, str]:
    """The table as its source has it, and what that source is called."""
    number: Any = declaration.get("uci_id")
    key = f"config key datasets.{name}"
    if declaration["source"] == "scikit-learn":
        return breast_cancer(), "scikit-learn, breast_cancer"
    try:
        if declaration["source"] == "file":
            return read_table(own, decimal=declaration["decimal"]), own.name
        found = fetch_uci(number, base_url=uci_url, timeout_seconds=timeout_seconds)
        return found, f"{uci_url} data set {number}"
    except ScoreFileError as error:
        raise ExperimentError(f"{key}.path: {error}") from None
    except FetchError as error:
        raise ExperimentError(
            f"{key}: UCI's data set {number} could not be fetched ({error}). Try again later, or "
            "save it as a file and use source file."
        ) from None


if __name__ == "__main__":
    run(prepare_dataset)
