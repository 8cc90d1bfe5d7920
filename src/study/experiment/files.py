"""The chunks of scenarios as Parquet files, whose pages have checksums, and tables as csv files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd

from study.errors import ExperimentError, ImpossibleError
from study.experiment.measures import MEASURES

DECIMALS = 6  # more than anyone compares, fewer than the last bits of the arithmetic
CHANCES = ("p_value", "p_adjusted", "chance")


def read_parquet(
    paths: Iterable[Path | str], *, filters: Any = None, columns: list[str] | None = None
) -> pd.DataFrame:
    """The rows of several tables one after the other; ExperimentError names a damaged file."""
    checked: Any = {"page_checksum_verification": True, "use_threads": False}
    tables = []
    for path in paths:
        try:
            tables.append(pd.read_parquet(path, filters=filters, columns=columns, **checked))
        except (OSError, ValueError) as error:  # pyarrow's errors are of both kinds
            reason = str(error).splitlines()[0]
            raise ExperimentError(
                f"{path} can't be read ({reason}): delete it and run again."
            ) from error
    return pd.concat(tables, ignore_index=True)


def write_parquet(table: pd.DataFrame, path: Path | str) -> None:
    """Write a table without its index; its attrs are there again where it is read."""
    table.to_parquet(path, index=False, compression="zstd", write_page_checksum=True)


def nothing_drawn(reason: str) -> pd.DataFrame:
    """The chunk of a scenario that the data can't give."""
    columns = ["replicate", "model", "positive_class", "curve", *MEASURES, "test_set", "rarer"]
    columns.append("failure")
    table = pd.DataFrame(columns=[*columns, "row", "minority", "score", "probability"])
    table.attrs["reason"] = reason
    return table


def read_measures(paths: Iterable[Path]) -> pd.DataFrame:
    """The measures of one scenario, from its chunks; ImpossibleError if the data can't give it.

    The attrs hold the rows of each class and of the training (majority, minority, n_train).
    """
    measures = read_parquet(paths)
    if "reason" in measures.attrs:
        raise ImpossibleError(measures.attrs["reason"])
    return measures


def read_scenarios(paths: Iterable[Path]) -> dict[str, pd.DataFrame | ImpossibleError]:
    """The measures of several scenarios by name, that of their folder, or why there are none."""
    scenarios: dict[str, pd.DataFrame | ImpossibleError] = {}
    for folder, chunks in groupby(paths, key=lambda path: path.parent.name):
        try:
            scenarios[folder] = read_measures(chunks)
        except ImpossibleError as error:
            scenarios[folder] = error
    return scenarios


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as csv."""
    path.write_text(to_csv(table), encoding="utf-8", newline="\n")


def to_csv(table: pd.DataFrame) -> str:
    """Comma-separated values: six decimals at most, or three significant digits of a chance."""
    rounded = table.copy()
    for name in rounded.select_dtypes("float").columns:
        if name in CHANCES:
            rounded[name] = rounded[name].map("{:.3g}".format, na_action="ignore")
        else:
            rounded[name] = rounded[name].round(DECIMALS) + 0.0  # which turns -0 into 0
    return rounded.to_csv(index=False, lineterminator="\n")
