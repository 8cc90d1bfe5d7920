"""A data set of the user's own: from a table to rows, classes and numeric features."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from study.data.classes import PART_COLUMN, as_text, spellings
from study.errors import ExperimentError, nearest

Decimal = Literal[".", ","]
# A text column with more levels is taken for a name or a number in disguise.
MOST_LEVELS = 50
FEWEST_TO_TELL = 20  # rows by which a column that numbers them can be told


class OwnData(NamedTuple):
    """Features (row, minority, part if needed, ...), the classes in the data, what was done."""

    features: pd.DataFrame
    names: dict[str, str]
    notes: dict[str, Any]


def breast_cancer() -> pd.DataFrame:
    """The two-class data set that scikit-learn ships, with the class in column target."""
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer(as_frame=True)
    table: pd.DataFrame = bunch.data
    return table.assign(target=bunch.target_names[bunch.target])


def prepare(table: pd.DataFrame, name: str, data: Mapping[str, Any], group: str | None) -> OwnData:
    """Classes and numeric features of a table, as this section of the config says.

    `name` is that of its file, `group` the column whose groups are split. Messages of
    ExperimentError name the config key, the column and the row.
    """
    target = f"column_{data['target']}" if isinstance(data["target"], int) else data["target"]
    needed = {"data.target": target}
    if group is not None:
        needed["experiment.split.column"] = group
    listed = [
        (f"data.{key}", name) for key in ("drop", "categorical", "numeric") for name in data[key]
    ]
    columns = list(map(str, table.columns))
    for key, column in [*needed.items(), *listed]:
        if column not in columns:
            hint = nearest(column, columns)
            raise ExperimentError(f"config key {key}: there is no column {column}; {hint}")
        if key in needed and (n := table[column].isna().sum()):
            raise ExperimentError(f"config key {key}: {n} rows have no {column}; take them out.")
    table = table.drop(columns=data["drop"])
    gaps = {str(column): int(n) for column, n in table.isna().sum().items() if n}
    if gaps and data["missing"] == "refuse":
        counts = ", ".join(f"{column} {n}" for column, n in gaps.items())
        raise ExperimentError(
            f"config key data.missing is refuse, but values are missing ({counts}): choose drop or "
            "impute."
        )
    rows = table.dropna() if data["missing"] == "drop" else table
    names, labels = _classes(rows[target], data["positive"])
    features, kinds = _features(rows.drop(columns=[*needed.values()]), data, name)
    notes = {"features": features.shape[1], "missing_values": gaps}
    notes |= {"rows_dropped": len(table) - len(rows), "columns": kinds}
    features.insert(0, "row", rows.index + 1)
    features.insert(1, "minority", labels)
    if group is not None:
        numbers, groups = pd.factorize(rows[group])
        notes["groups"] = len(groups)
        features.insert(2, PART_COLUMN, numbers)
    return OwnData(features.reset_index(drop=True), names, notes)


def _classes(target: pd.Series, positive: Any) -> tuple[dict[str, str], Any]:
    """The values of the target by minority and majority, and which rows are of the minority."""
    text = target.map(as_text)
    levels = sorted(text.unique())
    if len(levels) != 2:
        examples = ", ".join(levels[:5]) + (", ..." if len(levels) > 5 else "")
        raise ExperimentError(
            f"config key data.target: {target.name} holds {len(levels)} different values "
            f"({examples}); two are needed."
        )
    wanted = spellings(positive)
    # Capitals count, but not for a truth value.
    chosen = next((x for x in levels if (x.lower() if wanted[1:] else x) in wanted), None)
    if chosen is None:
        raise ExperimentError(
            f"config key data.positive: {positive!r} is no class; there are {' and '.join(levels)}."
        )
    names = {"minority": chosen, "majority": levels[1 - levels.index(chosen)]}
    return names, (text == chosen).astype(int).to_numpy()


def _features(
    inputs: pd.DataFrame, data: Mapping[str, Any], file: str
) -> tuple[pd.DataFrame, dict[str, dict[str, Any]]]:
    """Columns of numbers, and of what kind each input was."""
    columns: list[pd.Series] = []
    identifiers: list[str] = []
    kinds: dict[str, dict[str, Any]] = {}
    for name, values in inputs.items():
        nested = values.map(lambda value: isinstance(value, list | dict | np.ndarray))
        if nested.any():  # of a Parquet file
            raise ExperimentError(
                f"config key data.drop: column {name} holds lists or records: add it to drop."
            )
        named = name in data["categorical"]
        is_number = pd.api.types.is_numeric_dtype(values)
        if not named and not is_number:
            _refuse_near_numbers(_texts(values), data["decimal"], file)
        if named or not is_number or pd.api.types.is_bool_dtype(values):
            columns += _levels(values, file, named=named)
            kinds[str(name)] = {"kind": "category", "levels": int(values.nunique())}
            continue
        kinds[str(name)] = {"kind": "number"}
        # Not the name of a column that is put before the features.
        called = f"{name}_feature" if name in ("row", "minority", PART_COLUMN) else str(name)
        numbers = values.astype("float64").rename(called)
        defined = numbers.dropna()
        counts = len(defined) >= FEWEST_TO_TELL and defined.is_unique and (defined % 1 == 0).all()
        if counts and name not in data["numeric"]:
            identifiers.append(str(name))
        if np.isinf(numbers).any():
            raise ExperimentError(
                f"config key data.drop: column {name} holds infinite values; name it there, or "
                "make them missing."
            )
        columns.append(numbers)
    if identifiers:
        raise ExperimentError(
            f"config key data.drop: each row has another integer in {', '.join(identifiers)}: add "
            "what identifies rows to drop, and what is a feature to numeric."
        )
    if not columns:
        raise ExperimentError("config key data.drop: no feature is left.")
    features = pd.concat(columns, axis=1)
    twice = features.columns[features.columns.duplicated()]
    if len(twice):
        raise ExperimentError(
            f"config key data: two features would be called {twice[0]} (a column's levels are "
            "appended to its name): rename a column."
        )
    return features, kinds


def _texts(values: pd.Series) -> pd.Series:
    return values.dropna().astype(str).str.strip()


def _are_numbers(text: pd.Series, decimal: Decimal) -> pd.Series:
    """Which texts are numbers with this sign before their fraction."""
    point = re.escape(decimal)
    pattern = rf"[+-]?(\d+({point}\d*)?|{point}\d+)([eE][+-]?\d+)?"
    return text.str.fullmatch(pattern, flags=re.ASCII)


def _place(text: pd.Series, file: str) -> str:
    """The first of a column's texts, with its file and row."""
    return f"{file}, column {text.name}, row {text.index[0] + 1}: {text.iloc[0]!r}"


