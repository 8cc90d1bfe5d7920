"""The grammar of cells: what is a number, what is missing, and what could be read in two ways."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal as Exact
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..validation import (
    NUMBER,
    BoolArray,
    FloatArray,
    clean_text,
    code_spellings,
    find_merged,
    spelling,
)
from .frames import Decimal, ScoreFileError, Table

__all__ = [
    "MISSING_WORDS",
    "clean_text",
    "code_spellings",
    "find_missing",
    "read_numbers",
    "spelling",
]

N_SNIFFED_ROWS = 1000  # by which a column of numbers is recognised
# Always missing: SAS and Stata write a point, MySQL \N, SPSS #NULL!, Excel the other errors.
BLANK = {"", "?", ".", "nan", "-nan", "<na>", "\\n", "#null!", "#n/a", "#na", "#div/0!", "#value!"}
BLANK |= {"#ref!", "#name?", "#num!", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"}
# Missing unless they name a class or category.
MISSING_WORDS = {"na", "n/a", "none", "null"}
GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}(\{mark}\d{{3}})+") for mark in ".,"}  # 1,019
SMALL = re.compile(r"[+-]?\d{1,3}")


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
            "for 64-bit floats: write ranks, or the difference to a constant."
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
