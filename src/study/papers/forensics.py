"""What the numbers of Kaymak et al. (2010) imply about prevalence and test set."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import cache, reduce
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import hypergeom

from kappacurve.algebra import kappa_from_rates, optimal_slope
from kappacurve.bounds import (
    Composition,
    Digits,
    Interval,
    Rule,
    auc_is_possible,
    auk_bounds,
    auk_trapezoid_range,
    consistent_counts,
    prevalence_from_operating_point,
    prevalence_intervals,
    printed_interval,
)
from study.published import (
    CLASS_COUNTS,
    MissingNumberError,
    Numbers,
    Printed,
    published_numbers,
)
from study.replicates.sampling import class_counts

log = logging.getLogger(__name__)
# Section 8 of the paper: the minority (bad) class was deleted to this share, and is "positive".
STATED_PREVALENCE = 0.11
IMPLIED_PREVALENCE = 1 - STATED_PREVALENCE
STATED_SAMPLES = 768
TRAINING_ROWS = 500
SECTION_8 = "Section 8"
JOINT = "Table 4 and Section 8"
DIGITS: tuple[Digits, ...] = ("rounded", "truncated")


class Sample(NamedTuple):
    """Rows that are left at the paper's share of bad ones, the bad ones, and the test rows."""

    rows: int
    bad: int
    test: int


def stated_sample() -> Sample:
    """All good rows, as many bad ones as make the share of the text; all but its training rows."""
    left = class_counts(*CLASS_COUNTS.values(), skew=STATED_PREVALENCE)
    rows = left.good + left.bad
    return Sample(rows, left.bad, rows - TRAINING_ROWS)


@cache
def chances_of_test_sets(sample: Sample) -> dict[float, float]:
    """The chance of each share of bad rows among the test rows of a random split."""
    rows, bad, test = sample
    n = np.arange(1, bad + 1)
    chances = hypergeom(rows, bad, test).pmf(n)
    return dict(zip((n / test).tolist(), chances.tolist(), strict=True))


def chance_of_test_set(intervals: Iterable[Interval]) -> float:
    """The chance that the share of bad rows of a random split's test rows lies in intervals."""
    allowed, shares = list(intervals), chances_of_test_sets(stated_sample())
    return sum(chance for share, chance in shares.items() if contains(allowed, share))


class Pair(NamedTuple):
    """A published AUC with its AUK."""

    place: str
    curve: Any  # "hull" or "raw"
    model: str
    auc: Printed
    auk: Printed


class Point(NamedTuple):
    """The published operating point."""

    fpr: Printed
    tpr: Printed
    kappa: Printed

    @property
    def decimals(self) -> tuple[int, int, int]:
        """Their printed digits."""
        return self.fpr.decimals, self.tpr.decimals, self.kappa.decimals


def published_pairs(numbers: Numbers | None = None) -> list[Pair]:
    """The four pairs of Tables 4 and 5, those of other numbers if given."""
    printed = published_numbers() if numbers is None else numbers
    return [
        Pair(place, curve, model, auc, printed[place, curve, model, "auk"])
        for (place, curve, model, measure), auc in printed.items()
        if measure == "auc" and (place, curve, model, "auk") in printed
    ]


def published_pair(place: str, model: str) -> Pair:
    """The pair of a table and a model."""
    for pair in published_pairs():
        if (pair.place, pair.model) == (place, model):
            return pair
    raise MissingNumberError(f"published.csv has no AUC with AUK for {place}, {model}: fill it in.")


def published_point(numbers: Numbers | None = None) -> Point:
    """The neural network's optimum at the end of section 8, or that of other numbers."""
    printed = published_numbers() if numbers is None else numbers
    place = SECTION_8, "hull", "neural_net"
    wanted = [(*place, measure) for measure in ("fpr", "tpr", "kappa_max")]
    if missing := [", ".join(one) for one in wanted if one not in printed]:
        raise MissingNumberError(f"published.csv has no value for {missing[0]}: fill it in.")
    return Point(*(printed[one] for one in wanted))


