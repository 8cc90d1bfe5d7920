"""A file of any kind as a table: its kind is told by its first bytes, and pandas reads it."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from decimal import Decimal as ExactNumber, InvalidOperation
from errno import ENOMEM
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._validation import did_you_mean, listed, not_held, quoted, reason, shown

Decimal = Literal[".", ","]
DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
MOST_UNPACKED = 2**33  # bytes, also of a pipe or device
MOST_CELLS = 2**28  # where equal values, or short rows below a wide header, take next to nothing
MOST_OF_WORKBOOK = 2**24  # cells, each of which takes far more memory
MOST_ROWS_OF_WORKBOOK = 2**20  # as Excel has it
LONGEST_HEADER = 2**22  # bytes
SAMPLED = 1000  # rows by which columns of numbers are told
SEARCHED = 2**16  # rows of a text in which lost digits are looked for at once
EXACT = 2**53  # up to which a 64-bit float holds every integer
INTEGER = re.compile(r"([+-]?\d{1,4000})(\.0*)?", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
# What a file is shows in its first bytes; its name may say anything.
_PACKED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
_REFUSED = {
    rb"\Z": "is empty",
    rb"\x28\xb5\x2f\xfd": "is compressed by zstd: unpack it, or compress it with gzip, bzip2 or xz",
    rb"\xff\xfe|\xfe\xff": "is UTF-16 text: convert it (iconv -f UTF-16 -t UTF-8)",
    rb"(\s|%[^\n]*\n)*@relation": "is ARFF: convert it to CSV, for example by "
    "pandas.DataFrame(scipy.io.arff.loadarff(file)[0]).to_csv(...)",
    rb"(?!PK\x03\x04|PAR1|\x1f\x8b|BZh|\xfd7zXZ)[^\0]*\0": "is not text (it holds NUL bytes): save "
    "the table as CSV",
}
PIPED = "gives more than {}: save it to a file first"
PACKED = "unpacks to more than {}: if that is what you expect, unpack it first"


class ScoreFileError(ValueError):
    """A file can't be used as it is; the message says where and what to do."""


class Source(NamedTuple):
    """The columns of an open file."""

    names: list[str]
    sample: Callable[[list[str]], pd.DataFrame]  # of some columns, at least the first rows
    scores: Callable[[list[str], list[str]], pd.DataFrame]  # columns of scores and others
    table: Callable[[], pd.DataFrame]  # all columns, of types that pandas guesses


@contextmanager
def opened(path: str | Path, **options: Any) -> Iterator[tuple[str, int, Source]]:
    """What messages call a file, its size in bytes and its columns; the options are of a text."""
    piped = str(path) == "-"
    name = "standard input" if piped else str(path)
    with ExitStack() as stack, _faults_named(name):

        def copied(stream: IO[bytes], too_large: str) -> IO[bytes]:
            # A copy has no name in the file system: it is gone however the process ends.
            copy = stack.enter_context(tempfile.TemporaryFile())
            while part := stream.read(2**20):
                if not copy.tell():
                    _refuse_unreadable(name, part)  # a device may go on for ever
                copy.write(part)
                if copy.tell() > MOST_UNPACKED:
                    raise _too_large(name, too_large)
            copy.seek(0)
            return copy

        if piped and sys.stdin is None:
            raise ScoreFileError("standard input is closed.")
        stream = sys.stdin.buffer if piped else stack.enter_context(Path(path).open("rb"))
        # A pipe is read only once.
        file = stream if stream.seekable() and Path(path).is_file() else copied(stream, PIPED)
        for magic, opener in _PACKED.items():
            if file.read(len(magic)) == magic:
                file.seek(0)
                file = copied(opener(file), PACKED)
            file.seek(0)
        start = file.read(4096)
        _refuse_unreadable(name, start)
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        read = _READERS.get(start[:4], _text)
        if read is not _text and not options.get("header", True):
            raise ScoreFileError(f"{name} names its columns itself: only a text has no header.")
        yield name, size, read(name, file, **options)


def _refuse_unreadable(name: str, start: bytes) -> None:
    for pattern, what in _REFUSED.items():
        if re.match(pattern, start[:4096].removeprefix(b"\xef\xbb\xbf"), re.IGNORECASE):
            raise ScoreFileError(f"{name} {what}.")


def _too_large(name: str, what: str) -> ScoreFileError:
    return ScoreFileError(f"{name} {what.format(f'{MOST_UNPACKED / 2**30:g} GiB')}.")


