"""A file as one data frame: CSV, TSV, Excel or Parquet, told apart by its first bytes.

pandas reads it; a file that is not a table is refused with one sentence.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO, StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd

Decimal = Literal[".", ","]
Opener = Callable[[], Any]  # gives the bytes of a file from their start, unpacked
TextOf = Callable[[str], "pd.Series[Any]"]  # a column as it is written
DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
HEAD = 2**20  # bytes in which the header must end
UNPACKERS: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
# Up to pandas 3.0 the default errs in the last digit.
FLOAT_PRECISION: Any = (
    "round_trip" if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1) else None
)
SAVE_AS_CSV = "save the table as CSV (UTF-8)"
UNREADABLE = {
    rb"\s*\Z": "is empty",
    rb"\s*<(!doctype|!--|html|head|body|div|meta|script|table|\?xml)": "is a web page (HTML), not "
    "a table, perhaps a login or error page: download the file itself, or open the page and "
    + SAVE_AS_CSV,
    rb"\xff\xfe|\xfe\xff": "is UTF-16 text: convert it (iconv -f UTF-16 -t UTF-8)",
    rb"\xd0\xcf\x11\xe0": "is an old Excel workbook (.xls): save it as .xlsx or CSV",
    rb"(?!PK\x03\x04|PAR1)[^\0]*\0": f"is not text (it holds NUL bytes): {SAVE_AS_CSV}",
}


class ScoreFileError(ValueError):
    """A file can't be used as it is; the message says where and what to do."""


def open_file(path: str | Path) -> tuple[str, Opener]:
    """The name of a file in messages, and what opens it, unpacked, from its start."""
    source = "standard input" if str(path) == "-" else str(path)
    with one_sentence(source):
        content = None
        if str(path) == "-":
            content = sys.stdin.buffer.read()
        elif not Path(path).is_file():  # a pipe, which is read only once
            content = Path(path).read_bytes()
        with BytesIO(content) if content is not None else Path(path).open("rb") as file:
            start = file.read(6)
            if start.startswith(b"PK\x03\x04") and b"xl/workbook.xml" not in file.read():
                raise ScoreFileError(f"{source} is a zip archive: unpack it.")
    unpack: Any = next((UNPACKERS[magic] for magic in UNPACKERS if start.startswith(magic)), open)

    def opener() -> Any:
        if content is None:
            return unpack(path, "rb")
        return BytesIO(content) if unpack is open else unpack(BytesIO(content), "rb")

    return source, opener


@contextmanager
def one_sentence(source: str) -> Iterator[None]:
    """Name the file in whatever the packages that read it raise."""
    try:
        yield
    except ScoreFileError:
        raise
    except UnicodeDecodeError:
        hint = "convert it (for example iconv -f LATIN1 -t UTF-8)"
        raise ScoreFileError(f"{source} is not UTF-8 text: {hint}.") from None
    except ImportError as error:
        package = "openpyxl" if "openpyxl" in str(error) else "pyarrow"
        hint = f"reading it needs the package {package}: install it, or {SAVE_AS_CSV}"
        raise ScoreFileError(f"{source} can't be read: {hint}.") from None
    except MemoryError:
        raise ScoreFileError(f"{source} does not fit into memory.") from None
    except Exception as error:
        reason = " ".join(str(getattr(error, "strerror", None) or error).split()).rstrip(".")
        raise ScoreFileError(f"{source} can't be read: {reason}.") from error


def read_frame(
    source: str,
    opener: Opener,
    label: str | None,
    as_text: Sequence[str],
    delimiter: str | None,
    decimal: Decimal,
    *,
    header: bool = True,
) -> tuple[pd.DataFrame, TextOf | None]:
    """All columns, and what reads one of them again as it is written, if the file is a text."""
    delimiter = {"tab": "\t", "\\t": "\t"}.get(delimiter or "", delimiter)
    if delimiter and len(delimiter) != 1:
        raise ScoreFileError(f"delimiter must be one character or tab, got {delimiter!r}.")
    with opener() as file:
        head = file.read(HEAD)
        for pattern, fault in UNREADABLE.items():
            if re.match(pattern, head.removeprefix(b"\xef\xbb\xbf"), re.IGNORECASE):
                raise ScoreFileError(f"{source} {fault}.")
        file.seek(0)
        if head.startswith((b"PAR1", b"PK")):
            if not header:
                raise ScoreFileError(
                    f"{source} names its columns itself: only a text can be without a header."
                )
            is_parquet = head.startswith(b"PAR1")
            frame = pd.read_parquet(file) if is_parquet else _read_sheet(source, file, label)
            return frame.set_axis([str(name).strip() for name in frame], axis="columns"), None
    layout = _find_layout(source, head, label, delimiter, header=header)
    parse = partial(_parse_text, source, opener, layout, decimal)
    return parse(as_text), lambda name: parse([name])[name]


