"""Decisions: which threshold to take, and what acting on it brings."""

from __future__ import annotations

import re
from decimal import ROUND_FLOOR, Decimal
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..curves.curve import Curves, kappa, roc_curves
from ..curves.kernels import TIE, sort_rows
from ..validation import (
    NUMBER,
    FloatArray,
    IntArray,
    check_cost_ratio,
    check_number,
    check_prevalence,
    check_sample,
    hint_percent,
    read_share,
)

DECISIONS = (
    "flagged",
    "recall",
    "precision",
    "specificity",
    "f1",
    "mcc",
    "kappa",
    "net_benefit",
    "expected_loss",
)
BUDGETS = ("fpr", "flagged")  # bounded from above by a constraint
GOALS = ("recall", "precision", "specificity")  # bounded from below
EXAMPLES = '"fpr<=0.05", "flagged<=0.1", "specificity>=0.95", "recall>=0.9" or "precision>=0.5"'
ROUNDING = 1e-12  # a share so little beyond a bound is at the bound
SHOWN_DIGITS = range(6, 18)  # of a threshold; 17 tell any two floats apart


class ConstraintError(ValueError):
    """No threshold reaches a precision."""


class Constraint(NamedTuple):
    """A bound on what a decision brings: at most it for a budget, at least it for a goal."""

    quantity: str
    bound: float

    @property
    def held(self) -> str:
        """What does not vary with the rows, because it is held at the bound."""
        return "specificity" if self.quantity == "fpr" else self.quantity

    def __str__(self) -> str:
        return f"{self.quantity}{'<=' if self.quantity in BUDGETS else '>='}{self.bound:g}"


class OperatingPoint(NamedTuple):
    """A threshold, and what flagging the rows with at least this score brings."""

    threshold: float
    fpr: float
    tpr: float
    kappa: float
    flagged: float
    precision: float
    expected_loss: float
    true_positives: float
    false_positives: float


