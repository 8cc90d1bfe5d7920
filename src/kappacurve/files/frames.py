"""Any file as one table: CSV, TSV, Excel or Parquet, recognised by its first bytes.

pandas reads it; one more pass over the bytes of a text shows whether rows were lost. The grammar of
cells stands below: what is a number, what is missing, and what could be read in two ways.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal as Exact
from difflib import get_close_matches
from functools import partial
from io import BytesIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..validation import (
    NUMBER,
    BoolArray,
    FloatArray,
    clean_text as clean_text,
    code_spellings as code_spellings,
    find_merged,
    spelling as spelling,
)

Decimal = Literal[".", ","]
Layout = tuple[str, list[str], int]  # delimiter, header, and number of lines above it
DELIMITERS = ",\t;|"
MAX_HEADER_BYTES = 2**24  # in which the header must end
N_HEADER_LINES = 20  # over which a header may go on in quotation marks
N_SNIFFED_ROWS = 1000  # by which a column of numbers is recognised
CHUNK_BYTES = 2**20
UNPACKERS: Any = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
# Up to pandas 3.0 the default errs in the last digit; from 3.1 on the option is deprecated.
PANDAS = tuple(map(int, pd.__version__.split(".")[:2]))
FLOAT_PRECISION: Any = "round_trip" if PANDAS < (3, 1) else None
MANY_DIGITS = 16  # two numbers that differ may be one 64-bit float
SAVE_AS_CSV = "save the table as CSV (UTF-8)"
UNREADABLE = {
    rb"\s*\Z": "is empty",
    rb"\s*<(!doctype|!--|html|head|body|div|meta|script|table|\?xml)": "is a web page (HTML), not "
    f"a table: download the file itself (log in, perhaps), or open the page and {SAVE_AS_CSV}",
    rb"\xff\xfe\0\0|\0\0\xfe\xff": "is UTF-32 text: convert it (iconv -f UTF-32 -t UTF-8)",
    rb"\xff\xfe|\xfe\xff": "is UTF-16 text: convert it (iconv -f UTF-16 -t UTF-8)",
    rb"\xd0\xcf\x11\xe0": "is an old Excel workbook (.xls): save it as .xlsx or CSV",
    rb"\x28\xb5\x2f\xfd": "is packed by Zstandard: unpack it (unzstd)",
    rb"7z\xbc\xaf|Rar!": "is an archive: unpack it",
    rb"\s*(\[\s*[\[{]|\{\s*\")": f"is JSON: {SAVE_AS_CSV}, for example by "
    "pandas.read_json(file).to_csv(path, index=False), with lines=True if each line is a record",
    rb"ARROW1|FEA1": "is a Feather (Arrow) file: save it as Parquet or CSV",
    rb"\x80[\x02-\x05]": f"is a Python pickle, which can run code: {SAVE_AS_CSV} where it was made",
    rb"\$FL[23]|<stata_dta>|\x89HDF|SQLite format|RD[AX]|\x93NUMPY|%PDF|ORC": "is a file of "
    f"another program (SPSS, Stata, HDF5, SQLite, R, NumPy, PDF or ORC): {SAVE_AS_CSV} there",
}

# Always missing: SAS and Stata write a point, MySQL \N, SPSS #NULL!, Excel the other errors.
BLANK = {"", "?", ".", "nan", "-nan", "<na>", "\\n", "#null!", "#n/a", "#na", "#div/0!", "#value!"}
BLANK |= {"#ref!", "#name?", "#num!", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"}
# Missing unless they name a class or category.
MISSING_WORDS = {"na", "n/a", "none", "null"}
GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}(\{mark}\d{{3}})+") for mark in ".,"}  # 1,019
SMALL = re.compile(r"[+-]?\d{1,3}")


class ScoreFileError(ValueError):
    """A file can't be used as it is; the message says where and what to do."""


