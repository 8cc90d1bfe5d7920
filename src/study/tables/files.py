"""Tables as csv files, whose numbers have as many digits as anyone compares."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

DECIMALS = 6  # more than anyone compares, fewer than the last bits of the arithmetic
P_VALUES = ("p_value", "p_adjusted")


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as csv."""
    path.write_text(to_csv(table), encoding="utf-8", newline="\n")


def to_csv(table: pd.DataFrame) -> str:
    """Comma-separated values with six decimals; p values have three significant digits."""
    rounded = table.copy()
    for name in rounded.select_dtypes("float").columns:
        if name in P_VALUES:
            rounded[name] = [f"{value:.3g}" if value == value else "" for value in rounded[name]]
        elif name == "threshold":  # with fewer digits it would give other counts
            texts = (repr(value).removesuffix(".0") for value in rounded[name].tolist())
            rounded[name] = ["" if text == "nan" else text for text in texts]
        else:
            rounded[name] = rounded[name].round(DECIMALS) + 0.0  # which turns -0 into 0
    return rounded.to_csv(index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")
