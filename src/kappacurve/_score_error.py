"""The error of a file of scores that its owner can mend, and how values are shown in it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ScoreFileError(ValueError):
    """A file of scores can't be used as it is; the message says where and what to do."""


def quoted(value: str) -> str:
    """Show a value of the file in quotes, shortened if it is long."""
    return repr(shortened(value, 40))


def shown(name: str) -> str:
    """Show a name of the file, in quotes only if it would not be seen as it is."""
    return shortened(name, 40) if name and name.isprintable() else quoted(name)


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in one line, the first of them if there are many."""
    all_names = [shown(name) for name in names]
    more = f", ... ({len(all_names)} in all)" if len(all_names) > most else ""
    return ", ".join(all_names[:most]) + more


def reason(error: Exception) -> str:
    """What another package says went wrong, in one line."""
    text = str(error).strip().rstrip(".") or type(error).__name__
    return shortened(text if text.isprintable() else repr(text)[1:-1], 200)


def shortened(text: str, most: int) -> str:
    """A text, cut if it is long."""
    return text if len(text) <= most else text[: most - 3] + "..."


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A question for the nearest known name, or nothing."""
    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(wrong.lower(), by_lower, n=1, cutoff=0.6)
    return f" Did you mean {quoted(by_lower[near[0]])}?" if near else ""
