"""A file as bytes on disk, unpacked, ARFF as CSV; what Parquet and a long table hold."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import re
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from errno import ENOMEM
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._labels import (
    MOST_NAMED,
    ROWS_AT_ONCE,
    Classes,
    Columns,
    ScoreFileError,
    quoted,
    reason,
    shown,
)
from kappacurve._validation import FloatArray

MOST_UNPACKED = 2**33  # bytes
# What a file is shows in its first bytes; its name may say anything.
_OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
_REFUSED = {
    b"PK\x03\x04": "is a zip archive or an Excel workbook: unpack it, or save the sheet as CSV",
    b"\x28\xb5\x2f\xfd": "is compressed by zstd: unpack it, or compress it with gzip, bzip2 or xz",
    b"\xff\xfe": "is UTF-16 text: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
    b"\xfe\xff": "is UTF-16 text: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
}
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(
    rf"@attribute[ \t]+({_QUOTED}|[^ \t{{'\"]+)[ \t]*"
    r"((?P<number>numeric|real|integer)|\{.*\}|string|date\b.*)",
    re.IGNORECASE,
)
_ARFF_FIELD = re.compile(rf"(^|,)[ \t]*({_QUOTED})")


class File(NamedTuple):
    """A file that can be read more than once; `numeric` are the declared columns of an ARFF."""

    name: str
    path: Path
    kind: Literal["text", "parquet", "arff"]
    numeric: Sequence[bool] = ()


@contextmanager
def opened(path: str | Path) -> Iterator[File]:
    """Find the bytes on disk: what is piped or packed is copied, ARFF is rewritten as CSV."""
    name = "standard input" if str(path) == "-" else str(path)
    place = Path(path)
    with ExitStack() as copies:
        try:
            if str(path) == "-":
                place = _copied(sys.stdin.buffer, copies)
            elif not place.is_file():  # a named pipe can be read only once
                with place.open("rb") as pipe:
                    place = _copied(pipe, copies)
            with place.open("rb") as file:
                start = file.read(6)
            for magic, opener in _OPENERS.items():
                if start.startswith(magic):
                    with opener(place) as packed:
                        place = _copied(packed, copies, MOST_UNPACKED)
            yield _recognised(name, place, copies)
        except MemoryError:
            raise ScoreFileError(f"{name} does not fit into memory.") from None
        except OverflowError:
            raise ScoreFileError(
                f"{name} unpacks to more than {MOST_UNPACKED / 2**30:g} GiB: if that is what you "
                "expect, unpack it first."
            ) from None
        except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
            if getattr(error, "errno", None) == ENOMEM:
                raise ScoreFileError(f"{name} does not fit into memory.") from None
            raise ScoreFileError(f"{name} can't be read: {reason(error)}.") from None


def _copied(stream: IO[bytes], copies: ExitStack, most: float = float("inf")) -> Path:
    """Copy a stream to disk; an OverflowError if it has more bytes than `most`."""
    copy = copies.enter_context(tempfile.NamedTemporaryFile())  # noqa: SIM115
    while part := stream.read(2**20):
        copy.write(part)
        if copy.tell() > most:
            raise OverflowError
    copy.flush()
    return Path(copy.name)


def _recognised(name: str, path: Path, copies: ExitStack) -> File:
    """Tell the kind of a file by its first bytes, and refuse what is certainly something else."""
    with path.open("rb") as file:
        start = file.read(4096)
    if not start:
        raise ScoreFileError(f"{name} is empty.")
    for magic, what in _REFUSED.items():
        if start.startswith(magic):
            raise ScoreFileError(f"{name} {what}.")
    if start.startswith(b"PAR1"):
        return File(name, path, "parquet")
    if b"\0" in start:
        raise ScoreFileError(f"{name} is not text (it holds NUL bytes): save the table as CSV.")
    lines = (line.strip().lower() for line in start.removeprefix(b"\xef\xbb\xbf").splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    if not first.startswith(b"@relation") and not name.lower().endswith(".arff"):
        return File(name, path, "text")
    draft = copies.enter_context(
        tempfile.NamedTemporaryFile("w", encoding="latin-1", newline="")  # noqa: SIM115
    )
    numeric = _write_as_csv(name, path, draft)
    draft.flush()
    return File(name, Path(draft.name), "arff", numeric)


def _write_as_csv(name: str, arff: Path, draft: Any) -> list[bool]:
    """Rewrite an ARFF file as CSV, line by line, and tell which of its columns hold numbers.

    Bytes pass as Latin-1, whatever they are; the header takes the place of the line @data.
    """
    found: list[tuple[str, bool]] = []
    with arff.open(encoding="latin-1") as file:
        lines = enumerate((line.strip(" \t\n") for line in file), start=1)
        for number, line in lines:
            word = line.removeprefix("\xef\xbb\xbf").lower()
            if word.startswith("@data"):
                break
            if match := _ATTRIBUTE.fullmatch(line):
                found.append((_unquoted(match[1]), match["number"] is not None))
            elif word and not word.startswith(("%", "@relation")):
                raise ScoreFileError(
                    f"{name}, line {number} can't be read as ARFF: {quoted(line)} is not an "
                    "@attribute with a name and a known type."
                )
            draft.write("\n")
        else:
            raise ScoreFileError(f"{name} can't be read as ARFF: there is no line @data.")
        csv.writer(draft, lineterminator="\n").writerow(column for column, _ in found)
        for number, line in lines:
            if line.startswith("{"):
                raise ScoreFileError(f"{name}, line {number} is a sparse row: write all values.")
            line = line if "," in line else line.replace("\t", ",")
            draft.write("\n" if line.startswith("%") else _ARFF_FIELD.sub(_csv_field, line) + "\n")
    return [is_number for _, is_number in found]


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[0] in "'\"" else text


def _csv_field(match: re.Match[str]) -> str:
    return match[1] + '"' + _unquoted(match[2]).replace('"', '""') + '"'


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
        cells = self._file.metadata.num_rows * len(self.names)
        if 8 * cells > MOST_UNPACKED:  # equal values take next to nothing in the file
            raise ScoreFileError(
                f"{self.name} has {cells:,} cells, more than {MOST_UNPACKED / 2**30:g} GiB: take "
                "out columns or rows."
            )

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
        found = Columns(Classes(self.names[label]), [], [[] for _ in scores])
        wanted = [self.names[i] for i in (label, *scores)]
        self._refuse_lists([label])
        start = 1
        with self._faults_named():
            for batch in self._file.iter_batches(ROWS_AT_ONCE, columns=wanted):
                labels = self._text(wanted[0], batch.column(wanted[0]).to_pandas())
                values = [self._numbers(name, batch.column(name)) for name in wanted[1:]]
                bad = [(row, wanted[0]) for row in np.flatnonzero(labels.isna())]
                for name, numbers in zip(wanted[1:], values, strict=True):
                    bad += [(row, name) for row in np.flatnonzero(~np.isfinite(numbers))]
                if bad:
                    places = "; ".join(
                        f"row {start + row}, column {shown(name)}: the value is missing or infinite"
                        for row, name in sorted(bad)[:MOST_NAMED]
                    )
                    raise ScoreFileError(f"{self.name}, {places}. Correct or remove these rows.")
                found.add(labels, values)
                start += len(batch)
        return found

    def _numbers(self, name: str, column: Any) -> FloatArray:
        try:
            numbers: FloatArray = column.cast("float64", safe=False).to_numpy(zero_copy_only=False)
        except (ValueError, NotImplementedError):
            what = f"column {shown(name)} holds {column.type}, not numbers"
            raise ScoreFileError(f"{self.name}: {what}.") from None
        return numbers

    def table(self) -> pd.DataFrame:
        """Read all columns; an index that pandas wrote along is none."""
        self._refuse_lists(range(len(self.names)))
        with self._faults_named():
            table: pd.DataFrame = pd.read_parquet(self._path).reset_index(drop=True)
            for name, kind in zip(self.names, self._schema.types, strict=True):
                if "binary" in str(kind) and name in table:
                    table[name] = self._text(name, table[name])
        return table

    def _refuse_lists(self, columns: Iterable[int]) -> None:
        from pyarrow import types

        for i in columns:
            if types.is_nested(self._schema.types[i]):
                what = f"holds {self._schema.types[i]}, not single values"
                raise ScoreFileError(f"{self.name}: column {shown(self.names[i])} {what}.")

    def _text(self, name: str, values: pd.Series) -> pd.Series:
        """A column in which bytes are text."""
        try:
            decode = isinstance(values.dropna().head(1).squeeze(), bytes)
            return values.str.decode("utf-8") if decode else values
        except UnicodeDecodeError:
            what = f"column {shown(name)} holds bytes that are not UTF-8 text"
            raise ScoreFileError(f"{self.name}: {what}.") from None


def long_places(names: Sequence[str]) -> Mapping[str, int]:
    """Places of the columns row (or id, index), model and score, or nothing if one is missing."""
    lower = [name.lower() for name in names]
    row = next((name for name in ("row", "id", "index") if name in lower), None)
    wanted = {"row": row, "model": "model", "score": "score"}
    if row is None or not {"model", "score"} <= {*lower}:
        return {}
    return {key: lower.index(str(name)) for key, name in wanted.items()}


class LongTable:
    """The rows of a long table side by side, with the same methods as a text."""

    def __init__(self, table: Any, label: int, places: Mapping[str, int]) -> None:
        self.name, self.latin1 = table.name, table.latin1
        frame: pd.DataFrame = table.table()
        frame = frame.set_axis(range(frame.shape[1]), axis="columns")
        row, model, score = (places[key] for key in ("row", "model", "score"))
        if not pd.api.types.is_numeric_dtype(frame[score]):
            raise ScoreFileError(f"{self.name}, column score: not all values are numbers.")
        for one, of in frame.loc[frame.duplicated([row, model]), [row, model]].to_numpy()[:1]:
            self._refuse(one, of, "stands twice")
        wide = frame.set_index([row, model])[score].unstack()  # noqa: PD010
        for at, of in np.argwhere(wide.isna().to_numpy())[:1]:
            self._refuse(wide.index[at], wide.columns[of], "has no score")
        labels = frame.groupby(row)[label]
        for one in labels.nunique(dropna=False).loc[lambda count: count > 1].index:
            raise ScoreFileError(f"{self.name}: row {one} has more than one label.")
        order = frame[model].unique()
        self._scores = wide[order]
        self._labels = labels.first()
        self.names = [table.names[label], *(str(name) for name in order)]

    def _refuse(self, row: Any, model: Any, what: str) -> None:
        raise ScoreFileError(f"{self.name}: row {row} of model {quoted(str(model))} {what}.")

    def numeric(self, _label: int) -> list[bool]:
        """Tell that all but the label are scores."""
        return [False, *[True] * (len(self.names) - 1)]

    def columns(self, label: int, scores: Sequence[int]) -> Columns:
        """Return the labels and the scores."""
        found = Columns(Classes(self.names[label]), [], [[] for _ in scores])
        try:
            found.add(self._labels.astype(str), [self._scores.iloc[:, i - 1] for i in scores])
        except ScoreFileError as error:
            raise ScoreFileError(
                f"{self.name}, column {shown(self.names[label])}: {error}."
            ) from None
        return found
