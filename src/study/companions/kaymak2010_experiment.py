"""Kaymak, Ben-David & Potharst (2010), section 8: what their printed numbers can be.

What they imply about prevalence and test set, and what does not add up in the experiment.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial, reduce
from itertools import product
from math import comb
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve.algebra import kappa_from_rates, optimal_slope
from kappacurve.bounds import (
    Digits,
    Interval,
    Rule,
    auc_is_possible,
    auk_bounds,
    auk_trapezoid_range,
    consistent_counts,
    intervals_in_words,
    prevalence_from_operating_point,
    prevalence_intervals,
    printed_interval,
)
from study.companions.checks import Recomputed
from study.published import (
    AUC_AND_AUK,
    AUC_WINDOW,
    CLASS_COUNTS,
    CLASS_NAMES,
    MODEL_LABELS,
    ORDINARY,
    UNUSUAL,
    MissingNumberError,
    Numbers,
    Printed,
    published_numbers,
)
from study.replicates.counts import class_counts

log = logging.getLogger(__name__)
# Section 8 of the paper: the minority (bad) class was deleted to this share, and is "positive".
STATED_PREVALENCE = 0.11
IMPLIED_PREVALENCE = 1 - STATED_PREVALENCE
PREVALENCES = (STATED_PREVALENCE, IMPLIED_PREVALENCE)
STATED_SAMPLES = 768
TRAINING_ROWS = 500
# What claims about this experiment rest on: what the paper says, and does not have, and what it is
# called. It has kappa at the rows' own prevalence, or at the share that the text states.
PAPER: dict[str, Any] = {
    "skew": STATED_PREVALENCE,
    "n_minority": None,
    "n_train": TRAINING_ROWS,
    "hidden_units": 5,
    "prevalence": None,
    "cost_ratio": None,
}
NAMES = {
    "skew": "minority share",
    "n_minority": "stated number of minority rows",
    "n_train": "number of training rows",
    "hidden_units": "number of hidden units",
    "prevalence": "prevalence but its rows' own",
    "cost_ratio": "cost ratio",
}
OF_SPLITS = ("skew", "n_minority", "n_train", "hidden_units")  # all that scores depend on
LEAST = 30  # fewer splits than this say nothing about eleven numbers
PIMA = (768, 500, 268)  # Pima Indians Diabetes (UCI): rows, negatives, positives
SECTION_8 = "Section 8"
JOINT = "Table 4 and Section 8"
DIGITS: tuple[Digits, ...] = ("rounded", "truncated")


def difference_of_settings(settings: Mapping[str, Any], needs: Iterable[str]) -> str:
    """In what the run's setting is not the paper's: a sentence, or nothing."""
    for name in needs:
        if settings[name] != PAPER[name]:
            if PAPER[name] is None:
                return f"The paper has no {NAMES[name]}, this run has."
            found = "that of the data" if settings[name] is None else settings[name]
            return f"The paper's {NAMES[name]} is {PAPER[name]}, this run's {found}."
    return ""


class Sample(NamedTuple):
    """Rows that are left at the paper's share of bad ones, the bad ones, and the test rows."""

    rows: int
    minority: int
    test: int


def stated_sample() -> Sample:
    """All good rows, as many bad ones as make the share of the text; all but its training rows."""
    left = class_counts(*CLASS_COUNTS.values(), skew=STATED_PREVALENCE)
    rows = left.majority + left.minority
    return Sample(rows, left.minority, rows - TRAINING_ROWS)


@cache
def chances_of_test_sets(sample: Sample) -> dict[float, float]:
    """The chance of each share of bad rows among the test rows of a random split."""
    rows, minority, test = sample
    drawn = {k: comb(minority, k) * comb(rows - minority, test - k) for k in range(1, minority + 1)}
    return {k / test: ways / comb(rows, test) for k, ways in drawn.items()}


def chance_of_test_set(intervals: Iterable[Interval]) -> float:
    """The chance that the share of bad rows of a random split's test rows lies in intervals."""
    allowed = list(intervals)
    shares = chances_of_test_sets(stated_sample())
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
    curve = "raw" if place == "Table 5" else "hull"
    printed = published_numbers()
    return Pair(place, curve, model, *(printed[place, curve, model, of] for of in ("auc", "auk")))


