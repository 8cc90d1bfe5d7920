"""Which confusion matrices print given numbers: the GRIM test for two classes.

A share of n rows is k / n, so a printed share rules out most counts (Brown & Heathers 2017). Every
measure here is a ratio of two linear functions of the true and the false positives, tp and fp. A
printed number is thus two inequalities a tp + b fp >= c with integers a, b and c, one for either
end of the values that print it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..validation import check_integer, hint_percent
from .curve import kappa as kappa_of_rates

Array = npt.NDArray[Any]  # of integers, or of floats where only the nearest pair is sought
Numbers = Mapping[str, "Printed"]

READINGS = ("rounded", "cut")
RATES = {"tpr": "positives", "fpr": "negatives", "specificity": "negatives"}
MAX_SHOWN = 3  # confusion matrices that print all numbers
MEASURES = ("tpr", "fpr", "specificity", "accuracy", "precision", "f1", "kappa")
NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?\s*(%?)")
CHUNK = 2**17  # pairs of class size and true positives that are tried at once
MAX_PAIRS = 3 * 10**7  # more would take minutes
N_WIDTHS = 2000  # class sizes between which the least width of the numbers is interpolated
PARALLEL = 1e-9  # two inequalities nearer to parallel do not bound the true positives


class TooCoarseError(ValueError):
    """Numbers that so many confusion matrices print that they are not counted."""


class ClassCounts(NamedTuple):
    """What a positive class of one size can print.

    `true_positives` and `false_positives` are the least and the largest count that print the rates
    of their class; None if no count does. `n_tables` pairs of them print all numbers. `nearest` is
    the pair (true positives, false positives) whose largest miss, in units of the last printed
    digit, is least; of several such pairs the one whose next largest miss is least, and so on, and
    then the one with the fewest true, then false positives.
    """

    positives: int
    negatives: int
    true_positives: tuple[int, int] | None
    false_positives: tuple[int, int] | None
    n_tables: int
    nearest: tuple[int, int]


class Printed(NamedTuple):
    """The values low / scale to high / scale that print a number; the ends count unless open."""

    low: int
    high: int
    scale: int
    low_open: bool = False
    high_open: bool = False

    @property
    def value(self) -> float:
        """The middle; if digits are rounded, the number as printed."""
        return (self.low + self.high) / (2 * self.scale)

    @property
    def interval(self) -> tuple[float, float]:
        """The least and the largest value."""
        return self.low / self.scale, self.high / self.scale

    def complement(self) -> Printed:
        """The values of one minus the number."""
        low, high, scale, low_open, high_open = self
        return Printed(scale - high, scale - low, scale, high_open, low_open)

    def counts(self, n: Any) -> tuple[Any, Any]:
        """The least and the largest k for which k / n prints the number; exchanged if none does."""
        low = -((-self.low * n - self.low_open) // self.scale)
        high = (self.high * n - self.high_open) // self.scale
        return np.maximum(low, 0), np.minimum(high, n)


def possible_counts(
    rows: int,
    *,
    positives: int | None = None,
    prevalence: str | None = None,
    tpr: str | None = None,
    fpr: str | None = None,
    specificity: str | None = None,
    accuracy: str | None = None,
    precision: str | None = None,
    f1: str | None = None,
    kappa: str | None = None,
    digits: str = "rounded",
) -> list[ClassCounts]:
    """Confusion matrices that print given numbers, by the size of the positive class.

    Parameters
    ----------
    rows : int
        Rows of the one test set from which all numbers come, at least 2.
    positives : int, default None
        Positive rows. By default every size whose share prints as `prevalence` is tried, and
        without a prevalence every size from 1 to `rows` - 1.
    prevalence : str in (0, 1), default None
        Share of positive rows, as printed.
    tpr, fpr, specificity, accuracy, precision, f1, kappa : str, default None
        As printed, with all digits: ``"0.60"`` is not ``"0.6"``; ``"60 %"`` is ``"0.60"``. They lie
        in [0, 1], kappa in [-1, 1].
    digits : {"rounded", "cut"}, default "rounded"
        Whether digits were rounded (a half may go up or down), or further ones cut off.

    Returns
    -------
    list of ClassCounts
        One for each size of the positive class in increasing order; empty if no size has the
        printed prevalence. Counts are exact.

    Raises
    ------
    ValueError
        If a number is not text with digits, or out of its range; if the numbers are so coarse that
        more than 3e7 counts of true positives would be tried.

    See Also
    --------
    auk_bounds : What a printed AUC and AUK allow.

    Notes
    -----
    Means over folds or resamples, averages over the classes and numbers of weighted rows do not
    come from one confusion matrix, and usually look impossible.

    References
    ----------
    Brown & Heathers (2017), "The GRIM test", Social Psychological and Personality Science 8,
    363-369.

    Examples
    --------
    Kaymak et al. (2010) print f = 0.60 and t = 0.928 at 11 % positives. Of 286 rows these are 31 or
    32, and 0.928 is no share of so few:

    >>> for size in possible_counts(286, prevalence="0.11", fpr="0.60", tpr="0.928"):
    ...     print(size.positives, size.true_positives, size.n_tables, size.nearest)
    31 None 0 (29, 153)
    32 None 0 (30, 152)

    The other class, of 251 rows, has such a share:

    >>> possible_counts(286, positives=251, fpr="0.60", tpr="0.928")[0].true_positives
    (233, 233)
    """
    values = (tpr, fpr, specificity, accuracy, precision, f1, kappa)
    printed = read_numbers(dict(zip(MEASURES, values, strict=True)), digits)
    share = None if prevalence is None else read_number("prevalence", prevalence, digits)
    sizes = class_sizes(rows, positives, share)
    if not len(sizes):
        return []
    n_tables = count_tables(rows, sizes, printed)
    nearest = nearest_pairs(rows, sizes, printed)
    result = []
    for p, tables, pair in zip(sizes.tolist(), n_tables.tolist(), nearest.tolist(), strict=True):
        tp, fp = (
            (int(low), int(high)) if low <= high else None
            for low, high in counts_of_rates(printed, p, rows - p)
        )
        result.append(ClassCounts(p, rows - p, tp, fp, tables, (pair[0], pair[1])))
    return result


def stated_share(rows: int | None, positives: int | None, prevalence: str | None) -> Printed | None:
    """The shares of positives that are meant, None if none is stated.

    Counts are exact. Raises ValueError if they do not print the prevalence in any reading.
    """
    share = None
    if prevalence is not None:
        share = read_number("prevalence", prevalence)
        if not 0 < share.value < 1:
            raise ValueError(f"prevalence must lie strictly between 0 and 1, got {prevalence}.")
    if rows is None or positives is None:
        return share
    class_sizes(rows, positives, None)  # refuses impossible counts
    if prevalence is not None:
        readings = [read_number("prevalence", prevalence, digits) for digits in READINGS]
        if not any(len(class_sizes(rows, positives, reading)) for reading in readings):
            raise ValueError(
                f"{positives} of {rows} rows are {positives / rows:.4g}, not {prevalence}: leave "
                "out --positives or --prevalence."
            )
    return Printed(positives, positives, rows)


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
        result["nearest"] = _nearest_size(rows, printed, stated_share(rows, positives, prevalence))
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
        nearest |= {"kappa": float(kappa_of_rates(f, t, n / rows)), "difference": t - f}
        if share is not None:
            nearest["kappa_at_stated_share"] = float(kappa_of_rates(f, t, share.value))
            nearest["kappa_at_other_share"] = float(kappa_of_rates(f, t, 1 - share.value))
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


def read_numbers(values: Mapping[str, str | None], digits: str = "rounded") -> dict[str, Printed]:
    """The values that print each number that is given."""
    return {
        name: read_number(name, text, digits) for name, text in values.items() if text is not None
    }


def read_number(name: str, text: str, digits: str = "rounded") -> Printed:
    """The values that are printed as a number such as "0.60", ".6" or "60 %"."""
    if digits not in READINGS:
        raise ValueError(f'digits must be "rounded" or "cut", got {digits!r}.')
    if not isinstance(text, str):
        raise ValueError(f"{name} must be text with all printed digits, as '0.60', got {text!r}.")
    match = NUMBER.fullmatch(text.strip())
    if match is None or not (match[2] or match[3]):
        raise ValueError(f"{name}: {text!r} is not a decimal number such as 0.80 or 80 %.")
    sign, whole, decimals, percent = match.groups(default="")
    scale = 10 ** (len(decimals) + 2 * len(percent))
    size = int(whole + decimals)
    least = -1 if name in ("kappa", "auk") else 0
    if size > scale or (sign == "-" and size and least == 0):
        hint = "." if percent or sign == "-" else hint_percent(size / scale)
        raise ValueError(f"{name} must lie between {least} and 1, got {text}{hint}")
    if digits == "rounded":
        middle = -2 * size if sign == "-" else 2 * size
        return Printed(middle - 1, middle + 1, 2 * scale)
    if sign == "-":
        return Printed(-size - 1, -size, scale, low_open=True)
    return Printed(size, size + 1, scale, high_open=True)


def class_sizes(rows: int, positives: int | None, share: Printed | None) -> Array:
    """Sizes of the positive class that the arguments allow."""
    first, last = 1, check_integer("rows", rows, 2) - 1
    if positives is not None:
        if check_integer("positives", positives, 1) > last:
            raise ValueError(f"positives must be less than rows, {rows}, got {positives!r}.")
        first = last = positives
    if share is not None:
        low, high = share.counts(rows)
        first, last = max(first, int(low)), min(last, int(high))
    return np.arange(first, last + 1)


def counts_of_rates(printed: Numbers, p: Any, q: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Least and largest true and false positives that print the rates of p and q rows.

    The least exceeds the largest where no count does.
    """
    tp, fp = (0 * p, p), (0 * q, q)
    if "tpr" in printed:
        tp = printed["tpr"].counts(p)
    if "fpr" in printed:
        fp = printed["fpr"].counts(q)
    if "specificity" in printed:
        low, high = printed["specificity"].counts(q)
        fp = np.maximum(fp[0], q - high), np.minimum(fp[1], q - low)
    return tp, fp


