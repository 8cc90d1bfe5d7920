"""ARFF as OpenML and Weka write it, also with text attributes and words that are not ASCII.

Not by SciPy's reader, which refuses both.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from kappacurve._labels import NUMBER

NUMERIC = ("numeric", "real", "integer")
TEXT = ("string", "date")
_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_ATTRIBUTE = re.compile(rf"@attribute[ \t]+(?:{_QUOTED}|([^ \t{{'\"]+))[ \t]*(.+)", re.IGNORECASE)
_FIELD = {
    one: re.compile(rf"[ \t]*?(?:{_QUOTED}|((?:[^{one}'\" ][^{one}]*)?))[ ]*({one}|$)")
    for one in (",", "\t")
}


class ArffError(ValueError):
    """A text that is not ARFF; the message names the line."""


class Arff(NamedTuple):
    """Names of the columns, which hold numbers, and the rows with their lines; None is missing."""

    names: list[str]
    numeric: list[bool]
    lines: list[int]
    rows: list[list[str | None]]

    def column(self, i: int) -> list[str | None]:
        """A column's values as they are written."""
        return [row[i] for row in self.rows]

    def numbers(self, i: int) -> list[float]:
        """A column's values as numbers, NaN where they are missing."""
        found = []
        for line, text in zip(self.lines, self.column(i), strict=True):
            if text is None or text.lower() == "nan":
                found.append(float("nan"))
            elif NUMBER.fullmatch(text):
                found.append(float(text))
            else:
                raise ArffError(f"line {line}, column {self.names[i]}: {text!r} is not a number")
        return found


def read_arff_text(text: str) -> Arff:
    """Read the attributes and the rows of an ARFF text.

    Raises
    ------
    ArffError
        If it is not ARFF, or has sparse rows or relational attributes.

    Examples
    --------
    >>> found = read_arff_text("@relation r\\n@attribute a {ä,b}\\n@attribute n real\\n@data\\nä,?")
    >>> found.names, found.numeric, found.rows
    (['a', 'n'], [False, True], [['ä', None]])
    """
    lines = _lines(text)
    found = Arff([], [], [], [])
    levels: list[frozenset[str | None] | None] = []
    for number, line in lines:
        if line.lower().startswith("@data"):
            break
        if line.lower().startswith("@attribute"):
            name, kind = _attribute(number, line)
            found.names.append(name)
            found.numeric.append(kind.lower() in NUMERIC)
            nominal = kind.startswith("{")
            levels.append(frozenset(_fields(number, kind[1:-1])) if nominal else None)
        elif not line.lower().startswith("@relation"):
            raise ArffError(f"line {number} is no @attribute, and @data has not come yet")
    else:
        raise ArffError("there is no line @data")
    for number, line in lines:
        found.lines.append(number)
        found.rows.append(_row(number, line, found.names, levels))
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor comments, with their numbers."""
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        if line.strip() and not line.lstrip().startswith("%"):
            yield number, line.strip(" \r\n")


def _attribute(number: int, line: str) -> tuple[str, str]:
    found = _ATTRIBUTE.fullmatch(line.rstrip())
    if found is None:
        raise ArffError(f"line {number} is no attribute's name and type")
    kind = found[4].strip()
    is_known = kind.lower() in NUMERIC or kind.lower().split()[0] in TEXT
    if not is_known and not (kind.startswith("{") and kind.endswith("}")):
        raise ArffError(f"line {number}: unknown type {kind}")
    return _unquoted(found), kind


def _row(
    number: int, line: str, names: list[str], levels: list[frozenset[str | None] | None]
) -> list[str | None]:
    if line.startswith("{"):
        raise ArffError(f"line {number} is a sparse row, which is not read: write all values")
    values = _fields(number, line)
    if len(values) != len(names):
        raise ArffError(f"line {number} has {len(values)} values for {len(names)} attributes")
    for name, value, known in zip(names, values, levels, strict=True):
        if known is not None and value is not None and value not in known:
            raise ArffError(f"line {number}, column {name}: {value!r} is not among its values")
    return values


def _fields(number: int, line: str) -> list[str | None]:
    """Values of a line; None for a question mark that is not quoted."""
    field = _FIELD["," if "," in line else "\t"]
    found: list[str | None] = []
    at = 0
    while True:
        match = field.match(line, at)
        if match is None:
            raise ArffError(f"line {number}: quotation marks do not match")
        value = _unquoted(match)
        found.append(None if match[3] and value == "?" else value)
        at = match.end()
        if not match[4]:
            return found


def _unquoted(match: re.Match[str]) -> str:
    if match[3] is not None:
        return match[3].strip()
    return re.sub(r"\\(.)", r"\1", match[1] if match[1] is not None else match[2])
