"""Tables of the studies, as csv for programs and as Markdown for people."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd


def write_table(table: pd.DataFrame, paths: Iterable[Path], *, title: str, note: str = "") -> None:
    """Write the table in the format of each path's suffix, csv or md."""
    rounded = table.copy()
    for name in rounded.select_dtypes("float").columns:
        if name == "p_value":
            rounded[name] = rounded[name].map("{:.3g}".format)
        else:
            # Six decimals: more than anyone compares, fewer than the last bits of the arithmetic.
            # Adding zero turns -0 into 0.
            rounded[name] = rounded[name].round(6) + 0.0
    for path in paths:
        if path.suffix == ".csv":
            rounded.to_csv(path, index=False, float_format="%.6f", lineterminator="\n")
        else:
            path.write_text(to_markdown(rounded, title, note), encoding="utf-8", newline="\n")


def _four_decimals(value: float) -> str:
    """A count as a whole number, anything else with four decimals."""
    return f"{value:.0f}" if value.is_integer() and abs(value) > 1 else f"{value:.4f}"


def to_markdown(table: pd.DataFrame, title: str, note: str = "") -> str:
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
    shown = table.dropna(axis="columns", how="all").copy()
    align = []
    for name in shown.columns:
        numeric = pd.api.types.is_numeric_dtype(shown[name])
        truth = pd.api.types.is_bool_dtype(shown[name])
        align.append("right" if numeric and not truth else "left")
        if truth:
            shown[name] = shown[name].map({True: "yes", False: "no"})
        elif pd.api.types.is_float_dtype(shown[name]):
            shown[name] = shown[name].map(_four_decimals, na_action="ignore").fillna("")
        else:
            shown[name] = shown[name].astype(str).where(shown[name].notna(), "")
    shown.columns = [str(name).replace("_", " ") for name in shown.columns]
    body = shown.to_markdown(index=False, colalign=align, disable_numparse=True)
    return f"# {title}\n\n{body}\n" + (f"\n{note}\n" if note else "")
