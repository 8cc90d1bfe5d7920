"""The columns of a file: unpacked, its kind told by its first bytes, read by pandas."""

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
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from errno import ENOMEM
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._messages import did_you_mean, listed, quoted, reason, shown

Decimal = Literal[".", ","]
DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
MOST_UNPACKED = 2**33  # bytes
MOST_CELLS = 2**28  # of a Parquet file, where equal values take next to nothing
SAMPLED = 1000  # rows by which columns of numbers are told
EXACT = 2**53  # up to which a 64-bit float holds every integer
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MISSING = ("", "?", "na", "n/a", "nan", "null", "#n/a", "<na>")
# What a file is shows in its first bytes; its name may say anything.
_PACKED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
_REFUSED = {
    b"\x28\xb5\x2f\xfd": "is compressed by zstd: unpack it, or compress it with gzip, bzip2 or xz",
    b"\xff\xfe": "is UTF-16 text: convert it (iconv -f UTF-16 -t UTF-8)",
    b"\xfe\xff": "is UTF-16 text: convert it (iconv -f UTF-16 -t UTF-8)",
}
_ARFF = (
    "is ARFF: convert it to CSV, for example by pandas.DataFrame(scipy.io.arff.loadarff(file)[0])"
    ".to_csv(...)"
)


class ScoreFileError(ValueError):
    """A file can't be used as it is; the message says where and what to do."""


@contextmanager
def opened(path: str | Path) -> Iterator[tuple[str, IO[bytes], str]]:
    """What messages call the file, its bytes, unpacked, and its kind."""
    name = "standard input" if str(path) == "-" else str(path)
    if str(path) == "-" and sys.stdin is None:
        raise ScoreFileError("standard input is closed.")
    # Copies have no name in the file system: they are gone however the process ends.
    with tempfile.TemporaryFile() as copy, tempfile.TemporaryFile() as unpacked:
        try:
            given = sys.stdin.buffer if str(path) == "-" else Path(path).open("rb")  # noqa: SIM115
            with given as file:
                if not (file.seekable() and Path(path).is_file()):  # a pipe is read only once
                    _copy(file, copy)
                    file = copy
                start = file.read(6)
                file.seek(0)
                for magic, opener in _PACKED.items():
                    if start.startswith(magic):
                        with opener(file) as packed:
                            _copy(packed, unpacked, MOST_UNPACKED)
                        file = unpacked
                kind = _kind(name, file)
                file.seek(0)
                yield name, file, kind
        except MemoryError:
            raise ScoreFileError(f"{name} does not fit into memory.") from None
        except OverflowError:
            raise ScoreFileError(
                f"{name} unpacks to more than {MOST_UNPACKED / 2**30:g} GiB: if that is what you "
                "expect, unpack it first."
            ) from None
        except UnicodeDecodeError:
            raise ScoreFileError(
                f"{name} is not UTF-8 text: convert it (for example iconv -f LATIN1 -t UTF-8)."
            ) from None
        except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
            if getattr(error, "errno", None) == ENOMEM:
                raise ScoreFileError(f"{name} does not fit into memory.") from None
            raise ScoreFileError(f"{name} can't be read: {reason(error)}.") from None


def _copy(stream: IO[bytes], copy: IO[bytes], most: float = float("inf")) -> None:
    """Copy a stream and go back to its start; an OverflowError if it has more bytes than `most`."""
    while part := stream.read(2**20):
        copy.write(part)
        if copy.tell() > most:
            raise OverflowError
    copy.seek(0)


