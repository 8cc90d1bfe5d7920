"""Statements of a source beside what is computed here: checks, errata, and a study's results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# printed: a number or statement as the source has it; identity: an equation of a source, on our
# models or on its examples; own: a formula of this project, a correction of a printed one or not.
Kind = Literal["printed", "identity", "own"]
# imprecise: true only in part; unusual: possible but rare.
Status = Literal["contradicted", "imprecise", "unusual", "agrees", "needs replicates", "not judged"]
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


def as_printed(check: str, printed: str, found: float) -> Check:
    """A printed number: it holds if the value found rounds to it (either way at a tie).

    >>> as_printed("kappa", "0.474", 0.47368).tolerance
    0.0005
    """
    decimals = len(printed.partition(".")[2])
    return Check("printed", f"{check}, as printed", float(printed), found, 0.5 * 10**-decimals)


def check_table(study: str, checks: Iterable[Check]) -> pd.DataFrame:
    """One row per check: study, kind, check, expected, found, difference, holds."""
    columns = ["study", "kind", "check", "expected", "found", "difference", "holds"]
    rows = [
        # To twelve digits, so that a rounding error counts as zero.
        (study, *one[:4], round(one.found - one.expected, 12), one.holds)
        for one in checks
    ]
    return pd.DataFrame(rows, columns=columns)


class Table(NamedTuple):
    """A table with its title and note."""

    table: pd.DataFrame
    title: str
    note: str = ""


class Study(NamedTuple):
    """The tables and figures of a source, by the name of their files."""

    tables: dict[str, Table]
    figures: dict[str, Figure]


class Evidence(NamedTuple):
    """Our own experiment, as far as it was run.

    measures: as from :func:`study.replicates.evaluation.evaluate_measures`, of one split; the rest:
    tables of the run with these names.
    """

    measures: pd.DataFrame | None = None
    replicate_summary: pd.DataFrame | None = None
    rank_reversal: pd.DataFrame | None = None
    auk_given_auc: pd.DataFrame | None = None


class Finding(NamedTuple):
    """What a recomputation found, its status, and a sentence on it."""

    recomputed: str
    status: Status
    verdict: str


Recompute = Callable[[Evidence], Finding]


class Source:
    """The doubtful statements of one source, in the order in which they are defined."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.errata: list[tuple[str, str, Recompute]] = []

    def says(self, where: str, printed: str) -> Callable[[Recompute], Recompute]:
        """Record the decorated function as the one that recomputes a printed statement."""

        def record(recompute: Recompute) -> Recompute:
            self.errata.append((where, printed, recompute))
            return recompute

        return record


def judge(agrees: bool, status: Status = "contradicted") -> Status:
    """The status of a comparison: "agrees", or what it is called otherwise."""
    return "agrees" if agrees else status
