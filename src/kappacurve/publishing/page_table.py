"""A table as it stands on a page: rows of text under labelled columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from kappacurve.experiment.table_files import P_VALUES
from kappacurve.experiment.tables import MEASURE_LABELS, MODEL_LABELS

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
VALUE_LABELS = {"measure": MEASURE_LABELS, "model": MODEL_LABELS, "network": MODEL_LABELS}
# Settings stand as the config file spells them.
VERBATIM = ("key", "value", "why", "section", "values")
DIGITS = {"published": ".4g", "percentile": ".1f", "distance": ".1f"}
DIGITS |= dict.fromkeys(P_VALUES, ".2g")


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

    Raises
    ------
    KeyError
        If the data have no such column.
    """
    for name, values in (where or {}).items():
        data = data[data[name].astype(str).isin(values.split("|"))]
    if head_of_group:
        data = data.groupby(group, sort=False).head(head_of_group)
    chosen = list(columns) if columns else [name for name in data.columns if name != group]
    text = pd.DataFrame(
        {
            name: [write_value(value, name, name in percent) for value in data[name]]
            for name in chosen
        },
        dtype=str,
    )
    page_columns = [
        Column(
            (labels or {}).get(name, column_label(name)),
            _is_numeric(data[name]),
            widths[place] / 100 if widths else None,
        )
        for place, name in enumerate(chosen)
    ]
    return PageTable(page_columns, _groups(data, text, group))


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
    return COLUMN_LABELS.get(name, name.replace("_", " "))


def write_value(value: object, column: str = "", percent: bool = False) -> str:
    """A value as text: four decimals, per cent, yes or no, and nothing for nothing.

    >>> write_value(0.20934), write_value(0.5, percent=True), write_value(286)
    ('0.2093', '50.0 %', '286')
    >>> write_value("auc-auk", "pair"), write_value("before_split", "draw")
    ('AUC against AUK', 'before split')
    """
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if isinstance(value, float):
        if percent:
            return f"{100 * value:.1f} %"
        if column in DIGITS:
            return format(value, DIGITS[column])
        return f"{value:.0f}" if value.is_integer() and abs(value) > 1 else f"{value:.4f}"
    text = str(value)
    if column in VERBATIM:
        return text
    if column == "pair":
        return " against ".join(MEASURE_LABELS[one] for one in text.split("-"))
    if text in VALUE_LABELS.get(column, {}):
        return VALUE_LABELS[column][text]
    for name in sorted(MODEL_LABELS, key=len, reverse=True):
        text = re.sub(rf"\b{name}\b", MODEL_LABELS[name], text)
    # A name of ours, such as keep_majority, in words.
    return text.replace("_", " ") if re.fullmatch(r"[a-z]+(_[a-z]+)+", text) else text
