"""Checks of the arguments that every measure shares, and how messages show what was wrong."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from decimal import ROUND_FLOOR, Context, Decimal, InvalidOperation
from html import escape
from math import isfinite
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
# The share of a missed positive in the cost of two errors; "balanced" is 1 - prevalence.
Cost = npt.ArrayLike | Literal["balanced"]
Axis = Literal["fpr", "flagged"]
Curve = Literal["raw", "hull"]
# How texts show numbers.
INTEGER = re.compile(r"([+-]?\d{1,4000})(\.0*)?", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class ArgumentError(ValueError):
    """An argument out of its range, by its name: a command's option has another."""

    def __init__(self, name: str, fault: str, instead: tuple[str, str] | None = None) -> None:
        self.name = name
        self.fault = fault
        self.instead = instead
        use = "" if instead is None else ': use {}="{}"'.format(*instead)
        super().__init__(f"{name} {fault}{use}.")


class Conditions(NamedTuple):
    """At what measures are evaluated; all was checked, and None is the rows' own prevalence.

    `threshold` is that of decisions, where a measure has one; `trained_at` the share of positives
    to which each model's probabilities belong, None that of the rows; `estimated` says whether the
    prevalence is an estimate from random rows.
    """

    prevalence: Any = None
    cost: Cost = 0.5
    axis: Axis = "fpr"
    threshold: float | None = None
    trained_at: Mapping[str, float] | None = None
    estimated: bool = False


class Scored(NamedTuple):
    """Validated labels and scores: which rows are positive, their score, their weight."""

    positive: BoolArray
    score: FloatArray
    weight: FloatArray | None

    def weights(self) -> FloatArray:
        """Weight of each row, one where none were given."""
        return np.ones(len(self.score)) if self.weight is None else self.weight

    def prevalence(self, stated: float | None = None) -> float:
        """The stated prevalence, or else the share of the positive class, by weight."""
        if stated is not None:
            return check_one_prevalence(stated)
        if self.weight is None:
            return float(np.count_nonzero(self.positive) / len(self.positive))
        return float(self.weight[self.positive].sum() / self.weight.sum())


def check_scored(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
) -> Scored:
    """Return labels and scores as arrays, or say in one sentence what is wrong with them.

    Rows of weight zero are left out.
    """
    check_aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    labels = exactly(y_true)
    score = check_numbers("y_score", y_score)
    if score.ndim == 2:
        raise ValueError(
            f"y_score must be one-dimensional, got shape {score.shape}: of predict_proba take the "
            "column of the positive class; for replicates use batch_measures."
        )
    _check_one_dimensional("y_true", labels)
    _check_one_dimensional("y_score", score)
    if labels.shape != score.shape:
        raise ValueError(
            f"y_true and y_score must have the same length, got {len(labels)} and {len(score)}."
        )
    _check_finite(score)
    scored = Scored(positive_rows(labels, pos_label), score, None)
    if sample_weight is not None:
        return _weighed(scored, sample_weight)
    _check_both_classes(scored.positive)
    return scored


def check_batch(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, pos_label: Any = None
) -> tuple[BoolArray, FloatArray]:
    """Return the labels (b, n) or (1, n) and the scores (b, n) of replicates, checked."""
    check_aligned(y_true=y_true, y_score=y_score)
    labels = exactly(y_true)
    score = check_numbers("y_score", y_score)
    if score.ndim != 2:
        raise ValueError(
            f"y_score must have the shape (n_replicates, n_samples), got {score.shape}: "
            "for one vector of scores use measures."
        )
    if labels.shape not in (score.shape, score.shape[1:]):
        raise ValueError(
            f"y_true must have the shape {score.shape} of y_score or {score.shape[1:]} if the "
            f"replicates share their labels, got {labels.shape}."
        )
    if score.size == 0:
        raise ValueError("y_score is empty.")
    _check_finite(score)
    positive = np.atleast_2d(positive_rows(labels, pos_label))
    n_positive = np.count_nonzero(positive, axis=1)
    single = np.flatnonzero((n_positive == 0) | (n_positive == score.shape[1]))
    if len(single):
        where = f"in replicate {single[0]} " if labels.ndim == 2 else ""
        _check_both_classes(positive[single[0]], where)
    return positive, score