def smallest_share(printed: Printed) -> Fraction:
    """The share k / n with the fewest rows n that prints a number."""
    edge = Fraction(1, 2 * printed.scale**2)  # no share of fewer rows lies so near to an open end
    low = Fraction(printed.low, printed.scale) + edge * printed.low_open
    high = Fraction(printed.high, printed.scale) - edge * printed.high_open
    return _simplest(max(low, Fraction(0)), min(high, Fraction(1)))


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator between two others (Stern-Brocot tree)."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    below = whole - 1
    return below + 1 / _simplest(1 / (high - below), 1 / (low - below))


def count_tables(rows: int, sizes: Array, printed: Numbers) -> Array:
    """How many confusion matrices with each size of the positive class print all numbers."""
    n_tables = np.zeros(len(sizes), np.int64)
    for place, _, low, high in search_pairs(_inequalities(rows, sizes, printed)):
        np.add.at(n_tables, place, high - low + 1)
    return n_tables


def find_tables(rows: int, sizes: Array, printed: Numbers) -> Iterator[tuple[int, int, int]]:
    """The confusion matrices that print all numbers, as (positives, tp, fp), one by one."""
    for place, tp, low, high in search_pairs(_inequalities(rows, sizes, printed), limit=None):
        for i in range(len(place)):
            for fp in range(int(low[i]), int(high[i]) + 1):
                yield int(sizes[place[i]]), int(tp[i]), fp