@contextmanager
def _faults_named(name: str) -> Iterator[None]:
    """One sentence for whatever the packages that read a broken file raise."""
    try:
        yield
    except ScoreFileError:
        raise
    except UnicodeDecodeError:
        fault = "is not UTF-8 text: convert it (for example iconv -f LATIN1 -t UTF-8)"
        raise ScoreFileError(f"{name} {fault}.") from None
    except Exception as error:
        fault = f"can't be read: {reason(error)}"
        if isinstance(error, ImportError):
            fault += "; install it, or save the table as CSV"
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == ENOMEM:
            fault = "does not fit into memory"
        raise ScoreFileError(f"{name} {fault}.") from error


def _text(
    name: str,
    file: IO[bytes],
    label: str | None = None,
    delimiter: str | None = None,
    decimal: Decimal = ".",
    header: bool = True,
) -> Source:
    """Delimited text."""

    start = file.read(LONGEST_HEADER)
    if len(start) == LONGEST_HEADER and not re.search(rb"[\r\n]", start):
        limit = f"{LONGEST_HEADER / 2**20:g} MiB"
        raise ScoreFileError(f"{name} has no line end in its first {limit}: it is no table.")

    first_line = re.split(rb"[\r\n]", re.sub(rb'"[^"]*"', b"", start).lstrip(), maxsplit=1)[0]

    def read(sep: str, file: IO[bytes] = file, **options: Any) -> pd.DataFrame:
        file.seek(0)
        options |= {"sep": sep, "decimal": decimal, "encoding": "utf-8", "skipinitialspace": True}
        if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):
            options["float_precision"] = "round_trip"  # since then the default is as exact
        try:
            with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
                frame: pd.DataFrame = pd.read_csv(file, index_col=False, **options)
                return frame
        except pd.errors.EmptyDataError:
            return pd.DataFrame()
        except (pd.errors.ParserError, pd.errors.ParserWarning, csv.Error) as error:
            if "out of memory" in str(error):
                raise MemoryError from None
            fault = reason(error).removeprefix("Error tokenizing data. C error: ")
            if isinstance(error, pd.errors.ParserWarning):
                fault = "the first row has more fields than the header"
            raise ScoreFileError(
                f"{name} can't be read as fields delimited by {DELIMITERS.get(sep, quoted(sep))}: "
                f"{fault}. Is a delimiter missing or too many, or a quotation mark left open?"
            ) from None

    def header_by(sep: str) -> list[str]:
        # pandas takes minutes to see that a line has millions of fields.
        refuse_cells(1 + first_line.count(sep.encode()), SAMPLED)
        first = read(sep, io.BytesIO(start), header=None, nrows=1, dtype=str, na_filter=False)
        return [str(field).strip() for field in first.to_numpy().ravel()]

    def refuse_cells(columns: int, lines: int) -> None:
        if columns * lines > MOST_CELLS:
            limit = f"{columns:,} columns and {lines:,} lines, more than {MOST_CELLS:,} cells"
            raise ScoreFileError(f"{name} has {limit}: take out columns or rows.")

    seps = [delimiter] if delimiter else list(DELIMITERS)
    headers = {sep: header_by(sep) for sep in seps}
    sep = max(seps, key=lambda candidate: (label in headers[candidate], len(headers[candidate])))
    names = headers[sep]
    n = len(names)
    if not names:
        raise ScoreFileError(f"{name} holds nothing but blank lines.")
    if not header:
        names = [f"column_{i + 1}" for i in range(n)]
    body = partial(read, sep, header=0 if header else None, names=range(n))

    def sample(columns: list[str]) -> pd.DataFrame:
        first = body(nrows=SAMPLED, dtype=str, na_filter=False)
        return first[[names.index(column) for column in columns]].set_axis(columns, axis="columns")

    def scores(chosen: list[str], others: list[str]) -> pd.DataFrame:
        at = {column: names.index(column) for column in (*chosen, *others)}
        # One byte of each cell that is not needed is the cheapest to hold. `usecols` would leave
        # them out, but then pandas shifts rows that are too long.
        kinds: dict[int, Any] = dict.fromkeys(range(n), "S1")
        kinds |= {at[column]: "category" for column in others}
        places = [at[column] for column in chosen]
        try:
            frame = body(dtype=kinds | dict.fromkeys(places, np.float64), na_filter=False)
            exact = bool((frame[places].abs() < EXACT).to_numpy().all())
            exact = exact and not digits_are_lost(frame, places, kinds)
        except ValueError:  # a cell that is no number; or an unreadable row, which is met again
            exact = False
        if not exact:  # to name bad cells, to take truth values, to see digits that are lost
            frame = body(dtype=kinds | dict.fromkeys(places, str), na_filter=False)
        # pandas makes floats of all values of a category if one of them is written as a float.
        large = []
        for place in (at[column] for column in others if column not in chosen):
            values = frame[place].cat.categories
            if values.dtype == np.float64 and (np.abs(values) >= EXACT).any():
                large.append(place)
        if large:
            frame[large] = body(dtype=kinds | dict.fromkeys(large, str), na_filter=False)[large]
        if frame[n - 1].dtype != np.float64 and frame[n - 1].isin(["", b""]).any():
            refuse_short_rows()
        return frame[list(at.values())].set_axis(list(at), axis="columns")

    def digits_are_lost(frame: pd.DataFrame, places: list[int], kinds: dict[int, Any]) -> bool:
        """Whether numbers that are written differently became one, or a small one 0."""
        open_to_doubt = {at: may_lose_digits(frame[at]) for at in places}
        places = [at for at, doubtful in open_to_doubt.items() if doubtful.any()]
        if not places or numbers_are_short():
            return False
        first: dict[int, Any] = {at: {} for at in places}
        kinds = kinds | dict.fromkeys(places, str)
        parts: Any = body(dtype=kinds, na_filter=False, chunksize=SEARCHED)
        for part in parts:
            for at in places:
                text = part[at][open_to_doubt[at].loc[part.index]].str.strip()
                if texts_not_held(text.str.replace(decimal, "."), first[at]):
                    return True
        return False

    def numbers_are_short() -> bool:
        """Whether no number has more than 15 digits, or a negative exponent: quickly seen."""
        file.seek(0)
        while part := file.read(2**22) + file.readline():
            codes = np.frombuffer(part, np.uint8)
            others = np.flatnonzero((codes - 48 > 9) & (codes != ord(decimal)))
            # Sixteen digits without a point are an integer, which is held.
            if np.diff(others, prepend=-1, append=len(part)).max() > 17 or b"e-" in part.lower():
                return False
        return True

    def table() -> pd.DataFrame:
        frame = body(low_memory=False)
        if frame[n - 1].isna().any():
            refuse_short_rows()
        return frame

    def refuse_short_rows() -> None:
        """Name the first row with too few fields, which pandas fills up."""
        file.seek(0)
        text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
        reader = csv.reader(text, delimiter=sep, skipinitialspace=True)
        try:
            for fields in reader:
                if len(fields) < n and (len(fields) > 1 or "".join(fields).strip()):
                    raise ScoreFileError(
                        f"{name}, line {reader.line_num}: {len(fields)} fields where the first "
                        f"line has {n}. Is a delimiter missing, or a quotation mark left open?"
                    )
        finally:
            text.detach()

    if (lines := _lines(file)) * n > file.tell():  # a row takes a byte for each field
        refuse_short_rows()
    refuse_cells(n, lines)
    return Source(names, sample, scores, table)