def check_prevalence(prevalence: npt.ArrayLike, name: str = "prevalence") -> FloatArray:
    """Return the prevalence as an array; raise outside the open interval (0, 1)."""
    p = check_numbers(name, prevalence)
    if not ((p > 0) & (p < 1)).all():
        raise ArgumentError(name, f"must lie strictly between 0 and 1, got {prevalence!r}")
    if not (p >= 1e-200).all():  # its products would vanish
        raise ArgumentError(name, f"must not be below 1e-200, got {prevalence!r}")
    return p


def check_one_prevalence(prevalence: float, name: str = "prevalence") -> float:
    """Return the prevalence as :func:`check_prevalence`, one for all."""
    return check_number(name, check_prevalence(prevalence, name))


class CostRatio(float):
    """The cost share of a missed positive, with that of a false alarm to all its digits."""

    alarm: float

    def __new__(cls, ratio: float) -> CostRatio:
        """Of what a missed positive costs over a false alarm."""
        share = super().__new__(cls, ratio / (1 + ratio))
        share.alarm = 1 / (1 + ratio)
        return share

    def __getnewargs__(self) -> tuple[float]:
        """What a copy is made of."""
        return (float(self) / self.alarm,)


def check_cost(cost: Cost | None, cost_ratio: npt.ArrayLike | None = None) -> Cost:
    """Return the cost share of a missed positive, 1/2 by default, or "balanced"."""
    if isinstance(cost, str) and cost != "balanced":
        raise ValueError(f'cost must be a number from 0 to 1 or "balanced", got {cost!r}.')
    if cost_ratio is None:
        if isinstance(cost, str | CostRatio):
            return cost
        return check_rate("cost", 0.5 if cost is None else cost)
    if cost is not None:
        raise ValueError("cost and cost_ratio say the same: give one of them.")
    ratio = check_numbers("cost_ratio", cost_ratio)
    if not ((ratio >= 0) & (ratio < np.inf)).all():
        raise ValueError(f"cost_ratio must be finite and not negative, got {cost_ratio!r}.")
    return CostRatio(float(ratio)) if ratio.ndim == 0 else np.asarray(ratio / (1 + ratio))


def check_one_cost(cost: Cost | None, cost_ratio: float | None = None) -> Cost:
    """Return the cost as :func:`check_cost`, one for all."""
    share = check_cost(cost, cost_ratio)
    return share if isinstance(share, str | CostRatio) else check_number("cost", share)


def check_choice(name: str, value: Any, *choices: str) -> None:
    """Raise if an option has none of its values."""
    if value not in choices:
        *others, last = (f'"{choice}"' for choice in choices)
        raise ValueError(f"{name} must be {', '.join(others)} or {last}, got {value!r}.")


def is_flagged(axis: str) -> bool:
    """Whether an AUK is taken over the flagged share; raise if there is no such axis."""
    check_choice("axis", axis, "fpr", "flagged")
    return axis == "flagged"


def check_conditions(
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
) -> Conditions:
    """Return at what to evaluate, one prevalence and one cost; raise if one is out of its range."""
    is_flagged(axis)
    p = None if prevalence is None else check_one_prevalence(prevalence)
    return Conditions(p, check_one_cost(cost, cost_ratio), axis)


def is_hull(curve: str) -> bool:
    """Whether the convex hull is meant; raise if there is no such curve."""
    check_choice("curve", curve, "raw", "hull")
    return curve == "hull"


def are_probabilities(scores: Mapping[str, FloatArray]) -> bool:
    """Whether the scores of all models lie between 0 and 1."""
    return all(score.min() >= 0 and score.max() <= 1 for score in scores.values())


def check_probabilities(score: FloatArray, instead: str = "") -> FloatArray:
    """Return the scores; raise if they can't be probabilities."""
    if score.min() < 0 or score.max() > 1:
        raise ValueError(
            "These scores are no probabilities: they go from "
            f"{score.min():g} to {score.max():g}, outside [0, 1].{instead}"
        )
    return score


