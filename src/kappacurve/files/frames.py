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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO, StringIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

import pandas as pd

Decimal = Literal[".", ","]
TextOf = Callable[[str], "pd.Series[Any]"]  # a column as it is written
DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
MAX_HEADER_BYTES = 2**20  # bytes in which the header must end
UNPACKERS: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
# Up to pandas 3.0 the default errs in the last digit; from 3.1 on the option is deprecated.
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


@contextmanager
def open_file(path: str | Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The name of a file and its bytes, unpacked; what is raised meanwhile is one sentence."""
    source = "standard input" if str(path) == "-" else str(path)
    try:
        with _open_bytes(path) as file:
            start = file.read(6)
            file.seek(0)
            unpack: Any = next((UNPACKERS[x] for x in UNPACKERS if start.startswith(x)), None)
            yield source, unpack(file) if unpack else file
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


def _open_bytes(path: str | Path) -> IO[bytes]:
    if str(path) == "-":
        return BytesIO(sys.stdin.buffer.read())
    # A pipe is read only once.
    return Path(path).open("rb") if Path(path).is_file() else BytesIO(Path(path).read_bytes())


def read_frame(
    source: str,
    file: IO[bytes],
    label: str | None,
    as_text: set[str | None],
    delimiter: str | None,
    decimal: Decimal,
    *,
    header: bool = True,
) -> tuple[pd.DataFrame, TextOf | None]:
    """All columns, and what reads one of them again as it is written, if the file is a text."""
    delimiter = {"tab": "\t", "\\t": "\t"}.get(delimiter or "", delimiter)
    if delimiter and len(delimiter) != 1:
        raise ScoreFileError(f"delimiter must be one character or tab, got {delimiter!r}.")
    head = file.read(MAX_HEADER_BYTES)
    for pattern, fault in UNREADABLE.items():
        if re.match(pattern, head.removeprefix(b"\xef\xbb\xbf"), re.IGNORECASE):
            raise ScoreFileError(f"{source} {fault}.")
    file.seek(0)
    text_of: TextOf | None = None
    if head.startswith((b"PAR1", b"PK\x03\x04")):
        if not header:
            raise ScoreFileError(
                f"{source} names its columns itself: only a text can be without a header."
            )
        is_parquet = head.startswith(b"PAR1")
        frame = pd.read_parquet(file) if is_parquet else _read_sheet(source, file, label)
        frame = frame.set_axis([str(name).strip() for name in frame], axis="columns")
    else:
        layout = _find_layout(source, head, label, delimiter, header=header)
        parse = partial(_parse_text, source, file, *layout, decimal, header=header)
        frame, text_of = parse(as_text), lambda name: parse({name})[name]
    if frame.empty:
        raise ScoreFileError(f"{source} has no rows.")
    return frame, text_of


def _read_sheet(source: str, file: IO[bytes], label: str | None) -> pd.DataFrame:
    """The first sheet of a workbook, unless only another one has the label."""
    if b"xl/workbook.xml" not in file.read():
        raise ScoreFileError(f"{source} is a zip archive: unpack it.")
    sheets = pd.read_excel(file, sheet_name=None, na_filter=False)
    first, *others = sheets
    others = [other for other in others if label in sheets[other]]
    if label is not None and label not in sheets[first] and others:
        raise ScoreFileError(
            f"{source}: the first sheet, {first!r}, has no column {label}, but the sheet "
            f"{others[0]!r} has: move that sheet to the front, or save it as CSV."
        )
    return sheets[first]


def _find_layout(
    source: str, head: bytes, label: str | None, delimiter: str | None, *, header: bool
) -> tuple[str, list[str], int]:
    """Delimiter, header and number of lines above it, by the first MiB of a text.

    The delimiter is the one that finds the label, or else the most columns.
    """
    text = head.decode("utf-8-sig", errors="strict" if len(head) < MAX_HEADER_BYTES else "replace")
    lines = text.splitlines(keepends=True)
    skipped = next(i for i, line in enumerate(lines) if line.strip())
    stated = re.fullmatch(r"\"?sep=(.)\"?", lines[skipped].strip("\r\n"), re.IGNORECASE)
    if stated:
        delimiter, skipped = delimiter or stated[1], skipped + 1
    found = {sep: _first_rows(lines[skipped:], sep) for sep in delimiter or DELIMITERS}
    sep = max(found, key=lambda sep: (label in found[sep][0], len(found[sep][0])))
    names, *rows = found[sep]
    if not header:
        return sep, [f"column_{i + 1}" for i in range(len(names))], skipped
    if label not in names and len(names) == 1:  # a title may have no delimiter
        rows = max(found.values(), key=lambda rows: max(map(len, rows)))
    is_comment = names[0].startswith("#")
    for row in rows:
        is_wider = (is_comment or len(names) == 1) and len(row) > len(names)
        has_label = (is_comment or "" in names) and label in row and label not in names
        if (is_wider or has_label) and not (is_comment and row[0].startswith("#")):
            raise ScoreFileError(
                f"{source}: line {skipped + 1}, {quote(lines[skipped].strip())}, is not a header "
                f"of the {len(row)} columns below it: delete the lines above the header."
            )
    return sep, names, skipped


def _first_rows(lines: list[str], sep: str) -> list[list[str]]:
    """The header and some rows below it."""
    text = StringIO("".join(lines), newline=None)
    reader = csv.reader(text, delimiter=sep, skipinitialspace=True)
    rows = (row for row in reader if len(row) > 1 or "".join(row).strip())
    return [[field.strip() for field in row] for row in islice(rows, 20)] or [[""]]


def _parse_text(
    source: str,
    file: IO[bytes],
    sep: str,
    names: list[str],
    skipped: int,
    decimal: Decimal,
    as_text: set[str | None],
    *,
    header: bool,
) -> pd.DataFrame:
    """All columns: numbers where every cell is one, the others and `as_text` as written."""
    file.seek(0)
    try:
        with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
            frame: pd.DataFrame = pd.read_csv(
                file,
                sep=sep,
                header=0 if header else None,
                names=list(range(len(names))),
                dtype={i: str for i, name in enumerate(names) if name in as_text},
                skiprows=skipped,
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
            f"{source} can't be read as fields delimited by {DELIMITERS.get(sep, sep)}: {fault}. "
            "Is a delimiter missing or too many, or a quotation mark left open?"
        ) from None
    last = frame[len(names) - 1]
    if not pd.api.types.is_numeric_dtype(last) and (last == "").any():
        _refuse_short_row(source, file, sep, len(names), skipped)
    return frame.set_axis(names, axis="columns")


def _refuse_short_row(source: str, file: IO[bytes], sep: str, n_columns: int, skipped: int) -> None:
    """Name the first row with too few fields, which pandas fills up with empty ones."""
    file.seek(0)
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="")
    reader = csv.reader(text, delimiter=sep, skipinitialspace=True)
    for fields in reader:
        is_blank = len(fields) < 2 and not "".join(fields).strip()
        if reader.line_num > skipped and len(fields) < n_columns and not is_blank:
            raise ScoreFileError(
                f"{source}, line {reader.line_num}: {len(fields)} fields where the header has "
                f"{n_columns}. Is a delimiter missing, or a quotation mark left open?"
            )
    text.detach()  # or else the file would be closed


def quote(text: str) -> str:
    """Text in quotation marks, cut and on one line."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
