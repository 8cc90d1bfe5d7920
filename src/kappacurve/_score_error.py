"""The error of a file of scores that its owner can mend, and how values are shown in it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ScoreFileError(ValueError):
    """A file of scores can't be used as it is; the message says where and what to do."""


def quoted(value: str) -> str:
    """Show a value of the file in quotes, shortened if it is long."""
    return repr(value if len(value) <= 40 else value[:37] + "...")


def listed(values: Iterable[str], most: int = 12) -> str:
    """Names in one line, the first of them if there are many."""
    names = [value if value and value.isprintable() else quoted(value) for value in values]
    more = f", ... ({len(names)} in all)" if len(names) > most else ""
    return ", ".join(name if len(name) <= 40 else name[:37] + "..." for name in names[:most]) + more


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A question for the nearest known name, or nothing."""
    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(wrong.lower(), by_lower, n=1, cutoff=0.6)
    return f" Did you mean {quoted(by_lower[near[0]])}?" if near else ""
