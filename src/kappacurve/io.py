"""Labels and scores, or a whole table, from a file: CSV, TSV, Parquet or ARFF, packed or not."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._labels import (
    MISSING,
    MOST_NAMED,
    ROWS_AT_ONCE,
    Classes,
    Columns,
    ScoreFileError,
    did_you_mean,
    is_meant_as_number,
    joined,
    listed,
    quoted,
    read_number,
    reason,
    shown,
)
from kappacurve._sources import File, LongTable, Parquet, long_places, opened
from kappacurve._validation import BoolArray, FloatArray

__all__ = ["ScoreFileError", "ScoreTable", "read_scores", "read_table"]

Decimal = Literal[".", ","]
DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
SAMPLE = 1000  # records by which columns of numbers are told


class ScoreTable(NamedTuple):
    """Labels and scores of a file."""

    source: str  # how messages call the file
    label: str
    positive_label: str  # the two as first written in the file
    negative_label: str
    positive: BoolArray
    scores: Mapping[str, FloatArray]  # finite, by column
    left_out: tuple[str, ...]  # columns with no numbers or few, if no scores were named
    latin1: bool  # whether a text was not UTF-8 and was therefore read as Latin-1


def read_scores(
    path: str | Path,
    *,
    label: str,
    scores: Sequence[str] | None = None,
    positive: str | float | bool | None = None,
    delimiter: str | None = None,
    decimal: Decimal = ".",
    exclude: Sequence[str] = (),
) -> ScoreTable:
    """Read the labels and the scores of one or more models from a file.

    The first bytes tell what the file is: text with a header and one row per line, delimited by
    commas, tabs, semicolons or bars; Parquet, if pyarrow is installed; or ARFF. It may be packed
    by gzip, bzip2 or xz, up to 8 GiB unpacked. A file with the columns row, model and score is
    long, unless `scores` names one of its columns: it has a line for each row and model.

    Parameters
    ----------
    path : str or Path
        "-" for standard input.
    label : str
        Column of the true classes. They may be words, numbers or truth values; numbers are
        compared as numbers, exactly.
    scores : sequence of str, optional
        Columns of scores, higher for the positive class. By default all columns of numbers but
        the label: those in which at least half of the first values are numbers, so that a bad
        cell is named and does not take its column away.
    positive : str, number or bool, optional
        The positive class. May be left out for 0 and 1, -1 and 1, false and true.
    delimiter : str, optional
        One character; by default told from the header.
    decimal : {".", ","}, default "."
        Before the fraction of a number in a text.
    exclude : sequence of str, default ()
        Columns that are no scores, where no scores are named.

    Returns
    -------
    ScoreTable
        A named tuple: source, label, positive_label, negative_label; positive, an ndarray of bool
        of shape (n_samples,); scores, a dict of ndarray of that shape; left_out, latin1.

    Raises
    ------
    ScoreFileError
        A ValueError of one sentence that says where (the first five bad cells with line and
        column; the header is on line 1) and what to do: if the file can't be read, a column is
        missing or ambiguous, a row has too many or too few fields, a score is not a finite number,
        or there are not two classes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     _ = file.write_text("class,model\\ngood,0.1\\nbad,0.4\\n")
    ...     found = read_scores(file, label="class", positive="bad")
    >>> found.positive, found.scores
    (array([False,  True]), {'model': array([0.1, 0.4])})
    """
    if not isinstance(label, str):
        raise ScoreFileError(f"label must be the name of a column, got {label!r}.")
    if isinstance(scores, str) or not all(isinstance(one, str) for one in scores or ()):
        raise ScoreFileError(f"scores must be a list of names of columns, got {scores!r}.")
    if delimiter and not (isinstance(delimiter, str) and re.fullmatch('[^"\r\n ]', delimiter)):
        raise ScoreFileError(f"delimiter must be one character such as ';', got {delimiter!r}.")
    positive = None if positive is None else str(positive)
    with opened(path) as file:
        if file.kind == "parquet":
            return _chosen(Parquet(file), label, scores, positive, exclude)
        read: Any = (label, delimiter, decimal)
        try:
            return _chosen(_Text(file, "utf-8", *read), label, scores, positive, exclude)
        except UnicodeDecodeError:
            # Any bytes are Latin-1. Numbers are the same; names and labels may be misspelt.
            return _chosen(_Text(file, "latin-1", *read), label, scores, positive, exclude)


def read_table(path: str | Path, *, decimal: Decimal = ".", header: bool = True) -> pd.DataFrame:
    """Read all columns of a file of the kinds that `read_scores` reads; errors are the same.

    `decimal` stands before the fraction of a number in a CSV, whose types are pandas' guesses;
    those of Parquet and ARFF are declared. Each column needs a name of its own, a text UTF-8. A
    CSV without a `header` has the columns column_1, column_2 and so on.
    """
    with opened(path) as file:
        is_parquet = file.kind == "parquet"
        if not header and file.kind != "text":
            raise ScoreFileError(f"{file.name} names its columns itself: only a CSV has no header.")
        options: Any = {"decimal": decimal, "header": header}
        try:
            reader = Parquet(file) if is_parquet else _Text(file, "utf-8", **options)
            table = reader.table()
        except UnicodeDecodeError:
            raise ScoreFileError(f"{file.name} is not UTF-8 text: save it as UTF-8.") from None
    names = [str(name).strip() for name in table]
    for i, name in enumerate(names):
        if not name:
            raise ScoreFileError(f"{file.name}: column {i + 1} has no name: give it one.")
        _position(file.name, names, name)
    if table.empty:
        raise ScoreFileError(f"{file.name} has no rows.")
    return table.set_axis(names, axis="columns")


class _Text:
    """Delimited text, read by pandas; what pandas refuses is named record by record."""

    def __init__(
        self,
        file: File,
        encoding: str,
        label: str | None = None,
        delimiter: str | None = None,
        decimal: Decimal = ".",
        header: bool = True,
    ) -> None:
        self.name, self.latin1, self._decimal = file.name, encoding == "latin-1", decimal
        self._above = int(header)
        self._file, self._encoding = file, encoding
        found = []
        for one in [","] if file.kind == "arff" else [delimiter] if delimiter else DELIMITERS:
            self._delimiter = one
            _, _, fields = next(self._records(), (1, 1, []))
            names = [name.strip() for name in fields]
            found.append((label in names, len(names), one, names))
        _, _, self._delimiter, self.names = max(found, key=lambda each: each[:2])
        if not header:
            self.names = [f"column_{i + 1}" for i in range(len(self.names))]
        if not self.names:
            raise ScoreFileError(f"{self.name} holds nothing but blank lines.")
        if label is not None:
            _position(self.name, self.names, label)
        self._sample = [fields for _, _, fields in islice(self._records(), self._above, SAMPLE + 1)]
        if not self._sample:
            raise ScoreFileError(f"{self.name} has a header but no rows.")
        # pandas notices a row that is too long anywhere but right below the header.
        if any(len(fields) != len(self.names) for fields in self._sample):
            self._refuse({})

    def numeric(self, label: int) -> Sequence[bool]:
        """Tell which columns are meant to hold numbers: those in which, blanks aside, half do."""
        if self._file.numeric:
            return self._file.numeric
        found = []
        for column in zip(*self._sample, strict=True):
            values = [text.strip() for text in column if text.strip().lower() not in MISSING]
            meant = sum(map(is_meant_as_number, values))
            found.append(meant > 0 and 2 * meant >= len(values))
        others = [i for i in range(len(self.names)) if i != label]
        if not any(found[i] for i in others):
            what = f" has no column of numbers but the label {shown(self.names[label])}:"
            self._refuse(dict.fromkeys(others, self._number), what)
        return found

    def columns(self, label: int, scores: Sequence[int]) -> Columns:
        """Read the labels and the scores."""
        # One byte of each cell that is not needed is the cheapest to hold.
        kinds: dict[int, Any] = dict.fromkeys(range(len(self.names)), "S1") | {label: "category"}
        others = {i: kind for i, kind in kinds.items() if i not in scores}
        numbers: Mapping[int, Callable[[str], float]] = dict.fromkeys(scores, self._number)
        fault = ValueError()
        for options in (
            {"dtype": kinds | dict.fromkeys(scores, np.float64)},
            # Where that fails although each cell is good, as truth values are: one by one.
            {"dtype": others, "converters": numbers},
        ):
            try:
                return self._columns(label, scores, options)
            except UnicodeDecodeError:
                raise
            except ValueError as error:
                if "out of memory" in str(error):
                    raise MemoryError from None
                fault = error
                self._refuse({label: Classes(self.names[label]).code, **numbers})
        raise ScoreFileError(
            f"{self.name} can't be read: {reason(fault)}; is a quotation mark left open?"
        )

    def _columns(self, label: int, scores: Sequence[int], options: dict[str, Any]) -> Columns:
        found = Columns(Classes(self.names[label]), [], [[] for _ in scores])
        last, may_be_short = len(self.names) - 1, False
        with self._read(na_filter=False, chunksize=ROWS_AT_ONCE, **options) as frames:
            for frame in frames:
                found.add(frame[label], [frame[i] for i in scores])
                # pandas pads a row that is too short, so that an empty last field may be none.
                if last not in (label, *scores):
                    may_be_short |= bool((frame[last].to_numpy() == b"").any())
        if may_be_short:
            self._refuse({})
        return found

    def _number(self, text: str) -> float:
        if self._decimal == ",":
            if "." in text:
                raise ScoreFileError(f"{quoted(text)} has a point, and the decimal is a comma")
            text = text.replace(",", ".")
        return read_number(text)

    def table(self) -> pd.DataFrame:
        """Read all columns; values may be missing."""
        options: dict[str, Any] = {"low_memory": False}
        declared = dict(enumerate(self._file.numeric))
        self._refuse({i: _number_or_missing for i, is_number in declared.items() if is_number})
        if declared:
            options["dtype"] = {i: np.float64 if one else str for i, one in declared.items()}
            missing = {True: ["?", "nan", "NaN"], False: ["?"]}
            options["na_values"] = {i: missing[one] for i, one in declared.items()}
            options["keep_default_na"] = False
        try:
            table: pd.DataFrame = self._read(**options)
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            raise ScoreFileError(f"{self.name} can't be read: {reason(error)}.") from None
        return table.set_axis(self.names, axis="columns")

    def _read(self, **options: Any) -> Any:
        """Read by pandas; all columns, for with `usecols` it shifts rows that are too long."""
        if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):
            options["float_precision"] = "round_trip"  # since then the default is as exact
        return pd.read_csv(
            self._file.path,
            sep=self._delimiter,
            decimal=self._decimal,
            encoding=self._encoding,
            header=0 if self._above else None,
            names=range(len(self.names)),
            index_col=False,
            skipinitialspace=True,
            **options,
        )

    def _records(self) -> Iterator[tuple[int, int, list[str]]]:
        """First line, last line and fields of each record that is not blank; first the header."""
        encoding = "utf-8-sig" if self._encoding == "utf-8" else self._encoding
        with self._file.path.open(encoding=encoding, newline="") as text:
            # A line without an end must not fill the memory: csv refuses such a field.
            lines = iter(lambda: text.readline(2**20), "")
            reader = csv.reader(lines, delimiter=self._delimiter, skipinitialspace=True)
            line = 1
            try:
                for fields in reader:
                    if len(fields) > 1 or any(field.strip(" \t") for field in fields):
                        yield line, reader.line_num, fields
                    line = reader.line_num + 1
            except csv.Error as error:
                raise ScoreFileError(
                    f"{self.name}, line {line}: {error}; is a quotation mark left open?"
                ) from None

    def _refuse(self, checks: Mapping[int, Callable[[str], Any]], what: str = ",") -> None:
        """Name the first records and cells that can't be used, if there are any."""
        found: list[str] = []
        advice = "Correct or remove what is named."
        for line, last_line, fields in islice(self._records(), self._above, None):
            where = f"line {line}" if line == last_line else f"lines {line} to {last_line}"
            if len(fields) == len(self.names):
                for i, check in checks.items():
                    try:
                        check(fields[i])
                    except ScoreFileError as error:
                        found.append(f"{where}, column {shown(self.names[i])}: {error}")
            else:
                advice = "Is a delimiter missing or too many, or a quotation mark left open?"
                found.append(
                    f"{where}: {len(fields)} field{'s' * (len(fields) != 1)} delimited by "
                    f"{DELIMITERS.get(self._delimiter, quoted(self._delimiter))} where the "
                    f"{'header' if self._above else 'first row'} has {len(self.names)}"
                )
            if len(found) >= MOST_NAMED:
                break
        if found:
            raise ScoreFileError(f"{self.name}{what} {'; '.join(found[:MOST_NAMED])}. {advice}")


