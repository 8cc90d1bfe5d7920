"""What decisions cost: the threshold of the least expected cost, and the cost at any threshold."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    Cost,
    FloatArray,
    Scored,
    check_number,
    check_one_cost,
    check_one_prevalence,
    check_scored,
)
from kappacurve.kappa import loss_from_rates
from kappacurve.roc import RocVertices, vertices_of


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
    y_true : array-like of shape (n_samples,)
        Labels of two classes: numbers, booleans or strings.
    y_score : array-like of shape (n_samples,)
        Finite scores; higher means more positive.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
        Not negative; rows of weight 0 are left out.
    prevalence : float in (0, 1), optional
        Class ratio at which to evaluate; by default the (weighted) share of positives in `y_true`.
    cost : float in [0, 1] or "balanced", optional
        Share of a missed positive in the cost of a miss and a false alarm; by default 1/2.
        "balanced" is 1 - prevalence.
    cost_ratio : float >= 0, optional
        Instead of `cost`: what a missed positive costs over what a false alarm costs.
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

    Raises
    ------
    ValueError
        If there are not two classes, `pos_label` is needed or unknown, a score is not finite,
        shapes differ, a weight is negative, or an option is out of its range.

    Examples
    --------
    >>> y_true, y_score = [0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8]
    >>> round(5 * expected_loss(y_true, y_score, cost_ratio=4, threshold=0.5), 6)
    1.0
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    curve, losses = _losses(scored, prevalence, check_one_cost(cost, cost_ratio))
    if threshold is None:
        return float(losses.min())
    wanted = check_number("threshold", threshold)
    if np.isnan(wanted):
        raise ValueError("threshold must be a number, got nan.")
    return float(losses[np.searchsorted(-curve.thresholds, -wanted, side="right") - 1])


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

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes: numbers, booleans or strings.
    y_score : array-like of shape (n_samples,)
        Finite scores; higher means more positive.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
        Not negative; rows of weight 0 are left out.
    prevalence : float in (0, 1), optional
        Class ratio at which to evaluate; by default the (weighted) share of positives in `y_true`.
    cost : float in [0, 1] or "balanced", optional
        Share of a missed positive in the cost of a miss and a false alarm; by default 1/2.
        "balanced" is 1 - prevalence.
    cost_ratio : float >= 0, optional
        Instead of `cost`: what a missed positive costs over what a false alarm costs.

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

    Raises
    ------
    ValueError
        If there are not two classes, `pos_label` is needed or unknown, a score is not finite,
        shapes differ, a weight is negative, or an option is out of its range.

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
    curve, losses = _losses(scored, prevalence, check_one_cost(cost, cost_ratio))
    # Of equal minima, which rounding may set apart, the first.
    best = int(np.argmax(losses <= losses.min() * (1 + 8 * np.finfo(float).eps)))
    fpr, tpr, thresholds = (float(values[best]) for values in curve)
    baselines = float(losses[0]), float(losses[-1])
    return CostPoint(thresholds, fpr, tpr, float(losses[best]), *baselines)


def _losses(scored: Scored, prevalence: float | None, cost: Cost) -> tuple[RocVertices, FloatArray]:
    """The ROC vertices, and the expected cost at each."""
    p = scored.prevalence() if prevalence is None else check_one_prevalence(prevalence)
    curve = vertices_of(scored)
    return curve, loss_from_rates(curve.fpr, curve.tpr, p, cost=cost)