def at_prevalence(probability: FloatArray, trained_at: float, prevalence: float) -> FloatArray:
    """Probabilities that belong to one prevalence, at another: their odds times the ratio's."""
    if np.isclose(trained_at, prevalence, rtol=1e-9, atol=0):
        return probability
    ratio = (prevalence / (1 - prevalence)) / (trained_at / (1 - trained_at))
    return np.asarray(ratio * probability / (1 - probability + ratio * probability))


def check_rate(name: str, rate: npt.ArrayLike) -> FloatArray:
    """Return rates as an array; raise outside [0, 1]."""
    values = check_numbers(name, rate)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"{name} must lie between 0 and 1, got {rate!r}.")
    return values


def check_curve(fpr: npt.ArrayLike, tpr: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the vertices as arrays; raise if these are not a ROC curve."""
    f = np.ascontiguousarray(check_numbers("fpr", fpr))
    t = np.ascontiguousarray(check_numbers("tpr", tpr))
    if f.ndim != 1 or f.shape != t.shape or len(f) < 2:
        raise ValueError(
            f"fpr and tpr must be one-dimensional and equally long, got {f.shape} and {t.shape}."
        )
    if (f[0], t[0], f[-1], t[-1]) != (0.0, 0.0, 1.0, 1.0):
        raise ValueError("fpr and tpr must start at (0, 0) and end at (1, 1).")
    if not ((np.diff(f) >= 0).all() and (np.diff(t) >= 0).all()):
        raise ValueError("fpr and tpr must not decrease.")
    return f, t


def positive_rows(labels: npt.NDArray[Any], pos_label: Any) -> BoolArray:
    """Which labels are the positive class, by scikit-learn's rules for `pos_label`."""
    if labels.dtype == np.bool_ and (pos_label is None or pos_label is True):
        return np.ascontiguousarray(labels)
    classes = _classes(labels)
    if len(classes) > 2:
        raise ValueError(f"y_true must hold two classes, found {_listed(classes)}.")
    if pos_label is None:
        if not (set(classes) <= {0, 1} or set(classes) <= {-1, 1}):
            raise ValueError(
                f"pos_label is needed to tell which of {_listed(classes)} is positive."
            )
        pos_label = 1
    elif pos_label not in classes:
        raise ValueError(f"pos_label={pos_label!r} is not among the labels {_listed(classes)}.")
    pos_label = classes[classes.index(pos_label)]  # of their type, to be compared exactly
    return np.ascontiguousarray(labels == pos_label, dtype=np.bool_)


def _classes(labels: npt.NDArray[Any]) -> list[Any]:
    """Return the distinct labels, at least three of them if there are more than two."""
    if labels.size == 0:
        raise ValueError("y_true is empty.")
    if labels.dtype.kind in "biuf":
        # Without a sort: two classes are the smallest and the largest label.
        low, high = labels.min(), labels.max()
        if low != low:
            raise ValueError("y_true must not hold missing values: remove such rows.")
        if ((labels == low) | (labels == high)).all():
            return [low.item()] if low == high else [low.item(), high.item()]
    try:
        classes = np.unique(labels).tolist()
    except TypeError:
        raise ValueError("y_true must hold labels of one type, without missing values.") from None
    if any(label is None or label != label for label in classes):
        raise ValueError("y_true must not hold missing values: remove such rows.")
    return list(classes)


def _listed(classes: list[Any]) -> str:
    more = f", ... ({len(classes)} classes)" if len(classes) > 5 else ""
    return ", ".join(map(repr, classes[:5])) + more


def check_aligned(**columns: Any) -> None:
    """Raise if an array has masked values, or if Series are not of the same rows."""
    for name, values in columns.items():
        if np.ma.is_masked(values):
            raise ValueError(f"{name} must not hold masked values: remove such rows.")
    indexed = {
        name: values.index
        for name, values in columns.items()
        if type(values).__module__.split(".")[0] == "pandas" and hasattr(values, "index")
    }
    first, *others = indexed or [""]
    for other in others:
        if not indexed[first].equals(indexed[other]):
            raise ValueError(
                f"{first} and {other} have different indices: align them, or give arrays "
                "(.to_numpy()) to pair them by position."
            )


def check_numbers(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return values as 64-bit floats; raise if they are not real numbers or lose digits."""
    try:
        array = exactly(values)
        kind = array.dtype.kind
        if kind not in "biufO":
            raise TypeError(f"found {array.dtype}")
        with np.errstate(over="ignore"):
            numbers: FloatArray = array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold numbers only: {error}.") from None
    large = kind in "iu" and array.size and np.abs(numbers).max() >= 2**53
    exact: Iterable[Any] = array.flat
    if kind == "O":
        exact = (Decimal(value) if isinstance(value, str) else value for value in array.flat)
    if (large or kind == "O" or array.dtype.itemsize > 8) and not_held(numbers.flat, exact):
        raise ValueError(
            f"{name} holds numbers that 64-bit floats can't hold or tell apart: give ranks or "
            "fewer digits."
        )
    return numbers


def exactly(values: Any) -> npt.NDArray[Any]:
    """Return values as an array; of objects, if large integers of a list would become floats."""
    array = np.asarray(values)
    is_list = array.dtype == np.float64 and not hasattr(values, "dtype")
    if is_list and array.size and np.abs(array).max() >= 2**53:
        return np.asarray(values, dtype=object)
    return array


def not_held(
    numbers: Iterable[float], exact: Iterable[Any], first: dict[float, Any] | None = None
) -> list[int]:
    """Positions of the numbers that their 64-bit floats don't hold.

    Integers that change; others that become 0, infinite or the float of another number. `first`
    keeps the number that each float was, for more of them.
    """
    first = {} if first is None else first
    first |= {0.0: 0, np.inf: np.inf, -np.inf: -np.inf}
    return [
        i
        for i, (number, value) in enumerate(zip(numbers, exact, strict=True))
        if number == number
        and (
            (hasattr(value, "__index__") and int(value) != int(number))
            or first.setdefault(number, value) != value
        )
    ]


def exact_number(text: str) -> Any:
    """The number that a text is, with all its digits; None if it is none, or beyond all limits."""
    if integer := INTEGER.fullmatch(text):
        return int(integer[1])
    try:
        return Decimal(text) if NUMBER.fullmatch(text) else None
    except InvalidOperation:
        return None


def texts_not_held(texts: list[str], first: dict[float, Any]) -> list[str]:
    """Texts of numbers that 64-bit floats don't hold; `first` as in `not_held`."""
    # NaN, which equals nothing, where a number is beyond the limits of exact ones.
    exact = [np.nan if number is None else number for number in map(exact_number, texts)]
    return [texts[i] for i in not_held(map(float, texts), exact, first)]


def check_number(name: str, value: Any) -> float:
    """Return one real number as a float."""
    number = check_numbers(name, value)
    if number.ndim:
        raise ValueError(f"{name} must be one number, got an array of shape {number.shape}.")
    return float(number)


def check_jobs(n_jobs: int | None) -> int:
    """Return a number of threads: one by default, one per processor for -1."""
    if n_jobs is None:
        return 1
    if n_jobs != -1 and not (isinstance(n_jobs, int | np.integer) and n_jobs >= 1):
        raise ValueError(f"n_jobs must be at least 1, or -1 for all processors, got {n_jobs!r}.")
    return (os.cpu_count() or 1) if n_jobs == -1 else int(n_jobs)


def check_named(name: str, values: Any) -> Mapping[str, Any]:
    """Return values by name, a text: of a mapping, or of the columns of any data frame."""
    if hasattr(values, "items"):
        pairs = list(values.items())
    else:
        import narwhals as nw  # here, so that importing the package stays cheap

        frame = nw.from_native(values, eager_only=True, pass_through=True)
        if not isinstance(frame, nw.DataFrame):
            kind = type(values).__name__
            raise TypeError(f"{name} must be a mapping from names or a data frame, got {kind}.")
        pairs = [(column, frame[column].to_numpy()) for column in frame.columns]
    named: dict[str, Any] = {}
    for key, column in pairs:
        if str(key) in named:
            raise ValueError(f"{name} has two entries called {str(key)!r}: rename one.")
        named[str(key)] = column
    return named


def check_lower(lower: Any, names: Collection[str]) -> set[str]:
    """Return the names of models whose lower scores mean the positive class, as texts."""
    if isinstance(lower, str) or not isinstance(lower, Iterable):
        raise ValueError(f"lower must be a list of names of models, got {lower!r}.")
    texts = {str(name) for name in lower}
    for name in texts.difference(names):
        raise ValueError(f"lower: {name!r} is not among the models.")
    return texts


def _check_one_dimensional(name: str, array: npt.NDArray[Any]) -> None:
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}.")
    if array.size == 0:
        raise ValueError(f"{name} is empty.")


def _check_finite(score: FloatArray) -> None:
    # A finite sum tells: one pass, and no array of flags as long as the scores.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(score.sum()) or np.isfinite(score).all():
            return
    position = np.argwhere(~np.isfinite(score))[0]
    axes = ("replicate", "row")[-score.ndim :]
    where = ", ".join(f"{axis} {i}" for axis, i in zip(axes, position, strict=True))
    raise ValueError(
        f"y_score must be finite, found {score[*position]} at {where}: remove or impute such rows."
    )


def _weighed(scored: Scored, sample_weight: npt.ArrayLike) -> Scored:
    weight = check_numbers("sample_weight", sample_weight)
    _check_one_dimensional("sample_weight", weight)
    if weight.shape != scored.score.shape:
        raise ValueError(
            f"sample_weight must have one value per row, got {len(weight)} for "
            f"{len(scored.score)} rows."
        )
    if not (np.isfinite(weight).all() and (weight >= 0).all()):
        raise ValueError("sample_weight must be finite and not negative.")
    counted = weight > 0
    if not counted.any():
        raise ValueError("sample_weight is zero in every row.")
    positive = scored.positive[counted]
    weight = weight[counted]
    _check_both_classes(positive)
    with np.errstate(over="ignore"):
        total = weight.sum()
        larger_class = max(weight[positive].sum(), weight[~positive].sum())
    if not larger_class < total < np.inf:
        raise ValueError(
            f"sample_weight goes from {weight.min():g} to {weight.max():g}, which is too far: in "
            "the sum of all, a class is lost or the sum is infinite."
        )
    if weight.min() < 1e-100 or total > 1e100:  # squares of others are lost
        raise ValueError(
            f"sample_weight must be from 1e-100 to 1e100, all together too, got {weight.min():g} "
            f"to {weight.max():g}: only their ratios count."
        )
    return Scored(positive, scored.score[counted], weight)


def _check_both_classes(positive: BoolArray, where: str = "") -> None:
    n_positive = np.count_nonzero(positive)
    if n_positive in (0, len(positive)):
        present = "positive" if n_positive else "negative"
        raise ValueError(
            f"y_true {where}holds only the {present} class: ROC and kappa curves need both classes."
        )


def quoted(value: str) -> str:
    """Show a value in quotes, shortened if it is long."""
    return repr(value if len(value) <= 40 else value[:37] + "...")


def printable(text: str) -> str:
    """A text in one line, its control characters, line breaks and the like as escapes."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def in_html(text: str) -> str:
    """The same in a page."""
    return escape(printable(text))


def shown(name: str) -> str:
    """Show a name, in quotes only if it would not be seen as it is."""
    return name if 0 < len(name) <= 40 and name.isprintable() else quoted(name)


def short_number(below: float, score: float) -> float:
    """The number of fewest digits, three or more, that is above the one and up to the other.

    A threshold so printed and read back predicts the same rows positive as the score.
    """
    for digits in range(3, 18 * isfinite(score)):
        number = float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(score))
        if below < number <= score:
            return number
    return score


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in one line, the first of them if there are many."""
    all_names = [shown(name) for name in names]
    more = f", ... ({len(all_names)} in all)" if len(all_names) > most else ""
    return ", ".join(all_names[:most]) + more


def shell(text: str) -> str:
    """Quote a word for the command line if it needs it."""
    return shlex.quote(text) if len(text) <= 40 and text.isprintable() else "VALUE"


def reason(error: BaseException) -> str:
    """What another package says went wrong, in one line."""
    text = str(getattr(error, "strerror", None) or error).strip().rstrip(".")
    text = text if text.isprintable() else repr(text)[1:-1]
    return text[:200] or type(error).__name__


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A question for the nearest known name, or nothing."""
    from difflib import get_close_matches  # here, so that importing the package stays cheap

    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(wrong.lower(), by_lower, n=1, cutoff=0.6)
    return f" Did you mean {quoted(by_lower[near[0]])}?" if near else ""