def _linear_forms(p: Array, q: Array) -> dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Numerator and denominator of each measure as (constant, factor of tp, factor of fp)."""
    return {
        "tpr": ((0, 1, 0), (p, 0, 0)),
        "fpr": ((0, 0, 1), (q, 0, 0)),
        "specificity": ((q, 0, -1), (q, 0, 0)),
        "accuracy": ((q, 1, -1), (p + q, 0, 0)),
        "precision": ((0, 1, 0), (0, 1, 1)),
        "f1": ((0, 2, 0), (p, 1, 1)),
        "kappa": ((0, 2 * q, -2 * p), (p * (p + q), q - p, q - p)),
    }


def _inequalities(
    rows: int, sizes: Array, printed: Numbers, width: Array | None = None
) -> tuple[Array, Array, Array]:
    """Factors a, b and c (m, k) of m inequalities a tp + b fp >= c, for k class sizes.

    With a `width` (k,) the interval of values that print a number is so many times as wide.
    """
    largest = 8 * rows**2 * max((number.scale for number in printed.values()), default=1)
    kind: Any = np.float64 if width is not None else np.int64 if largest < 2**62 else object
    p = sizes.astype(kind)
    q = rows - p
    forms = _linear_forms(p, q)
    inequalities: list[tuple[Any, Any, Any]] = [(1, 0, 0), (-1, 0, -p), (0, 1, 0), (0, -1, -q)]
    if "precision" in printed:
        inequalities.append((1, 1, 1))  # without a flagged row there is no precision
    for name, (low, high, scale, low_open, high_open) in printed.items():
        ends: tuple[Any, Any] = (low, high)
        if width is not None:
            middle, half = (low + high) / 2, (high - low) / 2
            ends = middle - width * half, middle + width * half
        for sign, end, is_open in ((1, ends[0], low_open), (-1, ends[1], high_open)):
            numerator, denominator = forms[name]
            constant, a, b = (
                sign * (scale * x - end * y) for x, y in zip(numerator, denominator, strict=True)
            )
            inequalities.append((a, b, is_open * (width is None) - constant))
    columns = [np.broadcast_arrays(p, *row)[1:] for row in inequalities]
    a, b, c = np.array(columns, dtype=kind).transpose(1, 0, 2)
    return a, b, c


def true_positive_range(system: tuple[Array, Array, Array]) -> tuple[Array, Array]:
    """Least and largest true positives (k,) that some real number of false positives allows.

    Fourier-Motzkin elimination: each lower end of fp must lie below each upper end.
    """
    a, b, c = (part.astype(np.float64) for part in system)
    low, high = np.full(a.shape[1], -np.inf), np.full(a.shape[1], np.inf)
    p = -c[1]

    def bound(factor: Array, least: Array, size: Array, where: Array) -> None:
        """Use factor * tp >= least."""
        clear = np.abs(factor) > PARALLEL * size
        with np.errstate(divide="ignore", invalid="ignore"):
            end = least / factor
        np.maximum(low, end, out=low, where=where & clear & (factor > 0))
        np.minimum(high, end, out=high, where=where & clear & (factor < 0))
        np.copyto(low, np.inf, where=where & ~clear & (least > PARALLEL * size * p))

    for i in range(len(a)):
        bound(a[i], c[i], np.abs(a[i]), b[i] == 0)
        for j in range(len(a)):
            where = (b[i] > 0) & (b[j] < 0)
            if where.any():
                first, second = a[j] * b[i], a[i] * b[j]
                least = c[j] * b[i] - c[i] * b[j]
                bound(first - second, least, np.abs(first) + np.abs(second), where)
    return low, high


def search_pairs(
    system: tuple[Array, Array, Array], limit: int | None = MAX_PAIRS
) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Solve the inequalities: places of class sizes, true positives, range of false positives."""
    a, b, c = system
    low, high = true_positive_range(system)
    possible = high - low > -0.5
    first = np.where(possible, np.floor(low), 0).astype(np.int64)  # rounding may cost one
    last = np.where(possible, np.ceil(high), -1).astype(np.int64)
    ends = np.cumsum(last - first + 1)
    n_pairs = int(ends[-1]) if len(ends) else 0
    if limit is not None and n_pairs > limit:
        raise TooCoarseError(
            f"These numbers are too coarse to count: {n_pairs:.1e} pairs of counts would be tried. "
            "Give the positives or the prevalence, further numbers or more digits."
        )
    for start in range(0, n_pairs, CHUNK):
        index = np.arange(start, min(start + CHUNK, n_pairs))
        place = np.searchsorted(ends, index, side="right")
        tp = (last[place] - (ends[place] - 1 - index)).astype(a.dtype)
        fp_low, fp_high = np.zeros_like(tp), (-c[3, place]).copy()
        for i in range(len(a)):
            factor, spare = b[i, place], a[i, place] * tp - c[i, place]
            floor = spare // np.where(factor == 0, 1, np.abs(factor))
            fp_low = np.where(factor > 0, np.maximum(fp_low, -floor), fp_low)
            fp_high = np.where(factor < 0, np.minimum(fp_high, floor), fp_high)
            fp_high = np.where((factor == 0) & (spare < 0), -1, fp_high)
        fits = fp_low <= fp_high
        columns = (x[fits].astype(np.int64) for x in (tp, fp_low, fp_high))
        yield place[fits], *columns


