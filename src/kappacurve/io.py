"""Labels and scores, or a whole table, from a file: CSV, TSV, Parquet or Excel, packed or not."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve._files import (
    NUMBER,
    Decimal,
    ScoreFileError,
    Source,
    distinct,
    exact_number,
    may_lose_digits,
    opened,
    position,
    texts_not_held,
)
from kappacurve._validation import BoolArray, FloatArray, did_you_mean, listed, quoted, shell, shown

__all__ = ["ScoreFileError", "ScoreTable", "read_scores", "read_table"]

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
GROUPS = "groups of rows, it seems; if these are scores, name them by --score"
# What is positive where nobody could doubt it: the rule of the library and of scikit-learn.
_OBVIOUS: dict[frozenset[Hashable], Hashable] = {
    frozenset([0, 1]): 1,
    frozenset([-1, 1]): 1,
    frozenset(["false", "true"]): "true",
}


def _named(pattern: str) -> Callable[[str, FloatArray], Any]:
    return lambda name, _: re.fullmatch(pattern, name.lower())


# Why a column of numbers is taken for something else than scores, by its name or its values.
_UNLIKE_SCORES: tuple[tuple[str, Callable[[str, FloatArray], Any]], ...] = (
    ("row numbers, it seems", _named(r"row|index|(.*[_. ])?id")),
    (
        "a fold, a group or a weight by name",
        _named(r"folds?|cv|splits?|groups?|((sample|case|row)[_. ])?weights?"),
    ),
    (
        GROUPS,
        lambda name, x: (
            GROUPING.fullmatch(name.lower())
            and (x == np.floor(x)).all()
            and 1 < len(np.unique(x)) < len(x)
        ),
    ),
    ("only 0 and 1", lambda _, x: np.isin(x, (0, 1)).all() and x.min() < x.max()),
    ("row numbers, it seems", lambda _, x: (x == np.floor(x)).all() and np.diff(np.sort(x)).all()),
)


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
    wrong |= doubtful & text.isin(texts_not_held(text[doubtful], {})).to_numpy()
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
        matched = [name for name, values in left.items() if rule(name, values)]
        if len(matched) < len(left):
            unlike |= dict.fromkeys(matched, why)
    return unlike