def _kind(name: str, file: IO[bytes]) -> str:
    """Tell the kind of a file by its first bytes, and refuse what is certainly something else."""
    start = file.read(4096)
    if not start:
        raise ScoreFileError(f"{name} is empty.")
    for magic, what in _REFUSED.items():
        if start.startswith(magic):
            raise ScoreFileError(f"{name} {what}.")
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK\x03\x04"):
        try:
            if "xl/workbook.xml" in zipfile.ZipFile(file).namelist():
                return "excel"
        except zipfile.BadZipFile as error:
            raise ScoreFileError(f"{name} can't be read: {reason(error)}.") from None
        raise ScoreFileError(f"{name} is a zip archive: unpack it.")
    if b"\0" in start:
        raise ScoreFileError(f"{name} is not text (it holds NUL bytes): save the table as CSV.")
    lines = (line.strip().lower() for line in start.removeprefix(b"\xef\xbb\xbf").splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    if first.startswith(b"@relation") or name.lower().endswith(".arff"):
        raise ScoreFileError(f"{name} {_ARFF}.")
    return "text"


class _Source(NamedTuple):
    """The columns of an open file."""

    names: list[str]
    is_numeric: Callable[[str], bool]  # whether a column is meant to hold numbers
    scores: Callable[[list[str], list[str]], pd.DataFrame]  # columns of scores and others
    table: Callable[[], pd.DataFrame]  # all columns, of types that pandas guesses
    look_closer: Callable[[], None] = lambda: None  # at a file with a gap


def _text(
    name: str,
    file: IO[bytes],
    label: str | None = None,
    delimiter: str | None = None,
    decimal: Decimal = ".",
    header: bool = True,
) -> _Source:
    """Delimited text, read by pandas."""

    def read(sep: str, **options: Any) -> pd.DataFrame:
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
            said = reason(error).removeprefix("Error tokenizing data. C error: ")
            if isinstance(error, pd.errors.ParserWarning):
                said = "the first row has more fields than the header"
            raise ScoreFileError(
                f"{name} can't be read as fields delimited by {DELIMITERS.get(sep, quoted(sep))}: "
                f"{said}. Is a delimiter missing or too many, or a quotation mark left open?"
            ) from None

    seen: list[tuple[bool, int, str, list[str]]] = []
    for sep in [delimiter] if delimiter else DELIMITERS:
        line = read(sep, header=None, nrows=1, dtype=str, na_filter=False)
        names = [str(field).strip() for field in line.to_numpy().ravel()]
        seen.append((label in names, len(names), sep, names))
    _, n, sep, names = max(seen, key=lambda each: each[:2])
    if not names:
        raise ScoreFileError(f"{name} holds nothing but blank lines.")
    names = names if header else [f"column_{i + 1}" for i in range(n)]
    body = partial(read, sep, header=0 if header else None, names=range(n))

    @cache
    def sample() -> pd.DataFrame:
        first = body(nrows=SAMPLED, dtype=str, na_filter=False)
        if first.empty:
            raise ScoreFileError(f"{name} has no rows.")
        return first

    def is_numeric(column: str) -> bool:
        text = sample()[names.index(column)].str.strip()
        text = text[~text.str.lower().isin(MISSING)]
        infinite = text.str.lower().str.lstrip("+-").isin(["inf", "infinity"])
        meant = int((are_numbers(text.str.replace(",", ".", n=1)) | infinite).sum())
        return 2 * meant >= len(text) > 0

    def scores(chosen: list[str], others: list[str]) -> pd.DataFrame:
        at = {each: names.index(each) for each in (*chosen, *others)}
        # One byte of each cell that is not needed is the cheapest to hold. `usecols` would leave
        # them out, but then pandas shifts rows that are too long.
        kinds: dict[int, Any] = {i: "S1" for i in range(n) if i not in at.values()}
        kinds |= {at[each]: "category" for each in others if each not in chosen}
        places = [at[each] for each in chosen]
        try:
            frame = body(dtype=kinds | dict.fromkeys(places, np.float64), na_filter=False)
            as_text = bool((frame[places].abs() >= EXACT).to_numpy().any())
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            if isinstance(error, ScoreFileError):
                raise
            as_text = True
        if as_text:  # to name bad cells, to take truth values, to see digits that are lost
            frame = body(dtype=kinds | dict.fromkeys(places, str), na_filter=False)
        if n - 1 in kinds and (frame[n - 1].to_numpy() == b"").any():
            refuse_short_rows()
        return frame[list(at.values())].set_axis(list(at), axis="columns")

    def table() -> pd.DataFrame:
        found = body(low_memory=False)
        if found[n - 1].isna().any():
            refuse_short_rows()
        return found

    def refuse_short_rows() -> None:
        """Name the first row with too few fields, which pandas fills up."""
        file.seek(0)
        text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
        try:
            reader = csv.reader(text, delimiter=sep, skipinitialspace=True)
            for fields in reader:
                if len(fields) < n and (len(fields) > 1 or "".join(fields).strip()):
                    raise ScoreFileError(
                        f"{name}, line {reader.line_num}: {len(fields)} fields where the first "
                        f"line has {n}. Is a delimiter missing, or a quotation mark left open?"
                    )
        except csv.Error as error:
            raise ScoreFileError(f"{name}, line {reader.line_num}: {error}.") from None
        finally:
            text.detach()

    return _Source(names, is_numeric, scores, table, refuse_short_rows)


def _excel(name: str, file: IO[bytes], *_: Any) -> _Source:
    """The first sheet of a workbook."""
    _need(name, "an Excel workbook", "openpyxl")
    with _faults_named(name, "Excel"):
        sheet = pd.read_excel(file, header=None, na_values=["?"])
    names = [
        "" if pd.isna(each) else str(each).strip() for each in sheet.head(1).to_numpy().ravel()
    ]
    body = sheet.iloc[1:].reset_index(drop=True).infer_objects().set_axis(names, axis="columns")

    def is_numeric(column: str) -> bool:
        values = body[column].dropna()
        return 2 * pd.to_numeric(values, errors="coerce").notna().sum() >= len(values) > 0

    return _Source(names, is_numeric, lambda *chosen: body[distinct(*chosen)], lambda: body)


def _parquet(name: str, file: IO[bytes], *_: Any) -> _Source:
    _need(name, "a Parquet file", "pyarrow")
    from pyarrow import parquet, types

    with _faults_named(name, "Parquet"):
        opened = parquet.ParquetFile(file, page_checksum_verification=True)
    # An index without a name that pandas wrote along is no column.
    fields = [each for each in opened.schema_arrow if not each.name.startswith("__index_level_")]
    written = [each.name for each in fields]
    names = [each.strip() for each in written]
    kinds = {each.name.strip(): each.type for each in fields}

    def is_numeric(column: str) -> bool:
        kind = kinds[column]
        return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))

    def load(*chosen: list[str]) -> pd.DataFrame:
        columns = distinct(*chosen) if chosen else names
        if (cells := opened.metadata.num_rows * len(columns)) > MOST_CELLS:
            limit = f"{cells:,} cells, more than {MOST_CELLS:,}"
            raise ScoreFileError(f"{name} has {limit}: take out columns or rows.")
        for each in columns:
            if types.is_nested(kinds[each]):
                what = f"column {shown(each)} holds {kinds[each]}, not single values"
                raise ScoreFileError(f"{name}: {what}.")
        with _faults_named(name, "Parquet"):
            wanted = [written[names.index(each)] for each in columns]
            frame: pd.DataFrame = opened.read(wanted).select(wanted).to_pandas(ignore_metadata=True)
        for each in wanted:
            if "binary" in str(kinds[each.strip()]):
                frame[each] = frame[each].str.decode("utf-8")
        return frame.set_axis(columns, axis="columns")

    return _Source(names, is_numeric, load, load)


READERS: dict[str, Any] = {"text": _text, "parquet": _parquet, "excel": _excel}


def distinct(*columns: list[str]) -> list[str]:
    return list(dict.fromkeys(each for part in columns for each in part))


def _need(name: str, what: str, package: str) -> None:
    try:
        import_module(package)
    except ImportError:
        raise ScoreFileError(
            f"{name} is {what}, which needs {package}: pip install {package}, or save the table as "
            "CSV."
        ) from None


@contextmanager
def _faults_named(name: str, kind: str) -> Iterator[None]:
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # these packages meet a broken file with any error
        raise ScoreFileError(f"{name} can't be read as {kind}: {reason(error)}.") from None


def position(where: str, names: Sequence[str], name: str) -> int:
    """Position of the one column of this name."""
    positions = [i for i, each in enumerate(names) if each == name]
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


def are_numbers(text: pd.Series[Any]) -> pd.Series[Any]:
    return text.map(lambda each: NUMBER.fullmatch(each) is not None).astype(bool)