def published_point(numbers: Numbers | None = None) -> Point:
    """The neural network's optimum at the end of section 8, or that of other numbers."""
    printed = published_numbers() if numbers is None else numbers
    place = SECTION_8, "hull", "neural_net"
    return Point(*(printed[*place, measure] for measure in ("fpr", "tpr", "kappa_max")))


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
    corners = product(*(printed_interval(rate.value, rate.decimals) for rate in point[:2]))
    lines = (t + float(optimal_slope(f, t, p)) * (fpr - f) for f, t in corners)
    return max(float(np.trapezoid(np.clip(line, 0, 1), fpr)) for line in lines)


def intersection(first: Iterable[Interval], second: Iterable[Interval]) -> list[Interval]:
    """What two lists of intervals have in common."""
    both = [Interval(max(a.low, b.low), min(a.high, b.high)) for a in first for b in second]
    return sorted(interval for interval in both if interval.low <= interval.high)


def contains(intervals: Iterable[Sequence[float]], prevalence: float) -> bool:
    """Whether a prevalence lies in one of the intervals."""
    return any(low <= prevalence <= high for low, high in intervals)


def prevalence_table() -> pd.DataFrame:
    """Prevalences that each published pair, the operating point, and all of Table 4 allow.

    One row per interval. The rule is exact, trapezoid (over a hull with one corner, or exact) or
    kappa (equation 19); lower and upper are what the value could be at the stated prevalence,
    rounding taken in. possible: whether the printed value is, at the stated prevalence;
    possible_other: at that of the other class; possible_test_rows: at that of the test rows, if
    random splits have such a one often enough.
    """
    at = STATED_PREVALENCE
    pairs = published_pairs()
    # What stands in the rows, and the intervals of each.
    results: list[tuple[tuple[str | float, ...], list[Interval]]] = []
    for pair in pairs:
        rules: list[Rule] = [pair.curve, "trapezoid"] if pair.curve == "hull" else [pair.curve]
        for rule in rules:
            lower, upper = map(float, auk_bounds(pair.auc.value, at, curve=pair.curve)[:2])
            if rule == "trapezoid":
                by_rule = auk_trapezoid_range(pair.auc.value, at)
                lower = min(lower, float(by_rule.lower))
                upper = max(upper, float(by_rule.upper))
            name = "trapezoid" if rule == "trapezoid" else "exact"
            row = pair.place, pair.model, pair.curve, name, pair.auk.value, lower, upper
            results.append((row, pair_intervals(pair, rule)))
    both = table4_intervals(pairs)
    of_all = ("all", "hull", "exact", np.nan, np.nan, np.nan)
    if point := point_if_published():
        kappa = float(kappa_from_rates(point.fpr.value, point.tpr.value, at))
        of_point = SECTION_8, "neural_net", "hull", "kappa", point.kappa.value, kappa, kappa
        results.append((of_point, point_intervals(point)))
    results.append((("Table 4", *of_all), both))
    if point:
        results.append(((JOINT, *of_all), intersection(both, point_intervals(point))))
    rows = [
        (*row, *_possible(intervals), *ends)
        for row, intervals in results
        for ends in intervals or [Interval(np.nan, np.nan)]
    ]
    columns = ["place", "model", "curve", "rule", "value", "lower", "upper"]
    columns += ["possible", "possible_other", "possible_test_rows"]
    return pd.DataFrame(rows, columns=[*columns, "low", "high"])


def _possible(intervals: list[Interval]) -> tuple[bool, bool, bool]:
    """Whether the stated prevalence, that of the other class, and a test set's lie in intervals."""
    stated, other = (contains(intervals, p) for p in PREVALENCES)
    return stated, other, chance_of_test_set(intervals) >= UNUSUAL


def table4_intervals(pairs: Sequence[Pair]) -> list[Interval]:
    """Prevalences at which all hull pairs are possible as exact integrals."""
    of_hulls = (pair_intervals(pair, "hull") for pair in pairs if pair.curve == "hull")
    return reduce(intersection, of_hulls, [Interval(0.0, 1.0)])


