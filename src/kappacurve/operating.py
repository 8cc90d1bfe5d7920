"""Decisions: thresholds of the largest kappa, the least cost or a constraint; what they bring."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._kernels import constrained_points
from kappacurve._ranking import measures_of, ranked_rows
from kappacurve._validation import (
    Cost,
    FloatArray,
    Scored,
    at_prevalence,
    check_choice,
    check_conditions,
    check_number,
    check_numbers,
    check_one_cost,
    check_one_prevalence,
    check_probabilities,
    check_scored,
    quoted,
)
from kappacurve.kappa import kappa_from_rates, loss_from_rates
from kappacurve.roc import RocVertices, roc_hull, vertices_of

At = Literal["score", "best"]
THRESHOLDS = np.arange(1, 100) / 100
# What a decision brings, by the names that constraints and intervals take.
DECIDED = ("recall", "precision", "specificity", "flagged", "kappa", "expected_loss")
# Which of them a constraint may bound, and from which side.
BUDGETS, GOALS = ("fpr", "flagged"), ("recall", "precision", "specificity")
EXAMPLES = '"fpr<=0.05", "flagged<=0.1", "specificity>=0.95", "recall>=0.9" or "precision>=0.5"'
# Rates are rounded: a share so much above a bound is at the bound.
SLACK = 1e-12


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

    def half_plane(self) -> tuple[tuple[float, float, float, float, float], int]:
        """The points of the ROC plane that keep it, and which to take, for `constrained_points`.

        Budgets, and specificity, take the lowest threshold that keeps them; recall the highest;
        precision the one with the largest recall, and of these the highest.
        """
        most, least = self.bound * (1 + SLACK), self.bound * (1 - SLACK)
        return {
            "fpr": ((0.0, 0.0, 1.0, 0.0, most), 1),
            "flagged": ((0.0, 1.0, 0.0, 1.0, most), 1),
            "specificity": ((0.0, 0.0, 1.0, 0.0, 1 - least), 1),
            "recall": ((-1.0, 0.0, 0.0, 0.0, -least), 0),
            "precision": ((0.0, least - 1, 0.0, least, 0.0), 2),
        }[self.quantity]


class SortedRows:
    """Rows sorted once by their scores, for thresholds under a constraint."""

    def __init__(self, scored: Scored) -> None:
        self._scored = scored
        self._ranking = ranked_rows(scored)
        self._weight = np.empty(0)
        if scored.weight is not None:
            self._weight = scored.weight[self._ranking.rows]

    def points(
        self, constraint: Constraint, counts: npt.NDArray[np.uint8], prevalence: float | None
    ) -> FloatArray:
        """fpr, tpr, prevalence and place of the threshold of each resample (b, n), as (b, 4).

        Without a prevalence it is that of each resample.
        """
        points = np.empty((len(counts), 4))
        keys, rows = self._ranking.keys[0], self._ranking.rows
        p = -1.0 if prevalence is None else prevalence
        constrained_points(counts, keys, rows, self._weight, p, *constraint.half_plane(), points)
        return points

    def threshold(self, constraint: Constraint, p: float) -> float:
        """The threshold of all rows; raise if none meets the constraint and flags a positive."""
        every_row = np.ones((1, len(self._scored.score)), np.uint8)
        _, recall, _, place = self.points(constraint, every_row, p)[0]
        if recall == 0:
            curve = vertices_of(self._scored)
            value = decided(constraint.quantity, curve.fpr, curve.tpr, p)[curve.tpr > 0]
            nearest = (min if constraint.quantity in BUDGETS else max)(value)
            raise ValueError(
                f"No threshold meets {constraint} and flags a positive row: "
                f"the nearest has {constraint.quantity} {nearest:.4g}."
            )
        return float(self._scored.score[self._ranking.rows[int(place)]])


def check_at(at: Any) -> Constraint | float:
    """Return a constraint, or the number of a fixed threshold; raise if `at` is neither."""
    if not isinstance(at, str):
        threshold = check_number("at", at)
        if np.isnan(threshold):
            raise ValueError("at must be a threshold or a constraint, got nan.")
        return threshold
    found = re.fullmatch(r"\s*(\w+)\s*([<>]=)\s*([^\s<>=]+)\s*", at)
    quantity, sign, text = found.groups() if found else ("", "", "")
    if quantity not in BUDGETS + GOALS:
        raise ValueError(
            f"at must be a threshold or a constraint such as {EXAMPLES}, got {quoted(at)}."
        )
    if (sign == "<=") != (quantity in BUDGETS):
        right = "<=" if quantity in BUDGETS else ">="
        raise ValueError(f"at: {quantity} is bounded by {right}, got {quoted(at)}.")
    try:
        bound = float(text)
    except ValueError:
        bound = np.nan
    if not 0 <= bound <= 1 or (quantity in GOALS and bound == 0):
        least = "above 0 and at most" if quantity in GOALS else "from 0 to"
        raise ValueError(f"at: the bound of {quantity} is a number {least} 1, got {quoted(at)}.")
    return Constraint(quantity, bound)


def decided(quantity: str, fpr: Any, tpr: Any, p: Any, cost: Cost = 0.5) -> FloatArray:
    """What decisions with these rates bring; the precision is NaN where nobody is flagged."""
    if quantity == "kappa":
        return kappa_from_rates(fpr, tpr, p, cost=cost)
    if quantity == "expected_loss":
        return loss_from_rates(fpr, tpr, p, cost=cost)
    if quantity in ("fpr", "recall"):
        return np.asarray(fpr if quantity == "fpr" else tpr)
    if quantity == "specificity":
        return np.asarray(1 - fpr)
    hits = p * tpr
    flagged = np.asarray(hits + (1 - p) * fpr)
    if quantity == "flagged":
        return flagged
    with np.errstate(invalid="ignore"):
        return np.asarray(hits / flagged)


def operating_point(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    at: str | float | None = None,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
) -> OperatingPoint:
    """Threshold of the largest kappa, or the best one under a constraint, and what it brings.

    Without a constraint equation 26 of Kaymak, Ben-David & Potharst (2010).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, prevalence, cost, cost_ratio
        As in :func:`kappacurve.measures`, with the same errors.
    at : str or float, optional
        A constraint: "fpr<=0.05", "flagged<=0.1" (an alert budget, as a share of all rows),
        "specificity>=0.95", "recall>=0.9" or "precision>=0.5", with any bound from 0 to 1. Or a
        number: that threshold. By default the threshold at which kappa is largest. Raises a
        ValueError if it can't be read, or no threshold meets it and flags a positive row.

    Returns
    -------
    threshold : float
        Rows with at least this score are predicted positive; infinite if nothing beats
        predicting none positive, without a constraint. Of several maxima of kappa the one with
        the smallest rate is taken.
    fpr, tpr : float in [0, 1]
        tpr is also called recall, and 1 - fpr specificity.
    kappa : float in [-1, 1]
        At the prevalence and the cost (at a cost other than 1/2 it may be below -1).
    flagged : float in [0, 1]
        Share of the rows that are predicted positive, at the prevalence.
    precision : float in [0, 1]
        Share of the positives among these; NaN if there are none.
    expected_loss : float in [0, 1)
        As :func:`kappacurve.expected_loss`.
    true_positives, false_positives : float
        How many rows of each class are predicted positive: counts, or sums of weights.

    Notes
    -----
    A budget (fpr, flagged) and a least specificity take the lowest threshold that keeps them,
    which has the largest recall; a least recall takes the highest, which flags the fewest rows; a
    least precision takes the largest recall, and of several thresholds with it the highest. Rows
    of one score are flagged together or not at all, so that a budget is never exceeded.

    Lines of equal kappa are straight in the ROC plane, so the maximum is always at a corner of
    the hull: the curve and its hull have the same operating point.

    See Also
    --------
    kappacurve.cost_threshold : the threshold of the least expected loss.
    kappacurve.interval : intervals of these, by the same `at`.

    Examples
    --------
    >>> y_true, y_score = [0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8]
    >>> point = operating_point(y_true, y_score)
    >>> point.threshold, point.true_positives, point.false_positives, round(point.precision, 3)
    (0.3, 2.0, 1.0, 0.667)
    >>> operating_point(y_true, y_score, at="flagged<=0.4").threshold
    0.6
    """
    wanted = None if at is None else check_at(at)
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    conditions = check_conditions(prevalence, cost, cost_ratio)
    p = scored.prevalence(prevalence)
    if wanted is None:
        wanted = float(measures_of(scored, conditions).measures["threshold"][0])
    elif isinstance(wanted, Constraint):
        wanted = SortedRows(scored).threshold(wanted, p)
    return point_at(scored, wanted, p, conditions.cost)


def point_at(scored: Scored, threshold: float, p: float, cost: Cost) -> OperatingPoint:
    """What a threshold brings on checked rows, at a prevalence and a cost that were checked."""
    weight = scored.weights()
    flagged = scored.score >= threshold
    positive = scored.positive
    hits, alarms = (float(weight[flagged & side].sum()) for side in (positive, ~positive))
    fpr = min(1.0, alarms / weight[~positive].sum())
    tpr = min(1.0, hits / weight[positive].sum())
    kappa, share, precision, loss = (
        float(decided(name, fpr, tpr, p, cost))
        for name in ("kappa", "flagged", "precision", "expected_loss")
    )
    rates = float(fpr), float(tpr)
    return OperatingPoint(threshold, *rates, kappa, share, precision, loss, hits, alarms)


class CostPoint(NamedTuple):
    """The vertex of a ROC curve at which errors cost least, and what it and baselines cost."""

    threshold: float
    fpr: float
    tpr: float
    loss: float
    flag_nobody: float
    flag_all: float


def expected_loss(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    threshold: float | None = None,
) -> float:
    """Expected cost per row of the decisions at a threshold, by default at the best one.

    Hand (2009), equations 2 and 3, with b = 1 and his c the cost share of the other error.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, prevalence, cost, cost_ratio
        As in :func:`kappacurve.measures`, with the same errors.
    threshold : float, optional
        Rows with at least this score are predicted positive, with infinity none. For decisions,
        scores of 0 and 1, it is 1. By default the one of :func:`cost_threshold`.

    Returns
    -------
    float in [0, 1)
        c p (1-t) + (1-c) (1-p) f, where c is the cost share of a missed positive: a miss and a
        false alarm together cost 1. At c = 1/2, the default, it is half the error rate. Times
        1 + `cost_ratio` it is in units of a false alarm. At the best threshold it is at most
        min(c p, (1-c) (1-p)), the cost of predicting one class for all rows.

    Examples
    --------
    >>> y_true, y_score = [0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8]
    >>> round(5 * expected_loss(y_true, y_score, cost_ratio=4, threshold=0.5), 6)
    1.0
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    p = scored.prevalence(prevalence)
    curve, losses = _losses(scored, p, check_one_cost(cost, cost_ratio))
    if threshold is None:
        return float(losses.min())
    wanted = check_number("threshold", threshold)
    if np.isnan(wanted):
        raise ValueError("threshold must be a number, got nan.")
    return float(losses[_vertex_at(curve, wanted)])


