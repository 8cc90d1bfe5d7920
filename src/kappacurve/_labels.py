"""From labels as they are written to two classes, and which of them is positive."""

from __future__ import annotations

import re
import shlex
from collections.abc import Hashable
from decimal import Decimal, InvalidOperation

from kappacurve._score_error import ScoreFileError, did_you_mean, quoted

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MISSING = frozenset(["", "na", "n/a", "nan", "null", "#n/a", "<na>"])
# What is positive where nobody could doubt it: the rule of the library and of scikit-learn.
_OBVIOUS: dict[frozenset[Hashable], Hashable] = {
    frozenset([Decimal(0), Decimal(1)]): Decimal(1),
    frozenset([Decimal(-1), Decimal(1)]): Decimal(1),
    frozenset(["false", "true"]): "true",
}


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
        self.column = column
        self.names: list[str] = []
        self._keys: list[Hashable] = []
        self._codes: dict[str, int] = {}

    def code(self, label: str) -> int:
        """Number of the label's class, 0 or 1 in the order in which they are met."""
        code = self._codes.get(label)
        return self._new_code(label) if code is None else code

    def positive(self, wanted: str | None) -> int:
        """Return the number of the positive class, the wanted one or the obvious one."""
        if len(self.names) < 2:
            held = f"one class only, {quoted(self.names[0])}" if self.names else "no rows"
            raise ScoreFileError(
                f"column {self.column} holds {held}: ROC and kappa curves need both classes."
            )
        if wanted is not None:
            return self._wanted(wanted)
        obvious = _OBVIOUS.get(frozenset(self._keys))
        if obvious is None:
            a, b = sorted(self.names)
            raise ScoreFileError(
                f"column {self.column} holds {quoted(a)} and {quoted(b)}: say which class is "
                f"positive, --positive {shell(a)} or --positive {shell(b)}."
            )
        return self._keys.index(obvious)

    def _wanted(self, wanted: str) -> int:
        key = class_key(wanted.strip())
        if key in self._keys:
            return self._keys.index(key)
        a, b = sorted(self.names)
        raise ScoreFileError(
            f"the positive class {quoted(wanted)} is not in column {self.column}, which holds "
            f"{quoted(a)} and {quoted(b)}.{did_you_mean(wanted, self.names)}"
        )

    def _new_code(self, label: str) -> int:
        text = label.strip()
        if text.lower() in MISSING:
            written = f" ({quoted(text)})" if text else ""
            raise ScoreFileError(f"the label is missing{written}: fill it in or remove the row.")
        key = class_key(text)
        if key not in self._keys:
            if len(self._keys) == 2:
                a, b = self.names
                raise ScoreFileError(
                    f"{quoted(text)} is a third class after {quoted(a)} and {quoted(b)}: keep the "
                    "rows of two classes, or give --label another column."
                )
            self._keys.append(key)
            self.names.append(text)
        self._codes[label] = self._keys.index(key)
        return self._codes[label]


def shell(text: str) -> str:
    """Quote a word for the command line if it needs it."""
    if len(text) > 40 or not text.isprintable():
        return "VALUE"
    return text if re.fullmatch(r"[\w.+:@/][\w.+:@/-]*", text) else shlex.quote(text)
