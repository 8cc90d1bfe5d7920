"""A table as it stands on a page: rows of text under labelled columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from study.pages.table_files import P_VALUES, is_printed
from study.pages.typography import typeset
from study.papers.checks import STUDY_LABELS
from study.published import (
    MEASURE_LABELS,
    MODEL_LABELS,
    SAMPLING_LABELS,
    models_in_words,
    published_text,
)

GROUP_LABELS = {
    "positive_class": "{} positive",
    "curve": "{} curve",
    "draw": "rows drawn {}",
    **dict.fromkeys(("model", "place", "source", "study", "test"), "{}"),
}
COLUMN_LABELS = {
    "sd": "SD",
    **{name: name.upper() for name in ("tp", "fn", "fp", "tn")},
    **MEASURE_LABELS,
}
VALUE_LABELS = {
    "measure": MEASURE_LABELS,
    "model": {**MODEL_LABELS, "smote": "SMOTE"},
    "network": MODEL_LABELS,
    "better": MODEL_LABELS,
    "sampling": SAMPLING_LABELS,
    "study": STUDY_LABELS,
}
# Settings stand as the config file spells them.
VERBATIM = ("key", "value", "section", "values")
DIGITS = {
    "percentile": ".1f",
    "distance": ".1f",
    "z": ".1f",
    "bad_in_test": ".0f",
    **dict.fromkeys(P_VALUES, ".2g"),
}


class Column(NamedTuple):
    """Label, whether it holds numbers, and its share of the page width (None: what it needs)."""

    label: str
    numeric: bool
    width: float | None


class Group(NamedTuple):
    """Rows under a heading of their own (empty: no heading)."""

    heading: str
    rows: list[list[str]]


class PageTable(NamedTuple):
    """Columns and groups of rows."""

    columns: list[Column]
    groups: list[Group]


def page_table(
    data: pd.DataFrame,
    *,
    columns: Sequence[str] | None = None,
    where: Mapping[str, str] | None = None,
    group: str | None = None,
    labels: Mapping[str, str] | None = None,
    percent: Sequence[str] = (),
    widths: Sequence[int] | None = None,
    head_of_group: int | None = None,
    side_by_side: str | None = None,
) -> PageTable:
    """Choose columns and rows of a table and write its values out.

    Parameters
    ----------
    data : DataFrame
    columns : sequence of str, optional
        By default all but the group's.
    where : mapping of str to str, optional
        Keep the rows whose columns have these values (several of them divided by "|").
    group : str, optional
        Column whose values become headings between the rows.
    labels : mapping of str to str, optional
        Column labels that differ from the usual ones.
    percent : sequence of str
        Columns of shares to show as per cent.
    widths : sequence of int, optional
        Per cent of the page width of each column, so that long text wraps.
    head_of_group : int, optional
        Keep so many rows of each group.
    side_by_side : str, optional
        Column whose values, such as measures, stand in columns of their own, what is printed beside
        what is recomputed.

    Raises
    ------
    KeyError
        If the data have no such column.
    """
    for name, values in (where or {}).items():
        data = data[data[name].astype(str).isin(values.split("|"))]
    if head_of_group:
        data = data.groupby(group, sort=False).head(head_of_group)
    if side_by_side:
        data = _side_by_side(data, side_by_side)
    chosen = list(columns) if columns else [name for name in data.columns if name != group]
    shown_as = [(labels or {}).get(name, column_label(name)) for name in chosen]
    text = pd.DataFrame(
        {
            name: [
                # A column that is shown as published has the paper's digits, whatever its name.
                write_value(value, "published" if label == "published" else name, name in percent)
                for value in data[name]
            ]
            for name, label in zip(chosen, shown_as, strict=True)
        },
        dtype=str,
    )
    page_columns = [
        Column(
            shown_as[place],
            _is_numeric(data[name]) or is_printed(name, data[name]),
            widths[place] / 100 if widths else None,
        )
        for place, name in enumerate(chosen)
    ]
    return PageTable(page_columns, _groups(data, text, group))


def _side_by_side(data: pd.DataFrame, names: str) -> pd.DataFrame:
    wide: dict[str, pd.Series] = {}
    for name in data[names].unique():
        one = data[data[names] == name].set_index(data.columns[0])
        wide |= {f"{name}_printed": one["printed"], name: one["recomputed"]}
    return pd.DataFrame(wide).reset_index()


def _groups(data: pd.DataFrame, text: pd.DataFrame, group: str | None) -> list[Group]:
    rows = text.to_numpy().tolist()
    if group is None:
        return [Group("", rows)]
    found: dict[str, list[list[str]]] = {}
    for value, row in zip(data[group], rows, strict=True):
        heading = GROUP_LABELS.get(group, f"{column_label(group)}: {{}}")
        found.setdefault(heading.format(write_value(value, group)), []).append(row)
    return [Group(heading, rows) for heading, rows in found.items()]


def _is_numeric(values: pd.Series) -> bool:
    numeric = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    return numeric and not values.isna().all()


def column_label(name: str) -> str:
    """A column's name for people."""
    if name.startswith("rank_"):
        return f"rank by {MEASURE_LABELS[name.removeprefix('rank_')]}"
    if name.endswith("_printed"):
        return f"{column_label(name.removesuffix('_printed'))} printed"
    return COLUMN_LABELS.get(name, name.replace("_", " "))


def write_value(value: object, column: str = "", percent: bool = False) -> str:
    """A value as text: four decimals, per cent, yes or no, and nothing for nothing.

    >>> write_value(0.20934), write_value(0.5, percent=True), write_value(286)
    ('0.2093', '50.0\\u202f%', '286')
    >>> write_value("auc-auk", "pair"), write_value("before_split", "draw")
    ('AUC against AUK', 'before split')
    """
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    text = _number(value, column, percent) if isinstance(value, float) else str(value)
    return text if column in VERBATIM else typeset(_in_words(text, column))


def _number(value: float, column: str, percent: bool) -> str:
    if percent:
        return f"{100 * value:.1f} %"
    if column == "published":
        return published_text(value)
    if column in DIGITS:
        return format(value, DIGITS[column])
    return f"{value:.0f}" if value.is_integer() and abs(value) > 1 else f"{value:.4f}"


def _word_of_check(found: re.Match[str]) -> str:
    return "SMOTE" if found[0] == "smote" else MEASURE_LABELS.get(found[0], found[0])


def _in_words(text: str, column: str) -> str:
    """A name of ours in the words that people read; other text as it is."""
    if column == "why":
        return text
    if column == "pair":
        return " against ".join(MEASURE_LABELS[one] for one in text.split("-"))
    if text in VALUE_LABELS.get(column, {}):
        return VALUE_LABELS[column][text]
    if column == "check":
        words = models_in_words(text)
        return re.sub(r"^smote\b|(?<=: )\w+(?=, as printed)", _word_of_check, words)
    text = models_in_words(text)
    # A name such as keep_majority.
    return text.replace("_", " ") if re.fullmatch(r"[a-z]+(_[a-z]+)+", text) else text
