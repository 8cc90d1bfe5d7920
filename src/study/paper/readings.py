"""The readings of the published numbers: every way to have computed them, along three axes."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal, NamedTuple

from study.companions.kaymak2010_experiment import SECTION_8, STATED_PREVALENCE
from study.published import CLASS_NAMES, PAPER_PAIR, Numbers, Printed

Class = Literal["majority", "minority"]
CLASSES: tuple[Class, ...] = ("minority", "majority")
# What enters equation 19 as the share of bad rows: that of the test rows, or one for all splits.
OF_THE_TEXT = ("test rows", f"{STATED_PREVALENCE:g}")  # it does not tell these two apart
GRID_OF_P = tuple(f"{p / 100:.2f}" for p in range(12, 30, 3))  # with the area of the text alone
PREVALENCES: dict[str, float | None] = {
    "test rows": None,
    **{name: float(name) for name in (OF_THE_TEXT[1], *GRID_OF_P, "0.30")},
}
KAPPA, DIFFERENCE = "kappa", "t - f"
FALSE_POSITIVES, SPECIFICITY = "false positive rate", "specificity"
# Rules of integration beside the library's: trapezoids between points interpolated on a grid of
# this step, and rectangles of the height at their right ends.
STEPS = {f"grid of {step}": step for step in (0.01, 0.02, 0.05, 0.1)}
RIGHT = "right Riemann sum"


class View(NamedTuple):
    """Which class a curve calls positive, and the class whose share enters equation 19 as p.

    With no class as `share`, t - f stands for kappa: equation 20, equation 19 at p = 1/2.
    """

    positive: Class
    share: Class | None

    def at(self, share_minority: Any) -> Any:
        """The p of equation 19 where this share of the rows is bad."""
        if self.share is None:
            return 0.5
        return share_minority if self.share == "minority" else 1 - share_minority

    def of_minority(self, share_minority: float | None) -> float | Literal["other"] | None:
        """The prevalence of bad rows for :func:`study.replicates.evaluation.measures_by_kind`."""
        if self.share is None:
            return 0.5
        swapped = self.share != self.positive
        if share_minority is None:
            return "other" if swapped else None
        return 1 - share_minority if swapped else share_minority


MINORITY, MAJORITY = View("minority", "minority"), View("majority", "majority")


class Area(NamedTuple):
    """How the areas may have been computed.

    The area is that of the views: of one, or of both, weighted by the share of the other class
    (over the flagged share Q, as dQ = p dt + (1 - p) df), or AUC - 1/2 if there is none. Any of the
    integration rules may have been used; crossed: the AUKs stand in each other's columns.
    """

    name: str
    departure: str | None
    views: tuple[View, ...]
    positive: Class = "minority"
    swapped: bool = False
    rules: tuple[str, ...] = ("exact", "trapezoid")
    crossed: bool = False

    def weights(self, share_minority: Any) -> list[Any]:
        """Of the areas of the views, where this share of the rows is bad."""
        return [1.0] if len(self.views) == 1 else [1 - share_minority, share_minority]

    def point(self, positive: Class, kind: str) -> View:
        """The view of the operating point that belongs to this area."""
        if kind == DIFFERENCE:
            return View(positive, None)
        other: Class = "majority" if positive == "minority" else "minority"
        return View(positive, other if self.swapped else positive)


AREA_WAYS = (
    Area("bad positive, over f", None, (MINORITY,)),
    Area("good positive, over f", "good positive", (MAJORITY,), "majority"),
    Area(
        "bad positive, over f, p and 1 - p interchanged",
        "p and 1 - p interchanged",
        (View("minority", "majority"),),
        swapped=True,
    ),
    # Swapping the classes turns an area over t into one over f: that of good at 1 - p.
    Area("bad positive, over t", "area over t", (MAJORITY,)),
    Area(
        "bad positive, over the flagged share", "area over the flagged share", (MINORITY, MAJORITY)
    ),
    Area("bad positive, on a grid of f", "area on a grid of f", (MINORITY,), rules=tuple(STEPS)),
    Area("bad positive, right Riemann sum", "right Riemann sum", (MINORITY,), rules=(RIGHT,)),
    # Then the paper shows no reversal.
    Area(
        "bad positive, AUKs interchanged", "columns of AUK interchanged", (MINORITY,), crossed=True
    ),
    Area("t - f instead of kappa", "area of t - f", ()),
)


class Reading(NamedTuple):
    """One way to read the paper: a choice on each axis."""

    area: Area
    point: str
    rate: str
    point_class: Class
    prevalence: str

    @property
    def view(self) -> View:
        """The view of the operating point."""
        return self.area.point(self.point_class, self.point)

    @property
    def share_minority(self) -> float | None:
        """The share of bad rows in equation 19, if it is the same in all splits."""
        return PREVALENCES[self.prevalence]

    @property
    def nominal_share(self) -> float:
        """The same, where it follows the test rows: as the text states it."""
        return STATED_PREVALENCE if self.share_minority is None else self.share_minority

    def printed(self, numbers: Numbers) -> Numbers:
        """The printed numbers as this reading takes them: 0.60, and whose the AUKs are."""
        taken = dict(numbers)
        where = (SECTION_8, "hull", "neural_net", "fpr")
        if self.rate == SPECIFICITY and where in numbers:
            rate = numbers[where]
            taken[where] = Printed(f"{1 - rate.value:.{rate.decimals}f}")
        if self.area.crossed:
            other = dict(zip(PAPER_PAIR, PAPER_PAIR[::-1], strict=True))
            for (place, curve, model, measure), number in numbers.items():
                if measure == "auk":
                    taken[place, curve, other[model], measure] = number
        return Numbers(taken)

    @property
    def departures(self) -> tuple[str, ...]:
        """What differs from the paper's text, in words."""
        of_class = f"point of the {CLASS_NAMES[self.point_class]} class"
        changes = (
            (self.area.departure, self.area.departure is not None),
            (of_class, self.point_class != self.area.positive),
            ("0.328 is t - f", self.point == DIFFERENCE),
            ("0.60 is the specificity", self.rate == SPECIFICITY),
            (f"p = {self.prevalence}", self.prevalence not in OF_THE_TEXT),
        )
        return tuple(str(words) for words, departs in changes if departs)

    @property
    def words(self) -> str:
        """The departures in one line."""
        return ", ".join(self.departures) or "as in the text"


AXES = (AREA_WAYS, (KAPPA, DIFFERENCE), (FALSE_POSITIVES, SPECIFICITY), CLASSES, PREVALENCES)
# Where t - f stands for kappa throughout, p enters nothing: one prevalence stands for all. The grid
# of p comes with no other departure of the areas.
READINGS = tuple(
    reading
    for reading in (Reading(*choice) for choice in product(*AXES))
    if (reading.area.views or reading.point == KAPPA or reading.prevalence == OF_THE_TEXT[0])
    and (reading.area.departure is None or reading.prevalence not in GRID_OF_P)
)
