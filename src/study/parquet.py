"""Parquet files, whose pages have checksums: damage is an error, and not other values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from study.errors import ExperimentError


def read_parquet(
    paths: Path | Iterable[Path], *, filters: Any = None, columns: list[str] | None = None
) -> pd.DataFrame:
    """A table, or the rows of several one after the other; ExperimentError names a damaged file."""
    checked: Any = {"page_checksum_verification": True, "use_threads": False}
    tables = []
    for path in [paths] if isinstance(paths, Path) else paths:
        try:
            tables.append(pd.read_parquet(path, filters=filters, columns=columns, **checked))
        except (OSError, ValueError) as error:  # pyarrow's errors are of both kinds
            reason = str(error).splitlines()[0]
            raise ExperimentError(
                f"{path} can't be read ({reason}): delete it and run again."
            ) from error
    return pd.concat(tables, ignore_index=True)


def write_parquet(
    table: pd.DataFrame, path: Path, about: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Write a table without its index; what is said about it becomes its attrs where it is read."""
    table.attrs.update(about)
    table.to_parquet(path, index=False, compression="zstd", write_page_checksum=True)
