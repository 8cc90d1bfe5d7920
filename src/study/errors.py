"""An error that the user can fix, shown without a traceback, and the warning of a fit cut short."""

import re
from collections.abc import Iterable
from difflib import get_close_matches


class ExperimentError(Exception):
    """The data or the settings do not allow what was asked; the message says what to do."""


class TableError(ExperimentError):
    """All that is wrong with a table, a sentence each, and the lines of a config that accept it."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        super().__init__(" ".join(self.lines))


class ImpossibleError(ExperimentError):
    """The data have too few rows for a cell, which leaves other cells alone."""


class FitError(ExperimentError):
    """A model of the user's that can't be fitted; the reason is the first sentence of its error."""

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class ConvergenceWarning(UserWarning):
    """A model was stopped by its limit of iterations; as scikit-learn's, without importing that."""


def first_sentence(error: Exception) -> str:
    """The first sentence of another library's error, without its period."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return re.split(r"(?<=[a-z)\]'])\.\s", line)[0].rstrip(".")


def nearest(name: object, known: Iterable[str]) -> str:
    """How a sentence about an unknown name ends: with the one that may be meant, or with all."""
    names = list(known)
    if near := get_close_matches(str(name), names, n=1):
        return f"did you mean {near[0]}?"
    return f"there are {', '.join(names)}."
