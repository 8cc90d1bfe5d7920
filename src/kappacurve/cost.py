"""What decisions cost and what they are worth: expected loss, the best threshold, net benefit."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Cost,
    FloatArray,
    Scored,
    at_prevalence,
    check_choice,
    check_number,
    check_numbers,
    check_one_cost,
    check_one_prevalence,
    check_probabilities,
    check_scored,
)
from kappacurve.kappa import loss_from_rates
from kappacurve.roc import RocVertices, roc_hull, vertices_of

At = Literal["score", "best"]
THRESHOLDS = np.arange(1, 100) / 100


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
        As in :func:`kappacurve.auk_score`, with the same errors.
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
    y_true : array-like of shape (n_samples,)
        Labels of two classes: numbers, booleans or strings.
    y_prob : array-like of shape (n_samples,)
        Probabilities of the positive class; with ``at="best"`` any scores, higher for positives.
    thresholds : array-like in [0, 1), default 0.01 to 0.99
        Threshold probabilities: where acting and not acting are worth the same. At tau a false
        alarm costs tau / (1 - tau) times what a found positive is worth, so the cost share of a
        missed positive (`cost` elsewhere) is 1 - tau.
    pos_label, sample_weight, prevalence
        As in :func:`kappacurve.auk_score`.
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
    is_best = at == "best"
    tau = check_numbers("thresholds", thresholds)
    if not ((tau >= 0) & (tau < 1)).all():
        raise ValueError(f"thresholds must be at least 0 and below 1, got {thresholds!r}.")
    scored = check_scored(y_true, y_prob, pos_label, sample_weight)
    p = scored.prevalence(prevalence)
    if not is_best:
        check_probabilities(scored.score, ' Give at="best" for the best threshold on any scores.')
        share = scored.prevalence() if trained_at is None else trained_at
        shifted = at_prevalence(scored.score, check_one_prevalence(share, "trained_at"), p)
        scored = scored._replace(score=shifted)
    curve = vertices_of(scored)
    if not is_best:
        decided = _vertex_at(curve, tau)
        f, t = curve.fpr[decided], curve.tpr[decided]
    else:
        hull = roc_hull(curve.fpr, curve.tpr)
        worth = hull.tpr * p - np.multiply.outer(tau / (1 - tau), hull.fpr) * (1 - p)
        best = worth.argmax(axis=-1)
        f, t = hull.fpr[best], hull.tpr[best]
    benefit = p * t - (1 - p) * f * tau / (1 - tau)
    return np.asarray(benefit / p if standardized else benefit)


def _losses(scored: Scored, p: float, cost: Cost) -> tuple[RocVertices, FloatArray]:
    """The ROC vertices, and the expected cost at each."""
    curve = vertices_of(scored)
    return curve, loss_from_rates(curve.fpr, curve.tpr, p, cost=cost)


def _vertex_at(curve: RocVertices, threshold: npt.ArrayLike) -> npt.NDArray[np.intp]:
    """The vertices of the decisions at thresholds."""
    return np.asarray(np.searchsorted(-curve.thresholds, np.negative(threshold), side="right") - 1)
