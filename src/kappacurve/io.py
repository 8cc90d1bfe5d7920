"""Labels and scores, or a whole table, from a file: CSV, TSV, Parquet or Excel, packed or not."""

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
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import ENOMEM
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._messages import did_you_mean, listed, quoted, reason, shell, shown
from kappacurve._validation import BoolArray, FloatArray

__all__ = ["ScoreFileError", "ScoreTable", "read_scores", "read_table"]

Decimal = Literal[".", ","]
DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
MOST_UNPACKED = 2**33  # bytes
MOST_CELLS = 2**28  # of a Parquet file, where equal values take next to nothing
MOST_COLUMNS = 1000  # of scores that were not named
SAMPLED = 1000  # rows by which columns of numbers are told
MOST_NAMED = 5  # bad cells in one message
EXACT = 2**53  # up to which a 64-bit float holds every integer
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
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
_LONG = (
    "has one row per model (its columns are {names}): put the models side by side, for example by "
    "table.pivot(index=[row, label], columns={model!r}, values={score!r}), or name a column of "
    "scores"
)
# What is positive where nobody could doubt it: the rule of the library and of scikit-learn.
_OBVIOUS: dict[frozenset[Hashable], Hashable] = {
    frozenset([0, 1]): 1,
    frozenset([-1, 1]): 1,
    frozenset(["false", "true"]): "true",
}


class ScoreFileError(ValueError):
    """A file can't be used as it is; the message says where and what to do."""


class ScoreTable(NamedTuple):
    """Labels and scores of a file."""

    source: str  # how messages call the file
    label: str
    positive_label: str
    negative_label: str
    positive: BoolArray
    scores: Mapping[str, FloatArray]  # finite, by column
    others: Mapping[str, Any]  # the columns asked for by `also`
    left_out: Mapping[str, str]  # columns that were not taken as scores, and why


def read_scores(
    path: str | Path,
    *,
    label: str,
    scores: Sequence[str] | None = None,
    positive: str | float | bool | None = None,
    delimiter: str | None = None,
    decimal: Decimal = ".",
    exclude: Sequence[str] = (),
    also: Sequence[str] = (),
) -> ScoreTable:
    """Read the labels and the scores of one or more models from a file.

    The first bytes tell what the file is: UTF-8 text with a header and one line per row, delimited
    by commas, tabs, semicolons or bars; Parquet, if pyarrow is installed; or the first sheet of an
    Excel workbook, if openpyxl is. It may be packed by gzip, bzip2 or xz, up to 8 GiB unpacked.

    Parameters
    ----------
    path : str or Path
        "-" for standard input.
    label : str
        Column of the true classes. They may be words, numbers or truth values; numbers are
        compared as numbers, exactly.
    scores : sequence of str, optional
        Columns of scores, higher for the positive class. By default the columns of numbers (in
        which at least half of the first values are numbers, so that a bad cell is named and does
        not take its column away) that do not look like something else: a row identifier, a fold, a
        weight, a group, or a flag of 0 and 1.
    positive : str, number or bool, optional
        The positive class; with more than two classes the others together are the negative one.
        May be left out for 0 and 1, -1 and 1, false and true.
    delimiter : str, optional
        One character; by default told from the header.
    decimal : {".", ","}, default "."
        Decimal separator of a text.
    exclude : sequence of str, default ()
        Columns that are no scores, where no scores are named.
    also : sequence of str, default ()
        Other columns to return, such as weights, folds or groups.

    Returns
    -------
    ScoreTable
        A named tuple: source, label, positive_label, negative_label; positive, an ndarray of bool
        of shape (n_samples,); scores and others, dicts of ndarray of that shape; left_out, a dict
        from columns to the reason.

    Raises
    ------
    ScoreFileError
        A ValueError of one sentence that says where (the first five bad cells with row and column;
        rows are counted below the header) and what to do: if the file can't be read, a column is
        missing or ambiguous, a row has too many or too few fields, a score is not a finite number
        or loses digits in 64 bits, or there are not two classes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     _ = file.write_text("class,model\\ngood,0.1\\nbad,0.4\\n")
    ...     table = read_scores(file, label="class", positive="bad")
    >>> table.positive, table.scores
    (array([False,  True]), {'model': array([0.1, 0.4])})
    """
    if not isinstance(label, str):
        raise ScoreFileError(f"label must be the name of a column, got {label!r}.")
    if isinstance(scores, str) or not all(isinstance(each, str) for each in scores or ()):
        raise ScoreFileError(f"scores must be a list of names of columns, got {scores!r}.")
    if delimiter and not (isinstance(delimiter, str) and re.fullmatch('[^"\r\n ]', delimiter)):
        raise ScoreFileError(f"delimiter must be one character such as ';', got {delimiter!r}.")
    if label in (scores or ()):
        raise ScoreFileError(f"column {label} is the label and can't be a score as well.")
    with _opened(path) as (name, file, kind):
        source = _READERS[kind](name, file, label, delimiter, decimal)
        names = source.names
        for column in (label, *also, *exclude, *(scores or ())):
            _position(name, names, column)
        left_out: dict[str, str] = {}
        chosen = list(dict.fromkeys(scores or ()))
        if scores is None:
            _refuse_long(name, source)
            offered = [each for each in names if each not in (label, *exclude, *also)]
            if len(offered) > MOST_COLUMNS:
                what = f"{len(offered)} columns besides the label"
                raise ScoreFileError(f"{name} has {what}: name those that hold scores.")
            chosen = [each for each in offered if each and source.is_numeric(each)]
            left_out = {
                each or f"column {names.index(each) + 1} (no name)": "not mostly numeric"
                for each in offered
                if each not in chosen
            }
            if not chosen:
                what = f"no column of numbers but the label {shown(label)}"
                raise ScoreFileError(f"{name} has {what}. Its columns: {listed(names)}.")
            for column in chosen:
                _position(name, names, column)
        frame = source.scores(chosen, _distinct([label], list(also)))
        values = _checked(name, frame, label, chosen, decimal, source.look_closer)
    is_positive, classes = _two_classes(name, label, frame[label], positive)
    if scores is None:
        unlike = _unlike_scores(values)
        values = {each: one for each, one in values.items() if each not in unlike}
        left_out |= unlike
    others = {each: frame[each].to_numpy() for each in also}
    return ScoreTable(name, label, *classes, is_positive, values, others, left_out)


