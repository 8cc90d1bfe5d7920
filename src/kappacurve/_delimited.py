"""Delimited text (CSV, TSV): a fast reader for clean files, an exact one that names bad lines.

The exact reader defines what is read. The fast one gives up wherever it might see something else.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from kappacurve._columns import Chosen, Columns, choose_by_name, choose_numeric, position
from kappacurve._file_source import Source
from kappacurve._labels import MISSING, NUMBER, Classes
from kappacurve._score_error import ScoreFileError, quoted, shown

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
SMALL = 2**18  # bytes; below, importing pandas takes longer than the exact reader
SAMPLE = 1000  # records by which columns of numbers are told
ROWS_AT_ONCE = 2**18
BOM = b"\xef\xbb\xbf"
INFINITE = ("inf", "infinity")
_TRUTH = {"true": 1.0, "false": 0.0}


class Layout(NamedTuple):
    """How the text is written, the names in its header, and the columns that are needed."""

    encoding: str
    delimiter: str
    names: list[str]
    chosen: Chosen


class Record(NamedTuple):
    """The fields of one record, and its first and last line; the header is on line 1."""

    line: int
    last_line: int
    fields: list[str]


def read_delimited(
    source: Source,
    label: str,
    scores: Sequence[str] | None,
    delimiter: str | None,
    *,
    fast: bool | None = None,
) -> tuple[Layout, Columns]:
    """Read the label and the scores of a delimited text.

    Parameters
    ----------
    source : Source
    label : str
    scores : sequence of str, optional
        By default all columns of numbers but the label.
    delimiter : str, optional
        By default told from the header.
    fast : bool, optional
        Try the fast reader first; by default if the file is not small.

    Raises
    ------
    ScoreFileError
        If the text can't be read, naming the line.
    """
    try:
        return _read(source, "utf-8", label, scores, delimiter, fast)
    except UnicodeDecodeError:
        # Any bytes are Latin-1. Numbers are the same; names and labels may be spelt wrong.
        return _read(source, "latin-1", label, scores, delimiter, fast)


def _read(
    source: Source,
    encoding: str,
    label: str,
    scores: Sequence[str] | None,
    delimiter: str | None,
    fast: bool | None,
) -> tuple[Layout, Columns]:
    delimiter, names = _header(source, encoding, label, delimiter)
    if scores is None:
        sample = _sample(source, encoding, delimiter)
        numeric = _columns_of_numbers(sample, len(names))
        at = position(source.name, names, label)
        if not any(numeric[:at] + numeric[at + 1 :]):
            _explain_no_scores(
                sample, source, Layout(encoding, delimiter, names, Chosen(at, [], []))
            )
        chosen = choose_numeric(source.name, names, label, numeric)
    else:
        chosen = choose_by_name(source.name, names, label, scores)
    layout = Layout(encoding, delimiter, names, chosen)
    if fast or (fast is None and source.size > SMALL):
        columns = read_fast(source, layout)
        if columns is not None:
            return layout, columns
    return layout, read_exactly(source, layout)


def _header(
    source: Source, encoding: str, label: str, delimiter: str | None
) -> tuple[str, list[str]]:
    """Return the delimiter and the names of the columns."""
    found = []
    for candidate in [delimiter] if delimiter else DELIMITERS:
        with _records(source, encoding, candidate) as records:
            record = next(records, None)
        if record is None:
            raise ScoreFileError(f"{source.name} holds nothing but blank lines.")
        names = [name.strip() for name in record.fields]
        found.append((label in names, len(names), candidate, names))
    _, _, candidate, names = max(found, key=lambda each: each[:2])
    return candidate, names


def _sample(source: Source, encoding: str, delimiter: str) -> list[Record]:
    with _records(source, encoding, delimiter) as opened:
        return list(islice(opened, 1, SAMPLE + 1))


def _columns_of_numbers(sample: Sequence[Record], width: int) -> list[bool]:
    """Tell which columns are meant to hold numbers: those in which, blanks aside, half do.

    One bad cell must not take its column away: the reader is to name it.
    """
    numeric = []
    for i in range(width):
        values = [r.fields[i].strip() for r in sample if len(r.fields) == width]
        values = [value for value in values if value.lower() not in MISSING]
        meant = sum(map(_is_meant_as_number, values))
        numeric.append(meant > 0 and 2 * meant >= len(values))
    return numeric


def _is_meant_as_number(text: str) -> bool:
    if text.lower().lstrip("+-") in INFINITE:
        return True
    return NUMBER.fullmatch(text.replace(",", ".", 1)) is not None


def _explain_no_scores(sample: Sequence[Record], source: Source, layout: Layout) -> None:
    """Raise what keeps a text from having a column of numbers, if the first records show it."""
    if not sample:
        raise ScoreFileError(f"{source.name} holds a header but no rows.")
    label = layout.chosen.label
    for record in sample:
        if len(record.fields) != len(layout.names):
            raise ScoreFileError(_ragged(source.name, record, layout))
        for i, text in enumerate(record.fields):
            if i == label or text.strip().lower() in MISSING:
                continue
            try:
                number(text)
            except ScoreFileError as error:
                raise ScoreFileError(
                    f"{source.name} has no column of numbers but the label {layout.names[label]}: "
                    f"line {record.line}, column {shown(layout.names[i])}: {error}"
                ) from None


@contextmanager
def _records(source: Source, encoding: str, delimiter: str) -> Iterator[Iterator[Record]]:
    """Open the text as records that are not blank."""
    encoding = "utf-8-sig" if encoding == "utf-8" else encoding
    with source.open() as file, io.TextIOWrapper(file, encoding=encoding, newline="") as text:
        yield _split(text, source.name, delimiter)


def _split(text: Iterable[str], name: str, delimiter: str) -> Iterator[Record]:
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ScoreFileError(
                f"{name}, line {line}: {error}; is a quotation mark left open?"
            ) from None
        if any(field.strip(" \t") for field in fields) or len(fields) > 1:
            yield Record(line, reader.line_num, fields)


def read_exactly(source: Source, layout: Layout) -> Columns:
    """Read record by record, and name the first line that can't be used.

    Raises
    ------
    ScoreFileError
        If there is such a line.
    UnicodeDecodeError
        If the bytes are not in the layout's encoding.
    """
    label, chosen, width = layout.chosen.label, layout.chosen.scores, len(layout.names)
    classes = Classes(layout.names[label])
    codes, scores = array("b"), [array("d") for _ in chosen]
    with _records(source, layout.encoding, layout.delimiter) as records:
        for record in islice(records, 1, None):
            line, _, fields = record
            if len(fields) != width:
                raise ScoreFileError(_ragged(source.name, record, layout))
            column = label
            try:
                codes.append(classes.code(fields[label]))
                for values, column in zip(scores, chosen, strict=True):
                    values.append(number(fields[column]))
            except ScoreFileError as error:
                raise ScoreFileError(
                    f"{source.name}, line {line}, column {shown(layout.names[column])}: {error}"
                ) from None
    return Columns(classes, np.array(codes, dtype=np.int8), [np.array(values) for values in scores])


def number(text: str) -> float:
    """Read a finite number, or say what is wrong with it."""
    if text.isascii() and "_" not in text:  # which float() takes for digits and for nothing
        try:
            value = float(text)
        except ValueError:
            pass
        else:
            if isfinite(value):
                return value
    text = text.strip()
    if NUMBER.fullmatch(text):
        if isfinite(value := float(text)):
            return value
        raise ScoreFileError(f"{quoted(text)} is too large for a 64-bit number.")
    word = text.lower()
    if word in _TRUTH:
        return _TRUTH[word]
    if word in MISSING:
        written = f" ({quoted(text)})" if text else ""
        raise ScoreFileError(f"the score is missing{written}: fill it in or remove the row.")
    if word.lstrip("+-") in INFINITE:
        raise ScoreFileError(f"{quoted(text)} is not finite: write a number or remove the row.")
    if NUMBER.fullmatch(text.replace(",", ".", 1)):
        raise ScoreFileError(f"{quoted(text)} has a decimal comma: write a decimal point.")
    raise ScoreFileError(f"{quoted(text)} is not a number.")


def _ragged(name: str, record: Record, layout: Layout) -> str:
    delimiter = DELIMITERS.get(layout.delimiter, quoted(layout.delimiter))
    found = len(record.fields)
    lines, guess = (
        f"line {record.line}",
        "a delimiter (or decimal comma) not inside quotation marks",
    )
    if record.last_line > record.line:
        lines, guess = f"lines {record.line} to {record.last_line}", "a quotation mark left open"
    return (
        f"{name}, {lines}: {found} field{'s' * (found != 1)} delimited by {delimiter} where the "
        f"header has {len(layout.names)}: is a field missing, or {guess}?"
    )


def read_fast(source: Source, layout: Layout) -> Columns | None:
    """Read with pandas; None if anything at all is unusual."""
    import pandas as pd

    from kappacurve._line_scan import CheckedStream

    chosen = layout.chosen
    classes = Classes(layout.names[chosen.label])
    codes: list[Any] = []
    scores: list[list[Any]] = [[] for _ in chosen.scores]
    try:
        with source.open() as file:
            if file.read(len(BOM)) != BOM:
                file.seek(0)
            stream: Any = CheckedStream(file, layout.encoding, layout.delimiter, len(layout.names))
            with pd.read_csv(stream, **_options(layout)) as frames:
                for frame in frames:
                    code, labels = pd.factorize(frame[chosen.label])
                    numbers = [classes.code(text) for text in labels]
                    codes.append(np.array(numbers, dtype=np.int8)[code])
                    for parts, column in zip(scores, chosen.scores, strict=True):
                        parts.append(frame[column].to_numpy())
                        if not np.isfinite(parts[-1]).all():
                            return None
    except UnicodeDecodeError:
        raise
    except Exception:  # whatever it is, the exact reader finds and names it
        return None
    return Columns(classes, _joined(codes), [_joined(parts) for parts in scores])


def _options(layout: Layout) -> dict[str, Any]:
    """Options under which pandas reads what the exact reader reads."""
    import pandas as pd

    chosen = layout.chosen
    options: dict[str, Any] = {
        "sep": layout.delimiter,
        "header": 0,
        "names": list(range(len(layout.names))),
        "usecols": [chosen.label, *chosen.scores],
        "index_col": False,
        "dtype": {chosen.label: object} | dict.fromkeys(chosen.scores, np.float64),
        "na_filter": False,
        "skipinitialspace": True,
        "chunksize": ROWS_AT_ONCE,
    }
    if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):
        options["float_precision"] = "round_trip"  # since then the default is as exact
    return options


def _joined(parts: list[Any]) -> Any:
    """Join the parts of a column and let go of them."""
    whole = np.concatenate(parts) if parts else np.empty(0)
    parts.clear()
    return whole
