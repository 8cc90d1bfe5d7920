"""A data set of the user's own: from a table to rows, classes and numeric features."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve.io import BLANK, MISSING_WORDS, class_key
from study.data.classes import PART_COLUMN, as_text
from study.errors import ExperimentError, nearest

Decimal = Literal[".", ","]
# A text column with more levels is taken for a name or a number in disguise.
MAX_LEVELS = 50
MIN_ROWS = 20  # by which a column that identifies rows is recognised
MAX_EXACT = 2**53  # beyond it a float no longer tells integers apart
# What YAML reads as a truth value where it is not in quotation marks.
TRUTH_WORDS = {True: ("true", "yes", "on"), False: ("false", "no", "off")}


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
    table = table.drop(columns=data["drop"])
    for column, values in table.items():
        if values.dtype == object and any(map(_is_nested, values)):
            raise ExperimentError(  # of a Parquet file
                f"config key data.drop: column {column} holds lists or records: add it to drop."
            )
    classes = _classes(table[target], data["positive"])
    if group is not None:
        _refuse_missing("experiment.split.column", table[group], _is_missing(table[group]))
    inputs = table.drop(columns=[*needed.values()])
    gaps = {column: _is_missing(inputs[column], data["categorical"]) for column in inputs}
    gaps = {column: missing for column, missing in gaps.items() if missing.any()}
    if gaps and data["missing"] == "refuse":
        counts = ", ".join(_describe_gaps(inputs[column], gaps[column]) for column in gaps)
        hint = ", or list a column under categorical if such a text is a category"
        raise ExperimentError(
            f"config key data.missing is refuse, but values are missing ({counts}): choose drop or "
            f"impute{hint if ' as ' in counts else ''}."
        )
    for column, missing in gaps.items():
        inputs[column] = inputs[column].mask(missing)
    complete = inputs.notna().all(axis=1) | (data["missing"] != "drop")
    rows, labels = inputs[complete], classes.labels[complete]
    if labels.nunique() < 2:
        raise ExperimentError(
            f"config key data.missing: the {len(rows)} rows without missing values are all of one "
            "class: choose impute."
        )
    features, kinds = _features(rows, data, name)
    notes = {
        "features": features.shape[1],
        "missing_values": {str(column): int(missing.sum()) for column, missing in gaps.items()},
        "rows_dropped": len(table) - len(rows),
        "columns": kinds,
    }
    keys = pd.DataFrame({"row": rows.index + 1, "minority": labels}, index=rows.index)
    if group is not None:
        keys[PART_COLUMN], groups = pd.factorize(table.loc[complete, group])
        notes["groups"] = len(groups)
    features = pd.concat([keys, features], axis="columns")
    return OwnData(features.reset_index(drop=True), classes.names, notes)


def _is_nested(value: object) -> bool:
    return isinstance(value, list | dict | np.ndarray)


def _is_missing(values: pd.Series, categorical: Collection[str] = ()) -> pd.Series:
    """Which cells are missing; a word such as NA is, but not in a column named as a category."""
    if pd.api.types.is_numeric_dtype(values):
        return values.isna()
    words = BLANK if values.name in categorical else (*BLANK, *MISSING_WORDS)
    return values.isna() | values.astype(str).str.strip().str.lower().isin(words)


def _describe_gaps(values: pd.Series, missing: pd.Series) -> str:
    """A column, its missing cells, and the texts that stand in them."""
    written = values[missing].dropna().astype(str).str.strip().unique()
    texts = " or ".join(repr(str(text)) for text in written if text)
    return f"{values.name} {missing.sum()}" + (f" as {texts}" if texts else "")


def _refuse_missing(key: str, values: pd.Series, missing: pd.Series) -> None:
    if not missing.any():
        return
    cell = values[missing].iloc[0]
    text = "" if pd.isna(cell) else str(cell).strip()
    found = f" ({text!r} in row {values.index[missing][0] + 1})" if text else ""
    raise ExperimentError(
        f"config key {key}: {missing.sum()} rows have no {values.name}{found}; take them out."
    )


class _Classes(NamedTuple):
    """What the classes are called, by minority and majority, and 1 for each minority row."""

    names: dict[str, str]
    labels: pd.Series


def _classes(target: pd.Series, positive: Any) -> _Classes:
    """Compare the target's values with the positive one, numbers as numbers: "01" is 1 and 1.0.

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
            f"({examples}); two are needed."
        )
    if len(chosen) != 1:
        raise ExperimentError(
            f"config key data.positive: {positive!r} is no class; there are {' and '.join(levels)}."
        )
    (majority,) = names.keys() - chosen
    is_minority = np.array([key == chosen[0] for key in keys])[codes]
    return _Classes(
        {"minority": names[chosen[0]], "majority": names[majority]},
        pd.Series(is_minority.astype(int), target.index),
    )