def read_table(path: str | Path, *, decimal: Decimal = ".", header: bool = True) -> pd.DataFrame:
    """Read all columns of a file of the kinds that `read_scores` reads; errors are the same.

    `decimal` is the decimal separator of a text, whose types are pandas' guesses. Each column needs
    a name of its own. A text without a `header` has the columns column_1, column_2 and so on.
    """
    with _opened(path) as (name, file, kind):
        if kind != "text" and not header:
            raise ScoreFileError(f"{name} names its columns itself: only a text has no header.")
        source = _READERS[kind](name, file, None, None, decimal, header)
        for i, column in enumerate(source.names):
            if not column:
                raise ScoreFileError(f"{name}: column {i + 1} has no name: give it one.")
            _position(name, source.names, column)
        table: pd.DataFrame = source.table()
    if table.empty:
        raise ScoreFileError(f"{name} has no rows.")
    return table.set_axis(source.names, axis="columns")


@contextmanager
def _opened(path: str | Path) -> Iterator[tuple[str, IO[bytes], str]]:
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
        meant = int((_are_numbers(text.str.replace(",", ".", n=1)) | infinite).sum())
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

    return _Source(names, is_numeric, lambda *chosen: body[_distinct(*chosen)], lambda: body)


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
        columns = _distinct(*chosen) if chosen else names
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


_READERS: dict[str, Any] = {"text": _text, "parquet": _parquet, "excel": _excel}


def _distinct(*columns: list[str]) -> list[str]:
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


def _checked(
    source: str,
    frame: pd.DataFrame,
    label: str,
    scores: Sequence[str],
    decimal: Decimal,
    look_closer: Callable[[], None],
) -> dict[str, FloatArray]:
    """Scores as finite floats; the first bad cells are named, a gap in any column is one."""
    numbers: dict[str, FloatArray] = {}
    bad: list[tuple[int, str, str]] = []
    if frame.empty:
        raise ScoreFileError(f"{source} has no rows.")
    for column, values in frame.items():
        if column in scores:
            numbers[str(column)], wrong = _numbers(values, decimal)
        else:
            kinds = pd.Series(values.unique()).astype(str).str.strip().str.lower()
            gaps = values.unique()[kinds.isin(MISSING)]
            wrong = (values.isna() | values.isin(gaps)).to_numpy()
        what = "score" if column in scores else "label" if column == label else "value"
        for row in np.flatnonzero(wrong)[:MOST_NAMED]:
            fault = _fault(str(values.iloc[row]).strip(), what, decimal)
            bad.append((int(row) + 1, shown(str(column)), fault))
    if bad:
        look_closer()
        named = [f"row {row}, column {at}: {fault}" for row, at, fault in sorted(bad)[:MOST_NAMED]]
        raise ScoreFileError(f"{source}, {'; '.join(named)}. Correct or remove what is named.")
    return numbers


def _numbers(values: pd.Series[Any], decimal: Decimal) -> tuple[FloatArray, BoolArray]:
    """Values as floats, and which are missing, infinite, no numbers or not exact in 64 bits."""
    if pd.api.types.is_float_dtype(values) or pd.api.types.is_bool_dtype(values):
        numbers: FloatArray = values.to_numpy(np.float64)
        return numbers, ~np.isfinite(numbers)
    text = values.astype(str).str.strip()
    if decimal == ",":
        text = text.str.replace(".", " ", regex=False).str.replace(",", ".", n=1, regex=False)
    truth = text.str.lower().map({"true": "1", "false": "0"})
    text = truth.fillna(text)
    numbers = text.where(_are_numbers(text), "nan").map(float).to_numpy(np.float64)
    wrong = ~np.isfinite(numbers)
    for row in np.flatnonzero(np.abs(numbers) >= EXACT):
        if INTEGER.fullmatch(text.iloc[row]) and int(text.iloc[row]) != int(numbers[row]):
            wrong[row] = True
    return numbers, wrong


