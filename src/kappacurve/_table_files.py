"""Parquet and ARFF files of scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from kappacurve._arff import Arff, read_arff_text
from kappacurve._columns import Chosen, Columns, choose_by_name, choose_numeric
from kappacurve._delimited import number
from kappacurve._file_source import Source
from kappacurve._labels import Classes
from kappacurve._score_error import ScoreFileError, reason, shown


def read_parquet(
    source: Source, label: str, scores: Sequence[str] | None
) -> tuple[list[str], Chosen, Columns]:
    """Read the label and the scores of a Parquet file, a part at a time.

    Raises
    ------
    ScoreFileError
        If pyarrow is not installed, or the file or a row of it can't be used.
    """
    try:
        from pyarrow import parquet, types
    except ImportError:
        raise ScoreFileError(
            f"{source.name} is a Parquet file, which needs pyarrow: pip install pyarrow, or save "
            "the table as CSV."
        ) from None
    try:
        with source.stored() as raw:
            file = parquet.ParquetFile(raw)
            schema = file.schema_arrow
            numeric = [
                types.is_integer(t) or types.is_floating(t) or types.is_decimal(t)
                for t in schema.types
            ]
            chosen = _choose(source.name, schema.names, label, scores, numeric)
            wanted = [schema.names[i] for i in (chosen.label, *chosen.scores)]
            columns = _of_batches(
                source.name, schema.names, chosen, file.iter_batches(2**18, columns=wanted)
            )
    except ScoreFileError:
        raise
    except Exception as error:
        # A broken file may be met with any error, such as one of decoding.
        raise ScoreFileError(f"{source.name} can't be read as Parquet: {reason(error)}.") from None
    return schema.names, chosen, columns


def _of_batches(
    where: str, names: Sequence[str], chosen: Chosen, batches: Iterable[Any]
) -> Columns:
    classes = Classes(names[chosen.label])
    codes: list[Any] = []
    scores: list[list[Any]] = [[] for _ in chosen.scores]
    row = 1
    for batch in batches:
        labels = batch.column(names[chosen.label]).dictionary_encode()
        if labels.null_count:
            at = row + labels.is_null().to_pylist().index(True)
            raise ScoreFileError(
                f"{where}, row {at}, column {classes.column}: the label is "
                "missing: fill it in or remove the row."
            )
        labels_of_classes = [
            _class_in_row(where, classes, v) for v in labels.dictionary.to_pylist()
        ]
        codes.append(np.array(labels_of_classes, dtype=np.int8)[labels.indices.to_numpy()])
        for parts, column in zip(scores, chosen.scores, strict=True):
            values = batch.column(names[column])
            try:
                numbers = values.cast("float64", safe=False).to_numpy(zero_copy_only=False)
            except (ValueError, NotImplementedError):
                raise ScoreFileError(
                    f"{where}: column {shown(names[column])} holds {values.type}, not numbers."
                ) from None
            _check_finite(where, names[column], numbers, row)
            parts.append(numbers)
        row += len(batch)
    return Columns(classes, _joined(codes, np.int8), [_joined(p, np.float64) for p in scores])


def read_arff(
    source: Source, label: str, scores: Sequence[str] | None
) -> tuple[list[str], Chosen, Columns]:
    """Read the label and the scores of an ARFF file, as a whole.

    Raises
    ------
    ScoreFileError
        If the file or a row of it can't be used.
    """
    try:
        with source.open() as file:
            table = read_arff_text(file.read().decode("utf-8-sig"))
    except ValueError as error:  # of its form, or bytes that are not UTF-8
        raise ScoreFileError(f"{source.name} can't be read as ARFF: {reason(error)}.") from None
    names = table.names
    chosen = _choose(source.name, names, label, scores, table.numeric)
    classes = Classes(label)
    columns = []
    for i in chosen.scores:
        if not table.numeric[i]:
            raise ScoreFileError(f"{source.name}: column {shown(names[i])} is not numeric.")
        columns.append(np.array(_of_lines(source.name, table, i, number), dtype=np.float64))
    codes = _of_lines(source.name, table, chosen.label, classes.code)
    return names, chosen, Columns(classes, np.array(codes, dtype=np.int8), columns)


def _of_lines(where: str, table: Arff, column: int, read: Callable[[str], float]) -> list[float]:
    """A column's values as read by a function; what it refuses is named with its line."""
    found = []
    for line, text in zip(table.lines, table.column(column), strict=True):
        try:
            found.append(read(text or ""))
        except ScoreFileError as error:
            name = shown(table.names[column])
            raise ScoreFileError(f"{where}, line {line}, column {name}: {error}") from None
    return found


def _choose(
    where: str,
    names: Sequence[str],
    label: str,
    scores: Sequence[str] | None,
    numeric: Sequence[bool],
) -> Chosen:
    if scores is None:
        return choose_numeric(where, names, label, numeric)
    return choose_by_name(where, names, label, scores)


def _class_in_row(where: str, classes: Classes, value: Any) -> int:
    """Class of a label, which the file holds as text, number or truth value."""
    text = value.decode() if isinstance(value, bytes) else str(value)
    try:
        return classes.code(text)
    except ScoreFileError as error:
        raise ScoreFileError(f"{where}, column {classes.column}: {error}") from None


def _check_finite(where: str, column: str, numbers: Any, first_row: int) -> None:
    bad = ~np.isfinite(numbers)
    if bad.any():
        at = int(np.argmax(bad))
        what = "the score is missing" if np.isnan(numbers[at]) else "the score is infinite"
        raise ScoreFileError(
            f"{where}, row {first_row + at}, column {shown(column)}: {what}: "
            "mend or remove the row."
        )


def _joined(parts: list[Any], dtype: type) -> Any:
    return np.concatenate(parts) if parts else np.empty(0, dtype=dtype)
