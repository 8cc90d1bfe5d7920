"""Class counts at a wanted skew."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from study.errors import ImpossibleError

Scheme = Literal["keep_majority", "keep_majority_up", "total"]


class ClassCounts(NamedTuple):
    """Rows of each class after undersampling."""

    majority: int
    minority: int


def class_counts(
    majority: int,
    minority: int,
    *,
    skew: float | None,
    scheme: Scheme = "keep_majority",
    total: int | None = None,
    n_minority: int | None = None,
) -> ClassCounts:
    """How many of these rows of each class are kept so that the share of the minority is `skew`.

    A skew of None keeps all rows. The schemes are those of the config key experiment.sampling:
    "keep_majority", the paper's, deletes only rows of the class that is too frequent, and rounds
    what is left of it down. n_minority replaces the number of minority rows that follows from the
    skew. ImpossibleError if the data do not have that many rows of a class.
    """
    available = ClassCounts(majority, minority)
    if skew is None:
        return available
    if scheme == "total":
        rows = total or 0
        n = _whole(rows * skew, scheme) if n_minority is None else n_minority
        counts = ClassCounts(rows - n, n)
    elif skew > minority / (majority + minority) and n_minority is None:
        counts = ClassCounts(_whole(minority * (1 - skew) / skew, scheme), minority)
    else:
        n = _whole(majority * skew / (1 - skew), scheme) if n_minority is None else n_minority
        counts = ClassCounts(majority, n)
    for name, wanted, limit in zip(ClassCounts._fields, counts, available, strict=True):
        if not 1 <= wanted <= limit:
            raise ImpossibleError(
                f"a skew of {skew:g} here needs {counts.majority} majority and {counts.minority} "
                f"minority rows, but the data have {limit} of the {name}: change skew, total or "
                "n_minority."
            )
    return counts


def _whole(value: float, scheme: Scheme) -> int:
    # 700 * 0.3 / 0.7 is 299.99999999999994: a count that is an integer up to rounding stays one.
    return math.ceil(value - 1e-9) if scheme == "keep_majority_up" else math.floor(value + 1e-9)
