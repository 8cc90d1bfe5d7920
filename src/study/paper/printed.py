"""Which prevalences the printed numbers allow, and what the paper prints beside what we compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import comb, nan
from typing import Any

import pandas as pd

from kappacurve import (
    auk_bounds,
    kappa_from_rates,
    prevalence_from_operating_point,
    prevalence_intervals,
)
from study.experiment.sampling import ClassCounts, class_counts
from study.printed import (
    CLASS_COUNTS,
    RARE_SHARE,
    STATED,
    Pair,
    Printed,
    printed_by,
    printed_pairs,
    printed_point,
)

INTERCHANGED = 1 - STATED
STATED_ROWS = 768
TRAINING_ROWS = 500
SOURCE = "Kaymak, Ben-David & Potharst 2010"
Intervals = Sequence[tuple[float, float]]


def stated_sample() -> ClassCounts:
    """All good rows, and as many bad ones as make the share of the text."""
    return class_counts(*CLASS_COUNTS.values(), skew=STATED)


def count_test_rows() -> int:
    """The rows that test where bad ones are deleted as the text says."""
    return sum(stated_sample()) - TRAINING_ROWS


@cache
def chances_of_bad_rows(sample: ClassCounts, test_rows: int) -> dict[int, float]:
    """The chance of each number of bad rows among the test rows of a random split."""
    good, bad = sample
    ways = {k: comb(bad, k) * comb(good, test_rows - k) for k in range(1, bad + 1)}
    return {k: number / comb(good + bad, test_rows) for k, number in ways.items()}


def contains(intervals: Intervals, prevalence: float) -> bool:
    """Whether a prevalence lies in one of the intervals."""
    return any(low <= prevalence <= high for low, high in intervals)


def is_usual_test_set(intervals: Intervals) -> bool:
    """Whether the test rows of enough random splits have a prevalence in the intervals."""
    test_rows = count_test_rows()
    chances = chances_of_bad_rows(stated_sample(), test_rows).items()
    usual = sum(chance for bad, chance in chances if contains(intervals, bad / test_rows))
    return usual >= RARE_SHARE


def intersection(first: Intervals, second: Intervals) -> Intervals:
    """What two lists of intervals have in common."""
    common = [(max(a, c), min(b, d)) for a, b in first for c, d in second]
    return sorted(interval for interval in common if interval[0] <= interval[1])


@cache
def pair_intervals(pair: Pair, rule: str) -> Intervals:
    """Prevalences at which a curve can have the printed AUC and AUK, rounding taken in.

    The rule is "exact", or "trapezoid" for a trapezoid sum over a hull with one corner.
    """
    curve: Any = "trapezoid" if rule == "trapezoid" and pair.curve == "hull" else pair.curve
    decimals = pair.auc.decimals, pair.auk.decimals
    return prevalence_intervals(pair.auc.value, pair.auk.value, decimals=decimals, curve=curve)


@cache
def point_intervals() -> Intervals:
    """Prevalences at which the printed rates have the printed kappa, rounding taken in."""
    return prevalence_from_operating_point(*(number.text for number in printed_point()))


def prevalences_table() -> pd.DataFrame:
    """One row per printed result, rule and interval of prevalences (low to high) that it allows.

    The rule is exact, trapezoid or kappa (equation 19); lower and upper are what the value can be
    with 11 % positives. It is possible with 11 % positives (possible), with 89 %
    (possible_other), or at the shares that random test sets have (possible_test_rows).
    """
    rows: list[tuple[Any, ...]] = []
    table_4: Intervals = [(0.0, 1.0)]
    for pair in printed_pairs():
        for rule in ("exact", "trapezoid") if pair.curve == "hull" else ("exact",):
            printed = pair.place, pair.model, pair.curve, rule, pair.auk.value
            result = *printed, *auk_range(pair, rule)
            rows += list_intervals(result, pair_intervals(pair, rule))
        if pair.curve == "hull":
            table_4 = intersection(table_4, pair_intervals(pair, "exact"))
    joint = intersection(table_4, point_intervals())
    point, kappa = printed_point(), kappa_at_point()
    result = "Section 8", "neural_net", "hull", "kappa", point.kappa.value, kappa, kappa
    rows += list_intervals(result, point_intervals())
    for place, intervals in (("Table 4", table_4), ("Table 4 and Section 8", joint)):
        rows += list_intervals((place, "all", "hull", "exact", nan, nan, nan), intervals)
    columns = ["place", "model", "curve", "rule", "value", "lower", "upper"]
    columns += ["possible", "possible_other", "possible_test_rows", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def list_intervals(result: tuple[Any, ...], intervals: Intervals) -> list[tuple[Any, ...]]:
    """The rows of a result: one per interval, or one with empty ends."""
    possible = contains(intervals, STATED), contains(intervals, INTERCHANGED)
    usual = is_usual_test_set(intervals)
    return [(*result, *possible, usual, *ends) for ends in intervals or [(nan, nan)]]


def kappa_at_point() -> float:
    """Kappa at the printed rates with 11 % positives."""
    point = printed_point()
    return float(kappa_from_rates(point.fpr.value, point.tpr.value, STATED))


def auk_range(pair: Pair, rule: str) -> tuple[float, float]:
    """The AUKs that curves with the printed AUC have with 11 % positives."""
    lower, upper = (float(end) for end in auk_bounds(pair.auc.value, STATED, curve=pair.curve)[:2])
    if rule == "trapezoid":
        # A trapezoid sum over one corner, (0, 2 AUC - 1) or (2 - 2 AUC, 1): half its kappa.
        jump = 2 * pair.auc.value - 1
        at_corners = kappa_from_rates([0, 1 - jump], [jump, 1], STATED) / 2
        lower, upper = min(lower, *at_corners), max(upper, *at_corners)
    return float(lower), float(upper)


def printed_table() -> pd.DataFrame:
    """What the paper prints and we compute: source, place, printed, computed, agrees."""
    rows = []
    for place, printed in printed_by("kaymak").items():
        if "tp" in printed:
            found = accuracy_and_kappa({name: number.value for name, number in printed.items()})
            rows += [(f"{place}: {name}", printed[name], found[name]) for name in found]
    cells = {name: number.value for name, number in printed_by("kaymak")["Table 1 (A)"].items()}
    positive = cells["tp"] + cells["fn"]
    section_2 = {
        "share of false alarms of A": cells["fp"] / (cells["tp"] + cells["fp"]),
        # It guesses with the class shares.
        "accuracy of a random classifier": positive**2 + (1 - positive) ** 2,
        "accuracy of a majority classifier": 1 - positive,
    }
    of_section_2 = printed_by("kaymak")["Section 2"]
    rows += [(f"Section 2: {name}", of_section_2[name], section_2[name]) for name in section_2]
    place = "Section 8: kappa at f = 0.60, t = 0.928, 11 % positives"
    rows.append((place, printed_point().kappa, kappa_at_point()))
    left = float(sum(stated_sample()))
    rows.append(("Section 8: rows at 11 % bad customers", Printed(str(STATED_ROWS)), left))
    compared = [
        (place, printed.text, found, printed.is_of(found)) for place, printed, found in rows
    ]
    for pair in printed_pairs():
        _, upper = auk_range(pair, "exact")
        place = f"{pair.place}, {pair.model}: largest AUK of its AUC, 11 % positives"
        compared.append((place, pair.auk.text, upper, pair.auk.value - pair.auk.half_unit <= upper))
    columns = ["place", "printed", "computed", "agrees"]
    table = pd.DataFrame(compared, columns=columns)
    table.insert(0, "source", SOURCE)
    return table


def accuracy_and_kappa(cells: Mapping[str, float]) -> dict[str, float]:
    """Accuracy and Cohen's kappa of a confusion matrix in shares of all rows (equation 11)."""
    tp, fn, fp, tn = (cells[name] for name in ("tp", "fn", "fp", "tn"))
    kappa = float(kappa_from_rates(fp / (fp + tn), tp / (tp + fn), tp + fn))
    return {"accuracy": tp + tn, "kappa": kappa}
