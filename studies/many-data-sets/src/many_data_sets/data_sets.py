"""The data sets: how data_sets.csv declares them, and their rows (data.md)."""

from __future__ import annotations

import csv
import io
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from many_data_sets.errors import StudyError
from many_data_sets.packages import check_sha256, read_packaged_file
from many_data_sets.pickles import read_pickle

LISTS = [
    *("columns", "missing", "target", "leave_out", "only"),
    *("drop", "keep", "categorical", "zero_is_missing"),
]
COMPRESSIONS: dict[str, Any] = {".gz": "gzip", ".zip": "zip", ".bz2": "bz2"}
Declaration = dict[str, Any]


class Rows(NamedTuple):
    """Rows of a data set: features, labels 0 and 1, and a number that rows of a group share."""

    features: pd.DataFrame
    positive: npt.NDArray[np.int64]
    group: npt.NDArray[np.int64]


def read_declarations(path: Path) -> dict[str, Declaration]:
    """Read data_sets.csv: a declaration by name, in which lists are lists of texts."""
    with path.open(encoding="utf-8", newline="") as lines:
        declarations: dict[str, Declaration] = {row["name"]: row for row in csv.DictReader(lines)}
    for declaration in declarations.values():
        for column in LISTS:
            declaration[column] = list(filter(None, declaration[column].split("; ")))
    return declarations


def read_data_set(declared: Declaration, folder: Path | None) -> Rows:
    """Read the rows of a data set from the folder with its package's wheel.

    StudyError if the file is not there or another one, or holds other rows than declared.
    """
    table = read_table(declared, folder)
    named = [*declared["target"], *declared["drop"], *declared["categorical"]]
    named += [*declared["zero_is_missing"], *filter(None, [declared["group"]])]
    if unknown := [name for name in named if name not in table]:
        raise StudyError(f"data_sets.csv, {declared['name']}: there is no column {unknown[0]}.")
    table = table[table[declared["target"]].notna().all(axis="columns")]
    for condition in declared["only"]:
        column, _, value = condition.partition("=")
        table = table[table[column].map(as_text, na_action="ignore").fillna("") == value]
    positive = label_rows(table, declared).dropna()
    table = table.loc[positive.index]
    if declared["distinct"] == "yes":
        table = table.drop_duplicates()
        positive = positive[table.index]
    features = select_features(table, declared)
    check_rows(positive, declared)
    labels: list[Any] = [pd.util.hash_pandas_object(features, index=False)]
    labels += [table[name] for name in [declared["group"]] if name]
    return Rows(
        features.reset_index(drop=True), positive.to_numpy().astype(np.int64), join_groups(labels)
    )


def check_rows(positive: pd.Series[Any], declared: Declaration) -> None:
    """Raise StudyError unless there are as many rows and positives as declared."""
    found = len(positive), int(positive.sum())
    expected = int(declared["rows"]), int(declared["positives"])
    if found != expected:
        raise StudyError(
            f"data_sets.csv, {declared['name']}: {expected[0]} rows and {expected[1]} positives "
            f"are declared, the file has {found[0]} and {found[1]}."
        )


def label_rows(table: pd.DataFrame, declared: Declaration) -> pd.Series[Any]:
    """Labels 1 and 0 of the rows; missing for those to leave out."""
    if declared["positive_if"]:
        numbers = table[declared["target"]].apply(pd.to_numeric)
        holds: pd.Series[Any] = numbers.eval(declared["positive_if"])
        return holds.astype(float)
    label = table[declared["target"][0]].map(as_text)
    positive: Any = pd.Series(label == declared["positive"], dtype=float)
    kept: pd.Series[Any] = positive.where(~label.isin(["", *declared["leave_out"]]))
    return kept


def select_features(table: pd.DataFrame, declared: Declaration) -> pd.DataFrame:
    """Select the features: numbers as floats, categories as text with a level for missing."""
    columns = {}
    for name, values in table.items():
        kept = any(fnmatchcase(str(name), pattern) for pattern in declared["keep"] or ["*"])
        if not kept or name in (*declared["target"], *declared["drop"]):
            continue
        numbers = pd.to_numeric(values, errors="coerce")
        if name in declared["categorical"] or not numbers.notna().eq(values.notna()).all():
            text = values.map(as_text, na_action="ignore").astype(object)
            columns[name] = text.where(text.notna() & (text != ""), "missing")
        else:
            columns[name] = values.astype(float)
            if name in declared["zero_is_missing"]:
                columns[name] = columns[name].replace(0.0, np.nan)
    return pd.DataFrame(columns)


def as_text(value: Any) -> str:
    """Write a class or level as text: 1.0 and True of a pickle are the 1 and true of a text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def join_groups(labels: list[pd.Series[Any]]) -> npt.NDArray[np.int64]:
    """Number the groups of rows that share a value of any label, directly or through others."""
    n, offset, columns = len(labels[0]), len(labels[0]), []
    for label in labels:
        codes = pd.factorize(label)[0]
        columns.append(np.where(codes < 0, np.arange(n), codes + offset))
        offset += codes.max() + 1
    edges = np.tile(np.arange(n), len(labels)), np.concatenate(columns)
    graph = coo_array((np.ones(len(edges[0]), dtype=np.int8), edges), shape=(offset, offset))
    groups = connected_components(graph, directed=False)[1][:n]
    return np.asarray(np.unique(groups, return_inverse=True)[1], dtype=np.int64)


def read_table(declared: Declaration, folder: Path | None) -> pd.DataFrame:
    """Read the file of a data set as a table, after a look at its checksum."""
    package, path = declared["package"], declared["path"]
    content = read_packaged_file(package, path, folder)
    check_sha256(content, declared["sha256"], path)
    if declared["format"] == "pickle":
        return read_pickle(content)
    table = read_text(content, declared)
    if declared["labels"]:
        labels = read_packaged_file(package, declared["labels"], folder).decode().split()
        column = pd.Series(labels, name=declared["target"][0])
        table = pd.concat([table, column], axis="columns")
    return table


def read_text(content: bytes, declared: Declaration) -> pd.DataFrame:
    """Read a csv or arff file; columns without a name are x1, x2, ... and the target, as KEEL's."""
    names, header = declared["columns"], declared["header"] == "yes"
    if declared["format"] == "arff":
        head, content = re.split(rb"(?im)^@data\s*$", content)
        names = [attribute.decode() for attribute in re.findall(rb"(?im)^@attribute\s+(\S+)", head)]
    separator = "\t" if declared["separator"] == "tab" else declared["separator"]
    table = pd.read_csv(
        io.BytesIO(content),
        sep=separator,
        header=0 if header and not names else None,
        skiprows=int(declared["skip_rows"]),
        encoding=declared["encoding"],
        compression=COMPRESSIONS.get(Path(declared["path"]).suffix),
        keep_default_na=False,
        na_values=["", *declared["missing"]],
        skipinitialspace=separator == ",",
        low_memory=False,
    )
    if not names and not header:
        target = [] if declared["labels"] else declared["target"]
        names = [f"x{n + 1}" for n in range(table.shape[1] - len(target))] + target
    return table.set_axis(names, axis="columns") if names else table
