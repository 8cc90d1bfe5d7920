"""Statements of a source, held against what is computed here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import pandas as pd

# printed: a number or statement as the source has it; identity: an equation of a source, on our
# models or on its examples; own: a formula of this project, a correction of a printed one or not.
Kind = Literal["printed", "identity", "own"]
# Sources as the errata name them.
STUDY_LABELS = {
    "kaymak": "Kaymak, Ben-David & Potharst 2010",
    "ben_david": "Ben-David 2008",
    "hand": "Hand 2009",
    "baker": "Baker",
    "silipo": "Silipo & Widmann",
}
COLUMNS = ("study", "kind", "check", "expected", "found", "difference", "holds")


class Check(NamedTuple):
    """One statement: its kind, the value it expects, the value found, how far apart they may be."""

    kind: Kind
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
    return Check("printed", f"{check}, as printed", float(printed), found, 0.5 * 10**-decimals)


def holds(one: Check) -> bool:
    """Whether expected and found are no further apart than the tolerance and rounding allow."""
    return abs(one.found - one.expected) <= one.tolerance + 1e-12


def check_table(study: str, checks: Iterable[Check]) -> pd.DataFrame:
    """One row a check: study, kind, check, expected, found, difference, holds."""
    rows = [
        # Twelve digits: what rounding leaves of zero is zero.
        (*place, one.expected, one.found, round(one.found - one.expected, 12), holds(one))
        for one in checks
        for place in [(study, one.kind, one.check)]
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))
