"""Class counts at a wanted skew."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from study.errors import ExperimentError

Scheme = Literal["keep_majority", "keep_majority_up", "total"]


class ClassCounts(NamedTuple):
    """Rows of each class after undersampling."""

    good: int
    bad: int


def class_counts(
    n_good: int,
    n_bad: int,
    *,
    skew: float | None,
    scheme: Scheme = "keep_majority",
    total: int = 0,
    n_minority: int | None = None,
    names: tuple[str, str] = ("good", "bad"),
) -> ClassCounts:
    """How many rows of each class are kept so that the share of bad ones is `skew`.

    A skew of None keeps all rows. The schemes are those of the config key experiment.sampling:
    "keep_majority", the paper's, deletes only rows of the class that is too frequent, and rounds
    what is left of it down. n_minority replaces the number of bad rows that follows from the skew.
    The names are those of the classes in messages. ExperimentError if the data do not have that
    many rows of a class.
    """
    if skew is None:
        return ClassCounts(n_good, n_bad)
    if scheme == "total":
        bad = _whole(total * skew, scheme) if n_minority is None else n_minority
        counts = ClassCounts(total - bad, bad)
    elif skew > n_bad / (n_good + n_bad) and n_minority is None:
        counts = ClassCounts(_whole(n_bad * (1 - skew) / skew, scheme), n_bad)
    else:
        bad = _whole(n_good * skew / (1 - skew), scheme) if n_minority is None else n_minority
        counts = ClassCounts(n_good, bad)
    for name, wanted, available in zip(names, counts, (n_good, n_bad), strict=True):
        if not 1 <= wanted <= available:
            raise ExperimentError(
                f"a skew of {skew:g} here needs {counts.good} {names[0]} and {counts.bad} "
                f"{names[1]} rows, but the data have {available} {name} ones: change skew, total "
                "or n_minority."
            )
    return counts


def _whole(value: float, scheme: Scheme) -> int:
    # 700 * 0.3 / 0.7 is 299.99999999999994: a count that is an integer up to rounding stays one.
    return math.ceil(value - 1e-9) if scheme == "keep_majority_up" else math.floor(value + 1e-9)