def _lines(file: IO[bytes]) -> int:
    """Line ends of a text, whether they are those of Windows, Unix or an old Mac."""
    file.seek(0)
    unix = old_mac = 0
    while part := file.read(2**20):
        unix += part.count(b"\n")
        old_mac += part.count(b"\r")
    return max(unix, old_mac)


def _excel(name: str, file: IO[bytes], **_: Any) -> Source:
    """The first sheet of a workbook."""
    archive = zipfile.ZipFile(file)
    if "xl/workbook.xml" not in archive.namelist():
        raise ScoreFileError(f"{name} is a zip archive: unpack it.")
    if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
        raise _too_large(name, PACKED)
    _refuse_distant_cells(name, file)
    sheet = pd.read_excel(file, header=None, na_values=["?"])
    header = sheet.head(1).to_numpy().ravel()
    names = ["" if pd.isna(field) else str(field).strip() for field in header]
    body = sheet.iloc[1:].reset_index(drop=True).infer_objects().set_axis(names, axis="columns")
    return Source(
        names,
        lambda columns: body[columns].head(SAMPLED),
        lambda *columns: body[distinct(*columns)],
        lambda: body,
    )


def _refuse_distant_cells(name: str, file: IO[bytes]) -> None:
    """Refuse a sheet that one cell far away makes too large, before pandas fills the space up."""
    from openpyxl import load_workbook

    sheet: Any = load_workbook(file, read_only=True).worksheets[0]
    sheet.reset_dimensions()  # what the file says of them may be wrong
    width = 0
    for n, row in enumerate(sheet.iter_rows(values_only=True), 1):
        width = max(width, len(row))
        if n > MOST_ROWS_OF_WORKBOOK or n * width > MOST_OF_WORKBOOK:
            limit = f"{n:,} and column {width:,}, more than {MOST_OF_WORKBOOK:,} cells"
            raise ScoreFileError(
                f"{name} reaches row {limit}: delete what lies outside the table, or save it as "
                "CSV."
            )
    file.seek(0)


