"""Replicates as they are stored, and tables as csv files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from study.errors import ImpossibleError
from study.experiment.parquet import read_parquet

DECIMALS = 6  # more than anyone compares, fewer than the last bits of the arithmetic
P_VALUES = ("p_value", "p_adjusted")


def read_measures(paths: Iterable[Path]) -> pd.DataFrame:
    """The measures of one scenario, from its parts; ImpossibleError if the data can't give it.

    The attrs hold the rows of each class and of the training (majority, minority, n_train).
    """
    measures = read_parquet(paths)
    if "reason" in measures.attrs:
        raise ImpossibleError(measures.attrs["reason"])
    return measures


def read_scenarios(paths: Iterable[Path]) -> dict[str, pd.DataFrame | ImpossibleError]:
    """The measures of several scenarios by name, the folder of the parts, or why there are none."""
    parts: dict[str, list[Path]] = {}
    for path in paths:
        parts.setdefault(path.parent.name, []).append(path)
    scenarios: dict[str, pd.DataFrame | ImpossibleError] = {}
    for name, own_parts in parts.items():
        try:
            scenarios[name] = read_measures(own_parts)
        except ImpossibleError as error:
            scenarios[name] = error
    return scenarios


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as csv."""
    path.write_text(to_csv(table), encoding="utf-8", newline="\n")


def to_csv(table: pd.DataFrame) -> str:
    """Comma-separated values of at most six decimals; p values have three significant digits."""
    rounded = table.copy()
    for name in rounded.select_dtypes("float").columns:
        if name in P_VALUES:
            rounded[name] = [f"{value:.3g}" if value == value else "" for value in rounded[name]]
        elif name == "threshold":  # with fewer digits it would give other counts
            texts = (repr(value).removesuffix(".0") for value in rounded[name].tolist())
            rounded[name] = ["" if text == "nan" else text for text in texts]
        else:
            rounded[name] = rounded[name].round(DECIMALS) + 0.0  # which turns -0 into 0
    return rounded.to_csv(index=False, lineterminator="\n")
