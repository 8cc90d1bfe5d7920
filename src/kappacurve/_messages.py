"""How names and values that come from a file or a command line are shown in messages."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from decimal import ROUND_FLOOR, Context
from difflib import get_close_matches
from html import escape
from math import isfinite


def quoted(value: str) -> str:
    """Show a value in quotes, shortened if it is long."""
    return repr(value if len(value) <= 40 else value[:37] + "...")


def printable(text: str) -> str:
    """A text in one line, its control characters, line breaks and the like as escapes."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def in_html(text: str) -> str:
    """The same in a page."""
    return escape(printable(text))


def shown(name: str) -> str:
    """Show a name, in quotes only if it would not be seen as it is."""
    return name if 0 < len(name) <= 40 and name.isprintable() else quoted(name)


def short_number(below: float, score: float) -> float:
    """The number of fewest digits, three or more, that is above the one and up to the other.

    A threshold so printed and read back predicts the same rows positive as the score.
    """
    for digits in range(3, 18 * isfinite(score)):
        number = float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(score))
        if below < number <= score:
            return number
    return score


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