def operating_point(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    at: str | float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
) -> OperatingPoint:
    """Threshold of a constraint, of the least loss or of the largest kappa, and what it brings.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans or strings); finite scores, higher for positives.
    at : str or float, default None
        A threshold, or a constraint with a bound from 0 to 1 ("5%" is 0.05): "fpr<=0.05",
        "flagged<=0.1" (an alert budget, as a share of all rows); or above 0 and up to 1:
        "specificity>=0.95", "recall>=0.9", "precision>=0.5".
    sample_weight : array-like of shape (n_samples,), default None
        Weights, not negative; 2 counts as two equal rows, and 0 as none.
    pos_label : label, default None
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1), default None
        Share of positives at which all is evaluated; by default that of the rows.
    cost_ratio : float in (0, inf), default None
        Cost of a missed positive in false alarms. Without `at` the threshold is that of the least
        expected loss, never above that of flagging nobody or everybody. Without both it is that of
        the largest kappa, which loses least where a miss costs what :func:`implied_cost_ratio`
        says, not where it costs one false alarm.

    Returns
    -------
    threshold : float
        Rows with at least this score are flagged; infinite if nothing beats flagging nobody. Of
        several best ones the highest. Under a constraint, the threshold with the largest recall;
        for "recall>=x", the highest threshold that reaches it. Rows of one score are flagged
        together, so that budgets are kept.
    fpr, tpr : float in [0, 1]
        tpr is also called recall, and 1 - fpr specificity.
    kappa : float
        Cohen's kappa in [-1, 1], or at the cost ratio (see :func:`kappa_from_rates`).
    flagged : float in [0, 1]
        Share of the rows that are flagged, at the prevalence.
    precision : float in [0, 1]
        Share of the positives among these; NaN if there are none.
    expected_loss : float in [0, 1)
        c p (1-t) + (1-c) (1-p) f with c = `cost_ratio` / (1 + `cost_ratio`), per row. Times
        1 + `cost_ratio` it is in false alarms.
    true_positives, false_positives : float
        How many rows of each class are flagged: counts, or sums of weights.

    Raises
    ------
    ValueError
        If no threshold reaches the precision, or an argument is not valid.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 26, for the largest kappa; Hand (2009), equations
    2 and 3, for the loss.

    Examples
    --------
    >>> y_true, y_score = [0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8]
    >>> point = operating_point(y_true, y_score)
    >>> point.threshold, point.true_positives, point.false_positives, round(point.precision, 3)
    (0.3, 2.0, 1.0, 0.667)
    >>> operating_point(y_true, y_score, at="flagged <= 0.4").threshold
    0.8
    """
    wanted = None if at is None else check_at(at)
    ratio = 1.0 if cost_ratio is None else check_cost_ratio(cost_ratio)
    sample = check_sample(y_true, {"": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    p = sample.prevalence if prevalence is None else check_prevalence(prevalence)
    curve = roc_curves(sort_rows(sample.positive, sample.scores[""], sample.weight))
    f, t = (rate[0] for rate in curve.rates)
    if isinstance(wanted, float):
        threshold = wanted
    elif wanted is not None:
        threshold = find_threshold(curve, wanted, p)
    elif cost_ratio is not None:
        loss = decision_value("expected_loss", f, t, p, ratio)
        threshold = float(curve.thresholds[(loss <= loss.min() * TIE).argmax()])
    else:
        agreement = kappa(f, t, p)
        threshold = float(curve.thresholds[(agreement * TIE >= agreement.max()).argmax()])
    place = choose_points(threshold, curve, p)[0]
    values = {
        name: float(decision_value(name, f[place], t[place], p, ratio))
        for name in ("kappa", "flagged", "precision", "expected_loss")
    }
    return OperatingPoint(
        threshold,
        float(f[place]),
        float(t[place]),
        **values,
        true_positives=float(curve.tps[0, place]),
        false_positives=float(curve.fps[0, place]),
    )


def check_at(at: Any) -> Constraint | float:
    """Return a constraint, or the number of a fixed threshold; raise if `at` is neither."""
    if not isinstance(at, str):
        return check_number("at", at)
    if NUMBER.fullmatch(at.strip()):
        return float(at)
    match = re.fullmatch(r"\s*(\w+)\s*([<>]=)\s*([^\s<>=][^<>=]*)", at)
    quantity, sign, text = match.groups() if match else ("", "", "")
    if quantity not in BUDGETS + GOALS:
        raise ValueError(f"at must be a threshold or a constraint such as {EXAMPLES}, got {at!r}.")
    if (sign == "<=") != (quantity in BUDGETS):
        right = "<=" if quantity in BUDGETS else ">="
        raise ValueError(f"at: {quantity} is bounded by {right}, got {at!r}.")
    bound = read_share(text)
    if bound is None or not 0 <= bound <= 1 or (quantity in GOALS and bound == 0):
        hint = "." if bound is None else hint_percent(bound)
        where = "from 0 to 1" if quantity in BUDGETS else "above 0 and up to 1"
        raise ValueError(
            f"at: the bound of {quantity} is a number {where}, or a percentage, got {at!r}{hint}"
        )
    return Constraint(quantity, bound)


def choose_points(at: Constraint | float, curves: Curves, p: Any) -> IntArray:
    """Index (b,) of the threshold on each curve; that of (0, 0) where none keeps a constraint.

    `p` are the prevalences (b,), or one.
    """
    f, t = curves.rates
    if not isinstance(at, Constraint):
        place = np.searchsorted(-curves.thresholds, -at, side="right") - 1
        return np.full(len(f), place, dtype=np.int64)
    value = decision_value(at.quantity, f, t, np.reshape(p, (-1, 1)))
    if at.quantity in BUDGETS:
        kept = value <= at.bound * (1 + ROUNDING)
    else:
        kept = value >= at.bound * (1 - ROUNDING)  # NaN, the precision of nobody, is not
    if at.quantity == "recall":  # the highest threshold that reaches it
        return np.asarray(kept.argmax(axis=1), dtype=np.int64)
    # The largest recall, and of thresholds with the same recall the highest.
    reached = np.where(kept, t, 0.0)
    place = reached.argmax(axis=1)
    if at.quantity != "precision":  # a budget is spent, also where it finds nobody
        place = np.where(reached.any(axis=1), place, np.count_nonzero(kept, axis=1) - 1)
    return np.asarray(place, dtype=np.int64)


def find_threshold(curve: Curves, constraint: Constraint, p: float) -> float:
    """The threshold of the one curve of all rows; raise if none reaches a precision."""
    place = int(choose_points(constraint, curve, p)[0])
    f, t = (rate[0] for rate in curve.rates)
    if constraint.quantity == "precision" and t[place] == 0:
        largest = decision_value("precision", f, t, p)[t > 0].max()
        raise ConstraintError(f"No threshold keeps {constraint}: the largest is {largest:.4g}.")
    return float(curve.thresholds[place])


def shorten_threshold(threshold: float, next_lower: float) -> float:
    """A threshold of few digits, at least six, that flags the same rows.

    It is rounded down, and stays above `next_lower`, the largest score below the threshold.
    """
    if not 0 < abs(threshold) < 1e15:
        return threshold
    exact = Decimal(repr(threshold))
    for digits in SHOWN_DIGITS:
        unit = Decimal(1).scaleb(min(0, exact.adjusted() + 1 - digits))
        rounded = float(exact.quantize(unit, ROUND_FLOOR))
        if next_lower < rounded <= threshold:
            return rounded
    return threshold


class TiedBudget(NamedTuple):
    """A budget that is not spent, because rows with the same score would exceed it together.

    `used` is the share that is spent. If as many of the tied rows as the budget allows were drawn
    at random, the mean recall would be `drawn_recall`.
    """

    used: float
    tied_rows: int
    recall: float
    drawn_recall: float


def find_tied_budget(
    curve: Curves, score: FloatArray, constraint: Constraint, p: float
) -> TiedBudget | None:
    """What ties leave unspent of a budget; None if less than a row would fit, or no positive ties.

    `curve` is the one curve of the rows with these scores.
    """
    if constraint.quantity not in BUDGETS:
        return None
    f, t = (rate[0] for rate in curve.rates)
    value = decision_value(constraint.quantity, f, t, p)
    last = np.count_nonzero(value <= constraint.bound * (1 + ROUNDING)) - 1
    if last + 1 == len(value):
        return None
    tied = np.count_nonzero(score == curve.thresholds[last + 1])
    share = (constraint.bound - value[last]) / (value[last + 1] - value[last])
    drawn = t[last] + share * (t[last + 1] - t[last])
    if tied < 2 or share * tied < 1 or t[last + 1] == t[last]:
        return None
    return TiedBudget(float(value[last]), int(tied), float(t[last]), float(drawn))


def decision_value(quantity: str, fpr: Any, tpr: Any, p: Any, ratio: Any = 1.0) -> npt.NDArray[Any]:
    """What flagging at these rates brings, unchecked; the arguments after the first broadcast.

    `quantity` is one of `DECISIONS` or "fpr". Precision is NaN where nobody is flagged, Matthews'
    correlation (mcc) also where everybody is.
    """
    if quantity == "fpr":
        return np.asarray(fpr)
    if quantity == "specificity":
        return np.asarray(1 - fpr)
    if quantity == "recall":
        return np.asarray(tpr)
    if quantity == "kappa":
        return kappa(fpr, tpr, p, ratio)
    if quantity == "expected_loss":
        return np.asarray((ratio * p * (1 - tpr) + (1 - p) * fpr) / (1 + ratio))
    if quantity == "net_benefit":
        return np.asarray(p * tpr - (1 - p) * fpr / ratio)
    flagged = np.asarray(p * tpr + (1 - p) * fpr)
    if quantity == "flagged":
        return flagged
    if quantity == "f1":
        return np.asarray(2 * p * tpr / (p + flagged))
    with np.errstate(invalid="ignore"):
        if quantity == "mcc":
            spread = np.sqrt(p * (1 - p) * flagged * (1 - flagged))
            return np.asarray(p * (1 - p) * (tpr - fpr) / spread)
        return np.asarray(p * tpr / flagged)
