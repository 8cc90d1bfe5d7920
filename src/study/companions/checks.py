"""Printed numbers and matrices of a source beside what is computed here: its table of checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve import kappa_of_confusion
from kappacurve.algebra import (
    chance_agreement,
    joint_from_rates,
    kappa_from_rates,
    kappa_max_of_confusion,
)
from study.labels import MEASURE_LABELS
from study.published import Printed, printed_by
from study.tables.shares import share_with_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# printed: a number or statement as the source has it, which alone can be contradicted; derived:
# what follows from its equations or examples; ours: a formula or an experiment of this project.
Kind = Literal["printed", "derived", "ours"]
# The tables and figures of a source, by the name of their files.
Study = tuple[dict[str, pd.DataFrame], "dict[str, Figure]"]
# What recomputes a statement of errata.yaml returns this: whether it agrees, and the values that
# its words need; None where the run has not got what it takes.
Recomputed = tuple[bool, dict[str, Any]] | None
# Values by place and measure.
Found = Mapping[str, Mapping[str, float]]
# Of a confusion matrix, in counts or in shares of all cases.
CELLS = ("tp", "fn", "fp", "tn")
COLUMNS = ["study", "kind", "key", "check", "relation", "expected", "found", "difference"]
COLUMNS += ["tolerance", "low", "high", "n", "holds", "impossible"]


class Check(NamedTuple):
    """One statement: its kind, the value it expects (None: none), and the value found.

    By its relation the value found is the one expected (give or take the tolerance), at least that
    (">="), or at most ("<="); or the value expected lies from low to high ("within"). A share has
    its 95 % Wilson interval, from low to high, and the replicates' number n; a value of replicates
    their central 95 %. A value may be impossible for another reason, in words. Checks of one claim
    share a key; that of a printed number is its place and measure.
    """

    kind: Kind
    check: str
    expected: float | None
    found: float
    tolerance: float = 1e-9
    relation: Literal["=", ">=", "<=", "within"] = "="
    low: float = float("nan")
    high: float = float("nan")
    impossible: str = ""
    key: str = ""
    n: int | None = None

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
            return False if self.impossible else True if inside else None
        if self.low < self.expected < self.high:
            return None
        beyond = self.found - self.expected
        slack = self.tolerance + 1e-12
        above = beyond >= -slack
        below = beyond <= slack
        return {"=": above and below, ">=": above, "<=": below}[self.relation]


def share_check(
    kind: Kind,
    check: str,
    flags: npt.ArrayLike,
    limit: float | None = None,
    relation: Literal[">=", "<="] = ">=",
    key: str = "",
) -> Check | None:
    """The share of replicates that are so, with its interval; None without replicates."""
    n = np.size(flags)
    share, low, high = share_with_interval(int(np.sum(flags)), n).values()
    of_replicates: dict[str, Any] = {"low": low, "high": high, "key": key, "n": n}
    return Check(kind, check, limit, share, 1e-9, relation, **of_replicates) if n else None


def as_printed(
    check: str, printed: Printed, found: float, kind: Kind = "printed", key: str = ""
) -> Check:
    """A printed number: it holds if the value found rounds to it (either way at a tie)."""
    return Check(kind, check, printed.value, found, printed.half_unit, key=key)


def statistics(tp: float, fn: float, fp: float, tn: float) -> dict[str, float]:
    """A confusion matrix of two classes, and what the sources read off it.

    Counts, or shares of all cases; "positive" is the class of interest. Precision is nan if nothing
    is predicted positive. Kaymak, Ben-David & Potharst (2010), equations 1-7, 11 and 12.
    """
    total = tp + fn + fp + tn
    prevalence = (tp + fn) / total
    predicted_share = (tp + fp) / total
    return {
        **dict(zip(CELLS, (tp, fn, fp, tn), strict=True)),
        "prevalence": prevalence,
        "predicted_share": predicted_share,
        "accuracy": (tp + tn) / total,
        "expected_agreement": float(chance_agreement(predicted_share, prevalence)),
        "kappa": kappa_of_confusion([[tp, fn], [fp, tn]]),
        "kappa_max": kappa_max_of_confusion([[tp, fn], [fp, tn]]),
        "precision": tp / (tp + fp) if tp + fp else float("nan"),
        "recall": tp / (tp + fn),
        "fpr": fp / (fp + tn),
        "f1": 2 * tp / (2 * tp + fp + fn),
    }


def by_equation_19(check: str, of: Mapping[str, float], key: str = "") -> Check:
    """That equation 19 gives the kappa of a matrix."""
    kappa = float(kappa_from_rates(of["fpr"], of["recall"], of["prevalence"]))
    return Check("derived", check, of["kappa"], kappa, key=key)


def of_predictions(truth: npt.ArrayLike, predicted: npt.ArrayLike) -> dict[str, float]:
    """The statistics of true and predicted labels, both True for the positive class."""
    true = np.asarray(truth, bool)
    flagged = np.asarray(predicted, bool)
    return statistics(*(int((a & b).sum()) for a in (true, ~true) for b in (flagged, ~flagged)))


def at_rates(fpr: float, tpr: float, prevalence: float) -> dict[str, float]:
    """The statistics, in shares of all cases, at a point of the ROC plane."""
    fp, tp = joint_from_rates(fpr, tpr, prevalence)
    tn, fn = joint_from_rates(1 - fpr, 1 - tpr, prevalence)
    return statistics(*map(float, (tp, fn, fp, tn)))


def printed_outcomes(checks: pd.DataFrame) -> pd.DataFrame:
    """How many printed statements of each study agree, disagree, and are undecided (NaN)."""
    words = {"True": "agree", "False": "disagree"}  # as in memory and as in a file
    printed = checks[checks["kind"] == "printed"]
    answers = printed["holds"].astype(str).map(words).fillna("undecided")
    counts: pd.DataFrame = pd.crosstab(printed["study"], answers)
    return counts.reindex(columns=[*words.values(), "undecided"], fill_value=0)


class Source:
    """What a source prints: its numbers, by place and measure, and its confusion matrices.

    The matrices are given by their places, with their cells and statistics.
    """

    def __init__(self, study: str) -> None:
        self.study = study
        self.printed = printed_by(study)
        self.matrices = {
            place: statistics(*(numbers[cell].value for cell in CELLS))
            for place, numbers in self.printed.items()
            if set(CELLS) <= set(numbers)
        }

    def beside(self, found: Found) -> list[tuple[str, str, Printed, float]]:
        """Place, measure, printed number and what was found, unless it is a matrix's cell."""
        return [
            (place, measure, printed, found[place][measure])
            for place, numbers in self.printed.items()
            for measure, printed in numbers.items()
            if measure in found.get(place, {}) and measure not in CELLS
        ]

    def matrices_table(self) -> pd.DataFrame:
        """One row per printed matrix, and what is printed of its statistics."""
        table = pd.DataFrame([{"place": place, **of} for place, of in self.matrices.items()])
        texts: dict[str, dict[str, str]] = {}
        for place, measure, printed, _ in self.beside(self.matrices):
            texts.setdefault(measure, {})[place] = printed.text
        for measure, by_place in texts.items():
            column = list(table).index(measure)
            table.insert(column, f"{measure}_printed", table["place"].map(by_place))
        return table

    def check_table(
        self, found: Found, checks: Iterable[Check | None] = (), *, ours: tuple[str, ...] = ()
    ) -> pd.DataFrame:
        """One row per printed number that was found, and per further check.

        Numbers of the places that begin with one of `ours` come from curves that we made to give
        them: they are derived, not printed. A difference has twelve digits: a rounding error is 0.
        """
        rows = []
        for place, measure, printed, value in self.beside(found):
            name = f"{place}: {MEASURE_LABELS.get(measure, measure).replace('_', ' ')}"
            key = f"{place}: {measure}"
            if place.startswith(ours):
                rows.append(as_printed(f"{name} (on our curve)", printed, value, "derived", key))
            else:
                rows.append(as_printed(name, printed, value, key=key))
        rows += [check for check in checks if check is not None]
        table = pd.DataFrame(rows, columns=list(Check._fields)).assign(study=self.study)
        table["difference"] = (table["found"] - table["expected"].astype(float)).round(12)
        table["relation"] = table["relation"].where(table["expected"].notna(), "")
        table["holds"] = [check.holds for check in rows]
        return table[COLUMNS]