def point_if_published() -> Point | None:
    """As :func:`published_point`, or a warning and None if one of its numbers is missing."""
    try:
        return published_point()
    except MissingNumberError as error:
        log.warning("The run goes on without the operating point: %s", error)
        return None


@cache  # the same few pairs are asked for again and again
def pair_intervals(pair: Pair, rule: Rule) -> list[Interval]:
    """Prevalences at which a published pair is possible, given its printed digits."""
    return prevalence_intervals(
        pair.auc.value,
        pair.auk.value,
        auc_decimals=pair.auc.decimals,
        auk_decimals=pair.auk.decimals,
        curve=rule,
    )


@cache
def point_intervals(point: Point) -> list[Interval]:
    """Prevalences at which the published operating point has its kappa."""
    return prevalence_from_operating_point(
        *(number.value for number in point), decimals=point.decimals
    )


@cache
def largest_auc(point: Point, p: float) -> float:
    """Largest AUC of a hull on which kappa is largest at a printed point (equation 26).

    The line of equal kappa through the point supports the hull, so the hull lies below it; the
    largest over all points that are printed as this one.
    """
    fpr = np.linspace(0, 1, 10001)
    corners = product(*(printed_interval(one.value, one.decimals) for one in point[:2]))
    lines = (t + float(optimal_slope(f, t, p)) * (fpr - f) for f, t in corners)
    return max(float(np.trapezoid(np.clip(line, 0, 1), fpr)) for line in lines)


def intersection(first: Iterable[Interval], second: Iterable[Interval]) -> list[Interval]:
    """What two lists of intervals have in common."""
    both = [Interval(max(a.low, b.low), min(a.high, b.high)) for a in first for b in second]
    return sorted(interval for interval in both if interval.low <= interval.high)


def contains(intervals: Iterable[Sequence[float]], prevalence: float) -> bool:
    """Whether a prevalence lies in one of the intervals."""
    return any(low <= prevalence <= high for low, high in intervals)


def prevalence_table(stated: float = STATED_PREVALENCE) -> pd.DataFrame:
    """Prevalences that each published pair, the operating point, and all of Table 4 allow.

    One row per interval. The rule is exact, trapezoid (over a hull with one corner, or exact) or
    kappa (equation 19); lower and upper are what the value could be at the stated prevalence,
    rounding taken in.
    """
    columns = ["place", "model", "curve", "rule", "value", "lower", "upper"]
    columns += ["possible", "low", "high"]
    pairs = published_pairs()
    rows: list[tuple[Any, ...]] = []
    for pair in pairs:
        rules: list[Rule] = [pair.curve, "trapezoid"]
        for rule in rules[: 1 + (pair.curve == "hull")]:
            values = pair.auk.value, *_range_at(pair.auc.value, stated, rule)
            name = "trapezoid" if rule == "trapezoid" else "exact"
            row = pair.place, pair.model, pair.curve, name, *values
            rows += _for_each(pair_intervals(pair, rule), stated, *row)
    both, of_all = table4_intervals(pairs), ("all", "hull", "exact", np.nan, np.nan, np.nan)
    of_both = _for_each(both, stated, "Table 4", *of_all)
    if (point := point_if_published()) is None:
        return pd.DataFrame(rows + of_both, columns=columns)
    by_point = point_intervals(point)
    kappa = float(kappa_from_rates(point.fpr.value, point.tpr.value, stated))
    of_point = SECTION_8, "neural_net", "hull", "kappa", point.kappa.value, kappa, kappa
    rows += [*_for_each(by_point, stated, *of_point), *of_both]
    rows += _for_each(intersection(both, by_point), stated, JOINT, *of_all)
    return pd.DataFrame(rows, columns=columns)


