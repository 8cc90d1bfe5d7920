"""A data set of the user's own: from a table to rows, classes and numeric features."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import yaml

from kappacurve.files.frames import (
    MISSING_WORDS,
    ScoreFileError,
    Table,
    clean_text,
    code_spellings,
    find_missing,
    open_file,
    read_frame,
    read_numbers,
    spelling,
)
from study.errors import ExperimentError, TableError, nearest

# A text column with more levels is taken for a name or a number in disguise.
MAX_LEVELS = 50
MAX_WORDS = 3  # among numbers, that are proposed as missing values
MIN_ROWS = 20  # by which a column that identifies rows is recognised
# What YAML reads as a truth value where it is not in quotation marks.
TRUTH_WORDS = {True: ("true", "yes", "on"), False: ("false", "no", "off")}
# A number in any writing: with either decimal sign, and with a separator of thousands.
ANY_NUMBER = r"[+-]?(?=[.,]?\d)(\d{1,3}([.,\s'\u2019]\d{3})+|\d*)([.,]\d*)?([eE][+-]?\d+)?"

DATE = r"(\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})([ T].*)?"

FloatArray = npt.NDArray[np.float64]


class FaultError(ExperimentError):
    """What is wrong with a table, and values of config keys that accept it.

    A list is added to what the key holds.
    """

    def __init__(self, sentence: str, **keys: str | list[str] | None) -> None:
        super().__init__(sentence)
        self.keys = {key: value for key, value in keys.items() if value}


def refuse(faults: Sequence[FaultError], data: Mapping[str, Any]) -> None:
    """Raise TableError if there are faults; with the lines of a config that accept the table."""
    if not faults:
        return
    keys: dict[str, Any] = {}
    for fault in faults:
        for key, value in fault.keys.items():
            is_list = isinstance(value, list)
            keys[key] = [*dict.fromkeys([*keys.get(key, data[key]), *value])] if is_list else value
    if "missing_values" in keys and data["missing"] == "refuse":
        keys["missing"] = "impute"
    lines = [str(fault) for fault in faults]
    if keys:
        lines.append("To accept the table without the columns under drop, write under data:")
        for key, value in keys.items():
            style = None if isinstance(value, list) else False
            line = yaml.safe_dump({key: value}, default_flow_style=style, width=10**6)
            lines.append(line.strip())
    raise TableError(lines)


class OwnData(NamedTuple):
    """The table with numbers as numbers, features (row, minority, part if needed, ...), the classes
    in the data, what was done.
    """

    table: pd.DataFrame
    features: pd.DataFrame
    names: dict[str, str]
    notes: dict[str, Any]


def breast_cancer() -> Table:
    """The two-class data set that scikit-learn ships, with the class in column target."""
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer(as_frame=True)
    table: pd.DataFrame = bunch.data
    frame = table.assign(target=bunch.target_names[bunch.target])
    return Table("scikit-learn, breast_cancer", frame)


def read_table(file: Path, data: Mapping[str, Any]) -> Table:
    """The table of a file, as this section of the config says, its cells as they are written."""
    layout = {"decimal": data["decimal"], "header": data["header"] != "none"}
    try:
        with open_file(file) as (_, content):
            table = read_frame(
                file.name, content, label=clean_text(data["target"]), as_text=None, **layout
            )
            if "" in table.names:
                number = table.names.index("") + 1
                raise ScoreFileError(f"{file.name}: column {number} has no name: give it one.")
            for column in table.frame.columns[table.frame.columns.duplicated()]:
                table.check_column(column)
    except ScoreFileError as error:
        raise ExperimentError(f"config key data.path: {error}") from None
    return table


def prepare(table: Table, data: Mapping[str, Any], group: str | None, by: str = "group") -> OwnData:
    """Classes and numeric features of a table, as this section of the config says.

    `group` is the column whose groups are split, or by "time" its times. Messages of
    ExperimentError name the config key, the column and the row.
    """
    lists = ("drop", "categorical", "numeric")
    data = {**data} | {key: [*map(clean_text, data[key])] for key in lists}
    stated = data["missing_values"]
    needed = {"data.target": clean_text(data["target"])}
    if group is not None:
        needed["experiment.split.column"] = clean_text(group)
    listed = [(f"data.{key}", column) for key in lists for column in data[key]]
    unknown = [
        f"config key {key}: there is no column {column}; {nearest(column, table.names)}"
        for key, column in [*needed.items(), *listed]
        if column not in table.names
    ]
    if unknown:
        raise TableError(unknown)
    target, *groups = needed.values()
    frame = table.frame.drop(columns=data["drop"])
    nested = [
        str(column)
        for column, values in frame.items()
        if values.map(lambda value: isinstance(value, list | dict | np.ndarray)).any()
    ]  # of a Parquet file
    text = "config key data.drop: column {} holds lists or records: add it to drop."
    faults = [FaultError(text.format(column), drop=[column]) for column in nested]
    frame = frame.drop(columns=nested)
    names, minority, joined = _find_classes(frame[target], data["positive"], stated)
    for column in groups:
        missing = find_missing(frame[column], stated=stated)
        _refuse_missing("experiment.split.column", frame[column], missing)
    inputs = frame.drop(columns=[target, *groups])
    for column in inputs:
        words = () if column in data["categorical"] else MISSING_WORDS
        inputs[column] = inputs[column].mask(find_missing(inputs[column], words, stated))
    gaps = {str(column): int(count) for column, count in inputs.isna().sum().items() if count}
    if gaps and data["missing"] == "refuse":
        counts = ", ".join(f"{column} {count}" for column, count in gaps.items())
        faults.append(
            FaultError(
                f"config key data.missing is refuse, but values are missing ({counts}): choose "
                "drop or impute. A text such as NA is a category in the columns that "
                "data.categorical lists.",
                missing="impute",
            )
        )
    complete = inputs.notna().all(axis=1) | (data["missing"] != "drop")
    rows, labels = inputs[complete], minority[complete]
    if labels.nunique() < 2:
        raise ExperimentError(
            f"config key data.missing: the {len(rows)} rows without missing values are all of one "
            "class: choose impute."
        )
    features, numbers = _make_features(rows, replace(table, frame=inputs), data, faults)
    notes: dict[str, Any] = {
        "features": features.shape[1],
        "missing_values": gaps,
        "rows_dropped": len(frame) - len(rows),
    }
    keys = pd.DataFrame({"row": rows.index + 1, "minority": labels}, index=rows.index)
    for column in groups:
        cells = frame.loc[complete, column]
        if by == "time":
            keys["part"] = rank_times(cells)
            continue
        keys["part"], found, joined[column] = code_spellings(cells)
        notes["groups"] = len(found)
    notes["spellings_joined"] = {column: pairs for column, pairs in joined.items() if pairs}
    features = pd.concat([keys, features], axis="columns")
    table_of_numbers = table.frame.assign(**numbers)
    return OwnData(table_of_numbers, features.reset_index(drop=True), names, notes)


def _refuse_missing(key: str, values: pd.Series, missing: npt.NDArray[np.bool_]) -> None:
    if missing.any():
        row = values.index[missing][0]
        raise ExperimentError(
            f"config key {key}: {missing.sum()} rows have no {values.name}, such as row {row + 1} "
            f"({str(values[row])!r}); take them out."
        )


def _find_classes(
    target: pd.Series, positive: Any, stated: Sequence[Any]
) -> tuple[dict[str, str], pd.Series, dict[str, list[str]]]:
    """What the classes are called, by minority and majority, 1 for each minority row, and the
    target's spellings that were joined.

    The target's values are compared with the positive one, numbers as numbers: "01" is 1 and 1.0.
    A word such as None is a class if it is the positive one, or if there are two classes with it.
    """
    is_blank = find_missing(target, (), stated)
    codes, texts, joined = code_spellings(target[~is_blank])
    names = {spelling(text): text for text in texts}
    if isinstance(positive, bool):
        chosen = [key for key in names if str(key).lower() in TRUTH_WORDS[positive]]
    else:
        chosen = [key for key in names if key == spelling(positive)]
    words: set[str] = set()
    if len(names) != 2:
        words = MISSING_WORDS - {str(key).lower() for key in chosen}
    _refuse_missing("data.target", target, find_missing(target, words, stated))
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
    classes = {"minority": names[chosen[0]], "majority": names[majority]}
    is_minority = codes == texts.index(names[chosen[0]])
    return classes, pd.Series(is_minority.astype(int), target.index), {str(target.name): joined}


def _make_features(
    inputs: pd.DataFrame, table: Table, data: Mapping[str, Any], faults: list[FaultError]
) -> tuple[pd.DataFrame, dict[str, FloatArray]]:
    """A column for each number, and for each level of a category; the columns that are numbers.

    TableError lists these faults and those of all columns.
    """
    columns: list[pd.Series] = []
    identifiers: list[str] = []
    numeric: dict[str, FloatArray] = {}
    for name, values in inputs.items():
        is_listed = name in data["categorical"]
        is_known = is_listed or name in data["numeric"]
        is_new = not is_known and _identifies_rows(values.dropna())
        try:
            numbers = None if is_listed else _read_feature(table, values, data["decimal"])
            if is_new:
                identifiers.append(str(name))
            elif numbers is None:
                columns += _make_levels(values, None if is_listed else table.source)
            else:
                columns.append(_make_number(values, numbers))
                numeric[str(name)] = numbers
        except FaultError as fault:
            faults.append(fault)
        except ScoreFileError as error:
            if is_new:
                identifiers.append(str(name))
            else:
                faults.append(FaultError(f"config key data.path: {error}"))
    if identifiers:
        faults.append(
            FaultError(
                f"config key data.drop: each row has another value in {', '.join(identifiers)}: "
                "add what identifies rows to drop, and what is a feature to numeric or "
                "categorical.",
                drop=identifiers,
            )
        )
    refuse(faults, data)
    if not columns:
        raise ExperimentError("config key data.drop: no feature is left.")
    features = pd.concat(columns, axis=1)
    twice = features.columns[features.columns.duplicated()]
    if len(twice):
        raise ExperimentError(
            f"config key data: two features would be called {twice[0]} (a column's levels are "
            "appended to its name): rename a column."
        )
    return features, numeric


def _read_feature(table: Table, values: pd.Series, decimal: str) -> FloatArray | None:
    """A column as numbers, or None if it is a category; `values` are its cells in the rows kept."""
    filled = values.dropna()
    if example := _find_date(filled):
        raise FaultError(
            f"config key data.drop: column {values.name} holds dates, such as {example}, which are "
            "no feature: name it there or under categorical, or split the rows by it "
            f"(experiment.split: {{by: time, column: {values.name}}}).",
            drop=[str(values.name)],
        )
    if pd.api.types.is_bool_dtype(values):
        return None
    numbers = read_numbers(table, str(values.name))
    if pd.api.types.is_numeric_dtype(values):
        return numbers
    text = filled.astype(str).str.strip()
    are_numbers = ~np.isnan(numbers[filled.index]) & ~text.str.isalpha().to_numpy(bool)
    if len(text) and are_numbers.all():
        return numbers
    _refuse_near_numbers(text, are_numbers, decimal, table.source)
    return None


def _identifies_rows(filled: pd.Series) -> bool:
    """Whether the cells are distinct integers or texts."""
    numbers = pd.to_numeric(filled.astype(str).str.replace(",", "."), errors="coerce")
    has_fractions = numbers.notna().all() and (numbers % 1 != 0).any()
    return len(filled) >= MIN_ROWS and filled.is_unique and not has_fractions


def _refuse_near_numbers(
    text: pd.Series, are_numbers: npt.NDArray[np.bool_], decimal: str, file: str
) -> None:
    """Refuse texts that are mostly numbers: as a category they would be wrong without a word.

    Either the reader did not see their fraction, or thousands, or a few of them are typing errors.
    """
    if text.str.fullmatch(ANY_NUMBER).mean() > 0.5:
        unread = text[~are_numbers]
        words = list(dict.fromkeys(unread.str.strip()))
        are_few = len(words) <= MAX_WORDS and not any(map(str.isdigit, "".join(words)))
        other = "," if decimal == "." else "."
        swapped = unread.str.fullmatch(rf"[+-]?\d*{re.escape(other)}\d+([eE][+-]?\d+)?").all()
        raise FaultError(
            f"config key data.decimal is {decimal!r}, and with it {file}, column {text.name}, row "
            f"{unread.index[0] + 1}: {unread.iloc[0]!r} is not a number, as most cells of the "
            "column seem to be: correct the cell, or name it under missing_values if the value is "
            "missing; write thousands without a separator; set decimal if fractions have the other "
            f"sign; list {text.name} under categorical if these are no numbers.",
            decimal=other if swapped else None,
            missing_values=words if are_few else None,
        )


def _find_date(filled: pd.Series) -> str | None:
    """The first cell of a column of dates."""
    text = filled.astype(str).str.strip()
    if pd.api.types.is_datetime64_any_dtype(filled) or text.str.fullmatch(DATE).mean() > 0.5:
        return str(text.iloc[0])
    return None


def rank_times(times: pd.Series) -> npt.NDArray[np.int64]:
    """The place of each row in time; equal times have the same. Dates, or numbers."""
    parsed: Any = times
    if not pd.api.types.is_datetime64_any_dtype(times):
        text = times.astype(str).str.strip()
        dates = [pd.to_datetime(text, format=f, errors="coerce") for f in ("ISO8601", "%d.%m.%Y")]
        readings = [pd.to_numeric(text, errors="coerce"), *dates]
        parsed = min(readings, key=lambda reading: reading.isna().sum())
        if parsed.isna().any():
            row = times.index[parsed.isna()][0]
            raise ExperimentError(
                f"config key experiment.split.column: {times.name}, row {row + 1}: "
                f"{str(times[row])!r} is no time: write dates as 2024-08-31 or 31.08.2024, or use "
                "numbers."
            )
    places: npt.NDArray[np.int64] = pd.factorize(parsed, sort=True)[0]
    return places


def _make_number(values: pd.Series, numbers: FloatArray) -> pd.Series:
    """A feature of the numbers of a column, in the rows kept."""
    name = str(values.name)
    if np.isinf(numbers).any():
        raise FaultError(
            f"config key data.drop: column {name} holds infinite values; name it there, or make "
            "them missing.",
            drop=[name],
        )
    # Not the name of a column that is put before the features.
    feature = f"{name}_feature" if name in ("row", "minority", "part") else name
    return pd.Series(numbers[values.index], values.index, name=feature)


def _make_levels(values: pd.Series, source: str | None) -> list[pd.Series]:
    """A 0/1 column for each level of a category, and one for missing values if there are any.

    Of too many levels a column of this source is no category; without one it is, as the user says.
    """
    codes, texts, _ = code_spellings(values)
    if source and len(texts) > MAX_LEVELS:
        raise FaultError(
            f"config key data.drop: {source}, column {values.name} has {len(texts)} different "
            f"texts, such as {max(texts)!r}, and is probably not a category: name it there, or "
            "under categorical, or make it a number (a cell is empty if its value is missing).",
            drop=[str(values.name)],
        )
    text = pd.Series([*texts, None], dtype=object).iloc[codes].set_axis(values.index)
    levels = sorted(texts)
    # Of two values, and none missing, the second says it all.
    flagged = levels[1:] if len(levels) == 2 and not text.isna().any() else levels
    flags = [(level, text == level) for level in flagged]
    if text.isna().any():
        flags.append(("missing", text.isna()))
    return [flag.astype("float64").rename(f"{values.name}_{level}") for level, flag in flags]
