"""Statements of a source, held against what is computed here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

# Sources as the errata name them.
STUDY_LABELS = {
    "kaymak": "Kaymak, Ben-David & Potharst 2010",
    "ben_david": "Ben-David 2008",
    "hand": "Hand 2009",
    "baker": "Baker",
    "silipo": "Silipo & Widmann",
}
COLUMNS = ("study", "check", "expected", "found", "difference", "holds")


class Check(NamedTuple):
    """One statement: the value it expects, the value found, and how far apart they may be."""

    check: str
    expected: float
    found: float
    tolerance: float = 1e-9


def as_printed(check: str, printed: str, found: float) -> Check:
    """A printed number: it holds if the value found rounds to it (either way at a tie).

    >>> as_printed("kappa", "0.474", 0.47368).tolerance
    0.0005
    """
    decimals = len(printed.partition(".")[2])
    return Check(f"{check}, as printed", float(printed), found, 0.5 * 10**-decimals)


def holds(one: Check) -> bool:
    """Whether expected and found are no further apart than the tolerance and rounding allow."""
    return abs(one.found - one.expected) <= one.tolerance + 1e-12


def check_table(study: str, checks: Iterable[Check]) -> pd.DataFrame:
    """One row a check: study, check, expected, found, difference, holds."""
    rows = [
        # Twelve digits: what rounding leaves of zero is zero.
        (study, one.check, one.expected, one.found, round(one.found - one.expected, 12), holds(one))
        for one in checks
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))