def _for_each(
    intervals: Sequence[Interval], stated: float, *row: str | float
) -> list[tuple[Any, ...]]:
    """The row and whether it is possible as stated, with each interval or with none."""
    possible = contains(intervals, stated)
    return [(*row, possible, *ends) for ends in intervals or [Interval(np.nan, np.nan)]]


def table4_intervals(pairs: Sequence[Pair]) -> list[Interval]:
    """Prevalences at which all hull pairs are possible as exact integrals."""
    of_hulls = (pair_intervals(pair, "hull") for pair in pairs if pair.curve == "hull")
    return reduce(intersection, of_hulls, [Interval(0.0, 1.0)])


def _range_at(auc: float, prevalence: float, rule: Rule) -> tuple[float, float]:
    exact = auk_bounds(auc, prevalence, curve="raw" if rule == "raw" else "hull")
    lower, upper = float(exact.lower), float(exact.upper)
    if rule == "trapezoid":
        by_rule = auk_trapezoid_range(auc, prevalence)
        return min(lower, float(by_rule.lower)), max(upper, float(by_rule.upper))
    return lower, upper


def counts_table(
    test_sizes: tuple[int, int], minority_share: tuple[float, float], named: Iterable[int]
) -> pd.DataFrame:
    """Test sets whose counts can give the published operating point exactly.

    Examined are test sets from the smaller to the larger size and share of bad rows; the named
    sizes are listed even if nothing fits. Counts are those of the kappa nearest to the printed one.
    """
    point: Any = point_if_published()
    low, high = minority_share
    sizes = sorted({*range(test_sizes[0], test_sizes[1] + 1), *named})
    shares = {"good": (1 - high, 1 - low), "bad": (low, high)}
    rows = []
    for positive_class, digits in product(shares, DIGITS if point else ()):
        for size, fitting in _fitting(point, digits, sizes, shares[positive_class]).items():
            if fitting or size in named:
                place = {"positive_class": positive_class, "digits": digits, "n_test": size}
                rows.append(place | _nearest(fitting, point, positive_class, digits))
    counts = dict.fromkeys(("n_bad", "false_positives", "true_positives"), "Int64")
    columns = ["positive_class", "digits", "n_test", "compositions", *counts, "kappa"]
    table = pd.DataFrame(rows, columns=[*columns, "aucs_possible"])
    return table.astype({**counts, "kappa": "float64"})


def _fitting(
    point: Point, digits: Digits, sizes: list[int], prevalence: tuple[float, float]
) -> dict[int, list[Composition]]:
    """The compositions of each size that print the point."""
    by_size: dict[int, list[Composition]] = {size: [] for size in sizes}
    printed: Any = {"kappa": point.kappa.value, "decimals": point.decimals, "digits": digits}
    rates = point.fpr.value, point.tpr.value
    for one in consistent_counts(*rates, n=sizes, prevalence=prevalence, **printed):
        by_size[one.n_positive + one.n_negative].append(one)
    return by_size


def _nearest(
    fitting: list[Composition], point: Point, positive_class: str, digits: Digits
) -> dict[str, object]:
    if not fitting:
        return {"compositions": 0}
    best = min(fitting, key=lambda composition: abs(composition.kappa - point.kappa.value))
    sizes = best.n_positive, best.n_negative
    possible = all(
        auc_is_possible(pair.auc.value, *sizes, decimals=pair.auc.decimals, digits=digits)
        for pair in published_pairs()
    )
    return {
        "compositions": len(fitting),
        "n_bad": best.n_negative if positive_class == "good" else best.n_positive,
        "false_positives": best.false_positives,
        "true_positives": best.true_positives,
        "kappa": best.kappa,
        "aucs_possible": possible,
    }


def runs_in_words(sizes: Iterable[int]) -> str:
    """Integers as text, neighbours joined."""
    parts: list[list[int]] = []
    for size in sorted(set(sizes)):
        if parts and parts[-1][-1] == size - 1:
            parts[-1].append(size)
        else:
            parts.append([size])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in parts)
