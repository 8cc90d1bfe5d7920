"""A data set of the user's own: read it, find its classes, turn its columns into features."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.io import ScoreFileError, read_table
from study.data.german_credit import checksum
from study.data.own_data import breast_cancer, prepare
from study.data.uci import FetchError, fetch_uci
from study.errors import ExperimentError


def _tables(
    own: list[Path], name: str, declaration: dict[str, Any], uci: dict[str, Any]
) -> dict[str, pd.DataFrame]:
    """The tables as their source has them, by what that source is called."""
    number: Any = declaration.get("uci_id")
    key = f"config key datasets.{name}"
    if declaration["source"] == "scikit-learn":
        return {"scikit-learn, breast_cancer": breast_cancer()}
    try:
        if declaration["source"] == "file":
            how = {"decimal": declaration["decimal"], "header": declaration["header"] != "none"}
            same = len({path.name for path in own}) < len(own)
            return {str(path) if same else path.name: read_table(path, **how) for path in own}
        found = fetch_uci(number, **uci)
        return {f"{uci['base_url']} data set {number}": found}
    except ScoreFileError as error:
        raise ExperimentError(f"{key}.path: {error}") from None
    except FetchError as error:
        raise ExperimentError(
            f"{key}: UCI's data set {number} could not be fetched ({error}). Try again later, or "
            "save it as a file and use source file."
        ) from None


def prepare_dataset(
    *,
    own: list[Path],
    features: Path,
    provenance: Path,
    name: str,
    declaration: dict[str, Any],
    uci: dict[str, Any],
) -> None:
    """Write row, positive, part (if rows are not split at random) and the features; and where they
    came from, with the classes' names.

    `own` are the files that the declaration names: none, one, or also one of test rows.
    """
    tables = _tables(own, name, declaration, uci)
    data = prepare(tables, name, declaration)
    data.features.to_csv(features, index=False)
    whole, labels = pd.concat(tables.values()), data.features["positive"]
    classes = data.classes.zero, data.classes.one
    record = {
        "data_set": name,
        "place": " and ".join(tables),
        "sha256_of_canonical_table": checksum(whole),
        "rows": len(whole),
        "classes": classes,
        "class_counts": {called: int((labels == n).sum()) for n, called in enumerate(classes)},
        **data.notes,
    }
    provenance.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(prepare_dataset, snakemake)