def _parquet(name: str, file: IO[bytes], **_: Any) -> Source:
    from pyarrow import parquet, types

    stored = parquet.ParquetFile(file, page_checksum_verification=True)
    # An index without a name that pandas wrote along is no column.
    fields = [field for field in stored.schema_arrow if not field.name.startswith("__index_level_")]
    by_name = {field.name.strip(): field for field in reversed(fields)}

    def read(columns: list[str]) -> pd.DataFrame:
        if (cells := stored.metadata.num_rows * len(columns)) > MOST_CELLS:
            limit = f"{cells:,} cells, more than {MOST_CELLS:,}"
            raise ScoreFileError(f"{name} has {limit}: take out columns or rows.")
        wanted = [by_name[column].name for column in columns]
        frame: pd.DataFrame = stored.read(wanted).select(wanted).to_pandas(ignore_metadata=True)
        return frame.set_axis(columns, axis="columns")

    def values(*chosen: list[str]) -> pd.DataFrame:
        kinds = {column: by_name[column].type for column in distinct(*chosen)}
        for column, kind in kinds.items():
            if types.is_nested(kind):
                fault = f"column {shown(column)} holds {kind}, not single values"
                raise ScoreFileError(f"{name}: {fault}.")
        frame = read(list(kinds))
        for column, kind in kinds.items():
            if "binary" in str(kind):
                frame[column] = frame[column].str.decode("utf-8")
        return frame

    names = [field.name.strip() for field in fields]
    return Source(names, lambda some: read(some).head(SAMPLED), values, partial(values, names))


_READERS: dict[bytes, Callable[..., Source]] = {b"PAR1": _parquet, b"PK\x03\x04": _excel}


def exact_number(text: str) -> Any:
    """The number that a text is, with all its digits; None if it is none, or beyond all limits."""
    if integer := INTEGER.fullmatch(text):
        return int(integer[1])
    try:
        return ExactNumber(text) if NUMBER.fullmatch(text) else None
    except InvalidOperation:
        return None


def may_lose_digits(numbers: pd.Series[Any]) -> pd.Series[Any]:
    """Which numbers can stand for others than those written: repeated ones, 0 and large ones."""
    return numbers.duplicated(keep=False) | (numbers == 0) | (numbers.abs() >= EXACT)


def texts_not_held(text: pd.Series[Any], first: dict[float, Any]) -> list[str]:
    """Texts of numbers that 64-bit floats don't hold; `first` as in `not_held`."""
    texts = list(text.unique())
    # NaN, which equals nothing, where a number is beyond the limits of exact ones.
    exact = [np.nan if number is None else number for number in map(exact_number, texts)]
    return [texts[i] for i in not_held(map(float, texts), exact, first)]


def distinct(*columns: list[str]) -> list[str]:
    return list(dict.fromkeys(name for part in columns for name in part))


def position(where: str, names: Sequence[str], name: str) -> int:
    """Position of the one column of this name."""
    positions = [i for i, column in enumerate(names) if column == name]
    if len(positions) == 1:
        return positions[0]
    if positions:
        fields = " and ".join(str(i + 1) for i in positions)
        raise ScoreFileError(
            f"{where}: column {shown(name)} stands more than once in the header (fields {fields}): "
            "rename one."
        )
    hint = f"{did_you_mean(name, names)} Its columns: {listed(names)}."
    if len(names) == 1:
        hint = f" Its only column is {quoted(names[0])}: does it need --delimiter?"
    raise ScoreFileError(f"{where} has no column {name}.{hint}")
