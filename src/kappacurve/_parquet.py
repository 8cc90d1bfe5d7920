"""Labels and scores, or a whole table, from a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from kappacurve._labels import MOST_NAMED, Classes, Columns, ScoreFileError, reason, shown
from kappacurve._sources import File
from kappacurve._validation import FloatArray


class Parquet:
    """A Parquet file, read by pyarrow, with the same methods as a text."""

    latin1 = False

    def __init__(self, file: File) -> None:
        self.name, self._path = file.name, file.path
        try:
            from pyarrow import parquet
        except ImportError:
            raise ScoreFileError(
                f"{self.name} is a Parquet file, which needs pyarrow: pip install pyarrow, or save "
                "the table as CSV."
            ) from None
        with self._faults_named():
            self._file = parquet.ParquetFile(self._path)
            self._schema = self._file.schema_arrow
            self.names: list[str] = self._schema.names

    @contextmanager
    def _faults_named(self) -> Iterator[None]:
        try:
            yield
        except (ScoreFileError, MemoryError):
            raise
        except Exception as error:  # pyarrow meets a broken file with any error
            raise ScoreFileError(
                f"{self.name} can't be read as Parquet: {reason(error)}."
            ) from None

    def numeric(self, _label: int) -> list[bool]:
        """Tell which columns hold numbers."""
        from pyarrow import types

        kinds = (types.is_integer, types.is_floating, types.is_decimal)
        return [any(is_kind(each) for is_kind in kinds) for each in self._schema.types]

    def columns(self, label: int, scores: Sequence[int]) -> Columns:
        """Read the labels and the scores."""
        chosen = label, *scores
        with self._faults_named():
            labels, *values = (self._file.read([self.names[i]]).column(0) for i in chosen)
            numbers = [self._numbers(*one) for one in zip(scores, values, strict=True)]
            bad = [labels.is_null(), *(~np.isfinite(one) for one in numbers)]
            if places := "; ".join(
                f"row {row + 1}, column {shown(self.names[chosen[i]])}: the value is missing or "
                "infinite"
                for row, i in np.argwhere(np.column_stack(bad))[:MOST_NAMED]
            ):
                raise ScoreFileError(f"{self.name}, {places}. Correct or remove these rows.")
            classes = Classes(self.names[label])
            return classes, classes.codes(labels.to_pandas()), numbers

    def _numbers(self, i: int, column: Any) -> FloatArray:
        try:
            numbers: FloatArray = column.cast("float64", safe=False).to_numpy()
        except (ValueError, NotImplementedError):
            what = f"column {shown(self.names[i])} holds {column.type}, not numbers"
            raise ScoreFileError(f"{self.name}: {what}.") from None
        return numbers

    def table(self) -> pd.DataFrame:
        """Read all columns; an index that pandas wrote along is none."""
        with self._faults_named():
            table: pd.DataFrame = pd.read_parquet(self._path).reset_index(drop=True)
        return table
