"""Statements of a source beside what is computed here, and what a study of one source hands on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from study.analysis.shares import share_with_interval
from study.published import MEASURE_LABELS, printed_by

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# printed: a number or statement as the source has it, which alone can be contradicted; derived:
# what follows from its equations or examples; ours: a formula or an experiment of this project.
Kind = Literal["printed", "derived", "ours"]
COLUMNS = (
    *("study", "kind", "check", "relation", "expected", "found", "difference"),
    *("low", "high", "holds"),
)


class Check(NamedTuple):
    """One statement: its kind, the value it expects (None: none), and the value found.

    By its relation the value found is the one expected (give or take the tolerance), at least that
    (">="), or at most ("<="); or the value expected lies from low to high ("within"). A share has
    its 95 % Wilson interval, from low to high; a value of replicates their central 95 %. A value
    may be impossible for other reasons.
    """

    kind: Kind
    check: str
    expected: float | None
    found: float
    tolerance: float = 1e-9
    relation: Literal["=", ">=", "<=", "within"] = "="
    low: float = float("nan")
    high: float = float("nan")
    possible: bool = True

    @property
    def holds(self) -> bool | None:
        """Whether the statement is true, rounding taken in; None if that is undecided.

        It is so if nothing is expected, if the interval of a share holds the limit, and if a value
        that is possible lies outside the replicates' central 95 %.
        """
        if self.expected is None:
            return None
        if self.relation == "within":
            inside = self.low <= self.expected <= self.high
            return False if not self.possible else True if inside else None
        if self.low < self.expected < self.high:
            return None
        beyond = self.found - self.expected
        slack = self.tolerance + 1e-12
        above, below = beyond >= -slack, beyond <= slack
        return {"=": above and below, ">=": above, "<=": below}[self.relation]

    def row(self, study: str) -> tuple[object, ...]:
        """A row of the table of checks; the difference to twelve digits: a rounding error is 0."""
        difference = None if self.expected is None else round(self.found - self.expected, 12)
        relation = "" if self.expected is None else self.relation
        statement = self.check, relation, self.expected, self.found, difference
        return (study, self.kind, *statement, self.low, self.high, self.holds)


def share_checks(
    kind: Kind, check: str, flags: npt.ArrayLike, *, least: float | None = None
) -> list[Check]:
    """The share of replicates that are so, with its interval; nothing without replicates."""
    found = share_with_interval(int(np.sum(flags)), np.size(flags))
    if np.isnan(found["share"]):
        return []
    return [Check(kind, check, least, found["share"], 1e-9, ">=", found["low"], found["high"])]


class Study(NamedTuple):
    """The tables and figures of a source, by the name of their files."""

    tables: dict[str, pd.DataFrame]
    figures: dict[str, Figure]


def as_printed(check: str, printed: str, found: float) -> Check:
    """A printed number: it holds if the value found rounds to it (either way at a tie)."""
    decimals = len(printed.partition(".")[2])
    return Check("printed", check, float(printed), found, 0.5 * 10**-decimals)


def beside_printed(source: str, found: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """What was found, by place and measure, beside what the source prints of it."""
    rows = [
        (place, measure, numbers[measure].text, found[place][measure])
        for place, numbers in printed_by(source).items()
        for measure in numbers
        if measure in found.get(place, {})
    ]
    return pd.DataFrame(rows, columns=["place", "measure", "printed", "recomputed"])


def check_table(
    study: str,
    found: Mapping[str, Mapping[str, float]],
    checks: Iterable[Check] = (),
    *,
    ours: tuple[str, ...] = (),
) -> pd.DataFrame:
    """One row per printed number that was found, by place and measure, and per further check.

    Numbers of the places that begin with one of `ours` come from curves that we made to give them:
    they are derived, not printed.
    """
    numbers = beside_printed(study, found).itertuples(index=False)
    of_numbers = [
        as_printed(f"{place}: {MEASURE_LABELS.get(measure, measure).replace('_', ' ')}", *values)
        for place, measure, *values in numbers
    ]
    of_fitted = [
        one._replace(kind="derived", check=f"{one.check} (on our curve)")
        if one.check.startswith(ours)
        else one
        for one in of_numbers
    ]
    return pd.DataFrame([one.row(study) for one in (*of_fitted, *checks)], columns=list(COLUMNS))