def nearest_pairs(rows: int, sizes: Array, printed: Numbers) -> Array:
    """The true and false positives (k, 2) nearest to the printed numbers, for each class size.

    The intervals of values that print a number are widened until a pair of real numbers fits, and
    then further until a pair of counts does.
    """
    half = min((n.high - n.low) / n.scale for n in printed.values()) / 2 if printed else 1.0
    step = np.float64(1 / (4 * rows * half))
    # The least width hardly differs between neighbouring sizes.
    some = sizes[np.unique(np.linspace(0, len(sizes) - 1, N_WIDTHS).astype(np.int64))]
    width = np.interp(sizes, some, _least_width(rows, some, printed, 2 / half, step / 4))
    pairs, left = np.zeros((len(sizes), 2), np.int64), np.arange(len(sizes))
    while len(left):
        system = _inequalities(rows, sizes[left], printed, width[left] + step)
        misses = np.full((len(printed) + 1, len(left)), np.inf)
        for place, tp, fp_low, fp_high in search_pairs(system):
            p = sizes[left[place]]
            fp = _nearest_false_positives(p, rows, tp, fp_low, fp_high, printed)
            tried = sorted_misses(p, rows, tp, fp, printed)
            order = np.lexsort((tp, *tried, place))
            best = order[np.unique(place[order], return_index=True)[1]]
            best = best[_is_less(tried[:, best], misses[:, place[best]])]
            misses[:, place[best]] = tried[:, best]
            pairs[left[place[best]]] = np.column_stack([tp[best], fp[best]])
        left, step = left[np.isinf(misses[-1])], 2 * step
    return pairs


