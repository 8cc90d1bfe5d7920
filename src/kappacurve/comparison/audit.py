"""The audit of printed numbers: what their counts, kappa and areas allow, and that in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..curves.bounds import (
    Interval,
    areas_below,
    auk_bounds,
    prevalences_of_areas,
    prevalences_of_point,
)
from ..curves.counts import (
    MEASURES,
    RATES,
    Numbers,
    Printed,
    check_counts,
    read_number,
    read_numbers,
    stated_share,
)
from ..curves.curve import kappa

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
LABELS = {"tpr": "TPR", "fpr": "FPR", "f1": "F1", "auc": "AUC", "auk": "AUK"}
READINGS = {"rounded": "rounded", "cut": "cut off"}
CURVES = {"raw": "a ROC curve", "hull": "the hull of a ROC curve"}
MAX_TELLING = 1000  # more tables than these say nothing
ASSUMED = (
    "All numbers come from one test set, in which each row counts once; none is a mean.",
    "All numbers belong to one threshold, a corner of the ROC curve.",
)
OF_THESE_ROWS = (
    "The stated share of positives is that of these rows, not of a sample from which they come."
)
HARMLESS = (
    "Means over folds, resamples or runs, averages weighted by class and survey weights come from "
    "no single confusion matrix, so they usually fail this test.",
    "Fewer rows may have been tested than are stated, for example where values are missing.",
)


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
    share = stated_share(rows, positives, prevalence)
    values = {name: printed[name] for name in MEASURES if name in printed}
    settings = {"rows": rows, "positives": positives, "prevalence": prevalence}
    is_counted = rows is not None and positives is not None
    of_share = {*settings} if is_counted else {"prevalence"}
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


# ---- in words ----


def describe_check(result: Mapping[str, Any]) -> str:
    """The result of :func:`check_printed` in words."""
    paragraphs = [[_title(result)]]
    if result["counts"]:
        paragraphs += [list(_describe_digits(result, digits)) for digits in READINGS]
    if result["rates"]:
        paragraphs.append([_describe_rates(result)])
    if result["curves"]:
        paragraphs.append(list(_describe_areas(result)))
    if result["largest_kappa"]:
        paragraphs.append([_describe_largest(result)])
    if result["counts"]:
        paragraphs.append(list(_describe_assumptions(result)))
    if result["unused"]:
        paragraphs.append([*result["unused"].values()])
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"


def _title(result: Mapping[str, Any]) -> str:
    numbers = ", ".join(
        _number(result, name) for name in ("auc", "auk", *MEASURES) if name in result
    )
    texts = {"rows": "{} rows", "positives": "{} positive", "prevalence": "share of positives {}"}
    stated = [text.format(result[key]) for key, text in texts.items() if result[key] is not None]
    return f"{numbers}; {', '.join(stated)}" if stated else numbers


def _number(result: Mapping[str, Any], name: str) -> str:
    return f"{_label(name)} {result[name]}"


def _label(name: str) -> str:
    return LABELS.get(name, name)


def _stated(result: Mapping[str, Any]) -> str:
    """The share of positives at which kappa and areas are checked, by counts if they are known."""
    if result["rows"] is not None and result["positives"] is not None:
        return f"{result['positives']}/{result['rows']}"
    return str(result["prevalence"])


def _list(words: Iterable[str], last: str = "and") -> str:
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def _describe_digits(result: Mapping[str, Any], digits: str) -> Iterator[str]:
    """What counts say by one reading of the digits: the verdict, and why."""
    reading, rows = result["counts"][digits], result["rows"]
    if reading["positives"] is None:
        tried = f"no number of positives is {result['prevalence']} of {rows} rows"
        if (n := result["positives"]) is not None:
            tried = f"{n} of {rows} rows are {n / rows:.4g}, not {result['prevalence']}"
        yield f"Digits {READINGS[digits]}: {tried}."
    else:
        sizes = _span(*reading["positives"])
        verdict = _verdict(reading["n_tables"], f"confusion matrix of {rows} rows")
        yield f"Digits {READINGS[digits]}, {sizes} positives: {verdict}."
    for table in reading["tables"]:
        yield f"  {', '.join(f'{name.upper()} {count}' for name, count in table.items())}."
    for names in reading["contradictions"]:
        yield f"  {_describe_contradiction(result, reading, names)}"
    needs = []
    for name, share in reading["fewest_rows"].items():
        least = f"{Fraction(share).denominator} {RATES[name]} ({share})"
        needs.append(f"{_number(result, name)} needs at least {least}")
    if needs:
        yield f"  {_list(needs)}."
    if reading["nearest"]:
        yield from _describe_nearest(result, reading["nearest"])


def _verdict(n_tables: int | None, table: str) -> str:
    if n_tables == 0:
        return f"no single {table} prints these numbers"
    if n_tables == 1:
        return f"possible, exactly one {table} prints these numbers"
    if n_tables is None:
        return "possible, but too coarse to test (too many confusion matrices to count)"
    if n_tables > MAX_TELLING:
        return f"possible, but too coarse to test ({n_tables:,} confusion matrices)"
    return f"possible, {n_tables} confusion matrices print these numbers"


def _span(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{low} {'or' if high == low + 1 else 'to'} {high}"


def _describe_contradiction(
    result: Mapping[str, Any], reading: Mapping[str, Any], names: list[str]
) -> str:
    numbers = _list([_number(result, name) for name in names])
    if len(names) > 1:
        return f"No such table prints {numbers} together."
    rows, (low, high) = result["rows"], reading["positives"]
    if names == ["accuracy"]:
        low = high = rows
    elif names[0] not in RATES:
        return f"No such table prints {numbers}."
    elif RATES[names[0]] == "negatives":
        low, high = rows - high, rows - low
    if high - low > 1:
        return f"{numbers} is no k/n for any n from {low} to {high}."
    return f"{numbers} is no {_list([f'k/{n}' for n in range(low, high + 1)], 'or')}."


def _describe_nearest(result: Mapping[str, Any], nearest: Mapping[str, Any]) -> Iterator[str]:
    n, fp, rows = nearest["positives"], nearest["fp"], result["rows"]
    q = rows - n
    shares = {"tpr": f"{nearest['tp']}/{n}", "fpr": f"{fp}/{q}", "specificity": f"{q - fp}/{q}"}
    printed = [f"{_label(name)} {share}" for name, share in shares.items() if name in result]
    stated = "kappa_at_stated_share" in nearest
    yield (
        f"  The {'nearest share' if stated else 'share of the best fit'} that prints "
        f"{_list([_label(name) for name in shares if name in result])} is "
        f"{100 * nearest['share']:.1f} % ({n} of {rows} rows): {', '.join(printed)}."
    )
    if "kappa" in nearest:
        kappas = [f"{nearest['kappa']:.4f} at its own share"]
        if stated:
            at_stated = f"at the stated share {_stated(result)}"
            kappas.append(f"{nearest['kappa_at_stated_share']:.4f} {at_stated}")
            kappas.append(f"{nearest['kappa_at_other_share']:.4f} at that of the other class")
        difference = f"TPR - FPR is {nearest['difference']:.4f}"
        yield f"  Kappa of these rates is {_list(kappas)}; {difference}."


def _shares(intervals: list[list[float]]) -> str:
    """Intervals of shares in words."""
    return _list([f"{100 * a:.2f} to {100 * b:.2f} %" for a, b in intervals] or ["none"], "or")


def _describe_rates(result: Mapping[str, Any]) -> str:
    rates = result["rates"]
    fpr = "fpr" if "fpr" in result else "specificity"
    text = (
        f"At {_number(result, fpr)} and {_number(result, 'tpr')} the formula gives kappa "
        f"{result['kappa']} at these shares of positives: {_shares(rates['prevalences'])}."
    )
    if rates["possible"] is None:
        return text
    return f"{text} The stated share is {'' if rates['possible'] else 'not '}among them."


def _describe_areas(result: Mapping[str, Any]) -> Iterator[str]:
    curves, auk = result["curves"], read_number("auk", result["auk"]).value
    share = _stated(result)
    for curve, name in CURVES.items():
        if curve not in curves:
            continue
        bounds = curves[curve]
        verdict = "possible" if bounds["possible"] else "IMPOSSIBLE, rounding included"
        if bounds["possible"] and not bounds["lower"] <= auk <= bounds["upper"]:
            verdict = "possible within the printed digits"
        yield (
            f"As areas under {name}, AUC {result['auc']} and AUK {result['auk']} are "
            f"{verdict}: at {share} the AUK lies between {bounds['lower']:.4f} and "
            f"{bounds['upper']:.4f}."
        )
        yield f"  Shares of positives that allow the pair: {_shares(bounds['prevalences'])}."
    if not curves["raw"]["possible"]:
        if curves["raw"]["possible_with_other_class"]:
            yield "The pair is possible if the other class was the positive one."
        if "trapezoid" in curves and curves["trapezoid"]["possible"]:
            yield (
                "The pair is possible if the AUK was summed by the trapezoid rule over few points, "
                "which is not the area."
            )


def _describe_largest(result: Mapping[str, Any]) -> str:
    cap = result["largest_kappa"]
    text = (
        f"If {cap['kappa']:.4f} is the largest kappa of the curve, it lies below the line of "
        f"equal kappa: AUC is at most {cap['auc']:.4f}, AUK at most {cap['auk']:.4f}."
    )
    above = [
        _number(result, name) for name in ("auc", "auk") if not cap.get(f"{name}_possible", True)
    ]
    if above:
        text += f" {_list(above)} {'is' if len(above) == 1 else 'are'} larger, rounding included."
    return text


def _describe_assumptions(result: Mapping[str, Any]) -> Iterator[str]:
    counts = result["counts"]
    yield "Assumed:"
    yield from (f"  {line}" for line in ASSUMED)
    if result["prevalence"] is not None:
        yield f"  {OF_THESE_ROWS}"
    if any(counts[digits]["n_tables"] == 0 for digits in READINGS):
        yield "Harmless causes of a misfit:"
        yield from (f"  {line}" for line in HARMLESS)
    if counts["hints"]:
        yield f"Hints, if digits are rounded: the numbers fit {_list(counts['hints'], 'or')}."
