"""What the appendix shows of a table: chosen rows and columns, in groups, as LaTeX and Typst."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from study.pages.table_files import Column, column_label, shown_columns, to_latex, write_value
from study.pages.typography import typeset

OPTIONS = {
    "columns": "names to show; by default all but the group's",
    "where": "rows to keep, as `column=value|value, column=value`",
    "group": "column whose values become headings between the rows",
    "labels": "column labels that differ from the usual ones, as `column=label, ...`",
    "percent": "columns of shares to show as per cent",
    "digits": "how to write the numbers of a column, as `column=.1f, ...`",
    "range": "columns of the two ends of an interval, which become one column `range`",
    "widths": "per cent of the line for each column, so that long text wraps",
    "head-of-group": "rows of each group to keep",
}
GROUP_LABELS = {
    "positive_class": "{} positive",
    "curve": "{} curve",
    "draw": "rows drawn {}",
    **dict.fromkeys(("model", "place", "source", "study", "test"), "{}"),
}
MOST_ROWS = 40  # that fit on a page with their caption
# Settings stand as the config file spells them.
VERBATIM = ("key", "value", "section", "values")


class PageTable(NamedTuple):
    """Columns, the headings above some of the rows, and each column's share of the line."""

    columns: list[Column]
    headings: dict[int, str]
    widths: list[float] | None

    def parts(self) -> list[PageTable]:
        """The table, or as many tables of even length as it needs to fit on pages."""
        n = len(self.columns[0].texts)
        size = -(-n // max(1, -(-n // MOST_ROWS))) or 1
        return [self._rows(start, start + size) for start in range(0, n, size)] or [self]

    def _rows(self, start: int, end: int) -> PageTable:
        columns = [one._replace(texts=one.texts[start:end]) for one in self.columns]
        # What began before goes on.
        places = [max(place, start) for place in self.headings if place < end]
        headings = dict(zip(places, self.headings.values(), strict=False))
        return self._replace(
            columns=columns, headings={place - start: text for place, text in headings.items()}
        )

    def latex(self) -> str:
        """As a tabular."""
        return to_latex(self.columns, self.headings, self.widths)

    def typst(self) -> str:
        """As arguments of the template's function for tables; a heading is a row of one text."""
        body = ""
        for place, row in enumerate(zip(*(column.texts for column in self.columns), strict=True)):
            if place in self.headings:
                body += f"\n  {typst_text(self.headings[place])},"
            body += f"\n  {_typst_array(row)},"
        shares = [f"{100 * share:g}%" for share in self.widths or []]
        widths = ", ".join(shares or ["auto"] * len(self.columns))
        sides = ", ".join("left" if one.numbers is None else "right" for one in self.columns)
        heads = _typst_array([column.label for column in self.columns])
        return f"widths: ({widths},), align: ({sides},), heads: {heads}, rows: ({body}\n)"


def page_table(data: pd.DataFrame, options: Mapping[str, str]) -> PageTable:
    """Choose columns and rows of a table by some of ``OPTIONS``, and write its values out."""
    group = options.get("group")
    for name, values in pairs(options.get("where", "")).items():
        data = data[data[name].astype(str).isin(values.split("|"))]
    if head := options.get("head-of-group"):
        data = data.groupby(group, sort=False).head(int(head))
    headings: dict[int, str] = {}
    if group:
        heading = GROUP_LABELS.get(group, f"{column_label(group)}: {{}}")
        parts = [data[data[group] == value] for value in data[group].unique()]
        for row, part in zip(np.cumsum([0, *map(len, parts)]), parts, strict=False):
            headings[row] = typeset(heading.format(write_value(part[group].iloc[0], group)))
        data = pd.concat(parts) if parts else data
    chosen = options.get("columns", "").split() or [name for name in data.columns if name != group]
    widths = [int(one) / 100 for one in options.get("widths", "").split()]
    formats = dict.fromkeys(options.get("percent", "").split(), ".1%")
    formats |= pairs(options.get("digits", ""))
    if ends := options.get("range", "").split():
        low, high = (
            [write_value(value, end, formats.get(end, "")) for value in data[end]] for end in ends
        )
        data = data.assign(range=[f"{a} to {b}" for a, b in zip(low, high, strict=True)])
    columns = shown_columns(data[chosen], pairs(options.get("labels", "")), formats)
    for name, (_, texts, _) in zip(chosen, columns, strict=True):
        if name == "percentile":  # of so many replicates that 0 and 100 claim too much
            texts[:] = [{"0.0": "< 0.5", "100.0": "> 99.5"}.get(text, text) for text in texts]
        if name not in VERBATIM:
            texts[:] = map(typeset, texts)
    return PageTable(columns, headings, widths or None)


def pairs(text: str) -> dict[str, str]:
    """``a=b, c=d e`` as a dictionary."""
    parts = (part.split("=", 1) for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, value in parts}


def typst_text(value: str | bool) -> str:
    """A text, or true or false, as Typst reads it."""
    return json.dumps(value, ensure_ascii=False)


def _typst_array(texts: Iterable[str]) -> str:
    return f"({', '.join(map(typst_text, texts))},)"