def _read_sheet(source: str, file: Any, label: str | None) -> pd.DataFrame:
    """The first sheet of a workbook, unless only another one has the label."""
    sheets = pd.read_excel(file, sheet_name=None, na_filter=False)
    first, *others = sheets
    for other in others if label is not None and label not in sheets[first] else ():
        if label in sheets[other]:
            raise ScoreFileError(
                f"{source}: the first sheet, {first!r}, has no column {label}, but the sheet "
                f"{other!r} has: move that sheet to the front, or save it as CSV."
            )
    return sheets[first]


class Layout(NamedTuple):
    """How a text is delimited, its header, and the lines above that."""

    delimiter: str
    names: list[str]
    skipped: int
    header: int | None  # as pandas takes it


def _find_layout(
    source: str, head: bytes, label: str | None, delimiter: str | None, *, header: bool
) -> Layout:
    """The delimiter is the one that finds the label, or else the most columns."""
    text = head.decode("utf-8-sig", errors="strict" if len(head) < HEAD else "replace")
    lines = text.splitlines(keepends=True)
    if len(head) == HEAD and len(lines) == 1:
        raise ScoreFileError(f"{source} has no line end in its first MiB: it is not a table.")
    skipped = next(i for i, line in enumerate(lines) if line.strip())
    stated = re.fullmatch(r"\"?sep=(.)\"?", lines[skipped].strip("\r\n"), re.IGNORECASE)
    if stated:
        delimiter, skipped = delimiter or stated[1], skipped + 1
    rest = "".join(lines[skipped:])
    found = {sep: _first_rows(rest, sep) for sep in delimiter or DELIMITERS}
    sep = max(found, key=lambda sep: (label in found[sep][0], len(found[sep][0])))
    names, rows = found[sep][0], found[sep]
    if not header:
        return Layout(sep, [f"column_{i + 1}" for i in range(len(names))], skipped, None)
    if label not in names and len(names) == 1:  # a title may have no delimiter
        rows = max(found.values(), key=lambda rows: max(map(len, rows)))
    is_comment = rows[0][0].startswith("#")
    for row in rows[1:]:
        is_title = len(rows[0]) < len(row) and (is_comment or len(rows[0]) == 1)
        is_header = label in row and label not in rows[0] and (is_comment or "" in rows[0])
        if (is_title or is_header) and not (is_comment and row[0].startswith("#")):
            first = next(line.strip() for line in rest.splitlines() if line.strip())
            raise ScoreFileError(
                f"{source}: line {skipped + 1}, {quote(first)}, is not a header of the "
                f"{len(row)} columns below it: delete the lines above the header."
            )
    return Layout(sep, names, skipped, 0)


def _parse_text(
    source: str, opener: Opener, layout: Layout, decimal: Decimal, as_text: Sequence[str]
) -> pd.DataFrame:
    """All columns: numbers where every cell is one, the others and `as_text` as written."""
    names = layout.names
    try:
        ragged = warnings.catch_warnings(action="error", category=pd.errors.ParserWarning)
        with ragged, opener() as file:
            frame: pd.DataFrame = pd.read_csv(
                file,
                sep=layout.delimiter,
                header=layout.header,
                names=list(range(len(names))),
                dtype={i: str for i, name in enumerate(names) if name in as_text},
                skiprows=layout.skipped,
                decimal=decimal,
                encoding="utf-8",
                na_filter=False,
                skipinitialspace=True,
                index_col=False,
                low_memory=False,
                float_precision=FLOAT_PRECISION,
            )
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        fault = " ".join(str(error).split()).removeprefix("Error tokenizing data. C error: ")
        if isinstance(error, pd.errors.ParserWarning):
            fault = "the first row has more fields than the header"
        raise ScoreFileError(
            f"{source} can't be read as fields delimited by "
            f"{DELIMITERS.get(layout.delimiter, layout.delimiter)}: {fault}. Is a delimiter "
            "missing or too many, or a quotation mark left open?"
        ) from None
    last = frame[len(names) - 1]
    if not pd.api.types.is_numeric_dtype(last) and (last == "").any():
        _refuse_short_row(source, opener, layout)
    return frame.set_axis(names, axis="columns")


def _refuse_short_row(source: str, opener: Opener, layout: Layout) -> None:
    """Name the first row with too few fields, which pandas fills up with empty ones."""
    with opener() as file, TextIOWrapper(file, encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter=layout.delimiter, skipinitialspace=True)
        for fields in reader:
            blank = len(fields) < 2 and not "".join(fields).strip()
            if reader.line_num > layout.skipped and len(fields) < len(layout.names) and not blank:
                raise ScoreFileError(
                    f"{source}, line {reader.line_num}: {len(fields)} fields where the header has "
                    f"{len(layout.names)}. Is a delimiter missing, or a quotation mark left open?"
                )


def _first_rows(text: str, sep: str) -> list[list[str]]:
    """The header and some rows below it."""
    reader = csv.reader(StringIO(text, newline=None), delimiter=sep, skipinitialspace=True)
    rows = (row for row in reader if len(row) > 1 or "".join(row).strip())
    return [[field.strip() for field in row] for row in islice(rows, 20)] or [[""]]


def quote(text: str) -> str:
    """Text in quotation marks, cut and on one line."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