def _are_numbers(text: pd.Series[Any]) -> pd.Series[Any]:
    return text.map(lambda each: NUMBER.fullmatch(each) is not None).astype(bool)


def _fault(text: str, what: str, decimal: Decimal) -> str:
    """What is wrong with a cell."""
    if text.lower() in MISSING:
        return f"the {what} is missing" + f" ({quoted(text)})" * (text not in ("", "nan"))
    if decimal == "," and "." in text:
        return f"{quoted(text)} has a point, and the decimal is a comma"
    if decimal == "." and "," in text and NUMBER.fullmatch(text.replace(",", ".", 1)):
        return f"{quoted(text)} has a decimal comma (write a point, or --decimal ,)"
    if INTEGER.fullmatch(text) and len(text) < 300:
        return f"{quoted(text)} has more digits than a 64-bit number holds"
    if NUMBER.fullmatch(text) or text.lower().lstrip("+-") in ("inf", "infinity"):
        return f"{quoted(text)} is infinite or too large for a 64-bit number"
    return f"{quoted(text)} is not a number"


def _two_classes(
    source: str, label: str, values: pd.Series[Any], wanted: Any
) -> tuple[BoolArray, tuple[str, str]]:
    """Which rows are of the positive class, and what the two classes are called."""
    codes, written = pd.factorize(values)
    keys = [_class_key(str(each).strip()) for each in written]
    names: dict[Hashable, str] = {}
    for key, each in zip(keys, written, strict=True):
        names.setdefault(key, str(each).strip())
    held = " and ".join(map(quoted, sorted(names.values())[:MOST_NAMED]))
    held += f" and {len(names) - MOST_NAMED} more" * (len(names) > MOST_NAMED)
    where = f"{source}: column {shown(label)}"
    if len(names) < 2:
        raise ScoreFileError(f"{where} holds one class only, {held}: curves need both classes.")
    positive = _OBVIOUS.get(frozenset(names)) if wanted is None else _class_key(str(wanted).strip())
    if wanted is None and positive is None:
        ways = " or ".join(f"--positive {shell(each)}" for each in sorted(names.values())[:2])
        rest = " (the others together are the negative class)" * (len(names) > 2)
        raise ScoreFileError(f"{where} holds {held}: say which class is positive, {ways}{rest}.")
    if positive not in names:
        raise ScoreFileError(
            f"{source}: the positive class {quoted(str(wanted))} is not in column {shown(label)}, "
            f"which holds {held}.{did_you_mean(str(wanted), names.values())}"
        )
    others = [each for key, each in names.items() if key != positive]
    negative = others[0] if len(others) == 1 else f"all others: {listed(others, MOST_NAMED)}"
    return np.array([key == positive for key in keys])[codes], (names[positive], negative)


def _class_key(text: str) -> Hashable:
    """What two ways to write the same label have in common.

    Numbers are compared exactly, however long: 1, 1.0 and 1e0 are one class, 9007199254740992
    and 9007199254740993 are two. Words are compared as written, but for true and false.
    """
    if INTEGER.fullmatch(text) and len(text) < 4000:
        return int(text)
    if NUMBER.fullmatch(text):
        return float(text)
    return text.lower() if text.lower() in ("true", "false") else text


def _unlike_scores(scores: Mapping[str, FloatArray]) -> dict[str, str]:
    """Columns that seem to be something else, and why; never all of them."""
    rules: dict[str, Callable[[str, Any], bool]] = {
        "row numbers, it seems": lambda name, _: bool(
            re.fullmatch(r"row|index|(.*[_. ])?id", name.lower())
        ),
        "a fold, a group or a weight by name": lambda name, _: bool(
            re.fullmatch(
                r"folds?|cv|splits?|groups?|((sample|case|row)[_. ])?weights?", name.lower()
            )
        ),
        "only 0 and 1": lambda _, values: bool(
            np.isin(values, (0, 1)).all() and values.min() < values.max()
        ),
        "row numbers, it seems ": lambda _, values: bool(
            (values == np.floor(values)).all() and (np.diff(np.sort(values)) > 0).all()
        ),
    }
    unlike: dict[str, str] = {}
    for why, rule in rules.items():
        matched = [
            name for name, values in scores.items() if name not in unlike and rule(name, values)
        ]
        if len(unlike) + len(matched) < len(scores):
            unlike |= dict.fromkeys(matched, why.strip())
    return unlike


def _refuse_long(name: str, source: Any) -> None:
    """Refuse a file with a row for each model."""
    by_lower = {each.lower(): each for each in source.names}
    if {"model", "score"} <= by_lower.keys() and not source.is_numeric(by_lower["model"]):
        model, score = by_lower["model"], by_lower["score"]
        said = _LONG.format(names=listed(source.names), model=model, score=score)
        raise ScoreFileError(f"{name} {said}.")


def _position(where: str, names: Sequence[str], name: str) -> int:
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