def _refuse_near_numbers(text: pd.Series, decimal: Decimal, file: str) -> None:
    """Refuse texts that are mostly numbers: as a category they would be wrong without a word.

    Either the reader did not see their fraction, or thousands, or a few of them are typing errors.
    """
    other: Decimal = "," if decimal == "." else "."
    grouped = rf"\d{{1,3}}(?:\{decimal}\d{{3}})+"
    fraction = text.str.fullmatch(rf"[+-]?(?:\d*|{grouped})\{other}\d+")
    thousands = text.str.fullmatch(rf"[+-]?\d{{1,3}}(?:\{other}\d{{3}})+(?:\{decimal}\d+)?")
    unread = fraction | thousands
    if unread.any() and (unread | text.str.fullmatch(r"[+-]?\d+")).mean() > 0.5:
        sign = {",": "comma", ".": "point"}[other]
        raise ExperimentError(
            f"config key data.decimal is {decimal!r}, but numbers are written with a {sign} "
            f"({_place(text[unread], file)}): set decimal: {other!r} if fractions in this CSV are "
            f"written so, else take the {sign}s out of the file, or name the column under "
            "categorical if these are no numbers."
        )
    numbers = _are_numbers(text, decimal)
    if not numbers.all() and numbers.mean() > 0.5:
        raise ExperimentError(
            f"config key data.categorical: {_place(text[~numbers], file)} is not a number "
            f"({numbers.sum()} of {len(text)} are): correct it, leave the cell empty if the value "
            f"is missing, or list {text.name} under categorical."
        )


def _levels(values: pd.Series, file: str, *, named: bool) -> list[pd.Series]:
    """A 0/1 column for each level of a category, and one for missing values if there are any."""
    text = values.astype("object").map(as_text, na_action="ignore")
    levels = sorted(text.dropna().unique())
    if len(levels) > MOST_LEVELS and not named:
        written = _texts(values)
        words = written[~_are_numbers(written, ".")]
        raise ExperimentError(
            f"config key data.drop: {_place(words if len(words) else written, file)} is one of "
            f"{len(levels)} different texts, probably not a category: name {values.name} there, "
            "or under categorical, or make it a number (a cell is empty if its value is missing)."
        )
    # Of two values, and none missing, the second says it all.
    flagged = levels[1:] if len(levels) == 2 and not text.isna().any() else levels
    flags = [(level, text == level) for level in flagged]
    if text.isna().any():
        flags.append(("missing", text.isna()))
    return [flag.astype("float64").rename(f"{values.name}_{level}") for level, flag in flags]
