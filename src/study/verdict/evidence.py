"""The evidence on the readings: one small function per piece, and the matrix of all of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import cache, partial, reduce
from typing import Literal, NamedTuple

import pandas as pd
from scipy.stats import hypergeom

from kappacurve.algebra import kappa_from_rates
from kappacurve.bounds import (
    Composition,
    Digits,
    Interval,
    consistent_counts,
    intervals_in_words,
    printed_interval,
)
from study.errors import ExperimentError
from study.papers.forensics import (
    Point,
    contains,
    intersection,
    largest_auc,
    pair_intervals,
    point_intervals,
    published_pairs,
    published_point,
    runs_in_words,
)
from study.published import MODEL_LABELS, Numbers
from study.verdict.readings import Reading, View
from study.verdict.simulation import AREAS, COINCIDENCE, GIVEN, JOINT, TRAPEZOID, gap_needed

log = logging.getLogger(__name__)
# What fewer than this share of random splits would show is called not compatible.
LEVEL = 0.05
# All good rows kept at 11 % bad, 500 rows for training: rows, bad ones, test rows.
SAMPLE = (786, 86, 286)
Answer = Literal["yes", "no", "undecided"]


class Case(NamedTuple):
    """What the evidence rests on.

    simulated: the table of :func:`study.verdict.simulation.simulate`; stated: sizes of the test set
    that the text allows; test_sizes and minority_share: from, to, where counts are looked for.
    """

    numbers: Numbers
    simulated: pd.DataFrame
    stated: tuple[int, ...]
    test_sizes: tuple[int, int]
    minority_share: tuple[float, float]


class Found(NamedTuple):
    """What one piece of evidence says about one reading."""

    value: float
    limit: float
    compatible: Answer
    how: str


class Evidence(NamedTuple):
    """A column of the matrix. Of one question any piece that is compatible will do."""

    name: str
    question: str
    find: Callable[[Reading, Case], Found | None]


def matrix(
    readings: Iterable[Reading], case: Case, evidence: Iterable[Evidence] | None = None
) -> pd.DataFrame:
    """What each piece of evidence says about each reading.

    A reading that says nothing of areas nor point is left out, with a warning; what the published
    numbers or the run can't tell is undecided.
    """
    rows = []
    for reading in readings:
        if reading.areas is reading.point is None:
            log.warning("reading %s has no evidence: give it areas or a point.", reading.key)
            continue
        for piece in EVIDENCE if evidence is None else evidence:
            why, found = "Not in this run.", None
            try:
                found = piece.find(reading, case)
            except ExperimentError as error:
                why = f"Not judged: {error}"
            found = found or Found(float("nan"), float("nan"), "undecided", why)
            place = {"reading": reading.key, "evidence": piece.name, "question": piece.question}
            rows.append({**place, **found._asdict()})
    return pd.DataFrame(rows)


def by_chance(chance: float) -> Answer:
    """Whether a chance reaches the level."""
    return "yes" if chance >= LEVEL else "no"


def by_interval(low: float, high: float) -> Answer:
    """Whether a share reaches the level, given its interval."""
    return "yes" if low >= LEVEL else "no" if high < LEVEL else "undecided"


def chance_of(view: View, allowed: Callable[[float], bool]) -> float:
    """The chance that a random split's test rows have an allowed prevalence in equation 19."""
    rows, bad, test = SAMPLE
    if isinstance(view.prevalence, float):
        return float(allowed(view.prevalence))
    drawn = hypergeom(rows, bad, test)
    return float(sum(drawn.pmf(n) for n in range(1, bad + 1) if allowed(view.at(n / test))))


def equation_19(reading: Reading, case: Case) -> Found | None:
    """kappa = 2p(1-p)d / (p + (1-2p)f + p(1-2p)d), d = t - f, at the printed point."""
    if (view := reading.point) is None:
        return None
    point = published_point(reading.numbers(case.numbers))
    allowed = point_intervals(point)
    chance = chance_of(view, lambda p: contains(allowed, p))
    at = view.at(reading.share_bad)
    value = float(kappa_from_rates(point.fpr.value, point.tpr.value, at))
    needed = f"the printed digits need p in {intervals_in_words(allowed, 3)}"
    how = f"kappa {value:.3f} at p = {at:g}; {needed}; chance of such a test set {chance:.2g}"
    return Found(value, point.kappa.value, by_chance(chance), how)


@cache
def _compositions(
    point: Point, sizes: tuple[int, int], shares: tuple[float, float], digits: Digits
) -> list[Composition]:
    """Counts that give the printed rates, whatever kappa they have."""
    f, t, _ = point.decimals
    rates, n = (point.fpr.value, point.tpr.value), range(sizes[0], sizes[1] + 1)
    decimals = (f, t, t)
    return consistent_counts(*rates, n=n, decimals=decimals, prevalence=shares, digits=digits)


