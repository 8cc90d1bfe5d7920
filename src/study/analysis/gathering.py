"""Gathering replicates from many files in little memory.

Parts are read one at a time, and what is computed of a cell reads from its parts the columns and
rows that it needs. So memory grows with the largest cell (with one of its curves, to be precise)
and not with their number. Arrow, which writes the parts anyway, reads chosen columns and rows; the
numbers themselves come from numpy as ever, so a table has the same bytes however it is gathered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from study.analysis.auk_given_auc import auk_given_auc_table
from study.analysis.certainty import RANKING, ranking_certainty
from study.analysis.reversals import rank_reversals, reversals_as_large
from study.analysis.summaries import KIND, agreement, summarise
from study.errors import ExperimentError
from study.published import PAPER_PAIR
from study.replicates.engine import MEASURES

ROWS_OF_A_GROUP = 2**17  # some 20 MB


@dataclass
class CellParts:
    """One cell's replicates, on disk.

    Attributes
    ----------
    place : dict
        The cell's value in each of the columns that tell cells apart.
    files : list of Path
        Parquet files that hold its rows, in the order of the replicates.
    counts : dict
        Number of replicates of each (model, positive_class, curve), in the order in which the
        files have them.
    """

    place: dict[str, Any]
    files: list[Path] = field(default_factory=list)
    counts: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def rows(self, columns: Sequence[str], **kept: Sequence[str]) -> pd.DataFrame:
        """Some columns of the rows whose `kept` columns hold one of the given values."""
        wanted = pc.scalar(True)  # no condition yet
        for name, values in kept.items():
            wanted &= ds.field(name).isin(list(values))
        files = ds.dataset([str(file) for file in self.files], format="parquet")
        # One core a job; few batches ahead, because they are what takes memory.
        table = files.to_table(
            columns=list(columns),
            filter=wanted,
            use_threads=False,
            batch_readahead=1,
            fragment_readahead=1,
        )
        rows: pd.DataFrame = table.to_pandas()
        return rows

    def values_of(self, column: str) -> list[str]:
        """Values of a column of ``KIND``, in the order of the files."""
        return list(dict.fromkeys(kind[KIND.index(column)] for kind in self.counts))


def join(
    parts: Iterable[Path], whole: Path, look: Callable[[Path, pa.Table], None] | None = None
) -> None:
    """Write the rows of all parts to one parquet file, a part at a time.

    The file's row groups have one size, so its bytes do not depend on how the rows were divided.

    Parameters
    ----------
    parts : iterable of Path
        Parquet files with the same columns.
    whole : Path
        The file to write.
    look : callable, optional
        Called with the path and the rows of each part that has any.

    Raises
    ------
    ExperimentError
        If a part is no whole parquet file.
    """
    empty: pa.Table | None = None
    writer: pq.ParquetWriter | None = None
    waiting: list[pa.Table] = []
    try:
        for part in parts:
            table = _read(part)
            if table.num_rows == 0:  # its text columns may have no type
                empty = table
                continue
            if look is not None:
                look(part, table)
            writer = writer or pq.ParquetWriter(whole, table.schema)
            waiting = _write_groups(writer, [*waiting, table])
        if writer is not None and waiting:
            writer.write_table(_one_chunk(waiting))
    finally:
        if writer is not None:
            writer.close()
    if writer is None and empty is not None:
        pq.write_table(empty, whole)


def _write_groups(writer: pq.ParquetWriter, waiting: list[pa.Table]) -> list[pa.Table]:
    """Write as many whole row groups as the waiting rows make; return the rows left over."""
    if sum(table.num_rows for table in waiting) < ROWS_OF_A_GROUP:
        return waiting
    rows = pa.concat_tables(waiting)
    whole = rows.num_rows - rows.num_rows % ROWS_OF_A_GROUP
    for first in range(0, whole, ROWS_OF_A_GROUP):
        writer.write_table(_one_chunk([rows.slice(first, ROWS_OF_A_GROUP)]))
    return [rows.slice(whole)] if whole < rows.num_rows else []


def _one_chunk(tables: list[pa.Table]) -> pa.Table:
    """The rows as one chunk a column: pages end where chunks do."""
    return pa.concat_tables(tables).combine_chunks()


def _read(part: Path) -> pa.Table:
    try:
        return pq.ParquetFile(part).read(use_threads=False)
    except (pa.ArrowInvalid, OSError) as error:
        reason = str(error).splitlines()[0]
        raise ExperimentError(
            f"{part} is no whole parquet file ({reason}). Delete it and run again."
        ) from error


def gather(
    parts: Iterable[Path], expected: Mapping[str, int], whole: Path, by: Sequence[str] = ()
) -> list[CellParts]:
    """Join all parts, after making sure that nothing is missing or there twice.

    Parameters
    ----------
    parts : iterable of Path
        Parquet files, each with successive replicates of one cell, a cell's files in order.
    expected : mapping
        Number of replicates of each model in each cell.
    whole : Path
        Where all rows go.
    by : sequence of str
        Columns that tell cells apart; without any, all parts belong to one cell.

    Returns
    -------
    list of CellParts
        In the order of the parts.

    Raises
    ------
    ExperimentError
        If a replicate is missing or stands twice, or some of its measures are missing.
    """
    cells: dict[tuple[Any, ...], CellParts] = {}

    def add(part: Path, table: pa.Table) -> None:
        place = _place(part, table, by)
        cell = cells.setdefault(tuple(place.values()), CellParts(place))
        cell.files.append(part)
        _count(cell, part, table)

    join(parts, whole, add)
    for cell in cells.values():
        _require_all(cell, expected)
    return list(cells.values())


def _place(part: Path, table: pa.Table, by: Sequence[str]) -> dict[str, Any]:
    """The one cell that the rows of a part belong to."""
    if not by:
        return {}
    places: list[dict[str, Any]] = table.select(by).group_by(list(by)).aggregate([]).to_pylist()
    if len(places) != 1:
        raise _damaged(part, f"holds rows of {len(places)} cells")
    if None in places[0].values():
        raise _damaged(part, "holds rows that belong to no cell")
    return places[0]


def _count(cell: CellParts, part: Path, table: pa.Table) -> None:
    """Add a part's replicates to the cell's counts; they must follow those before, one by one."""
    rows = table.select(["replicate", *KIND, *MEASURES]).to_pandas()
    missing = rows[list(MEASURES)].isna()
    # A replicate in which a class is missing has no measures at all.
    if (missing.any(axis=1) != missing.all(axis=1)).any():
        raise _damaged(part, "holds rows with some measures and without others")
    if rows[["replicate", *KIND]].isna().to_numpy().any():
        raise _damaged(part, "holds rows without a replicate, model, class or curve")
    for kind, numbers in rows.groupby(KIND, sort=False)["replicate"]:
        counted = cell.counts.get(kind, 0)
        awaited = np.arange(counted, counted + len(numbers))
        wrong = np.flatnonzero(numbers.to_numpy() != awaited)
        if len(wrong):
            found, instead = numbers.iloc[wrong[0]], awaited[wrong[0]]
            raise _damaged(
                part, f"holds replicate {found} of {kind[0]} where {instead} is expected"
            )
        cell.counts[kind] = counted + len(numbers)


def _require_all(cell: CellParts, expected: Mapping[str, int]) -> None:
    where = ", ".join(f"{name} {value}" for name, value in cell.place.items()) or "all parts"
    for model in sorted({*expected, *cell.values_of("model")}):
        counts = {n for (name, *_), n in cell.counts.items() if name == model} or {0}
        if counts != {expected.get(model, 0)}:
            raise ExperimentError(
                f"{model} has {min(counts)} replicates in {where}, expected "
                f"{expected.get(model, 0)}: a part is missing or damaged. Delete the parts and run "
                "again."
            )


def _damaged(part: Path, what: str) -> ExperimentError:
    return ExperimentError(f"{part} {what}: it is damaged. Delete it and run again.")


def summarise_cell(cell: CellParts) -> pd.DataFrame:
    """As :func:`study.analysis.summaries.summarise`, one curve at a time."""
    tables = []
    for kind in cell.counts:
        named = dict(zip(KIND, kind, strict=True))
        rows = cell.rows(MEASURES, **{name: [value] for name, value in named.items()})
        tables.append(summarise(rows.assign(**named)))
    return _placed(cell, tables)


def reversals_in_cell(cell: CellParts, pair: tuple[str, str]) -> pd.DataFrame:
    """As :func:`study.analysis.reversals.rank_reversals`, one positive class at a time."""
    columns = ["replicate", *KIND, "auc", "auk", "auk_trapezoid", "h"]
    tables = [
        rank_reversals(cell.rows(columns, positive_class=[one], model=pair), pair)
        for one in cell.values_of("positive_class")
    ]
    return _placed(cell, tables)


def certainty_in_cell(cell: CellParts, pair: tuple[str, str]) -> pd.DataFrame:
    """As :func:`study.analysis.certainty.ranking_certainty`, one class at a time."""
    columns = ["replicate", *KIND, *RANKING]
    tables = [
        ranking_certainty(cell.rows(columns, positive_class=[one], model=pair), pair)
        for one in cell.values_of("positive_class")
    ]
    return _placed(cell, tables)


def reversals_as_large_in_cell(cell: CellParts) -> pd.DataFrame:
    """As :func:`study.analysis.reversals.reversals_as_large`, one class at a time."""
    columns = ["replicate", *KIND, "auc", "auk", "auk_trapezoid", "h"]
    tables = [
        reversals_as_large(cell.rows(columns, positive_class=[one], model=PAPER_PAIR))
        for one in cell.values_of("positive_class")
    ]
    return _placed(cell, tables)


def auk_given_auc_in_cell(cell: CellParts) -> pd.DataFrame:
    """As :func:`study.analysis.auk_given_auc.auk_given_auc_table`, one curve at a time."""
    columns = [*KIND, "auc", "auk", "auk_trapezoid"]
    tables = []
    for kind in cell.counts:
        place = {name: [value] for name, value in zip(KIND, kind, strict=True)}
        tables.append(auk_given_auc_table(cell.rows(columns, **place)))
    # A model that the paper doesn't have gives a table without rows, and without types.
    return _placed(cell, [table for table in tables if len(table)] or tables[:1])


def agreement_in_cell(cell: CellParts) -> pd.DataFrame:
    """As :func:`study.analysis.summaries.agreement`, one curve at a time."""
    columns = ["replicate", *KIND, "auc", "auk", "h", "ks", "kappa_max"]
    tables = [agreement(cell.rows(columns, curve=[one])) for one in cell.values_of("curve")]
    return _placed(cell, tables)


def _placed(cell: CellParts, tables: list[pd.DataFrame]) -> pd.DataFrame:
    """The tables as one, with the cell's place in front."""
    table = pd.concat(tables, ignore_index=True)
    for i, (name, value) in enumerate(cell.place.items()):
        table.insert(i, name, value)
    return table
