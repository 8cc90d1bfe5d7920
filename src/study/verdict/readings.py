"""The readings of the published numbers: what may have been computed, and called what."""

from __future__ import annotations

from typing import Literal, NamedTuple

from study.papers.forensics import IMPLIED_PREVALENCE, SECTION_8, STATED_PREVALENCE
from study.published import Numbers, Printed


class View(NamedTuple):
    """Which class a curve calls positive, and the prevalence of it that enters equation 19.

    "own" is the test rows' share of the positive class, "other" that of the other class.
    """

    positive: Literal["good", "bad"]
    prevalence: float | Literal["own", "other"]

    def at(self, share_bad: float) -> float:
        """The prevalence in equation 19 where this share of the test rows is bad."""
        if isinstance(self.prevalence, float):
            return self.prevalence
        own = share_bad if self.positive == "bad" else 1 - share_bad
        return own if self.prevalence == "own" else 1 - own

    @property
    def of_bad(self) -> float | Literal["other"] | None:
        """The prevalence of bad rows for :func:`study.replicates.evaluation.measure_replicates`."""
        if isinstance(self.prevalence, float):
            return self.prevalence if self.positive == "bad" else 1 - self.prevalence
        return None if self.prevalence == "own" else "other"


class Reading(NamedTuple):
    """One way to read the paper: how its areas and its operating point were computed.

    A view of None says nothing about these numbers. share_bad is that of the test rows;
    specificity: the printed 0.60 is 1 - f.
    """

    key: str
    words: str
    areas: View | None
    point: View | None
    share_bad: float = STATED_PREVALENCE
    specificity: bool = False

    def numbers(self, printed: Numbers) -> Numbers:
        """The printed numbers as this reading takes them."""
        rate = (SECTION_8, "hull", "neural_net", "fpr")
        if not self.specificity or rate not in printed:
            return printed
        return {**printed, rate: Printed(f"{1 - printed[rate].value:.{printed[rate].decimals}f}")}


BAD, GOOD, SLIP = View("bad", "own"), View("good", "own"), View("bad", "other")
BAD_NOMINAL, GOOD_NOMINAL, SLIP_NOMINAL = (
    View("bad", STATED_PREVALENCE),
    View("good", IMPLIED_PREVALENCE),
    View("bad", IMPLIED_PREVALENCE),
)
# At a prevalence of 1/2 kappa is t - f (equation 20, Youden's J).
BAD_DIFFERENCE, GOOD_DIFFERENCE = View("bad", 0.5), View("good", 0.5)
BAD_30 = View("bad", 0.3)
READINGS = (
    Reading("T", "bad positive, as in the text", BAD, BAD),
    Reading("G", "good positive", GOOD, GOOD),
    Reading("I", "bad positive, p and 1 - p interchanged in equation 19", SLIP, SLIP),
    Reading("T nominal", "p = 0.11 exactly", BAD_NOMINAL, BAD_NOMINAL),
    Reading("G nominal", "p = 0.89 exactly", GOOD_NOMINAL, GOOD_NOMINAL),
    Reading("I nominal", "p = 0.89 exactly", SLIP_NOMINAL, SLIP_NOMINAL),
    Reading("T difference", "0.328 is the largest t - f", BAD, BAD_DIFFERENCE),
    Reading("G difference", "0.328 is the largest t - f", GOOD, GOOD_DIFFERENCE),
    Reading("I difference", "0.328 is the largest t - f", SLIP, BAD_DIFFERENCE),
    Reading("T at 30 %", "test set left at 30 % bad", BAD_30, BAD_30, share_bad=0.3),
    Reading("T specificity", "0.60 is 1 - f", BAD, BAD, specificity=True),
    # Swapping the classes turns an area over t into one over f: that of good at 1 - p.
    Reading("T over t", "area taken over t", GOOD, BAD),
    # Linear and quadratic weights leave the kappa of two classes as it is.
    Reading("T weighted", "kappa with linear or quadratic weights", BAD, BAD),
)
