"""A data frame as a table of text: Markdown, HTML, LaTeX and Typst show the same cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from html import escape

import pandas as pd

# How numbers of a column are written; a float without an entry has three decimals.
FORMATS = {"computed": "{:.4g}", "distance": "{:.2f}", "typical": "{:.2f}"}
MINUS, HARD_SPACE = "\u2212", "\u00a0"
# What pdflatex has no letter for.
LATEX = {MINUS: "$-$", HARD_SPACE: "~", "κ": r"$\kappa$", "≤": r"$\le$", "≥": r"$\ge$"}


class Markup(str):
    """Markdown, as opposed to a value that is put into it."""


def escape_markdown(value: object) -> str:
    """A value as text, so that none of its characters is taken for markup."""
    if isinstance(value, Markup):
        return value
    return re.sub(r"([\\*`|_<>\[\]$^~#@{}])", r"\\\1", str(value))


def format_number(value: float, form: str = "{:.3f}") -> str:
    """A number as readers see it: a true minus, a hard space before %; nothing for NaN."""
    if pd.isna(value):
        return ""
    text = form.format(value).replace("-", MINUS).replace("%", f"{HARD_SPACE}%")
    return re.sub(rf"^{MINUS}(?=[0.]*$)", "", text)


def format_interval(value: float, low: float, high: float, form: str = "{:.3f}") -> str:
    """Such as 0.796 (0.716 to 0.873), or 4.2 % (3.1 to 5.6); the value alone without ends."""
    if pd.isna(low):
        return format_number(value, form)
    ends = " to ".join(
        format_number(end, form).removesuffix(f"{HARD_SPACE}%") for end in (low, high)
    )
    return f"{format_number(value, form)} ({ends})"


def join_words(words: Sequence[str]) -> str:
    """AUC, AUK and H."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def format_intervals(columns: pd.DataFrame, form: str = "{:.3f}") -> list[str]:
    """Such texts of each row of three columns: value, low and high."""
    return [format_interval(value, low, high, form) for value, low, high in columns.to_numpy()]


def format_table(table: pd.DataFrame) -> pd.DataFrame:
    """The cells as text, in the format of their column."""
    cells = {}
    for name, column in table.items():
        if pd.api.types.is_bool_dtype(column):
            texts = column.map({True: "yes", False: "no"})
        elif pd.api.types.is_float_dtype(column):
            texts = column.map(partial(format_number, form=FORMATS.get(str(name), "{:.3f}")))
        else:
            texts = column.map(lambda value: "" if pd.isna(value) else str(value))
        cells[str(name).replace("_", " ")] = texts
    return pd.DataFrame(cells, dtype=object)


def is_numeric(cells: pd.Series[str]) -> bool:
    """Whether a column holds numbers or intervals only, which are set to the right."""
    return all(
        re.fullmatch(rf"[{MINUS}\d.,%()\s{HARD_SPACE}to]*|not printed|none", cell) for cell in cells
    )


def markdown_table(cells: pd.DataFrame) -> str:
    """A table of pipes."""
    safe = cells.map(escape_markdown)
    align = ["right" if is_numeric(cells[name]) else "left" for name in cells]
    return str(safe.to_markdown(index=False, disable_numparse=True, colalign=align))


def html_table(cells: pd.DataFrame, style: str = "") -> str:
    """A table whose first column heads its rows."""
    marks = [' class="n"' if is_numeric(cells[name]) else "" for name in cells]
    head = "".join(
        f'<th scope="col"{mark}>{escape(str(name))}</th>'
        for name, mark in zip(cells, marks, strict=True)
    )
    rows = []
    for first, *others in cells.itertuples(index=False):
        row = "".join(
            f"<td{mark}>{escape(cell)}</td>" for cell, mark in zip(others, marks[1:], strict=True)
        )
        rows.append(f'<tr><th scope="row">{escape(first)}</th>{row}</tr>')
    look = f' class="{style}"' if style else ""
    body = "\n".join(rows)
    return f"<table{look}><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def latex_table(cells: pd.DataFrame, widths: Sequence[float | None] = ()) -> str:
    r"""A booktabs tabular to \input; `widths` are shares of \textwidth of columns that wrap."""
    widths = widths or [None] * cells.shape[1]
    columns = ""
    for name, width in zip(cells, widths, strict=True):
        if width:
            columns += rf">{{\raggedright\arraybackslash}}p{{{width}\textwidth}}"
        else:
            columns += "r" if is_numeric(cells[name]) else "l"
    style = cells.style.hide(axis="index").format(escape="latex")
    style = style.format_index(escape="latex", axis="columns")
    return spell_for_latex(style.to_latex(hrules=True, column_format=columns))


def spell_for_latex(text: str) -> str:
    """Commands in place of characters that pdflatex does not know."""
    return text.translate({ord(character): command for character, command in LATEX.items()})


def typst_table(cells: pd.DataFrame, widths: Sequence[float | None] = ()) -> str:
    """The content of a figure."""
    widths = widths or [None] * cells.shape[1]
    columns = ", ".join(f"{100 * width:g}%" if width else "auto" for width in widths)
    align = ", ".join("right" if is_numeric(cells[name]) else "left" for name in cells)
    head = ", ".join(f"[{typst_text(str(name))}]" for name in cells)
    rows = [
        ", ".join(f"[{typst_text(cell)}]" for cell in row) for row in cells.itertuples(index=False)
    ]
    body = ",\n".join([f"table.header({head}), table.hline()", *rows])
    return f"table(columns: ({columns}), align: ({align},),\n{body})"


def typst_text(text: str) -> str:
    """Text in which Typst reads no markup."""
    return re.sub(r"([\\*_`$#<>@\[\]~/'\"=+-])", r"\\\1", text)
