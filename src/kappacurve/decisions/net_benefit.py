"""Net benefit of acting on a model, over the threshold probability."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..curves.curve import roc_hull, sample_curve
from ..validation import (
    FloatArray,
    check_numbers,
    check_prevalence,
    check_probabilities,
    check_sample,
)


def net_benefit(
    y_true: npt.ArrayLike,
    y_prob: npt.ArrayLike,
    *,
    thresholds: npt.ArrayLike | None = None,
    rule: str = "score",
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    at: None = None,
) -> FloatArray:
    """Net benefit per row of acting on a model, over the threshold probability.

    Parameters
    ----------
    y_true, y_prob : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans or strings); probabilities of the positive one, or
        any finite scores with ``rule="best"``.
    thresholds : array-like in [0, 1), default 0.01 to 0.99
        Threshold probabilities: where acting and not acting are worth the same. At tau a missed
        positive costs (1 - tau) / tau false alarms.
    rule : {"score", "best"}, default "score"
        Which rows are flagged: those whose probability is at least tau, or those above the score
        that is best for tau, which is what recalibrated probabilities could attain.
    sample_weight : array-like of shape (n_samples,), default None
        Weights, not negative; 2 counts as two equal rows, and 0 as none.
    pos_label : label, default None
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1), default None
        Share of positives; by default that of the rows. Probabilities have to belong to it: see
        :func:`adjust_prevalence`.
    at : None
        The old name of `rule`, refused.

    Returns
    -------
    ndarray of the shape of `thresholds`
        p t - (1-p) f tau / (1-tau), at most p. Flagging nobody has 0; flagging all has what
        ``y_prob=np.ones(n_samples)`` gives.

    Raises
    ------
    ValueError
        If a score is outside [0, 1] with ``rule="score"``, or an argument is not valid.

    References
    ----------
    Vickers & Elkin (2006), "Decision curve analysis", Medical Decision Making 26, 565-574,
    doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> y_true, y_prob = [0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8]
    >>> net_benefit(y_true, y_prob, thresholds=[0.2, 0.5]).round(3)
    array([0.3, 0. ])
    >>> net_benefit(y_true, y_prob, thresholds=[0.2, 0.5], rule="best").round(3)
    array([0.35, 0.2 ])
    """
    if at is not None:
        raise TypeError(f"net_benefit: at is called rule now, so write rule={at!r}.")
    if rule not in ("score", "best"):
        raise ValueError(f'rule must be "score" or "best", got {rule!r}.')
    default = np.arange(1, 100) / 100
    tau = default if thresholds is None else check_numbers("thresholds", thresholds)
    if not ((tau >= 0) & (tau < 1)).all():
        raise ValueError(f"thresholds must be at least 0 and below 1, got {thresholds!r}.")
    sample = check_sample(y_true, {"": y_prob}, pos_label=pos_label, sample_weight=sample_weight)
    if rule == "score":
        sample = replace(sample, scores={"": check_probabilities(sample.scores[""], "y_prob")})
    p = sample.prevalence if prevalence is None else check_prevalence(prevalence)
    f, t, cuts = sample_curve(sample)
    if rule == "score":
        place = np.searchsorted(-cuts, -tau, side="right") - 1
    else:
        f, t, _ = roc_hull(f, t)
        place = (t * p - np.multiply.outer(tau / (1 - tau), f) * (1 - p)).argmax(axis=-1)
    return np.asarray(p * t[place] - (1 - p) * f[place] * tau / (1 - tau))