def _features(
    inputs: pd.DataFrame, data: Mapping[str, Any], file: str
) -> tuple[pd.DataFrame, dict[str, dict[str, Any]]]:
    """Columns of numbers, and of what kind each input was."""
    columns: list[pd.Series] = []
    identifiers: list[str] = []
    kinds: dict[str, dict[str, Any]] = {}
    for name, values in inputs.items():
        named = name in data["categorical"]
        is_number = pd.api.types.is_numeric_dtype(values)
        text = _texts(values)
        if not named and not is_number:
            _refuse_near_numbers(text, data["decimal"], file)
        if not named and name not in data["numeric"] and _identifies_rows(values):
            identifiers.append(str(name))
            continue
        if not named and not is_number and len(text) and _are_numbers(text, ".").all():
            is_number, values = True, pd.to_numeric(text).reindex(values.index)
        if named or not is_number or pd.api.types.is_bool_dtype(values):
            columns += _levels(values, file, named=named)
            kinds[str(name)] = {"kind": "category", "levels": int(values.nunique())}
            continue
        kinds[str(name)] = {"kind": "number"}
        # Not the name of a column that is put before the features.
        called = f"{name}_feature" if name in ("row", "minority", PART_COLUMN) else str(name)
        numbers = values.astype("float64").rename(called)
        written = inputs[name]
        is_large = (numbers.abs() > MAX_EXACT) & (written.dtype.kind != "f")
        if is_large.any() and name not in data["numeric"]:
            raise ExperimentError(
                f"config key data.drop: {name} holds integers of more digits than a feature keeps, "
                f"such as {written[is_large].iloc[0]}: add it to drop if it identifies something, "
                "else to numeric or categorical."
            )
        if np.isinf(numbers).any():
            raise ExperimentError(
                f"config key data.drop: column {name} holds infinite values; name it there, or "
                "make them missing."
            )
        columns.append(numbers)
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
    return features, kinds


def _identifies_rows(values: pd.Series) -> bool:
    """Whether the cells are distinct integers or texts, compared with all their digits."""
    filled = values.dropna()
    if len(filled) < MIN_ROWS or not filled.is_unique:
        return False
    if not pd.api.types.is_numeric_dtype(filled):
        text = _texts(filled)
        return not _are_numbers(text, ".").all() or bool(text.str.fullmatch(r"[+-]?\d+").all())
    return filled.dtype.kind != "f" or bool((filled % 1 == 0).all())


def _texts(values: pd.Series) -> pd.Series:
    """What stands in the cells of a column of text."""
    if pd.api.types.is_numeric_dtype(values):
        values = values.iloc[:0]
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
    grouped = rf"[+-]?[1-9]\d{{0,2}}(?:\{other}\d{{3}})+(?:\{decimal}\d+)?"
    fraction = text.str.fullmatch(rf"[+-]?(?:\d*|\d{{1,3}}(?:\{decimal}\d{{3}})+)\{other}\d+")
    unread = fraction | text.str.fullmatch(grouped)
    if unread.any() and (unread | text.str.fullmatch(r"[+-]?\d+")).mean() > 0.5:
        sign = {",": "comma", ".": "point"}[other]
        number = text[unread].iloc[0]
        if text[unread].str.fullmatch(grouped).all():
            # Read as a fraction, a number with thousands would be wrong without a word.
            raise ExperimentError(
                f"config key data.decimal is {decimal!r}, and {_place(text[unread], file)} can "
                f"mean {number.replace(other, '')} or {number.replace(other, decimal)}: write its "
                f"column without a {sign} between thousands, or fractions with {decimal!r}; list "
                f"{text.name} under categorical if these are no numbers."
            )
        raise ExperimentError(
            f"config key data.decimal is {decimal!r}, but numbers are written with a {sign} "
            f"({_place(text[unread], file)}): set decimal: {other!r} if fractions in this CSV are "
            f"written so, or list {text.name} under categorical if these are no numbers."
        )
    spaced = text.str.fullmatch(rf"[+-]?[1-9]\d{{0,2}}(?:[\s'\u2019]\d{{3}})+(?:\{decimal}\d+)?")
    if spaced.any() and (spaced | _are_numbers(text, decimal)).all():
        raise ExperimentError(
            f"config key data.categorical: {_place(text[spaced], file)} is written with a "
            f"separator of thousands: take it out, or list {text.name} under categorical if these "
            "are no numbers."
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
    if len(levels) > MAX_LEVELS and not named:
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
