"""Labels and scores, or a whole table, from a file: CSV, TSV, Parquet or Excel, packed or not.

A file's first bytes tell its kind, and pandas reads it. The limits below keep a file from filling
the memory: set `MOST_UNPACKED` or `MOST_CELLS` before reading a larger one.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import re
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from errno import ENOMEM
from functools import partial
from io import SEEK_END, BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._validation import (
    NUMBER,
    BoolArray,
    FloatArray,
    did_you_mean,
    exact_number,
    listed,
    quoted,
    reason,
    shell,
    shown,
    texts_not_held,
)

__all__ = ["ScoreFileError", "ScoreTable", "read_scores", "read_table"]

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
MOST_COLUMNS = 1000  # of scores that were not named
MOST_SEARCHED = 2**28  # bytes of a file in which groups are looked for
MOST_NAMED = 5  # bad cells in one message
MISSING = ("", "?", "na", "n/a", "nan", "null", "#n/a", "<na>")
INFINITE = ("inf", "infinity", "+inf", "+infinity", "-inf", "-infinity")
# Of what there may be several rows, by the name of a column.
GROUPING = re.compile(
    r"(.*[_. ])?(id|groups?|(patient|subject|person|customer|client|household|site|cluster)"
    r"([_. ]?(id|no|nr|number))?)"
)
WEIGHING = re.compile(r"folds?|cv|splits?|groups?|((sample|case|row)[_. ])?weights?")
GROUPS = "groups of rows, it seems; if these are scores, name them by --score"
# What is positive where nobody could doubt it: the rule of the library and of scikit-learn.
_OBVIOUS: dict[frozenset[Hashable], Hashable] = {
    frozenset([0, 1]): 1,
    frozenset([-1, 1]): 1,
    frozenset(["false", "true"]): "true",
}
# Why a column of numbers is taken for something else than scores, by its name or its values.
_UNLIKE_SCORES: tuple[tuple[str, Callable[[str, FloatArray], Any]], ...] = (
    ("row numbers, it seems", lambda name, _: re.fullmatch(r"row|index|(.*[_. ])?id", name)),
    ("a fold, a group or a weight by name", lambda name, _: WEIGHING.fullmatch(name)),
    (
        GROUPS,
        lambda name, x: (
            GROUPING.fullmatch(name) and (x == np.floor(x)).all() and 1 < len(np.unique(x)) < len(x)
        ),
    ),
    ("only 0 and 1", lambda _, x: np.isin(x, (0, 1)).all() and x.min() < x.max()),
    ("row numbers, it seems", lambda _, x: (x == np.floor(x)).all() and np.diff(np.sort(x)).all()),
)


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
    grouping: tuple[str, ...]  # other columns by which rows seem to belong together


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
    Excel workbook, if openpyxl is. It may be packed by gzip, bzip2 or xz, up to
    `kappacurve.io.MOST_UNPACKED` bytes unpacked (8 GiB), and holds up to `MOST_CELLS` cells (2^28).

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
        from columns to the reason; grouping, other columns by which rows seem to belong together:
        called as patients or identifiers are, with values that repeat.

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
    if isinstance(scores, str) or not all(isinstance(name, str) for name in scores or ()):
        raise ScoreFileError(f"scores must be a list of names of columns, got {scores!r}.")
    if delimiter and not (isinstance(delimiter, str) and re.fullmatch('[^"\r\n ]', delimiter)):
        raise ScoreFileError(f"delimiter must be one character such as ';', got {delimiter!r}.")
    if label in (scores or ()):
        raise ScoreFileError(f"column {label} is the label and can't be a score as well.")
    with opened(path, label=label, delimiter=delimiter, decimal=decimal) as (name, size, source):
        names = source.names
        for column in (label, *also, *exclude, *(scores or ())):
            position(name, names, column)
        left_out: dict[str, str] = {}
        chosen = list(dict.fromkeys(scores or ()))
        if scores is None:
            offered = [column for column in names if column not in (label, *exclude, *also)]
            chosen, left_out = _columns_of_numbers(name, source, label, offered)
        keys: list[str] = []
        if size < MOST_SEARCHED:
            keys = [key for key in names if key != label and GROUPING.fullmatch(key.lower())]
        frame = source.scores(chosen, distinct([label], list(also), keys))
    used = frame[distinct(chosen, [label], list(also))]
    values = _checked(name, used, label, chosen, decimal)
    is_positive, classes = _two_classes(name, label, frame[label], positive)
    if scores is None:
        unlike = _unlike_scores(values)
        values = {column: values[column] for column in values if column not in unlike}
        left_out |= unlike
    keys = [key for key in keys if key not in (*also, *values)]
    grouping = [key for key in keys if 1 < frame[key].nunique() < len(frame)]
    left_out |= {key: GROUPS for key in grouping if key in left_out}
    others = {column: frame[column].to_numpy() for column in also}
    return ScoreTable(name, label, *classes, is_positive, values, others, left_out, tuple(grouping))


def read_table(path: str | Path, *, decimal: Decimal = ".", header: bool = True) -> pd.DataFrame:
    """Read all columns of a file of the kinds that `read_scores` reads; errors are the same.

    `decimal` is the decimal separator of a text, whose types are pandas' guesses. Each column needs
    a name of its own. A text without a `header` has the columns column_1, column_2 and so on.
    """
    with opened(path, decimal=decimal, header=header) as (name, _, source):
        for i, column in enumerate(source.names):
            if not column:
                raise ScoreFileError(f"{name}: column {i + 1} has no name: give it one.")
            position(name, source.names, column)
        table = source.table()
    if table.empty:
        raise ScoreFileError(f"{name} has no rows.")
    return table.set_axis(source.names, axis="columns")


def _columns_of_numbers(
    name: str, source: Source, label: str, offered: Sequence[str]
) -> tuple[list[str], dict[str, str]]:
    """Columns in which at least half of the first values are numbers, and why not the others."""
    if len(offered) > MOST_COLUMNS:
        what = f"{len(offered)} columns besides the label"
        raise ScoreFileError(f"{name} has {what}: name those that hold scores.")
    named = [column for column in offered if column]
    for column in named:
        position(name, source.names, column)
    first = source.sample(named)
    chosen = []
    if not len(first):
        raise ScoreFileError(f"{name} has no rows.")
    for column in named:
        text = first[column].dropna().astype(str).str.strip().str.lower()
        text = text[~text.isin(MISSING)]
        meant = _are_numbers(text.str.replace(",", ".", n=1)) | text.isin(INFINITE)
        if 2 * np.count_nonzero(meant) >= len(text) > 0:
            chosen.append(column)
    by_lower = {column.lower(): column for column in source.names}
    model, score = by_lower.get("model"), by_lower.get("score")
    if model and score and model not in chosen:
        raise ScoreFileError(
            f"{name} has one row per model (its columns are {listed(source.names)}): put the "
            "models side by side, for example by table.pivot(index=[row, label], "
            f"columns={model!r}, values={score!r}), or name a column of scores."
        )
    if not chosen:
        what = f"no column of numbers but the label {shown(label)}"
        raise ScoreFileError(f"{name} has {what}. Its columns: {listed(source.names)}.")
    left_out = {column: "not mostly numeric" for column in named if column not in chosen}
    unnamed = [f"column {i + 1} (no name)" for i, column in enumerate(source.names) if not column]
    return chosen, left_out | dict.fromkeys(unnamed, "a column of scores needs a name")


def _checked(
    source: str, frame: pd.DataFrame, label: str, scores: Sequence[str], decimal: Decimal
) -> dict[str, FloatArray]:
    """Scores as finite floats; the first bad cells are named, a gap in any column is one."""
    numbers: dict[str, FloatArray] = {}
    bad: list[tuple[int, str, str]] = []
    if frame.empty:
        raise ScoreFileError(f"{source} has no rows.")
    for column, values in frame.items():
        what = "score" if column in scores else "label" if column == label else "value"
        if what == "score":
            numbers[str(column)], wrong = _numbers(values, decimal)
        else:
            codes, written = pd.factorize(values)
            gaps = [str(text).strip().lower() in MISSING for text in written]
            wrong = np.array([*gaps, True])[codes]  # the code of what is missing is -1
        for row in np.flatnonzero(wrong)[:MOST_NAMED]:
            fault = _fault(str(values.iloc[row]).strip(), what, decimal)
            bad.append((int(row) + 1, shown(str(column)), fault))
    if bad:
        named = [f"row {row}, column {at}: {fault}" for row, at, fault in sorted(bad)[:MOST_NAMED]]
        raise ScoreFileError(f"{source}, {'; '.join(named)}. Correct or remove what is named.")
    return numbers


def _numbers(values: pd.Series[Any], decimal: Decimal) -> tuple[FloatArray, BoolArray]:
    """Values as floats, and which are missing, infinite, no numbers or not exact in 64 bits."""
    if pd.api.types.is_float_dtype(values) or pd.api.types.is_bool_dtype(values):
        numbers: FloatArray = values.to_numpy(np.float64)
        return numbers, ~np.isfinite(numbers)
    text = values.astype(str).fillna("").str.strip().str.lower()
    text = text.replace({"true": "1", "false": "0"})
    if decimal == ",":
        text = text.str.replace(".", " ", regex=False).str.replace(",", ".", n=1, regex=False)
    numbers = text.where(_are_numbers(text), "nan").map(float).to_numpy(np.float64)
    wrong = ~np.isfinite(numbers)
    doubtful = may_lose_digits(pd.Series(numbers)).to_numpy() & ~wrong
    wrong |= doubtful & text.isin(texts_not_held(text[doubtful].unique().tolist(), {})).to_numpy()
    return numbers, wrong


def _are_numbers(text: pd.Series[Any]) -> BoolArray:
    return np.array([NUMBER.fullmatch(cell) is not None for cell in text], dtype=bool)


def _fault(text: str, what: str, decimal: Decimal) -> str:
    """What is wrong with a cell."""
    if text.lower() in MISSING:
        return f"the {what} is missing" + f" ({quoted(text)})" * (text not in ("", "nan"))
    if decimal == "," and "." in text:
        return f"{quoted(text)} has a point, and the decimal is a comma"
    if decimal == "." and "," in text and NUMBER.fullmatch(text.replace(",", ".", 1)):
        return f"{quoted(text)} has a decimal comma (write a point, or --decimal ,)"
    number = text.replace(decimal, ".", 1)
    if NUMBER.fullmatch(number) and abs(float(number)) < float("inf"):
        few = "is not 0 and too small for" if float(number) == 0 else "has more digits than"
        return f"{quoted(text)} {few} a 64-bit number" + " holds" * (float(number) != 0)
    if NUMBER.fullmatch(number) or text.lower() in INFINITE:
        return f"{quoted(text)} is infinite or too large for a 64-bit number"
    return f"{quoted(text)} is not a number"


def _two_classes(
    source: str, label: str, values: pd.Series[Any], wanted: Any
) -> tuple[BoolArray, tuple[str, str]]:
    """Which rows are of the positive class, and what the two classes are called."""
    codes, written = pd.factorize(values)
    texts = [str(text).strip() for text in written]
    keys = [_class_key(text) for text in texts]
    names: dict[Hashable, str] = {}
    for key, text in zip(keys, texts, strict=True):
        names.setdefault(key, text)
    values_seen = " and ".join(map(quoted, sorted(names.values())[:MOST_NAMED]))
    values_seen += f" and {len(names) - MOST_NAMED} more" * (len(names) > MOST_NAMED)
    where = f"{source}: column {shown(label)}"
    if len(names) < 2:
        raise ScoreFileError(
            f"{where} holds one class only, {values_seen}: curves need both classes."
        )
    positive = _OBVIOUS.get(frozenset(names)) if wanted is None else _class_key(str(wanted).strip())
    if wanted is None and positive is None:
        ways = " or ".join(f"--positive {shell(name)}" for name in sorted(names.values())[:2])
        rest = " (the others together are the negative class)" * (len(names) > 2)
        raise ScoreFileError(
            f"{where} holds {values_seen}: say which class is positive, {ways}{rest}."
        )
    if positive not in names:
        raise ScoreFileError(
            f"{source}: the positive class {quoted(str(wanted))} is not in column {shown(label)}, "
            f"which holds {values_seen}.{did_you_mean(str(wanted), names.values())}"
        )
    others = [name for key, name in names.items() if key != positive]
    negative = others[0] if len(others) == 1 else f"all others: {listed(others, MOST_NAMED)}"
    return np.array([key == positive for key in keys])[codes], (names[positive], negative)


def _class_key(text: str) -> Hashable:
    """What two ways to write the same label have in common.

    Numbers are compared exactly, however long: 1, 1.0 and 1e0 are one class, 9007199254740992
    and 9007199254740993 are two. Words are compared as written, but for true and false.
    """
    number: Hashable = exact_number(text)
    if number is not None:
        return number
    return text.lower() if text.lower() in ("true", "false") else text


def _unlike_scores(scores: Mapping[str, FloatArray]) -> dict[str, str]:
    """Columns that seem to be something else, and why; never all of them."""
    unlike: dict[str, str] = {}
    for why, rule in _UNLIKE_SCORES:
        left = {name: values for name, values in scores.items() if name not in unlike}
        matched = [name for name, values in left.items() if rule(name.lower(), values)]
        if len(matched) < len(left):
            unlike |= dict.fromkeys(matched, why)
    return unlike


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
        size = file.seek(0, SEEK_END)
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
    """Delimited text; the delimiter is the one that finds the label, or else the most columns."""
    start = file.read(LONGEST_HEADER)
    if len(start) == LONGEST_HEADER and not re.search(rb"[\r\n]", start):
        limit = f"{LONGEST_HEADER / 2**20:g} MiB"
        raise ScoreFileError(f"{name} has no line end in its first {limit}: it is no table.")
    candidates = [
        _Text(name, file, sep, decimal, header, start)
        for sep in ([delimiter] if delimiter else DELIMITERS)
    ]
    text = max(candidates, key=lambda text: (label in text.first, len(text.first)))
    if not text.first:
        raise ScoreFileError(f"{name} holds nothing but blank lines.")
    if (lines := _lines(file)) * text.n > file.tell():  # a row takes a byte for each field
        text.refuse_short_rows()
    _refuse_cells(name, text.n, lines)
    return Source(text.names, text.sample, text.scores, text.table)


def _refuse_cells(name: str, columns: int, lines: int) -> None:
    if columns * lines > MOST_CELLS:
        limit = f"{columns:,} columns and {lines:,} lines, more than {MOST_CELLS:,} cells"
        raise ScoreFileError(f"{name} has {limit}: take out columns or rows.")


class _Text:
    """Text of a file, read with one delimiter."""

    def __init__(
        self, name: str, file: IO[bytes], sep: str, decimal: Decimal, header: bool, start: bytes
    ) -> None:
        self.name = name
        self.file = file
        self.sep = sep
        self.decimal = decimal
        # pandas takes minutes to see that a line has millions of fields.
        line = re.split(rb"[\r\n]", re.sub(rb'"[^"]*"', b"", start).lstrip(), maxsplit=1)[0]
        _refuse_cells(name, 1 + line.count(sep.encode()), SAMPLED)
        first = self._read(BytesIO(start), header=None, nrows=1, dtype=str, na_filter=False)
        self.first = [str(field).strip() for field in first.to_numpy().ravel()]
        self.n = len(self.first)
        self.names = self.first if header else [f"column_{i + 1}" for i in range(self.n)]
        self._body = partial(self._read, file, header=0 if header else None, names=range(self.n))

    def _read(self, file: IO[bytes], **options: Any) -> pd.DataFrame:
        file.seek(0)
        options |= {"sep": self.sep, "decimal": self.decimal}
        options |= {"encoding": "utf-8", "skipinitialspace": True, "index_col": False}
        if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):
            options["float_precision"] = "round_trip"  # since then the default is as exact
        try:
            with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
                frame: pd.DataFrame = pd.read_csv(file, **options)
                return frame
        except pd.errors.EmptyDataError:
            return pd.DataFrame()
        except (pd.errors.ParserError, pd.errors.ParserWarning, csv.Error) as error:
            if "out of memory" in str(error):
                raise MemoryError from None
            fault = reason(error).removeprefix("Error tokenizing data. C error: ")
            if isinstance(error, pd.errors.ParserWarning):
                fault = "the first row has more fields than the header"
            delimited = DELIMITERS.get(self.sep, quoted(self.sep))
            raise ScoreFileError(
                f"{self.name} can't be read as fields delimited by {delimited}: {fault}. "
                "Is a delimiter missing or too many, or a quotation mark left open?"
            ) from None

    def sample(self, columns: list[str]) -> pd.DataFrame:
        first = self._body(nrows=SAMPLED, dtype=str, na_filter=False)
        places = [self.names.index(column) for column in columns]
        return first[places].set_axis(columns, axis="columns")

    def scores(self, chosen: list[str], others: list[str]) -> pd.DataFrame:
        at = {column: self.names.index(column) for column in (*chosen, *others)}
        # One byte of each cell that is not needed is the cheapest to hold. `usecols` would leave
        # them out, but then pandas shifts rows that are too long.
        kinds: dict[int, Any] = dict.fromkeys(range(self.n), "S1")
        kinds |= {at[column]: "category" for column in others}
        places = [at[column] for column in chosen]
        try:
            frame = self._body(dtype=kinds | dict.fromkeys(places, np.float64), na_filter=False)
            exact = bool((frame[places].abs() < EXACT).to_numpy().all())
            exact = exact and not self._digits_are_lost(frame, places, kinds)
        except ValueError:  # a cell that is no number; or an unreadable row, which is met again
            exact = False
        if not exact:  # to name bad cells, to take truth values, to see digits that are lost
            frame = self._body(dtype=kinds | dict.fromkeys(places, str), na_filter=False)
        # pandas makes floats of all values of a category if one of them is written as a float.
        large = []
        for place in (at[column] for column in others if column not in chosen):
            values = frame[place].cat.categories
            if values.dtype == np.float64 and (np.abs(values) >= EXACT).any():
                large.append(place)
        if large:
            texts = self._body(dtype=kinds | dict.fromkeys(large, str), na_filter=False)
            frame[large] = texts[large]
        last = frame[self.n - 1]
        if last.dtype != np.float64 and last.isin(["", b""]).any():
            self.refuse_short_rows()
        return frame[list(at.values())].set_axis(list(at), axis="columns")

    def _digits_are_lost(
        self, frame: pd.DataFrame, places: list[int], kinds: dict[int, Any]
    ) -> bool:
        """Whether numbers that are written differently became one, or a small one 0."""
        open_to_doubt = {at: may_lose_digits(frame[at]) for at in places}
        places = [at for at, doubtful in open_to_doubt.items() if doubtful.any()]
        if not places or self._numbers_are_short():
            return False
        first: dict[int, Any] = {at: {} for at in places}
        kinds = kinds | dict.fromkeys(places, str)
        parts: Any = self._body(dtype=kinds, na_filter=False, chunksize=SEARCHED)
        for part in parts:
            for at in places:
                text = part[at][open_to_doubt[at].loc[part.index]].str.strip()
                texts = text.str.replace(self.decimal, ".").unique().tolist()
                if texts_not_held(texts, first[at]):
                    return True
        return False

    def _numbers_are_short(self) -> bool:
        """Whether no number has more than 15 digits, or a negative exponent: quickly seen."""
        self.file.seek(0)
        while part := self.file.read(2**22) + self.file.readline():
            codes = np.frombuffer(part, np.uint8)
            others = np.flatnonzero((codes - 48 > 9) & (codes != ord(self.decimal)))
            # Sixteen digits without a point are an integer, which is held.
            if np.diff(others, prepend=-1, append=len(part)).max() > 17 or b"e-" in part.lower():
                return False
        return True

    def table(self) -> pd.DataFrame:
        frame = self._body(low_memory=False)
        if frame[self.n - 1].isna().any():
            self.refuse_short_rows()
        return frame

    def refuse_short_rows(self) -> None:
        """Name the first row with too few fields, which pandas fills up."""
        self.file.seek(0)
        text = TextIOWrapper(self.file, encoding="utf-8-sig", errors="replace", newline="")
        reader = csv.reader(text, delimiter=self.sep, skipinitialspace=True)
        try:
            for fields in reader:
                if len(fields) < self.n and (len(fields) > 1 or "".join(fields).strip()):
                    raise ScoreFileError(
                        f"{self.name}, line {reader.line_num}: {len(fields)} fields where the "
                        f"first line has {self.n}. Is a delimiter missing, or a quotation mark "
                        "left open?"
                    )
        finally:
            text.detach()


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


def may_lose_digits(numbers: pd.Series[Any]) -> pd.Series[Any]:
    """Which numbers can stand for others than those written: repeated ones, 0 and large ones."""
    return numbers.duplicated(keep=False) | (numbers == 0) | (numbers.abs() >= EXACT)


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
