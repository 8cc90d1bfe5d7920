"""``kappacurve measure`` of more than two classes: AUC, AUK and H, averaged and for each class."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import ScoreFileError, auc_score, auk_score, h_measure_score
from kappacurve._labels import did_you_mean, listed, quoted, shown
from kappacurve.io import read_table

FUNCTIONS = {"auc": auc_score, "auk": auk_score, "h": h_measure_score}
AVERAGES = [(how, average) for how in ("ovo", "ovr") for average in ("macro", "weighted")]


def report_of_classes(file: str, label: str, pairs: Sequence[str], format_name: str) -> str:
    """Measures of the columns that ``CLASS=COLUMN`` pairs name, as a table, JSON or CSV."""
    columns = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals or name in columns:
            raise ValueError(f"--score-of {pair}: give each class once, as CLASS=COLUMN.")
        columns[name] = column
    table = read_table(file)
    for column in (label, *columns.values()):
        if column not in table:
            hint = did_you_mean(column, [str(name) for name in table])
            raise ScoreFileError(f"{file} has no column {quoted(column)}.{hint}")
    y = table[label].astype(str).str.strip().to_numpy()
    labels = sorted(columns)
    for one in np.setdiff1d(y, labels):
        raise ScoreFileError(
            f"{file}, column {shown(label)}: there is no --score-of for the class {quoted(one)}, "
            f"only for {listed(labels)}."
        )
    try:
        found = _measured(y, table[[columns[one] for one in labels]], labels)
    except ValueError as error:
        raise ScoreFileError(f"{file}: {error}") from None
    if format_name == "json":
        rows = found.to_dict("records")
        return (
            json.dumps({"file": file, "label": label, "n": len(y), "rows": rows}, indent=2) + "\n"
        )
    if format_name == "csv":
        return str(found.to_csv(index=False, lineterminator="\n"))
    note = "Note: AUK over the flagged share, which is the same for either of two classes."
    return f"{file}: {len(y)} rows\n\n{found.round(4).to_string(index=False)}\n\n{note}\n"


def _measured(y: Any, scores: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    options: list[dict[str, Any]] = [{"multi_class": how, "average": one} for how, one in AVERAGES]
    score = scores.to_numpy()
    rows = [
        option
        | {
            name: function(y, score, labels=labels, **option)
            for name, function in FUNCTIONS.items()
        }
        for option in options
    ]
    each: dict[str, Any] = {"multi_class": "ovr", "average": None, "labels": labels}
    values = {name: function(y, score, **each) for name, function in FUNCTIONS.items()}
    rows += [
        {"multi_class": "ovr", "average": f"class {one}"}
        | {name: float(value[k]) for name, value in values.items()}
        for k, one in enumerate(labels)
    ]
    return pd.DataFrame(rows)