def cost_threshold(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
) -> CostPoint:
    """Threshold of the least expected cost, with its rates and its cost.

    Takes what :func:`expected_loss` takes, but for a threshold, and raises the same errors.

    Returns
    -------
    threshold : float
        Rows with at least this score are predicted positive; infinite if predicting none positive
        costs least. Of several minima the one with the smallest fpr is taken.
    fpr, tpr : float in [0, 1]
    loss : float
        As :func:`expected_loss`.
    flag_nobody, flag_all : float
        What predicting none, or all, positive costs per row.

    Notes
    -----
    For calibrated probabilities it estimates 1 - c. On the rows on which it is chosen its cost is
    too low: choose it on other rows than those you report.

    Examples
    --------
    >>> cost_threshold([0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8], cost_ratio=4).threshold
    0.3
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    return cost_point(scored, scored.prevalence(prevalence), check_one_cost(cost, cost_ratio))


def cost_point(scored: Scored, p: float, cost: Cost) -> CostPoint:
    """The same of checked rows."""
    curve, losses = _losses(scored, p, cost)
    # Of equal minima, which rounding may set apart, the first.
    best = int(np.argmax(losses <= losses.min() * (1 + 8 * np.finfo(float).eps)))
    fpr, tpr, threshold = (float(values[best]) for values in curve)
    return CostPoint(threshold, fpr, tpr, *losses[[best, 0, -1]].tolist())


def net_benefit(
    y_true: npt.ArrayLike,
    y_prob: npt.ArrayLike,
    *,
    thresholds: npt.ArrayLike = THRESHOLDS,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    trained_at: float | None = None,
    at: At = "score",
    standardized: bool = False,
) -> FloatArray:
    """Net benefit per row of acting on a model, over the threshold probability.

    Parameters
    ----------
    y_true, pos_label, sample_weight, prevalence
        As in :func:`kappacurve.measures`.
    y_prob : array-like of shape (n_samples,)
        Probabilities of the positive class; with ``at="best"`` any scores, higher for positives.
    thresholds : array-like in [0, 1), default 0.01 to 0.99
        Threshold probabilities: where acting and not acting are worth the same. At tau a false
        alarm costs tau / (1 - tau) times what a found positive is worth, so the cost share of a
        missed positive (`cost` elsewhere) is 1 - tau.
    trained_at : float in (0, 1), optional
        Share of positives in the training rows (after resampling), to which probabilities
        belong; by default that of `y_true`. At another `prevalence` their odds are shifted.
    at : {"score", "best"}, default "score"
        Which rows are flagged: those whose probability is at least tau, or those above the score
        that is best for tau. The second is what recalibrated probabilities could attain, a little
        too high on the rows on which it is chosen.
    standardized : bool, default False
        Divide by the prevalence, which is the largest net benefit.

    Returns
    -------
    ndarray with the shape of `thresholds`
        p t - (1-p) f tau / (1-tau), at most p. Flagging nobody has 0; flagging all has what
        ``y_prob=np.ones(n_samples)`` gives.

    Raises
    ------
    ValueError
        If a score is outside [0, 1] with ``at="score"``, or an argument is out of its range.

    Notes
    -----
    With the cost share c = 1 - tau it is p less :func:`kappacurve.expected_loss` over c, and kappa
    at cost c is the net benefit beyond flagging as many rows blindly, over the largest possible
    (docs/theory.md).

    References
    ----------
    Vickers & Elkin (2006), "Decision curve analysis", Medical Decision Making 26, 565-574,
    doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> y_true, y_prob = [0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8]
    >>> net_benefit(y_true, y_prob, thresholds=[0.2, 0.5]).round(3)
    array([0.3, 0. ])
    >>> net_benefit(y_true, y_prob, thresholds=[0.2, 0.5], at="best").round(3)
    array([0.35, 0.2 ])
    """
    check_choice("at", at, "score", "best")
    tau = check_numbers("thresholds", thresholds)
    if not ((tau >= 0) & (tau < 1)).all():
        raise ValueError(f"thresholds must be at least 0 and below 1, got {thresholds!r}.")
    scored = check_scored(y_true, y_prob, pos_label, sample_weight)
    p = scored.prevalence(prevalence)
    if at == "score":
        check_probabilities(scored.score, ' Give at="best" for the best threshold on any scores.')
        share = scored.prevalence() if trained_at is None else trained_at
        shifted = at_prevalence(scored.score, check_one_prevalence(share, "trained_at"), p)
        curve: Any = vertices_of(scored._replace(score=shifted))
        corner = _vertex_at(curve, tau)
    else:
        curve = roc_hull(*vertices_of(scored)[:2])
        worth = curve.tpr * p - np.multiply.outer(tau / (1 - tau), curve.fpr) * (1 - p)
        corner = worth.argmax(axis=-1)
    f, t = curve.fpr[corner], curve.tpr[corner]
    benefit = p * t - (1 - p) * f * tau / (1 - tau)
    return np.asarray(benefit / p if standardized else benefit)


def _losses(scored: Scored, p: float, cost: Cost) -> tuple[RocVertices, FloatArray]:
    """The ROC vertices, and the expected cost at each."""
    curve = vertices_of(scored)
    return curve, loss_from_rates(curve.fpr, curve.tpr, p, cost=cost)


def _vertex_at(curve: RocVertices, threshold: npt.ArrayLike) -> npt.NDArray[np.intp]:
    """The vertices of the decisions at thresholds."""
    return np.asarray(np.searchsorted(-curve.thresholds, np.negative(threshold), side="right") - 1)
