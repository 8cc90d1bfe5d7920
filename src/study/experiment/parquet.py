"""The chunks of scenarios as Parquet files, whose pages have checksums: damage is an error."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from study.errors import ExperimentError
from study.experiment.measures import MEASURES


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