def counts_table(
    test_sizes: Sequence[int], minority_share: Sequence[float], named: Iterable[int]
) -> pd.DataFrame:
    """Test sets whose counts can give the published operating point exactly.

    Examined are test sets from the smaller to the larger size and share of bad rows; the named
    sizes are listed even if nothing fits. Counts are those of the kappa nearest to the printed one.
    """
    point: Any = point_if_published()
    low, high = minority_share
    sizes = sorted({*range(test_sizes[0], test_sizes[1] + 1), *named})
    shares = {"majority": (1 - high, 1 - low), "minority": (low, high)}
    rows: list[dict[str, Any]] = []
    for (positive_class, prevalence), digits in product(shares.items(), DIGITS if point else ()):
        f, t, kappa = (number.value for number in point)
        printed: Any = {"kappa": kappa, "decimals": point.decimals, "digits": digits}
        compositions = consistent_counts(f, t, n=sizes, prevalence=prevalence, **printed)
        for size in sizes:
            fitting = [of for of in compositions if of.n_positive + of.n_negative == size]
            row = {"positive_class": positive_class, "digits": digits, "n_test": size}
            row["compositions"] = len(fitting)
            if fitting:
                best = min(fitting, key=lambda composition: abs(composition.kappa - kappa))
                n = best.n_positive, best.n_negative
                row["n_minority"] = n[1] if positive_class == "majority" else n[0]
                row["kappa"] = best.kappa
                row["false_positives"] = best.false_positives
                row["true_positives"] = best.true_positives
                row["aucs_possible"] = all(
                    auc_is_possible(pair.auc.value, *n, decimals=pair.auc.decimals, digits=digits)
                    for pair in published_pairs()
                )
            if fitting or size in named:
                rows.append(row)
    counts = dict.fromkeys(("n_minority", "false_positives", "true_positives"), "Int64")
    columns = ["positive_class", "digits", "n_test", "compositions", *counts, "kappa"]
    table = pd.DataFrame(rows, columns=[*columns, "aucs_possible"])
    return table.astype({**counts, "kappa": "float64"})


def runs_in_words(sizes: Iterable[int]) -> str:
    """Integers as text, neighbours joined."""
    parts: list[list[int]] = []
    for size in sorted(set(sizes)):
        if parts and parts[-1][-1] == size - 1:
            parts[-1].append(size)
        else:
            parts.append([size])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in parts)


def kappa_at_the_published_point() -> Recomputed:
    """Equation 19 at the stated prevalence and at that of the other class."""
    point = published_point()
    kappa = kappa_from_rates(point.fpr.value, point.tpr.value, PREVALENCES)
    intervals = point_intervals(point)
    values = {"kappa": kappa, "at": PREVALENCES, "needed": intervals_in_words(intervals, 3)}
    return contains(intervals, STATED_PREVALENCE), values


def auc_of_a_hull_with_that_optimum() -> Recomputed:
    """Largest AUC of a hull on which equation 26 holds at the published point."""
    from scipy.optimize import brentq

    printed = published_pair("Table 4", "neural_net").auc
    point = published_point()
    auc = [largest_auc(point, p) for p in PREVALENCES]
    needed = printed_interval(printed.value, printed.decimals).low
    least = float(brentq(lambda p: largest_auc(point, p) - needed, 0.01, 0.99))
    left = intersection(table4_intervals(published_pairs()), [Interval(least, 1.0)])
    words = {"printed": printed.value, "left": intervals_in_words(left)}
    return needed <= auc[0], {"auc": auc, "at": PREVALENCES, "least": least, **words}


def _exact_range(place: str, model: str, curve: Literal["hull", "raw"]) -> Recomputed:
    """Range of the exact AUK of any such curve with the printed AUC."""
    pair = published_pair(place, model)
    at = STATED_PREVALENCE
    intervals = pair_intervals(pair, curve)
    low, high = map(float, auk_bounds(pair.auc.value, at, curve=curve)[:2])
    return contains(intervals, at), {
        "low": low,
        "high": high,
        "at": at,
        "auk": pair.auk.value,
        "needed": intervals_in_words(intervals),
        "least": intervals[0].low,
        "trapezoid": float(auk_trapezoid_range(pair.auc.value, at).upper),
    }


table4_neural_net = partial(_exact_range, "Table 4", "neural_net", "hull")
table4_linear = partial(_exact_range, "Table 4", "linear", "hull")
table5_neural_net = partial(_exact_range, "Table 5", "neural_net", "raw")


def table4_with_the_operating_point() -> Recomputed:
    """Prevalences that both hull pairs allow, and what the operating point leaves of them."""
    both = table4_intervals(published_pairs())
    point = point_intervals(published_point())
    left = intersection(both, point)
    majority = bool(left) and all(low > 0.5 for low, _ in left)
    leave = "leave p near the share of good rows: good positive, or p and 1 - p interchanged"
    return contains(left, STATED_PREVALENCE), {
        "both": intervals_in_words(both),
        "left": intervals_in_words(left),
        "at": STATED_PREVALENCE,
        "point": intervals_in_words(point, 3),
        "joint": leave if majority else "do not settle which share p is",
    }


