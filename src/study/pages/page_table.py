"""What the appendix shows of a table: chosen rows and columns, in groups."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from study.pages.table_files import PageTable, column_label, shown_columns, write_value
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
# Settings stand as the config file spells them.
VERBATIM = ("key", "value", "section", "values")


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
    widths = [int(width) / 100 for width in options.get("widths", "").split()]
    formats = dict.fromkeys(options.get("percent", "").split(), ".1%")
    formats |= pairs(options.get("digits", ""))
    if ends := options.get("range", "").split():
        low, high = (
            [write_value(value, end, formats.get(end, "")) for value in data[end]] for end in ends
        )
        data = data.assign(
            range=[f"{a} to {b}" if a or b else "" for a, b in zip(low, high, strict=True)]
        )
    columns = shown_columns(data[chosen], pairs(options.get("labels", "")), formats)
    for name, (_, texts, _) in zip(chosen, columns, strict=True):
        if name == "percentile":  # of so many replicates that 0 and 100 claim too much
            texts[:] = [{"0.0": "< 0.5", "100.0": "> 99.5"}.get(text, text) for text in texts]
        if name not in VERBATIM:
            texts[:] = map(typeset, texts)
    return PageTable(columns, headings, widths or None)


def pairs(text: str) -> dict[str, str]:
    """``a=b, c=d, e`` as a dictionary: a comma ends a value where another name follows."""
    parts = (part.split("=", 1) for part in re.split(r",(?=[^,=]+=)", text) if part.strip())
    return {name.strip(): value.strip() for name, value in parts}
