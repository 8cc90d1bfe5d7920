"""The audit of printed numbers: what their counts, kappa and areas allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, islice
from typing import Any

import numpy as np

from .bounds import Interval, areas_below, auk_bounds, prevalences_of_areas, prevalences_of_point
from .counts import (
    MEASURES,
    Array,
    Numbers,
    Printed,
    TooCoarseError,
    class_sizes,
    count_tables,
    counts_of_rates,
    find_tables,
    nearest_pairs,
    read_number,
    read_numbers,
    smallest_share,
    sorted_misses,
)
from .curve import kappa

RATES = {"tpr": "positives", "fpr": "negatives", "specificity": "negatives"}
READINGS = ("rounded", "cut")
MAX_SHOWN = 3  # of confusion matrices that print all numbers
EDGE_ERROR = 1e-8  # of intervals of prevalences
TOGETHER = "AUC and AUK are checked together, at --prevalence"
# What an option that was not used needs; of other numbers, --rows.
NEEDED = {
    "auc": TOGETHER,
    "auk": TOGETHER,
    "rows": "give --tpr, --fpr or another share of them",
    "positives": "give --rows, too",
    "prevalence": "give --rows, or --auc and --auk",
    "largest_kappa": "give --kappa and --prevalence",
}


def check_printed(
    printed: Mapping[str, str],
    *,
    rows: int | None = None,
    positives: int | None = None,
    prevalence: str | None = None,
    largest_kappa: bool = False,
) -> dict[str, Any]:
    """Check printed numbers against one another.

    Parameters
    ----------
    printed : mapping of str to str
        Numbers as printed: "auc", "auk" and measures by their names in :func:`possible_counts`.
    rows, positives, prevalence
        As in :func:`possible_counts`.
    largest_kappa : bool, default False
        Whether the printed kappa is said to be the largest of the curve.

    Returns
    -------
    dict
        The arguments; what "counts", "rates", "curves" and "largest_kappa" allow, None where
        nothing could be checked; "unused", the reason for each number that was not used.
    """
    share = _stated_share(rows, positives, prevalence)
    values = {name: printed[name] for name in MEASURES if name in printed}
    settings = {"rows": rows, "positives": positives, "prevalence": prevalence}
    of_share = {"prevalence"} if prevalence is not None else {"rows", "positives"}
    parts: dict[str, Any] = dict.fromkeys(("counts", "rates", "curves", "largest_kappa"))
    used: set[str] = set()
    if rows is not None and values:
        parts["counts"] = check_counts(values, rows, positives, prevalence)
        used |= {*values, *settings}
    if {"tpr", "kappa"} <= values.keys() and values.keys() & {"fpr", "specificity"}:
        parts["rates"] = check_rates(values, share)
        used |= {"tpr", "kappa", "prevalence", "fpr" if "fpr" in values else "specificity"}
    if {"auc", "auk"} <= printed.keys() and share is not None:
        parts["curves"] = check_areas(printed["auc"], printed["auk"], share)
        used |= {"auc", "auk", *of_share}
    if largest_kappa and "kappa" in values and share is not None:
        parts["largest_kappa"] = check_largest_kappa(printed, share)
        used |= {"auc", "auk", "kappa", "largest_kappa", *of_share}
    given = {**printed, **settings, "largest_kappa": "" if largest_kappa else None}
    unused = {
        name: f"--{name.replace('_', '-')} {value}".strip()
        + f" is not used: {NEEDED.get(name, 'give --rows')}."
        for name, value in given.items()
        if value is not None and name not in used
    }
    if not any(parts.values()):
        what = "There is nothing to check"
        if not unused:
            what += ": give rates and --rows, or --auc, --auk and --prevalence"
        raise ValueError(" ".join([f"{what}.", *unused.values()]))
    return {**printed, **settings, **parts, "unused": unused}


def _stated_share(
    rows: int | None, positives: int | None, prevalence: str | None
) -> Printed | None:
    """The shares of positives that are meant, None if none is stated."""
    if prevalence is not None:
        share = read_number("prevalence", prevalence)
        if not 0 < share.value < 1:
            raise ValueError(f"prevalence must lie strictly between 0 and 1, got {prevalence}.")
        return share
    if rows is not None and positives is not None and 0 < positives < rows:
        return Printed(positives, positives, rows)
    return None


# ---- counts ----


def check_counts(
    values: Mapping[str, str], rows: int, positives: int | None, prevalence: str | None
) -> dict[str, Any]:
    """What the counts of `rows` rows allow if digits are rounded, and if they are cut off."""
    result: dict[str, Any] = {
        digits: _check_digits(values, rows, positives, prevalence, digits) for digits in READINGS
    }
    missed = result["rounded"]["n_tables"] == 0
    result["hints"] = _near_misses(values, rows, positives, prevalence) if missed else []
    return result


def _check_digits(
    values: Mapping[str, str], rows: int, positives: int | None, prevalence: str | None, digits: str
) -> dict[str, Any]:
    printed = read_numbers(values, digits)
    share = None if prevalence is None else read_number("prevalence", prevalence, digits)
    sizes = class_sizes(rows, positives, share)
    rates = {name: str(smallest_share(number)) for name, number in printed.items() if name in RATES}
    result: dict[str, Any] = {
        "positives": [int(sizes[0]), int(sizes[-1])] if len(sizes) else None,
        "n_tables": 0,
        "tables": [],
        "contradictions": [],
        "fewest_rows": rates,
        "nearest": None,
    }
    tables = list(islice(find_tables(rows, sizes, printed), MAX_SHOWN + 1))
    if not tables:
        result["contradictions"] = _contradictions(rows, sizes, printed)
        result["nearest"] = _nearest_size(rows, printed, _stated_share(rows, positives, prevalence))
        return result
    if len(tables) <= MAX_SHOWN:
        result["tables"] = [
            {"tp": tp, "fn": p - tp, "fp": fp, "tn": rows - p - fp} for p, tp, fp in tables
        ]
    try:
        result["n_tables"] = int(count_tables(rows, sizes, printed).sum())
    except TooCoarseError:
        result["n_tables"] = None
    return result


def _is_printed(rows: int, sizes: Array, printed: Numbers) -> bool:
    """Whether a confusion matrix prints these numbers."""
    return next(find_tables(rows, sizes, printed), None) is not None


def _contradictions(rows: int, sizes: Array, printed: Numbers) -> list[list[str]]:
    """The smallest sets of numbers that no table prints together, single numbers first."""
    contradictions: list[list[str]] = []
    for n in range(1, len(printed) + 1 if len(sizes) else 0):
        for names in combinations(printed, n):
            known = any(set(names) >= set(smaller) for smaller in contradictions)
            if not known and not _is_printed(rows, sizes, {name: printed[name] for name in names}):
                contradictions.append(list(names))
    return contradictions


def _nearest_size(rows: int, printed: Numbers, share: Printed | None) -> dict[str, Any] | None:
    """The class size nearest to the stated share that can print the rates, and kappa there.

    Without a stated share it is the size at which counts come nearest to all printed numbers.
    """
    rates = {name: number for name, number in printed.items() if name in RATES}
    p = np.arange(1, rows)
    (tp_low, tp_high), (fp_low, fp_high) = counts_of_rates(rates, p, rows - p)
    p = p[(tp_low <= tp_high) & (fp_low <= fp_high)]
    if not (rates and len(p)):
        return None
    if share is None:
        pairs = nearest_pairs(rows, p, printed)
        miss = sorted_misses(p, rows, pairs[:, 0], pairs[:, 1], printed)[-1]
    else:
        miss = np.abs(p / rows - share.value)
    n = int(p[miss.argmin()])
    tp, fp = nearest_pairs(rows, np.array([n]), rates)[0].tolist()
    nearest = {"positives": n, "share": n / rows, "tp": tp, "fp": fp}
    if {"tpr"} < rates.keys():
        t, f = tp / n, fp / (rows - n)
        nearest |= {"kappa": float(kappa(f, t, n / rows)), "difference": t - f}
        if share is not None:
            nearest["kappa_at_stated_share"] = float(kappa(f, t, share.value))
            nearest["kappa_at_other_share"] = float(kappa(f, t, 1 - share.value))
    return nearest


def _near_misses(
    values: Mapping[str, str], rows: int, positives: int | None, prevalence: str | None
) -> list[str]:
    """What would print all numbers: rows one or two off, or classes exchanged."""
    share = None if prevalence is None else read_number("prevalence", prevalence)
    tries: dict[str, tuple[int, int | None, Printed | None]] = {}
    for change in (-1, 1, -2, 2):
        tries[f"with {rows + change} rows"] = rows + change, positives, share
        if positives is not None:
            tries[f"with {positives + change} positives"] = rows, positives + change, share
    if positives is not None or share is not None:
        others = None if positives is None else rows - positives
        exchanged = None if share is None else share.complement()
        tries["with the other class as the positive one"] = rows, others, exchanged
    printed = read_numbers(values)
    return [
        text
        for text, (n, p, near) in tries.items()
        if n > 1 and (p is None or 0 < p < n) and _is_printed(n, class_sizes(n, p, near), printed)
    ]


# ---- kappa and areas ----


def check_rates(values: Mapping[str, str], share: Printed | None) -> dict[str, Any]:
    """The shares of positives at which the printed rates have the printed kappa."""
    numbers = read_numbers(values)
    intervals = prevalences_of_point(_read_fpr(numbers), numbers["tpr"], numbers["kappa"])
    possible = None if share is None else _overlaps(share, intervals)
    return {"prevalences": [list(x) for x in intervals], "possible": possible}


def _read_fpr(numbers: Numbers) -> Printed:
    """The false positive rate, printed or one minus the specificity."""
    return numbers["fpr"] if "fpr" in numbers else numbers["specificity"].complement()


def check_areas(auc: str, auk: str, share: Printed) -> dict[str, Any]:
    """Bounds of the AUK at the stated share, and the shares that allow the pair, by curve."""
    area, value = read_number("auc", auc), read_number("auk", auk)
    result = {}
    for curve in ("raw", "hull", "trapezoid") if area.value >= 0.5 else ("raw",):
        lower, upper = auk_bounds(area.value, share.value, curve=curve)
        intervals = prevalences_of_areas(area.interval, value.interval, curve)
        result[curve] = {
            "lower": float(lower),
            "upper": float(upper),
            "possible": _overlaps(share, intervals),
            "possible_with_other_class": _overlaps(share.complement(), intervals),
            "prevalences": [list(interval) for interval in intervals],
        }
    return result


def check_largest_kappa(printed: Mapping[str, str], share: Printed) -> dict[str, Any]:
    """The largest AUC and AUK of a curve whose largest kappa is the printed one."""
    numbers = read_numbers(printed)
    if numbers["kappa"].high < 0:
        raise ValueError("The largest kappa of a curve is at least 0: flagging nobody has 0.")
    p = np.linspace(*share.interval, 21)
    largest = np.full(21, min(1.0, numbers["kappa"].interval[1]))
    if "tpr" in numbers and ("fpr" in numbers or "specificity" in numbers):
        f, t = max(0.0, _read_fpr(numbers).interval[0]), min(1.0, numbers["tpr"].interval[1])
        largest = np.minimum(largest, np.maximum(kappa(f, t, p), 0.0))
    areas = [areas_below(float(k), float(x)) for k, x in zip(largest, p, strict=True)]
    result: dict[str, Any] = {"kappa": float(largest.max())}
    for name, cap in zip(("auc", "auk"), np.max(areas, axis=0).tolist(), strict=True):
        result[name] = cap
        if name in numbers:
            result[f"{name}_possible"] = numbers[name].interval[0] <= cap
    return result


def _overlaps(share: Printed, intervals: Iterable[Interval]) -> bool:
    """Whether one of the stated shares lies in one of the intervals."""
    low, high = share.interval
    return any(a <= high + EDGE_ERROR and low - EDGE_ERROR <= b for a, b in intervals)
