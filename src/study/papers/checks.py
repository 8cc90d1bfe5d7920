"""Statements of a source beside what is computed here, and what a study of one source hands on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import pandas as pd

from study.published import MEASURE_LABELS, printed_by

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# printed: a number or statement as the source has it; identity: an equation of a source, on our
# models or on its examples; own: a formula of this project, a correction of a printed one or not.
Kind = Literal["printed", "identity", "own"]
# Sources as the tables name them.
STUDY_LABELS = {
    "kaymak": "Kaymak, Ben-David & Potharst 2010",
    "ben_david": "Ben-David 2008",
    "hand": "Hand 2009",
    "baker": "Baker",
    "silipo": "Silipo & Widmann",
}


class Check(NamedTuple):
    """One statement: its kind, the value it expects, the value found, how far apart they may be."""

    kind: Kind
    check: str
    expected: float
    found: float
    tolerance: float = 1e-9

    @property
    def holds(self) -> bool:
        """Whether the two are no further apart than the tolerance and rounding allow."""
        return abs(self.found - self.expected) <= self.tolerance + 1e-12


class Study(NamedTuple):
    """The tables and figures of a source, by the name of their files."""

    tables: dict[str, pd.DataFrame]
    figures: dict[str, Figure]


def as_printed(check: str, printed: str, found: float) -> Check:
    """A printed number: it holds if the value found rounds to it (either way at a tie).

    >>> as_printed("kappa", "0.474", 0.47368).tolerance
    0.0005
    """
    decimals = len(printed.partition(".")[2])
    return Check("printed", check, float(printed), found, 0.5 * 10**-decimals)


def beside_printed(source: str, found: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """What was found, by place and measure, beside what the source prints of it.

    Columns: place, measure, printed, recomputed.
    """
    rows = [
        (place, measure, numbers[measure].text, found[place][measure])
        for place, numbers in printed_by(source).items()
        for measure in numbers
        if measure in found.get(place, {})
    ]
    return pd.DataFrame(rows, columns=["place", "measure", "printed", "recomputed"])


def check_table(
    study: str, found: Mapping[str, Mapping[str, float]], checks: Iterable[Check] = ()
) -> pd.DataFrame:
    """One row per printed number that was found, by place and measure, and per further check.

    Columns: study, kind, check, expected, found, difference, holds.
    """
    numbers = beside_printed(study, found).itertuples(index=False)
    of_numbers = [
        as_printed(f"{place}: {MEASURE_LABELS.get(measure, measure).replace('_', ' ')}", *values)
        for place, measure, *values in numbers
    ]
    columns = ["study", "kind", "check", "expected", "found", "difference", "holds"]
    rows = [
        # To twelve digits, so that a rounding error counts as zero.
        (study, *one[:4], round(one.found - one.expected, 12), one.holds)
        for one in (*of_numbers, *checks)
    ]
    return pd.DataFrame(rows, columns=columns)
