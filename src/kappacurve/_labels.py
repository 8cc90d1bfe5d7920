"""The cells of a file: numbers and two classes; how names and values are shown in messages."""

from __future__ import annotations

import re
import shlex
from collections.abc import Hashable, Iterable
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MISSING = frozenset(["", "?", "na", "n/a", "nan", "null", "#n/a", "<na>"])
MOST_NAMED = 5  # bad cells in one message
ROWS_AT_ONCE = 2**18
# What is positive where nobody could doubt it: the rule of the library and of scikit-learn.
_OBVIOUS: dict[frozenset[Hashable], Hashable] = {
    frozenset([Decimal(0), Decimal(1)]): Decimal(1),
    frozenset([Decimal(-1), Decimal(1)]): Decimal(1),
    frozenset(["false", "true"]): "true",
}


class ScoreFileError(ValueError):
    """A file can't be used as it is; the message says where and what to do."""


def is_meant_as_number(text: str) -> bool:
    """Tell a number, also an infinite one or one with a decimal comma, from a word."""
    is_infinite = text.lower().lstrip("+-") in ("inf", "infinity")
    return is_infinite or NUMBER.fullmatch(text.replace(",", ".", 1)) is not None


def read_number(text: str) -> float:
    """Read a finite number or a truth value, or say what is wrong with it."""
    text = text.strip()
    if NUMBER.fullmatch(text) and isfinite(value := float(text)):
        return value
    if text.lower() in ("true", "false"):
        return float(text.lower() == "true")
    if text.lower() in MISSING:
        raise ScoreFileError("the score is missing" + f" ({quoted(text)})" * bool(text))
    if not is_meant_as_number(text):
        raise ScoreFileError(f"{quoted(text)} is not a number")
    if "," in text:
        raise ScoreFileError(f"{quoted(text)} has a decimal comma (write a point, or --decimal ,)")
    raise ScoreFileError(f"{quoted(text)} is infinite or too large for a 64-bit number")


def class_key(text: str) -> Hashable:
    """What two ways to write the same label have in common.

    Numbers are compared exactly, however long: 1, 1.0 and 1e0 are one class, 9007199254740992
    and 9007199254740993 are two. Words are compared as written, but for true and false.
    """
    if NUMBER.fullmatch(text):
        try:
            return Decimal(text)
        except InvalidOperation:  # an exponent beyond all measure
            return text
    return text.lower() if text.lower() in ("true", "false") else text


class Classes:
    """The two classes of a column of labels, met one label after the other."""

    def __init__(self, column: str) -> None:
        self.column = shown(column)
        self.names: list[str] = []
        self._keys: list[Hashable] = []

    def code(self, label: Any) -> int:
        """Number of the label's class, 0 or 1 in the order in which they are met."""
        text = (label.decode() if isinstance(label, bytes) else str(label)).strip()
        key = class_key(text)
        if key not in self._keys:
            if text.lower() in MISSING:
                raise ScoreFileError("the label is missing" + f" ({quoted(text)})" * bool(text))
            if len(self._keys) == 2:
                a, b = map(quoted, self.names)
                raise ScoreFileError(
                    f"{quoted(text)} is a third class after {a} and {b}: two are needed"
                )
            self._keys.append(key)
            self.names.append(text)
        return self._keys.index(key)

    def positive(self, wanted: str | None) -> int:
        """Return the number of the positive class, the wanted one or the obvious one."""
        held = " and ".join(map(quoted, sorted(self.names)))
        if len(self.names) < 2:
            raise ScoreFileError(
                f"column {self.column} holds one class only, {held}: curves need both classes."
            )
        key = _OBVIOUS.get(frozenset(self._keys)) if wanted is None else class_key(wanted.strip())
        if key in self._keys:
            return self._keys.index(key)
        if wanted is None:
            ways = " or ".join(f"--positive {shell(name)}" for name in sorted(self.names))
            raise ScoreFileError(
                f"column {self.column} holds {held}: say which class is positive, {ways}."
            )
        raise ScoreFileError(
            f"the positive class {quoted(wanted)} is not in column {self.column}, which holds "
            f"{held}.{did_you_mean(wanted, self.names)}"
        )


class Columns(NamedTuple):
    """Labels, as numbers of classes, and scores, in parts."""

    classes: Classes
    codes: list[Any]
    scores: list[list[Any]]

    def add(self, labels: Any, scores: Iterable[Any]) -> None:
        """Take in some rows; a ValueError if there is a third class or a score is not finite."""
        codes, texts = pd.factorize(labels)
        self.codes.append(np.array([self.classes.code(text) for text in texts], np.int8)[codes])
        for parts, values in zip(self.scores, scores, strict=True):
            parts.append(np.asarray(values, dtype=np.float64))
            if not np.isfinite(parts[-1]).all():
                raise ValueError("a score is not finite")


def joined(parts: list[Any]) -> Any:
    """Join the parts of a column and let go of them."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole


def quoted(value: str) -> str:
    """Show a value of the file in quotes, shortened if it is long."""
    return repr(value if len(value) <= 40 else value[:37] + "...")


def shown(name: str) -> str:
    """Show a name of the file, in quotes only if it would not be seen as it is."""
    return name if 0 < len(name) <= 40 and name.isprintable() else quoted(name)


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in one line, the first of them if there are many."""
    all_names = [shown(name) for name in names]
    more = f", ... ({len(all_names)} in all)" if len(all_names) > most else ""
    return ", ".join(all_names[:most]) + more


def shell(text: str) -> str:
    """Quote a word for the command line if it needs it."""
    return shlex.quote(text) if len(text) <= 40 and text.isprintable() else "VALUE"


def reason(error: BaseException) -> str:
    """What another package says went wrong, in one line."""
    text = str(getattr(error, "strerror", None) or error).strip().rstrip(".")
    text = text if text.isprintable() else repr(text)[1:-1]
    return text[:200] or type(error).__name__


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A question for the nearest known name, or nothing."""
    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(wrong.lower(), by_lower, n=1, cutoff=0.6)
    return f" Did you mean {quoted(by_lower[near[0]])}?" if near else ""