def counts(reading: Reading, case: Case, digits: Digits) -> Found | None:
    """Whole counts of positives and negatives that print the rates and, by eq. 19, the kappa."""
    if (view := reading.point) is None:
        return None
    point = published_point(reading.numbers(case.numbers))
    low, high = (end + reading.share_bad - 0.11 for end in case.minority_share)
    shares = (low, high) if view.positive == "bad" else (1 - high, 1 - low)
    printed = printed_interval(point.kappa.value, point.kappa.decimals, digits)
    fitting = [
        one
        for one in _compositions(point, case.test_sizes, shares, digits)
        if printed.low - 1e-12 <= _kappa(one, view) < printed.high
    ]
    sizes = sorted({one.n_positive + one.n_negative for one in fitting})
    if not fitting:
        return Found(0, 1, "no", "no test set of {} to {} rows".format(*case.test_sizes))
    best = min(fitting, key=lambda one: abs(_kappa(one, view) - point.kappa.value))
    stated = [size for size in case.stated if size in sizes]
    how = (
        f"{runs_in_words(sizes)} rows; nearest {best.true_positives}/{best.n_positive} and "
        f"{best.false_positives}/{best.n_negative}; of the stated sizes: "
        f"{runs_in_words(stated) or 'none'}"
    )
    return Found(len(sizes), 1, "yes" if stated else "undecided", how)


def _kappa(one: Composition, view: View) -> float:
    share = one.n_positive / (one.n_positive + one.n_negative)
    p = view.at(share if view.positive == "bad" else 1 - share)
    rates = one.false_positives / one.n_negative, one.true_positives / one.n_positive
    return float(kappa_from_rates(*rates, p))


def exact_bounds(reading: Reading, case: Case) -> Found | None:
    """Bounds of the exact AUK given AUC and p: concave for Table 4, monotone for Table 5."""
    if (view := reading.areas) is None:
        return None
    each = (pair_intervals(pair, pair.curve) for pair in published_pairs(case.numbers))
    allowed = reduce(intersection, each, [Interval(0.0, 1.0)])
    chance = chance_of(view, lambda p: contains(allowed, p))
    how = f"all pairs need p in {intervals_in_words(allowed)}; chance of such a test set"
    return Found(chance, LEVEL, by_chance(chance), f"{how} {chance:.2g}")


def trapezoid_bounds(reading: Reading, case: Case) -> Found | None:
    """Can the trapezoid rule on our hulls bridge what the exact bounds lack?"""
    if (found := _largest(reading, case, TRAPEZOID)) is None:
        return None
    pairs = [pair for pair in published_pairs(case.numbers) if pair.curve == "hull"]
    at = reading.areas.at(reading.share_bad) if reading.areas else 0.5
    gaps = {MODEL_LABELS[pair.model]: gap_needed(pair, at) for pair in pairs}
    needed = ", ".join(
        f"{name} {low:.4f} or more" if low > 0 else f"{name} {high:.4f} or less"
        for name, (low, high) in gaps.items()
        if low > 0 or high < 0
    )
    how = f"trapezoid less exact AUK: {needed}; {found.how}" if needed else "no gap needed"
    return found._replace(how=how)


def place_of_optimum(reading: Reading, case: Case) -> Found | None:
    """If kappa is largest at the point, the hull lies below a line of slope eq. 26 through it."""
    if (view := reading.point) is None:
        return None
    numbers = reading.numbers(case.numbers)
    if (auc := numbers.get(("Table 4", "hull", "neural_net", "auc"))) is None:
        return None
    point, needed = published_point(numbers), printed_interval(auc.value, auc.decimals).low
    chance = chance_of(view, lambda p: largest_auc(point, p) >= needed)
    at = view.at(reading.share_bad)
    value = largest_auc(point, at)
    how = f"AUC at most {value:.4f} at p = {at:g}; chance of a test set that allows {auc.value:g}:"
    return Found(value, auc.value, by_chance(chance), f"{how} {chance:.2g}")


def _largest(reading: Reading, case: Case, evidence: str) -> Found | None:
    """The largest share over the cells, and whether its interval reaches the level."""
    table = case.simulated
    rows = table[(table["reading"] == reading.key) & (table["evidence"] == evidence)]
    if rows.empty:
        return None
    best = rows.iloc[rows["share"].argmax()]
    low, high = best["low"], best["high"]
    how = (
        f"{best['count']:.0f} of {best['replicates']:.0f} ({best['encoding']}, "
        f"{MODEL_LABELS[best['network']]}, {best['integration']}), 95 % {low:.1%} to {high:.1%}; "
        f"the largest of {len(rows)} cells with common seeds"
    )
    return Found(float(best["share"]), LEVEL, by_interval(low, high), how)


def coincidence(reading: Reading, case: Case) -> Found | None:
    """How often the printed digits would coincide, kappa = t - f; it excludes nothing."""
    point = published_point(case.numbers)
    if abs(point.tpr.value - point.fpr.value - point.kappa.value) > 1e-9:
        return None
    if (found := _largest(reading, case, COINCIDENCE)) is None:
        return None
    if found.compatible == "no":
        found = found._replace(compatible="undecided")
    return found._replace(how=f"{found.how}; noticed afterwards")


EVIDENCE = (
    Evidence("equation 19", "kappa", equation_19),
    Evidence("counts, rounded", "counts", partial(counts, digits="rounded")),
    Evidence("counts, truncated", "counts", partial(counts, digits="truncated")),
    Evidence("AUK bounds, exact", "bounds", exact_bounds),
    Evidence("AUK bounds, trapezoid", "bounds", trapezoid_bounds),
    Evidence("place of the optimum", "place", place_of_optimum),
    Evidence("joint distance", "joint", partial(_largest, evidence=JOINT)),
    Evidence("joint distance, areas only", "areas", partial(_largest, evidence=AREAS)),
    Evidence("AUK given AUC", "AUK given AUC", partial(_largest, evidence=GIVEN)),
    Evidence("digits coincide", "digits", coincidence),
)