def number_of_samples() -> Recomputed:
    """Rows that are left when all good ones are kept."""
    rows, minority, _ = stated_sample()
    counts = CLASS_COUNTS.values()
    swapped = sorted(str(STATED_SAMPLES)) == sorted(str(rows))
    return STATED_SAMPLES in (rows, rows + 1), {
        "rows": rows,
        "next": rows + 1,
        "majority": rows - minority,
        "minority": minority,
        "total": class_counts(
            *counts, skew=STATED_PREVALENCE, scheme="total", total=STATED_SAMPLES
        ),
        "stated": STATED_SAMPLES,
        "pima": PIMA,
        "digits": "has the digits of the former transposed, " if swapped else "",
    }


def typical_operating_point(summary: pd.DataFrame) -> Recomputed:
    """Our network's optimum for either class over the replicates."""
    rates = summary.query("model == 'neural_net' and curve == 'hull'")
    if rates.empty:
        return None
    rates = rates.set_index(["positive_class", "measure"])[["mean", "sd"]].astype(float)
    point = published_point()
    printed = np.array([point.fpr.value, point.tpr.value])
    optima = {}
    far = {}
    for name in ("majority", "minority"):
        mean, sd = rates.loc[name].loc[["fpr", "tpr"]].to_numpy().T
        optima[name] = "f {:.2f}, t {:.2f} (sd {:.2f} and {:.2f})".format(*mean, *sd)
        far[name] = np.abs((printed - mean) / sd)
    nearer = min(far, key=lambda name: far[name].max())
    distances = {name: "f {:.1f}, t {:.1f}".format(*both) for name, both in far.items()}
    values = {"optima": _by_class(optima), "distances": _by_class(distances)}
    return nearer == "minority", values | {"nearer": CLASS_NAMES[nearer]}


def _by_class(texts: dict[Any, str]) -> str:
    return "; ".join(f"{CLASS_NAMES[name]} positive: {text}" for name, text in texts.items())


def auk_at_the_published_auc(table: pd.DataFrame) -> Recomputed:
    """Standard deviations between each AUK and what replicates have at its AUC."""
    table = table.query("curve == 'hull' and integration == 'exact'")
    if table.empty:
        return None
    by_class = table.assign(
        text=[
            f"{MODEL_LABELS[row['model']]} {row['z']:.1f} ({row['reaching']} of {row['near']})"
            for row in table.to_dict("records")
        ],
        far=table["z"].abs(),
    ).groupby("positive_class", sort=False)
    far = by_class["far"].max()
    farthest = " and ".join(
        f"{z:.1f} with {CLASS_NAMES[str(name)]} positive" for name, z in far.items()
    )
    texts = _by_class(by_class["text"].agg(", ".join).to_dict())
    values = {"texts": texts, "window": AUC_WINDOW, "farthest": farthest}
    return far.get("minority", 0.0) <= ORDINARY, values


def rank_reversal(table: pd.DataFrame) -> Recomputed:
    """How often random splits show the published pattern."""
    rows = table[(table["pattern"] == "published") & table["pair"].isin(AUC_AND_AUK)]
    percent = 100 * rows.groupby("positive_class", sort=False)["share"].agg(["min", "max"])
    shares = {name: f"{low:.1f} to {high:.1f} %" for name, low, high in percent.itertuples()}
    most = rows["share"].max()
    common = bool(most > 0.2)
    how = "nothing unusual" if common else "possible, not typical"
    n = int(rows["replicates"].max())
    return common, {"n": n, "shares": _by_class(shares), "most": most, "how": how}


def counts_of_the_operating_point() -> Recomputed:
    """Test-set sizes whose counts give the three printed values."""
    stated = (STATED_SAMPLES - TRAINING_ROWS, stated_sample().test)
    table = counts_table((150, 320), (0.09, 0.13), stated)
    fits = table[table["compositions"] > 0]
    nearest = (fits["kappa"] - published_point().kappa.value).abs().argmin()
    sizes = {
        name: ", ".join(
            f"{digits}: {runs_in_words(n)}" for digits, n in of_class.groupby("digits")["n_test"]
        )
        or "none"
        for name in ("majority", "minority")
        for of_class in [fits[fits["positive_class"] == name]]
    }
    return bool(fits["n_test"].isin(stated).any()), {**sizes, "best": fits.iloc[nearest]}
