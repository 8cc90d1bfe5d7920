"""Net benefit: what decisions at a threshold probability are worth."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    FloatArray,
    check_numbers,
    check_one_prevalence,
    check_probabilities,
    check_scored,
)
from kappacurve.roc import roc_hull, vertices_of

At = Literal["score", "best"]
THRESHOLDS = np.arange(1, 100) / 100


def net_benefit(
    y_true: npt.ArrayLike,
    y_prob: npt.ArrayLike,
    *,
    thresholds: npt.ArrayLike = THRESHOLDS,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    at: At = "score",
    standardized: bool = False,
) -> FloatArray:
    """Net benefit per row of acting on a model, over the threshold probability.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_prob : array-like of shape (n_samples,)
        Probabilities of the positive class; with ``at="best"`` any scores, higher for positives.
    thresholds : array-like in [0, 1), default 0.01 to 0.99
        Threshold probabilities: where acting and not acting are worth the same. At tau a false
        alarm costs tau / (1 - tau) times what a found positive is worth, so the cost share of a
        missed positive (`cost` elsewhere) is 1 - tau.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
    prevalence : float in (0, 1), optional
        Share of positives to evaluate at; by default the (weighted) share in `y_true`.
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
    tau = check_numbers("thresholds", thresholds)
    if not ((tau >= 0) & (tau < 1)).all():
        raise ValueError(f"thresholds must be at least 0 and below 1, got {thresholds!r}.")
    scored = check_scored(y_true, y_prob, pos_label, sample_weight)
    p = scored.prevalence() if prevalence is None else check_one_prevalence(prevalence)
    fpr, tpr, cuts = vertices_of(scored)
    if at == "score":
        check_probabilities(scored.score, ' Give at="best" for the best threshold on any scores.')
        last = np.searchsorted(-cuts, -tau, side="right") - 1
        f, t = fpr[last], tpr[last]
    elif at == "best":
        hull = roc_hull(fpr, tpr)
        worth = hull.tpr * p - np.multiply.outer(tau / (1 - tau), hull.fpr) * (1 - p)
        best = worth.argmax(axis=-1)
        f, t = hull.fpr[best], hull.tpr[best]
    else:
        raise ValueError(f'at must be "score" or "best", got {at!r}.')
    benefit = p * t - (1 - p) * f * tau / (1 - tau)
    return np.asarray(benefit / p if standardized else benefit)
