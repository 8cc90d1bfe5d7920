"""Tables as files: csv for programs; Markdown, LaTeX and a sortable web page for people."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from study.errors import ExperimentError
from study.pages.html_page import SCRIPT, page
from study.published import published_text

# These keep three significant digits, however small they are.
P_VALUES = ("p_value", "p_holm")
FORMATS = {"percentile": "{:.1f}", "skew": "{:g}"}
DECIMALS = 6  # more than anyone compares, fewer than the last bits of the arithmetic
LONG_TEXT, PROSE = 36, 100  # characters; longer cells are wrapped, in a wider column
ROWS_TO_FILTER = 12


class _Column(NamedTuple):
    """A column as people read it: its texts ("" if missing), and the numbers behind them."""

    name: str
    texts: list[str]
    numbers: list[float] | None
    is_text: bool

    @property
    def longest(self) -> int:
        return max(map(len, self.texts), default=0)

    @property
    def kind(self) -> str:
        """Class of its cells in html."""
        if self.numbers is not None:
            return "number"
        if self.longest > PROSE:
            return "prose"
        return "long" if self.longest > LONG_TEXT else "short"


def write_table(
    table: pd.DataFrame,
    paths: Iterable[Path],
    *,
    title: str,
    note: str = "",
    shown: pd.DataFrame | None = None,
    text_columns: Collection[str] | None = None,
) -> None:
    """Write the table in the format of each path's suffix: csv, md, tex or html.

    Parameters
    ----------
    table : DataFrame
    paths : iterable of Path
    title, note : str
        Above and below the table in md, above it in html.
    shown : DataFrame, optional
        What people read, where that is not the table of the csv: other names, fewer columns.
    text_columns : collection of str, optional
        Columns that md and tex align left; by default those that hold no numbers.

    Raises
    ------
    ExperimentError
        If a suffix is none of the four.
    """
    rounded = _rounded(table)
    reading = rounded if shown is None else _rounded(shown)
    for path in paths:
        if path.suffix == ".csv":
            text = rounded.to_csv(index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")
        elif path.suffix == ".md":
            text = to_markdown(reading, title, note, text_columns)
        elif path.suffix == ".tex":
            text = to_latex(reading, text_columns)
        elif path.suffix == ".html":
            text = to_html(reading, title, note)
        else:
            raise ExperimentError(
                f"{path.name}: a table is written as csv, md, tex or html, not {path.suffix!r}."
            )
        path.write_text(text, encoding="utf-8", newline="\n")


def _rounded(table: pd.DataFrame) -> pd.DataFrame:
    rounded = table.copy()
    for name in rounded.select_dtypes("float").columns:
        if name in P_VALUES:
            rounded[name] = rounded[name].map(_p_value)
        else:
            # Adding zero turns -0 into 0.
            rounded[name] = rounded[name].round(DECIMALS) + 0.0
    return rounded


def to_markdown(
    table: pd.DataFrame,
    title: str,
    note: str = "",
    text_columns: Collection[str] | None = None,
) -> str:
    """Markdown with a title and a closing note; four decimals, text left and numbers right.

    >>> print(to_markdown(pd.DataFrame({"curve": ["a"], "h": [0.3481]}), "Table 1", "Done."))
    # Table 1
    <BLANKLINE>
    | curve   |      h |
    |:--------|-------:|
    | a       | 0.3481 |
    <BLANKLINE>
    Done.
    <BLANKLINE>
    """
    columns = _columns(table)
    align = ["left" if _is_left(one, text_columns) else "right" for one in columns]
    body = _frame(columns).to_markdown(index=False, colalign=align, disable_numparse=True)
    return f"# {title}\n\n{body}\n" + (f"\n{note}\n" if note else "")


def to_latex(table: pd.DataFrame, text_columns: Collection[str] | None = None) -> str:
    """A booktabs tabular, to be read into a document with ``\\input``."""
    columns = _columns(table)
    align = "".join(_latex_column(one, text_columns) for one in columns)
    return str(_frame(columns).to_latex(index=False, escape=True, column_format=align))


def to_html(table: pd.DataFrame, title: str, note: str = "") -> str:
    """A page with the table: sorted by a click on a column's name, filtered if it is long.

    Parameters
    ----------
    table : DataFrame
    title : str
    note : str
        A paragraph above the table.

    Returns
    -------
    str
        HTML that needs no other file and no network. A cell whose text is rounded carries its
        number in ``data-value``, by which the page sorts.
    """
    columns = _columns(table)
    cells = [[_cell(one, i) for one in columns] for i in range(len(table))]
    rows = "\n".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    count = f"{len(table)} row{'s' * (len(table) != 1)}" if len(table) else "no rows in this run"
    parts = [f'<h1 id="title">{escape(title)}</h1>']
    if note:
        parts.append(f"<p>{escape(note)}</p>")
    if len(table) > ROWS_TO_FILTER:
        field = '<input type="search" name="filter" autocomplete="off">'
        parts.append(f"<form hidden><p><label>Show rows with {field}</label></p></form>")
    parts.append(
        '<div class="box" role="region" aria-labelledby="title" tabindex="0">\n<table>\n'
        f'<caption aria-live="polite"><span>{count}</span></caption>\n'
        f"<thead><tr>{''.join(map(_head, columns))}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )
    return page(title, "\n".join(parts), SCRIPT)


def _head(column: _Column) -> str:
    kind = ' class="number"' if column.numbers is not None else ""
    name = escape(column.name)
    return f'<th scope="col"{kind} aria-sort="none"><button type="button">{name}</button></th>'


def _cell(column: _Column, i: int) -> str:
    text = column.texts[i]
    if not text:
        return f'<td class="{column.kind} none">\N{EN DASH}</td>'
    value = ""
    if column.numbers is not None and float(text) != column.numbers[i]:
        value = f' data-value="{column.numbers[i]:.10g}"'
    if text == "inf":  # as a script writes it
        value = ' data-value="Infinity"'
    return f'<td class="{column.kind}"{value}>{escape(text)}</td>'


def _columns(table: pd.DataFrame) -> list[_Column]:
    # An empty table keeps its columns; otherwise those without a value say nothing.
    kept = table.dropna(axis="columns", how="all") if len(table) else table
    return [_column(str(name), kept[name]) for name in kept.columns]


def _column(name: str, values: pd.Series[Any]) -> _Column:
    heading = name.replace("_", " ")
    if pd.api.types.is_bool_dtype(values):
        return _Column(heading, ["yes" if one else "no" for one in values], None, True)
    if name in P_VALUES:
        # Text already in a table that is written to a csv as well.
        numbers = [float(one or "nan") for one in values]
        return _Column(heading, [_p_value(one) for one in numbers], numbers, True)
    if pd.api.types.is_numeric_dtype(values):
        numbers = [float(one) for one in values]
        whole = pd.api.types.is_integer_dtype(values)
        texts = [str(one) if whole else _number(name, float(one)) for one in values]
        return _Column(heading, texts, numbers, False)
    texts = values.astype(str).where(values.notna(), "").tolist()
    if is_printed(name, values):
        return _Column(heading, texts, pd.to_numeric(values).astype(float).tolist(), False)
    return _Column(heading, texts, None, True)


def is_printed(name: str, values: pd.Series[Any]) -> bool:
    """Whether a column holds numbers as a source prints them, with its digits."""
    if name.rpartition("_")[2] != "printed":
        return False
    return bool((pd.to_numeric(values, errors="coerce").notna() == values.notna()).all())


def _p_value(value: float) -> str:
    """Three digits, however small; nothing for a test that was not made."""
    return "" if math.isnan(value) else f"{value:.3g}"


def _number(name: str, value: float) -> str:
    """A count as a whole number, anything else with four decimals; nothing if it is missing."""
    if math.isnan(value):
        return ""
    if name == "published":
        return published_text(value)
    # From the six decimals of the csv: what is read here and what the csv gives are then the same.
    value = float(np.round(value, DECIMALS)) + 0.0
    if name in FORMATS:
        return FORMATS[name].format(value)
    return f"{value:.0f}" if value.is_integer() and abs(value) > 1 else f"{value:.4f}"


def _frame(columns: list[_Column]) -> pd.DataFrame:
    return pd.DataFrame({one.name: one.texts for one in columns})


def _is_left(column: _Column, text_columns: Collection[str] | None) -> bool:
    return column.is_text if text_columns is None else column.name in text_columns


def _latex_column(column: _Column, text_columns: Collection[str] | None) -> str:
    if not _is_left(column, text_columns):
        return "r"
    return "p{4.5cm}" if column.longest > LONG_TEXT else "l"