def _least_width(rows: int, sizes: Array, printed: Numbers, most: float, error: float) -> Array:
    """How many times as wide the intervals must be for a pair of real numbers to fit: bisection."""
    low, high = np.zeros(len(sizes)), np.full(len(sizes), most)
    while (high - low > error).any():
        middle = (low + high) / 2
        ends = true_positive_range(_inequalities(rows, sizes, printed, middle))
        fits = ends[0] <= ends[1]
        low, high = np.where(fits, low, middle), np.where(fits, middle, high)
    return high


def _nearest_false_positives(
    p: Array, rows: int, tp: Array, low: Array, high: Array, printed: Numbers
) -> Array:
    """The false positives, between low and high, that come nearest to the printed numbers.

    With more false positives each miss falls and then rises, so that bisection finds the least.
    """
    low, high = low.copy(), high.copy()
    while len(wide := np.flatnonzero(low < high)):
        middle = (low[wide] + high[wide]) // 2
        here, beyond = (
            sorted_misses(p[wide], rows, tp[wide], fp, printed) for fp in (middle, middle + 1)
        )
        is_falling = _is_less(beyond, here)
        low[wide] = np.where(is_falling, middle + 1, low[wide])
        high[wide] = np.where(is_falling, high[wide], middle)
    return low


def sorted_misses(p: Array, rows: int, tp: Array, fp: Array, printed: Numbers) -> Array:
    """Distances of measures from their printed numbers, in halves of the last digit, sorted."""
    forms = _linear_forms(p, rows - p)
    misses = [np.zeros(len(tp))]
    for name, number in printed.items():
        numerator, denominator = (x + a * tp + b * fp for x, a, b in forms[name])
        value = numerator / np.maximum(denominator, 1) * number.scale
        misses.append(np.abs(value - (number.low + number.high) / 2))
    return np.sort(misses, axis=0)


def _is_less(first: Array, second: Array) -> Array:
    """Whether the first one's worst miss is less; if equal the next worst, and so on."""
    less = np.zeros(first.shape[1], np.bool_)
    for x, y in zip(first, second, strict=True):
        less = np.where(x == y, less, x < y)
    return less
