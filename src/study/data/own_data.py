"""A data set of the user's own: from a table to rows, classes and numeric features."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve.files.scores import (
    BLANK,
    MISSING_WORDS,
    ScoreFileError,
    class_key,
    read_table,
)
from study.data.classes import PART_COLUMN, as_text
from study.errors import ExperimentError, nearest

# A text column with more levels is taken for a name or a number in disguise.
MAX_LEVELS = 50
MIN_ROWS = 20  # by which a column that identifies rows is recognised
# What YAML reads as a truth value where it is not in quotation marks.
TRUTH_WORDS = {True: ("true", "yes", "on"), False: ("false", "no", "off")}
# A number in any writing: with either decimal sign, and with a separator of thousands.
ANY_NUMBER = r"[+-]?(?=[.,]?\d)(\d{1,3}([.,\s'\u2019]\d{3})+|\d*)([.,]\d*)?([eE][+-]?\d+)?"


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


def read_own_table(file: Path, data: Mapping[str, Any]) -> pd.DataFrame:
    """The table of a file, as this section of the config says."""
    try:
        return read_table(file, decimal=data["decimal"], header=data["header"] != "none")
    except ScoreFileError as error:
        raise ExperimentError(f"config key data.path: {error}") from None


def prepare(table: pd.DataFrame, name: str, data: Mapping[str, Any], group: str | None) -> OwnData:
    """Classes and numeric features of a table, as this section of the config says.

    `name` is that of its file, `group` the column whose groups are split. Messages of
    ExperimentError name the config key, the column and the row.
    """
    target = f"column_{data['target']}" if isinstance(data["target"], int) else data["target"]
    needed = {"data.target": target}
    if group is not None:
        needed["experiment.split.column"] = group
    listed = [(f"data.{key}", c) for key in ("drop", "categorical", "numeric") for c in data[key]]
    columns = list(map(str, table.columns))
    for key, column in [*needed.items(), *listed]:
        if column not in columns:
            hint = nearest(column, columns)
            raise ExperimentError(f"config key {key}: there is no column {column}; {hint}")
    table = table.drop(columns=data["drop"])
    for column, values in table.items():
        if values.map(lambda value: isinstance(value, list | dict | np.ndarray)).any():
            raise ExperimentError(  # of a Parquet file
                f"config key data.drop: column {column} holds lists or records: add it to drop."
            )
    names, minority = _find_classes(table[target], data["positive"])
    if group is not None:
        _refuse_missing("experiment.split.column", table[group], _is_missing(table[group]))
    inputs = table.drop(columns=[*needed.values()])
    for column in inputs:
        words = () if column in data["categorical"] else MISSING_WORDS
        inputs[column] = inputs[column].mask(_is_missing(inputs[column], words))
    gaps = {str(column): int(count) for column, count in inputs.isna().sum().items() if count}
    if gaps and data["missing"] == "refuse":
        counts = ", ".join(f"{column} {count}" for column, count in gaps.items())
        raise ExperimentError(
            f"config key data.missing is refuse, but values are missing ({counts}): choose drop or "
            f"impute. A text such as NA is a category in the columns that data.categorical lists."
        )
    complete = inputs.notna().all(axis=1) | (data["missing"] != "drop")
    rows, labels = inputs[complete], minority[complete]
    if labels.nunique() < 2:
        raise ExperimentError(
            f"config key data.missing: the {len(rows)} rows without missing values are all of one "
            "class: choose impute."
        )
    features = _make_features(rows, data, name)
    notes = {
        "features": features.shape[1],
        "missing_values": gaps,
        "rows_dropped": len(table) - len(rows),
    }
    keys = pd.DataFrame({"row": rows.index + 1, "minority": labels}, index=rows.index)
    if group is not None:
        keys[PART_COLUMN], groups = pd.factorize(table.loc[complete, group])
        notes["groups"] = len(groups)
    features = pd.concat([keys, features], axis="columns")
    return OwnData(features.reset_index(drop=True), names, notes)


def _is_missing(values: pd.Series, words: tuple[str, ...] = MISSING_WORDS) -> pd.Series:
    """Which cells are missing: empty, or one of these words."""
    if pd.api.types.is_numeric_dtype(values):
        return values.isna()
    return values.isna() | values.astype(str).str.strip().str.lower().isin((*BLANK, *words))


def _refuse_missing(key: str, values: pd.Series, missing: pd.Series) -> None:
    if missing.any():
        row = values.index[missing][0]
        raise ExperimentError(
            f"config key {key}: {missing.sum()} rows have no {values.name}, such as row {row + 1} "
            f"({str(values[row])!r}); take them out."
        )


def _find_classes(target: pd.Series, positive: Any) -> tuple[dict[str, str], pd.Series]:
    """What the classes are called, by minority and majority, and 1 for each minority row.

    The target's values are compared with the positive one, numbers as numbers: "01" is 1 and 1.0.
    A word such as None is a class if it is the positive one, or if there are two classes with it.
    """
    codes, written = pd.factorize(target)
    values = written.tolist()
    keys = [class_key(value) for value in values]
    names = {
        key: as_text(value)
        for key, value in zip(keys[::-1], values[::-1], strict=True)
        if str(key).lower() not in BLANK
    }
    if isinstance(positive, bool):
        chosen = [key for key in names if str(key).lower() in TRUTH_WORDS[positive]]
    else:
        chosen = [key for key in names if key == class_key(positive)]
    words = {*BLANK}
    if len(names) != 2:
        words |= {*MISSING_WORDS} - {str(key).lower() for key in chosen}
    is_missing = np.array([*(str(key).lower() in words for key in keys), True])[codes]
    _refuse_missing("data.target", target, pd.Series(is_missing, target.index))
    levels = sorted(names.values())
    if len(levels) != 2:
        examples = ", ".join(levels[:5]) + (", ..." if len(levels) > 5 else "")
        raise ExperimentError(
            f"config key data.target: {target.name} holds {len(levels)} different values "
            f"({examples}); two are needed: write each class in one way, or drop other rows."
        )
    if len(chosen) != 1:
        raise ExperimentError(
            f"config key data.positive: {positive!r} is no class; there are {' and '.join(levels)}."
        )
    (majority,) = names.keys() - chosen
    is_minority = np.array([key == chosen[0] for key in keys])[codes]
    classes = {"minority": names[chosen[0]], "majority": names[majority]}
    return classes, pd.Series(is_minority.astype(int), target.index)


def _make_features(inputs: pd.DataFrame, data: Mapping[str, Any], file: str) -> pd.DataFrame:
    """A column for each number, and for each level of a category."""
    columns: list[pd.Series] = []
    identifiers: list[str] = []
    for name, values in inputs.items():
        is_category = name in data["categorical"] or pd.api.types.is_bool_dtype(values)
        if not is_category and not pd.api.types.is_numeric_dtype(values):
            text = values.dropna().astype(str).str.strip()
            are_numbers = _are_numbers(text, data["decimal"])
            if len(text) and are_numbers.all():
                # Integers of more digits than a float keeps, which the reader left as text.
                values = pd.to_numeric(text.str.replace(",", ".")).reindex(values.index)
            else:
                _refuse_near_numbers(text, are_numbers, data["decimal"], file)
                is_category = True
        if name not in (*data["categorical"], *data["numeric"]) and _identifies_rows(inputs[name]):
            identifiers.append(str(name))
        elif is_category:
            columns += _make_levels(values, file, is_listed=name in data["categorical"])
        elif np.isinf(values.astype("float64")).any():
            raise ExperimentError(
                f"config key data.drop: column {name} holds infinite values; name it there, or "
                "make them missing."
            )
        else:
            # Not the name of a column that is put before the features.
            is_taken = name in ("row", "minority", PART_COLUMN)
            feature = f"{name}_feature" if is_taken else str(name)
            columns.append(values.astype("float64").rename(feature))
    if identifiers:
        raise ExperimentError(
            f"config key data.drop: each row has another value in {', '.join(identifiers)}: add "
            "what identifies rows to drop, and what is a feature to numeric or categorical."
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
    return features


def _identifies_rows(values: pd.Series) -> bool:
    """Whether the cells are distinct integers or texts."""
    filled = values.dropna()
    numbers = pd.to_numeric(filled, errors="coerce")
    has_fractions = numbers.notna().all() and (numbers % 1 != 0).any()
    return len(filled) >= MIN_ROWS and filled.is_unique and not has_fractions


def _are_numbers(text: pd.Series, decimal: str) -> pd.Series:
    """Which texts are numbers with this sign before their fraction."""
    sign = re.escape(decimal)
    return text.str.fullmatch(rf"[+-]?([0-9]+({sign}[0-9]*)?|{sign}[0-9]+)([eE][+-]?[0-9]+)?")


def _refuse_near_numbers(text: pd.Series, are_numbers: pd.Series, decimal: str, file: str) -> None:
    """Refuse texts that are mostly numbers: as a category they would be wrong without a word.

    Either the reader did not see their fraction, or thousands, or a few of them are typing errors.
    """
    if text.str.fullmatch(ANY_NUMBER).mean() > 0.5:
        unread = text[~are_numbers]
        raise ExperimentError(
            f"config key data.decimal is {decimal!r}, and with it {file}, column {text.name}, row "
            f"{unread.index[0] + 1}: {unread.iloc[0]!r} is not a number, as most cells of the "
            "column seem to be: correct the cell, or leave it empty if the value is missing; write "
            "thousands without a separator; set decimal if fractions have the other sign; list "
            f"{text.name} under categorical if these are no numbers."
        )


def _make_levels(values: pd.Series, file: str, *, is_listed: bool) -> list[pd.Series]:
    """A 0/1 column for each level of a category, and one for missing values if there are any."""
    text = values.astype("object").map(as_text, na_action="ignore")
    levels = sorted(text.dropna().unique())
    if len(levels) > MAX_LEVELS and not is_listed:
        raise ExperimentError(
            f"config key data.drop: {file}, column {values.name} has {len(levels)} different "
            f"texts, such as {levels[-1]!r}, and is probably not a category: name it there, or "
            "under categorical, or make it a number (a cell is empty if its value is missing)."
        )
    # Of two values, and none missing, the second says it all.
    flagged = levels[1:] if len(levels) == 2 and not text.isna().any() else levels
    flags = [(level, text == level) for level in flagged]
    if text.isna().any():
        flags.append(("missing", text.isna()))
    return [flag.astype("float64").rename(f"{values.name}_{level}") for level, flag in flags]