def _number_or_missing(text: str) -> None:
    if text.strip().lower() not in MISSING:
        read_number(text)


def _chosen(
    table: _Text | Parquet | LongTable,
    label: str,
    scores: Sequence[str] | None,
    positive: str | None,
    exclude: Sequence[str],
) -> ScoreTable:
    """Read the label and the scores that are wanted, by default all columns of numbers."""
    names = table.names
    at = _position(table.name, names, label)
    wide = isinstance(table, LongTable) or bool({*(scores or ())} & {*names})
    if not wide and (places := long_places(names)):
        for place in (at, *places.values()):
            _position(table.name, names, names[place])
        return _chosen(LongTable(table, at, places), label, scores, positive, exclude)
    for name in exclude:
        _position(table.name, names, name)
    others = [i for i in range(len(names)) if i != at and names[i] not in exclude]
    if scores is None:
        numeric = table.numeric(at)
        scores = [names[i] for i in others if numeric[i] and names[i]]
        left_out = tuple(
            names[i] or f"column {i + 1} (no name)" for i in others if names[i] not in scores
        )
        if not scores:
            raise ScoreFileError(f"{table.name} has no column of numbers but the label {label}.")
    elif label in scores:
        raise ScoreFileError(f"column {label} is the label and can't be a score as well.")
    else:
        left_out = ()
    chosen = {score: _position(table.name, names, score) for score in scores}
    found = table.columns(at, list(chosen.values()))
    try:
        one = found.classes.positive(positive)
    except ScoreFileError as error:
        raise ScoreFileError(f"{table.name}: {error}") from None
    is_positive = joined(found.codes) == one
    values = map(joined, found.scores)
    called = found.classes.names
    named = table.name, label, called[one], called[1 - one]
    columns = dict(zip(chosen, values, strict=True))
    return ScoreTable(*named, is_positive, columns, left_out, table.latin1)


def _position(where: str, names: Sequence[str], name: str) -> int:
    """Position of the one column of this name."""
    places = [i for i, each in enumerate(names) if each == name]
    if len(places) == 1:
        return places[0]
    if places:
        fields = " and ".join(str(i + 1) for i in places)
        raise ScoreFileError(
            f"{where}: column {shown(name)} stands more than once in the header (fields {fields}): "
            "rename one."
        )
    hint = f"{did_you_mean(name, names)} Its columns: {listed(names)}."
    if len(names) == 1:
        hint = f" Its only column is {quoted(names[0])}: does it need --delimiter?"
    raise ScoreFileError(f"{where} has no column {name}.{hint}")
