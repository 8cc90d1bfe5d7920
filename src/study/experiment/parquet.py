"""The parts of scenarios as Parquet files, whose pages have checksums: damage is an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from study.errors import ExperimentError, ImpossibleError
from study.experiment.measures import MEASURES

REASON = "reason"


def read_parquet(
    paths: Path | str | Iterable[Path | str],
    *,
    filters: Any = None,
    columns: list[str] | None = None,
) -> pd.DataFrame:
    """A table, or the rows of several one after the other; ExperimentError names a damaged file."""
    checked: Any = {"page_checksum_verification": True, "use_threads": False}
    tables = []
    for path in [paths] if isinstance(paths, Path | str) else paths:
        try:
            tables.append(pd.read_parquet(path, filters=filters, columns=columns, **checked))
        except (OSError, ValueError) as error:  # pyarrow's errors are of both kinds
            reason = str(error).splitlines()[0]
            raise ExperimentError(
                f"{path} can't be read ({reason}): delete it and run again."
            ) from error
    return pd.concat(tables, ignore_index=True)


def write_parquet(
    table: pd.DataFrame, path: Path | str, attributes: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Write a table without its index; attributes are its attrs where it is read."""
    table.attrs.update(attributes)
    table.to_parquet(path, index=False, compression="zstd", write_page_checksum=True)


def nothing_drawn(reason: str) -> pd.DataFrame:
    """The part of a scenario that the data can't give."""
    columns = ["replicate", "model", "positive_class", "curve", *MEASURES]
    table = pd.DataFrame(columns=[*columns, "row", "minority", "score", "probability"])
    table.attrs[REASON] = reason
    return table


def read_scenario(parts: Sequence[Path | str]) -> pd.DataFrame:
    """The measures of a scenario, with its sizes as attrs; ImpossibleError says why it has none."""
    measures = read_parquet(parts)
    if REASON in measures.attrs:
        raise ImpossibleError(measures.attrs[REASON])
    return measures