@dataclass(frozen=True)
class Table:
    """The cells of a file: columns of numbers are typed, the others as they are written."""

    source: str
    frame: pd.DataFrame
    decimal: Decimal = "."
    # Of text files: a function that reads a column as it is written, and whether there are numbers
    # of so many digits that floats lose some.
    text_of: Callable[[str], pd.Series[Any]] | None = None
    has_many_digits: bool = False
    missing_values: Sequence[Any] = ()  # further spellings

    @property
    def names(self) -> list[str]:
        """The header."""
        return [*map(str, self.frame)]

    def check_column(self, name: str) -> None:
        """Refuse a column that is missing or ambiguous."""
        count = self.names.count(name)
        if count == 1:
            return
        if count:
            raise ScoreFileError(f"{self.source}: column {name} appears twice: rename one of them.")
        named = [*filter(None, self.names)]
        known = f"Its columns: {listed(named)}."
        if len(named) == 1:  # a title makes blank names of the columns beside it
            known = f"It has one, {quote(named[0])}: state the --delimiter if it has more, "
            known += "delete a title above the header, or move the sheet to the front."
        near = did_you_mean(name, self.names)
        raise ScoreFileError(f"{self.source} has no column {name}.{near} {known}")


@contextmanager
def open_file(path: str | Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The name of a file and its bytes, unpacked; what is raised meanwhile is one sentence."""
    source = "standard input" if str(path) == "-" else str(path)
    limit = csv.field_size_limit(2**31 - 1)  # a wide header is one field of a wrong delimiter
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
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        reason = " ".join(reason.split()).rstrip(".")
        raise ScoreFileError(f"{source} can't be read: {reason}.") from error
    finally:
        csv.field_size_limit(limit)


def _open_bytes(path: str | Path) -> IO[bytes]:
    if str(path) == "-":
        return BytesIO(sys.stdin.buffer.read())
    # A pipe is read only once.
    return Path(path).open("rb") if Path(path).is_file() else BytesIO(Path(path).read_bytes())


def read_frame(
    source: str,
    file: IO[bytes],
    *,
    label: str | None = None,
    as_text: Sequence[str | None] | None = (),
    delimiter: str | None = None,
    decimal: Decimal = ".",
    header: bool = True,
) -> Table:
    """All columns of a file; those of `as_text` (None: all) are not parsed.

    `label` is a column that the header holds, by which header and delimiter are recognised.
    """
    delimiter = {"tab": "\t", "\\t": "\t"}.get(delimiter or "", delimiter)
    if delimiter and len(delimiter.encode()) != 1:
        raise ScoreFileError(f"delimiter must be one ASCII character or tab, got {delimiter!r}.")
    head = file.read(MAX_HEADER_BYTES)
    for pattern, fault in UNREADABLE.items():
        if re.match(pattern, head.removeprefix(b"\xef\xbb\xbf"), re.IGNORECASE):
            raise ScoreFileError(f"{source} {fault}.")
    file.seek(0)
    if head.startswith((b"PAR1", b"PK\x03\x04")):
        if not header:
            raise ScoreFileError(f"{source} is no text: only a text can be without a header.")
        is_parquet = head.startswith(b"PAR1")
        frame = _read_parquet(file) if is_parquet else _read_sheet(source, file)
        table = Table(source, frame, decimal)
    else:
        layout = _find_layout(head, label, delimiter, header=header)
        table = _read_text(source, file, layout, as_text, decimal, header=header)
    if table.frame.empty:
        raise ScoreFileError(f"{source} has no rows.")
    return table


def _read_parquet(file: IO[bytes]) -> pd.DataFrame:
    """Every column, also the index that pandas wrote, unless it has no name."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    table = ParquetFile(file).read()
    columns = {}
    for i, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        if re.fullmatch(r"__index_level_\d+__", name):
            continue
        if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            with suppress(pa.ArrowInvalid):  # a text of some writers
                column = column.cast(pa.string())
        # Integers beside missing values would become floats.
        columns[i, clean_text(name)] = column.to_pandas(integer_object_nulls=True)
    return pd.DataFrame(columns).set_axis([name for _, name in columns], axis="columns")


def _read_sheet(source: str, file: IO[bytes]) -> pd.DataFrame:
    """The first sheet of a workbook, without blank rows and columns."""
    if b"xl/workbook.xml" not in file.read():
        raise ScoreFileError(f"{source} is a zip or OpenDocument file: unpack it or save as .xlsx.")
    cells: Any = pd.read_excel(file, header=None, na_filter=False, dtype=object)
    is_blank = cells.map(lambda cell: str(cell).strip() in ("", "nan")).to_numpy(bool)
    cells = cells.loc[~is_blank.all(axis=1), ~is_blank.all(axis=0)]
    if cells.empty:
        raise ScoreFileError(f"{source} is empty.")
    frame: pd.DataFrame = cells.iloc[1:].reset_index(drop=True).infer_objects()
    return frame.set_axis([*map(clean_text, cells.iloc[0])], axis="columns")


def _find_layout(head: bytes, label: str | None, delimiter: str | None, *, header: bool) -> Layout:
    """Delimiter, header and number of lines above it, by the first bytes of a text.

    The delimiter is the one that finds the label, or else the most columns.
    """
    errors = "strict" if len(head) < MAX_HEADER_BYTES else "replace"
    # Lines end as they do for pandas, so not at a form feed.
    lines = TextIOWrapper(BytesIO(head), encoding="utf-8-sig", errors=errors, newline="")
    skipped = 0
    for first in lines:
        if first.strip():
            break
        skipped += 1
    stated = re.fullmatch(r"\"?sep=(.)\"?", first.strip("\r\n"), re.IGNORECASE)
    if stated:
        delimiter, skipped, first = delimiter or stated[1], skipped + 1, ""
    start = [first, *islice(lines, N_HEADER_LINES)]
    headers = {sep: _read_header(start, sep) for sep in delimiter or DELIMITERS}
    sep = max(headers, key=lambda sep: (label in headers[sep], len(headers[sep])))
    names = headers[sep]
    if not header:
        names = [f"column_{i + 1}" for i in range(len(names))]
    return sep, names, skipped


def _read_header(lines: list[str], sep: str) -> list[str]:
    """The first row that is not blank."""
    reader = csv.reader(lines, delimiter=sep, skipinitialspace=True)
    rows = (row for row in reader if len(row) > 1 or "".join(row).strip())
    return [*map(clean_text, next(rows, [""]))]


def _read_text(
    source: str,
    file: IO[bytes],
    layout: Layout,
    as_text: Sequence[str | None] | None,
    decimal: Decimal,
    *,
    header: bool,
) -> Table:
    """All columns: numbers where every cell is one, the others and `as_text` as written."""
    sep, names, skipped = layout
    text = {i: object for i, name in enumerate(names) if as_text is None or name in as_text}
    parse: Any = partial(
        pd.read_csv,
        sep=sep,
        header=0 if header else None,
        names=range(len(names)),
        skiprows=skipped,
        decimal=decimal,
        encoding="utf-8",
        na_filter=False,
        skipinitialspace=True,
        index_col=False,
        low_memory=False,
        float_precision=FLOAT_PRECISION,
    )
    n_delimiters, has_quotes, has_many_digits = _scan(source, file, sep)
    file.seek(0)
    check_rows = partial(_check_rows, source, file, sep, names, skipped)
    try:
        with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
            frame: pd.DataFrame = parse(file, dtype=text)
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        line = check_rows(None)
        fault = " ".join(str(error).split()).removeprefix("Error tokenizing data. C error: ")
        if "EOF inside string" in fault:
            fault = f"a quotation mark is left open in line {line}"
        raise ScoreFileError(f"{source} can't be split by {sep!r}: {fault}.") from None
    n_rows = len(frame) + header
    if has_quotes or n_delimiters != n_rows * (len(names) - 1):
        check_rows(n_rows)

    def text_of(name: str) -> pd.Series[Any]:
        file.seek(0)
        cells: pd.Series[Any] = parse(file, dtype=object, usecols=[names.index(name)]).iloc[:, 0]
        return cells

    return Table(source, frame.set_axis(names, axis="columns"), decimal, text_of, has_many_digits)


def _scan(source: str, file: IO[bytes], sep: str) -> tuple[int, bool, bool]:
    """How many delimiters a text has, whether quotation marks, and whether many digits."""
    n_delimiters, has_quotes, has_many_digits, tail = 0, False, False, b""
    digits = b"0123456789.,".replace(sep.encode(), b"")
    as_zeros = bytes(ord("0") if byte in digits else ord(" ") for byte in range(256))
    file.seek(0)
    while chunk := file.read(CHUNK_BYTES):
        if b"\0" in chunk:
            raise ScoreFileError(f"{source} is not text (it holds NUL bytes): {SAVE_AS_CSV}.")
        n_delimiters += int(np.count_nonzero(np.frombuffer(chunk, np.uint8) == ord(sep)))
        has_quotes = has_quotes or b'"' in chunk
        has_many_digits |= b"0" * MANY_DIGITS in (tail + chunk).translate(as_zeros)
        tail = chunk[-MANY_DIGITS:]
    return n_delimiters, has_quotes, has_many_digits


def _check_rows(
    source: str, file: IO[bytes], sep: str, names: list[str], skipped: int, n_rows: int | None
) -> int:
    """Refuse rows of too few or too many fields, and those that an open quotation mark swallows.

    pandas pads short rows and loses swallowed ones. The header counts as a row. Returns the line in
    which the last row begins.
    """
    file.seek(0)
    text = TextIOWrapper(file, encoding="utf-8-sig", newline="")
    reader = csv.reader(islice(text, skipped, None), delimiter=sep, skipinitialspace=True)
    start = end = skipped
    count = 0
    for fields in reader:
        start, end = end + 1, skipped + reader.line_num
        if len(fields) < 2 and not "".join(fields).strip(" \t"):
            continue
        count += 1
        if len(fields) != len(names):
            raise ScoreFileError(
                f"{source}, line {start}: {len(fields)} fields where the header has {len(names)}, "
                f"{quote(sep.join(names))}. Is a delimiter missing or too many, a quotation mark "
                "left open, or a title above the header?"
            )
        if end > start and any(_holds_rows(field, sep, len(names)) for field in fields):
            raise ScoreFileError(
                f"{source}, line {start}: a field in quotation marks goes on to line {end} and "
                "holds what look like rows. Close the quotation mark, or write the field in a line."
            )
    text.detach()  # or else the file would be closed
    if n_rows not in (None, count):
        raise ScoreFileError(f"{source} has {count} rows, but {n_rows} are read: {SAVE_AS_CSV}.")
    return start


def _holds_rows(field: str, sep: str, n_columns: int) -> bool:
    """Whether lines within a field have as many delimiters as a row."""
    first, *lines = re.split("\r\n|\r|\n", field)
    if not lines:
        return False
    *inner, last = [line.count(sep) for line in lines if line] or [0]
    return min([first.count(sep) + last, *inner]) >= n_columns - 1


def find_missing(
    cells: pd.Series[Any], words: Iterable[str] = MISSING_WORDS, stated: Iterable[Any] = ()
) -> BoolArray:
    """Which cells are missing: empty, one of the words, or a spelling of a stated value."""
    keys = {spelling(value) for value in stated}
    if not keys and pd.api.types.is_numeric_dtype(cells):
        return cells.isna().to_numpy(bool)
    named = {*BLANK, *words}
    codes, values = pd.factorize(cells)
    texts = [str(value).strip() for value in values]
    is_missing = [text.lower() in named or spelling(text) in keys for text in texts]
    missing: BoolArray = np.array([*is_missing, True])[codes]  # the code of an empty cell is -1
    return missing


def read_numbers(table: Table, name: str) -> FloatArray:
    """A column as floats, NaN where a cell is not a number.

    Refused if it may have a separator of thousands, or numbers that floats can't tell apart.
    """
    column = table.frame[name]
    if not pd.api.types.is_numeric_dtype(column):
        cells = column.to_numpy(object)
        numbers = _parse(cells, table.decimal)
    else:
        cells = column.to_numpy()
        numbers = column.to_numpy(np.float64)
        if column.dtype == np.float64:
            if not _is_read_again(table, numbers):
                return numbers
            cells = table.text_of(name).to_numpy(object)  # type: ignore[misc]
        elif np.abs(numbers).max() < 2**53:
            return numbers
    _refuse_thousands(table.source, name, cells)
    twins = find_merged(numbers, lambda tied: [_exact(cell, table.decimal) for cell in cells[tied]])
    if twins:
        raise ScoreFileError(
            f"{table.source}: column {name} has {twins[0]} beside {twins[1]}, which are one number "
            "for 64-bit floats: write ranks, or subtract a constant."
        )
    return numbers


def _is_read_again(table: Table, numbers: FloatArray) -> bool:
    """Whether the text of a column may hold separators of thousands, or digits floats lose."""
    if table.text_of is None:
        return False
    size = np.abs(numbers[:N_SNIFFED_ROWS])  # such as 895 and 1.019
    if ((size == 0) | (size >= 1) & (size < 1000) & (size == size.round(3))).all():
        return True
    return table.has_many_digits and bool((np.diff(np.sort(numbers)) == 0).any())


def _parse(cells: npt.NDArray[Any], decimal: Decimal) -> FloatArray:
    """Cells of any kind as floats."""
    if decimal == "." and all(isinstance(cell, str) for cell in cells):
        try:
            if re.fullmatch(r"[0-9eE+.\-]*", "".join(cells)):
                return cells.astype(np.float64)
        except ValueError:  # some are missing
            pass
    return np.array([_exact(cell, decimal) for cell in cells], dtype=np.float64)  # None is NaN


def _exact(cell: Any, decimal: Decimal) -> Any:
    """The number in a cell, with all digits, or None."""
    if not isinstance(cell, str):
        return cell if isinstance(cell, int | float | np.number | np.bool_ | Exact) else None
    text = cell.strip()
    if decimal == ",":
        text = text.replace(".", "?").replace(",", ".")
    if NUMBER.fullmatch(text):
        return Exact(text)
    return {"true": 1, "false": 0}.get(text.lower())


def _refuse_thousands(source: str, name: str, cells: npt.NDArray[Any]) -> None:
    """Refuse numbers whose mark may be decimal or between thousands: 1.019 beside 895."""
    for mark, word in ((".", "point"), (",", "comma")):
        grouped = small = ""
        for cell in cells:
            text = "fraction" if isinstance(cell, float) and cell == cell else str(cell).strip()
            if SMALL.fullmatch(text):
                small = small or text
            elif GROUPED[mark].fullmatch(text):
                grouped = max(grouped, text, key=len)
            elif text.lower() not in BLANK | MISSING_WORDS:
                break
        else:
            if small and grouped:
                raise ScoreFileError(
                    f"{source}: column {name} has {grouped} beside {small}: write "
                    f"{grouped.replace(mark, '')} if the {word} separates thousands, or "
                    f"{small}{mark}0 if it is a decimal {word}."
                )


def quote(text: str) -> str:
    """Text in quotation marks, cut and on one line."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """A question that names the known name nearest to a wrong one, if there is one."""
    lowered = {other.lower(): other for other in known}
    near = get_close_matches(name.lower(), lowered, n=1)
    return f" Did you mean {lowered[near[0]]}?" if near else ""


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names with commas between them, the first ones if they are many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
