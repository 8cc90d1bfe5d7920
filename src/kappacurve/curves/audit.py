"""What printed numbers say about one another: their counts, kappa and areas, in data and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

import numpy as np

from .bounds import (
    Interval,
    areas_below,
    auk_bounds,
    prevalence_from_operating_point,
    prevalence_intervals,
)
from .counts import (
    MEASURES,
    Array,
    Numbers,
    Printed,
    TooCoarseError,
    class_sizes,
    count_tables,
    find_tables,
    largest_miss,
    nearest_pairs,
    own_counts,
    read_number,
    read_numbers,
    smallest_share,
)
from .curve import kappa

LABELS = {"tpr": "TPR", "fpr": "FPR", "f1": "F1", "auc": "AUC", "auk": "AUK"}
RATES = {"tpr": "positives", "fpr": "negatives", "specificity": "negatives"}
READINGS = {"rounded": "rounded", "cut": "cut off"}
CURVES = {"raw": "a ROC curve", "hull": "the hull of a ROC curve"}
MAX_TELLING = 1000  # more tables than these say nothing
MAX_SHOWN = 3
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
    share = _share(rows, positives, prevalence)
    values = {name: printed[name] for name in MEASURES if name in printed}
    found: dict[str, Any] = {
        **printed,
        "rows": rows,
        "positives": positives,
        "prevalence": prevalence,
        "counts": None,
        "rates": None,
        "curves": None,
        "largest_kappa": None,
    }
    if rows is not None and values:
        found["counts"] = check_counts(values, rows, positives, prevalence)
    if {"tpr", "kappa"} <= values.keys() and values.keys() & {"fpr", "specificity"}:
        found["rates"] = check_rates(values, share)
    if {"auc", "auk"} <= printed.keys() and share is not None:
        found["curves"] = check_areas(printed["auc"], printed["auk"], share)
    if largest_kappa and "kappa" in values and share is not None:
        found["largest_kappa"] = check_largest(printed, share)
    found["unused"] = dict(_unused(found, printed, largest_kappa))
    if not any(found[part] for part in ("counts", "rates", "curves", "largest_kappa")):
        reasons = " ".join(found["unused"].values())
        raise ValueError(f"There is nothing to check. {reasons}".strip())
    return found


def _share(rows: int | None, positives: int | None, prevalence: str | None) -> Printed | None:
    """The shares of positives that are meant, None if none is stated."""
    if prevalence is None:
        exact = rows is not None and positives is not None and 0 < positives < rows
        return Printed(positives, positives, rows) if exact else None  # type: ignore[arg-type]
    share = read_number("prevalence", prevalence)
    if not 0 < decimal(prevalence) < 1:
        raise ValueError(f"prevalence must lie strictly between 0 and 1, got {prevalence}.")
    return share


def _unused(
    found: dict[str, Any], printed: Mapping[str, str], largest_kappa: bool
) -> Iterator[tuple[str, str]]:
    """Each number that no check has used, with the reason."""
    rates = {"tpr", "fpr", "specificity", "kappa"} if found["rates"] else set()
    if found["rates"] and "fpr" in printed:
        rates.remove("specificity")
    for name in printed:
        text = f"{label(name)} {printed[name]} is not used"
        if name in ("auc", "auk"):
            if not found["curves"] and not found["largest_kappa"]:
                yield name, f"{text}: AUC and AUK are checked together, at --prevalence."
        elif (
            not found["counts"]
            and name not in rates
            and not (name == "kappa" and found["largest_kappa"])
        ):
            yield name, f"{text}: give --rows."
    if found["rows"] is not None and not found["counts"] and not found["curves"]:
        yield "rows", "The rows are not used: give --tpr, --fpr or another share of them."
    if found["positives"] is not None and found["rows"] is None:
        yield "positives", "The positives are not used: give --rows, too."
    used = found["counts"] or found["curves"] or found["rates"] or found["largest_kappa"]
    if found["prevalence"] is not None and not used:
        yield "prevalence", "The share of positives is not used: give --rows, or --auc and --auk."
    if largest_kappa and not found["largest_kappa"]:
        yield "largest_kappa", "--largest-kappa is not used: give --kappa and --prevalence."


def label(name: str) -> str:
    """Name of a number in a sentence."""
    return LABELS.get(name, name)


def decimal(text: str) -> Decimal:
    """A printed number, or percentage, as a fraction of one."""
    number = Decimal(text.strip().rstrip("% "))
    return number / 100 if "%" in text else number


# ---- counts ----


def check_counts(
    values: Mapping[str, str], rows: int, positives: int | None, prevalence: str | None
) -> dict[str, Any]:
    """What the counts of `rows` rows allow if digits are rounded, and if they are cut off."""
    found: dict[str, Any] = {
        digits: _check_reading(values, rows, positives, prevalence, digits) for digits in READINGS
    }
    missed = found["rounded"]["n_tables"] == 0
    found["hints"] = list(_near_misses(values, rows, positives, prevalence)) if missed else []
    return found


def _check_reading(
    values: Mapping[str, str], rows: int, positives: int | None, prevalence: str | None, digits: str
) -> dict[str, Any]:
    printed = read_numbers(values, digits)
    sizes = class_sizes(rows, positives, prevalence, digits)
    found: dict[str, Any] = {
        "positives": [int(sizes[0]), int(sizes[-1])] if len(sizes) else None,
        "n_tables": 0,
        "tables": [],
        "contradictions": [],
        "fewest_rows": {
            name: str(smallest_share(number)) for name, number in printed.items() if name in RATES
        },
        "nearest": None,
    }
    tables = list(islice(find_tables(rows, sizes, printed), MAX_SHOWN + 1))
    if tables:
        try:
            found["n_tables"] = int(count_tables(rows, sizes, printed).sum())
        except TooCoarseError:
            found["n_tables"] = None
        if len(tables) <= MAX_SHOWN:
            found["tables"] = [
                {"tp": tp, "fn": p - tp, "fp": fp, "tn": rows - p - fp} for p, tp, fp in tables
            ]
    else:
        found["contradictions"] = _contradictions(rows, sizes, printed)
        found["nearest"] = _nearest_size(rows, printed, _share(rows, positives, prevalence))
    return found


def _contradictions(rows: int, sizes: Array, printed: Numbers) -> list[list[str]]:
    """The smallest sets of numbers that no table prints together, single numbers first."""
    found: list[list[str]] = []
    for n in range(1, len(printed) + 1 if len(sizes) else 0):
        for names in combinations(printed, n):
            known = any(set(names) >= set(smaller) for smaller in found)
            some = {name: printed[name] for name in names}
            if not known and next(find_tables(rows, sizes, some), None) is None:
                found.append(list(names))
    return found


def _nearest_size(rows: int, printed: Numbers, share: Printed | None) -> dict[str, Any] | None:
    """The class size nearest to the stated share that can print the rates, and kappa there."""
    rates = {name: number for name, number in printed.items() if name in RATES}
    p = np.arange(1, rows)
    (tp_low, tp_high), (fp_low, fp_high) = own_counts(rates, p, rows - p)
    p = p[(tp_low <= tp_high) & (fp_low <= fp_high)]
    if not (rates and len(p)):
        return None
    stated = None if share is None else (share.low + share.high) / (2 * share.scale)
    if stated is None:
        pairs = nearest_pairs(rows, p, printed)
        miss = largest_miss(p, rows, pairs[:, 0], pairs[:, 1], printed)
        size = p[[miss.argmin()]]
    else:
        size = p[[np.abs(p / rows - stated).argmin()]]
    tp, fp = nearest_pairs(rows, size, rates)[0].tolist()
    n = int(size[0])
    found = {"positives": n, "share": n / rows, "tp": tp, "fp": fp}
    if {"tpr"} < rates.keys():
        t, f = tp / n, fp / (rows - n)
        found |= {"kappa": float(kappa(f, t, n / rows)), "difference": t - f}
        if stated is not None:
            found["kappa_at_stated_share"] = float(kappa(f, t, stated))
            found["kappa_at_other_share"] = float(kappa(f, t, 1 - stated))
    return found


def _near_misses(
    values: Mapping[str, str], rows: int, positives: int | None, prevalence: str | None
) -> Iterator[str]:
    """What would print all numbers: rows one or two off, or classes exchanged."""
    tries: list[tuple[str, int, int | None, str | None]] = []
    for change in (-1, 1, -2, 2):
        tries.append((f"with {rows + change} rows", rows + change, positives, prevalence))
        if positives is not None:
            moved = positives + change
            tries.append((f"with {moved} positives", rows, moved, prevalence))
    if positives is not None or prevalence is not None:
        others = None if positives is None else rows - positives
        share = None if prevalence is None else str(1 - decimal(prevalence))
        tries.append(("with the other class as the positive one", rows, others, share))
    printed = read_numbers(values)
    for text, n, p, share in tries:
        if n > 1 and (p is None or 0 < p < n):
            sizes = class_sizes(n, p, share)
            if next(find_tables(n, sizes, printed), None) is not None:
                yield text


# ---- kappa and areas ----


def check_rates(values: Mapping[str, str], share: Printed | None) -> dict[str, Any]:
    """The shares of positives at which the printed rates have the printed kappa."""
    fpr = values.get("fpr") or str(1 - decimal(values["specificity"]))
    texts = (fpr, values["tpr"], values["kappa"])
    intervals = prevalence_from_operating_point(
        *(float(decimal(text)) for text in texts),
        decimals=(decimals(texts[0]), decimals(texts[1]), decimals(texts[2])),
    )
    return {"prevalences": [list(x) for x in intervals], "possible": _meet(share, intervals)}


def check_areas(auc: str, auk: str, share: Printed) -> dict[str, Any]:
    """Bounds of the AUK at the stated share, and the shares that allow the pair, by curve."""
    read_number("auc", auc), read_number("auk", auk)
    area, value = float(decimal(auc)), float(decimal(auk))
    stated = (share.low + share.high) / (2 * share.scale)
    other = Printed(share.scale - share.high, share.scale - share.low, share.scale)
    found = {}
    for curve in ("raw", "hull", "trapezoid") if area >= 0.5 else ("raw",):
        lower, upper = auk_bounds(area, stated, curve=curve)
        intervals = prevalence_intervals(
            area, value, decimals=(decimals(auc), decimals(auk)), curve=curve
        )
        found[curve] = {
            "lower": float(lower),
            "upper": float(upper),
            "possible": _meet(share, intervals),
            "possible_with_other_class": _meet(other, intervals),
            "prevalences": [list(interval) for interval in intervals],
        }
    return found


def check_largest(printed: Mapping[str, str], share: Printed) -> dict[str, Any]:
    """The largest AUC and AUK of a curve whose largest kappa is the printed one."""
    number = read_number("kappa", printed["kappa"])
    if number.high < 0:
        raise ValueError("The largest kappa of a curve is at least 0: flagging nobody has 0.")
    p = np.linspace(share.low, share.high, 21) / share.scale
    found: dict[str, Any] = {"kappa": np.full(21, min(1.0, number.high / number.scale))}
    if "tpr" in printed and ("fpr" in printed or "specificity" in printed):
        rates = read_numbers({k: v for k, v in printed.items() if k in RATES})
        t = min(1.0, rates["tpr"].high / rates["tpr"].scale)
        if "fpr" in rates:
            f = max(0.0, rates["fpr"].low / rates["fpr"].scale)
        else:
            f = max(0.0, 1 - rates["specificity"].high / rates["specificity"].scale)
        found["kappa"] = np.minimum(found["kappa"], np.maximum(kappa(f, t, p), 0.0))
    areas = [areas_below(float(k), float(x)) for k, x in zip(found["kappa"], p, strict=True)]
    for name, cap in zip(("auc", "auk"), np.max(areas, axis=0).tolist(), strict=True):
        found[name] = cap
        if name in printed:
            least = read_number(name, printed[name])
            found[f"{name}_possible"] = least.low / least.scale <= cap
    return found | {"kappa": float(found["kappa"].max())}


def decimals(text: str) -> int:
    """Printed digits after the point, of the number as a fraction of one."""
    return len(text.strip().rstrip("% ").partition(".")[2]) + 2 * ("%" in text)


def _meet(share: Printed | None, intervals: Iterable[Interval]) -> bool | None:
    """Whether a share of these is among those that are stated; None without a stated one."""
    if share is None:
        return None
    low, high = share.low / share.scale - 1e-8, share.high / share.scale + 1e-8
    return any(a <= high and low <= b for a, b in intervals)


# ---- sentences ----


def describe_check(found: dict[str, Any]) -> str:
    """The result of :func:`check_printed` in words: verdicts, why, and what is assumed."""
    parts = [_title(found)]
    if found["counts"]:
        parts.append(_describe_counts(found))
    if found["rates"]:
        parts.append(_describe_rates(found))
    if found["curves"]:
        parts.append(_describe_areas(found))
    if found["largest_kappa"]:
        parts.append(_describe_largest(found))
    if found["counts"]:
        parts.append(_describe_assumptions(found))
    parts.append("\n".join(found["unused"].values()))
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(found: dict[str, Any]) -> str:
    numbers = [_number(found, name) for name in ("auc", "auk", *MEASURES) if name in found]
    rows = [f"{found['rows']} rows"] if found["rows"] is not None else []
    rows += [f"{found['positives']} positive"] if found["positives"] is not None else []
    if found["prevalence"] is not None:
        rows.append(f"share of positives {found['prevalence']}")
    return "; ".join(filter(None, (", ".join(numbers), ", ".join(rows))))


def _number(found: Mapping[str, Any], name: str) -> str:
    return f"{label(name)} {found[name]}"


def _list(words: Iterable[str], last: str = "and") -> str:
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def _shares(intervals: list[list[float]]) -> str:
    """Intervals of shares in words."""
    return _list([f"{100 * a:.2f} to {100 * b:.2f} %" for a, b in intervals] or ["none"], "or")


def _describe_counts(found: dict[str, Any]) -> str:
    readings = {digits: found["counts"][digits] for digits in READINGS}
    table = f"confusion matrix of {found['rows']} rows"
    if all(reading["n_tables"] == 0 for reading in readings.values()):
        lines = [f"No single {table} prints these numbers, whether digits are rounded or cut off."]
    else:
        lines = [
            _verdict(reading["n_tables"], table, READINGS[digits])
            for digits, reading in readings.items()
        ]
    for digits, reading in readings.items():
        lines += ["", f"Digits {READINGS[digits]}: {_sizes(found, reading)}"]
        lines += [f"  {line}" for line in _describe_reading(found, reading, digits)]
    return "\n".join(lines)


def _verdict(n_tables: int | None, table: str, digits: str) -> str:
    if n_tables == 0:
        return f"Digits {digits}: no single {table} prints these numbers."
    if n_tables == 1:
        return f"Digits {digits}: possible, exactly one {table} prints these numbers."
    many = "too many to count" if n_tables is None else f"{n_tables:,} confusion matrices"
    if n_tables is None or n_tables > MAX_TELLING:
        return f"Digits {digits}: possible, but too coarse to test ({many})."
    return f"Digits {digits}: possible, {many} of these rows print these numbers."


def _sizes(found: dict[str, Any], reading: dict[str, Any]) -> str:
    if reading["positives"] is None:
        stated = f"{found['prevalence']} of {found['rows']} rows"
        return f"no number of positives is {stated}."
    return f"{_span(reading['positives'])} positives of {found['rows']} rows are tried."


def _span(ends: Iterable[int]) -> str:
    low, high = ends
    if low == high:
        return str(low)
    return f"{low} {'or' if high == low + 1 else 'to'} {high}"


def _describe_reading(found: dict[str, Any], reading: dict[str, Any], digits: str) -> Iterator[str]:
    for table in reading["tables"]:
        yield ", ".join(f"{name.upper()} {count}" for name, count in table.items()) + "."
    for names in reading["contradictions"]:
        yield _describe_contradiction(found, reading, names)
    needs: list[str] = []
    for name, text in reading["fewest_rows"].items():
        verb = "at least" if needs else "needs at least"
        n = Fraction(text).denominator
        needs.append(f"{_number(found, name)} {verb} {n} {RATES[name]} ({text})")
    if needs:
        yield f"{', '.join(needs)}."
    if reading["nearest"]:
        yield from _describe_nearest(found, reading["nearest"], digits)


def _describe_contradiction(
    found: dict[str, Any], reading: dict[str, Any], names: list[str]
) -> str:
    numbers = _list([_number(found, name) for name in names])
    if len(names) > 1:
        beside = "" if len(names) == 2 else ", though it prints any fewer of them"
        return f"No such table prints {numbers} together{beside}."
    (name,) = names
    first, last = reading["positives"]
    if name in RATES and RATES[name] == "negatives":
        first, last = found["rows"] - last, found["rows"] - first
    elif name == "accuracy":
        first = last = found["rows"]
    elif name not in RATES:
        return f"No such table prints {numbers}."
    if last - first > 1:
        return f"{numbers} is no k/n for any n from {first} to {last}."
    return f"{numbers} is no {_list([f'k/{n}' for n in range(first, last + 1)], 'or')}."


def _describe_nearest(found: dict[str, Any], nearest: dict[str, Any], digits: str) -> Iterator[str]:
    rows, n = found["rows"], nearest["positives"]
    fractions = {
        "tpr": f"{nearest['tp']}/{n}",
        "fpr": f"{nearest['fp']}/{rows - n}",
        "specificity": f"{rows - n - nearest['fp']}/{rows - n}",
    }
    rates = [name for name in RATES if name in found]
    both = "both " * (len(rates) == 2)
    stated = found["prevalence"] is not None or found["positives"] is not None
    values = ", ".join(f"{label(name)} {fractions[name]}" for name in rates)
    names = both + _list([label(name) for name in rates])
    which = "nearest share" if stated else "share of the best fit"
    yield (
        f"The {which} that prints {names} is {100 * nearest['share']:.1f} % ({n} of {rows} rows): "
        f"{values}."
    )
    if "kappa" not in nearest:
        return
    share = found["prevalence"] or f"{found['positives']}/{rows}"
    named = {
        "kappa": "its own share",
        "kappa_at_stated_share": f"the stated share {share}",
        "kappa_at_other_share": "that of the other class",
    }
    kappas = [f"{nearest[key]:.4f} at {text}" for key, text in named.items() if key in nearest]
    yield f"Kappa of these rates is {_list(kappas)}; TPR - FPR is {nearest['difference']:.4f}."
    if "kappa" in found:
        number = read_number("kappa", found["kappa"], digits)
        texts = {key: f"kappa at {text}" for key, text in named.items()}
        texts["difference"] = "TPR - FPR"
        prints = [
            text
            for key, text in texts.items()
            if key in nearest and number.holds(Fraction(nearest[key]))
        ]
        yield f"Of these, {_list(prints or ['none'])} {_verb(prints)} as {found['kappa']}."


def _verb(things: list[str]) -> str:
    return "print" if len(things) > 1 else "prints"


def _describe_rates(found: dict[str, Any]) -> str:
    rates = found["rates"]
    names = ["fpr" if "fpr" in found else "specificity", "tpr"]
    text = (
        f"At {_list([_number(found, name) for name in names])} the formula gives kappa "
        f"{found['kappa']} at these shares of positives: {_shares(rates['prevalences'])}"
    )
    if rates["possible"] is None:
        return f"{text}."
    return f"{text}. The stated share is {'' if rates['possible'] else 'not '}among them."


def _describe_areas(found: dict[str, Any]) -> str:
    curves, auk = found["curves"], float(decimal(found["auk"]))
    share = found["prevalence"] or f"{found['positives']}/{found['rows']}"
    lines = []
    for curve, name in CURVES.items():
        if curve in curves:
            bounds = curves[curve]
            verdict = "possible" if bounds["possible"] else "IMPOSSIBLE, rounding included"
            if bounds["possible"] and not bounds["lower"] <= auk <= bounds["upper"]:
                verdict = "possible within the printed digits"
            lines += [
                f"As areas under {name}, AUC {found['auc']} and AUK {found['auk']} are {verdict}: "
                f"at {share} the AUK lies between {bounds['lower']:.4f} and {bounds['upper']:.4f}.",
                f"  Shares of positives that allow the pair: {_shares(bounds['prevalences'])}.",
            ]
    if not curves["raw"]["possible"]:
        if curves["raw"]["possible_with_other_class"]:
            lines.append("The pair is possible if the other class was the positive one.")
        if "trapezoid" in curves and curves["trapezoid"]["possible"]:
            lines.append(
                "The pair is possible if the AUK was summed by the trapezoid rule over few points, "
                "which is not the area."
            )
    return "\n".join(lines)


def _describe_largest(found: dict[str, Any]) -> str:
    cap = found["largest_kappa"]
    text = (
        f"If {cap['kappa']:.4f} is the largest kappa of the curve, it lies below the line of "
        f"equal kappa: AUC is at most {cap['auc']:.4f}, AUK at most {cap['auk']:.4f}."
    )
    above = [
        _number(found, name) for name in ("auc", "auk") if not cap.get(f"{name}_possible", True)
    ]
    if above:
        text += f" {_list(above)} {'is' if len(above) == 1 else 'are'} larger, rounding included."
    return text


def _describe_assumptions(found: dict[str, Any]) -> str:
    counts = found["counts"]
    assumed = [*ASSUMED, OF_THESE_ROWS] if found["prevalence"] is not None else ASSUMED
    lines = ["Assumed:", *(f"  {line}" for line in assumed)]
    if any(counts[digits]["n_tables"] == 0 for digits in READINGS):
        lines += ["Harmless causes of a misfit:", *(f"  {line}" for line in HARMLESS)]
    if counts["hints"]:
        lines.append(
            f"Hints, if digits are rounded: the numbers fit {_list(counts['hints'], 'or')}."
        )
    return "\n".join(lines)
