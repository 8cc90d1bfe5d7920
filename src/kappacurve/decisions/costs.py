"""What costs decide: net benefit, the cost that kappa implies, and which model costs least.

Where a miss costs R false alarms, a point (f, t) of a ROC curve costs R p (1-t) + (1-p) f, a line
in R. The least of all points of a model is the lower envelope of its hull's lines, and the least of
several models that of the hull of all their points (Provost & Fawcett 2001, Machine Learning 42,
203-231): neighbouring corners cost the same where R is (1-p) df / (p dt). Every hull starts with
flagging nobody, (0, 0), and ends with flagging everybody, (1, 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..curves.curve import roc_hull, sample_curve
from ..curves.kernels import hull_places
from ..validation import (
    FloatArray,
    check_cost_ratio,
    check_numbers,
    check_prevalence,
    check_prevalences,
    check_probabilities,
    check_sample,
)

Rates = tuple[FloatArray, FloatArray]  # false and true positive rates of a curve

SAME = 1e-12  # losses whose relative difference is smaller are equal but for rounding


class CostRange(NamedTuple):
    """A range of cost ratios, and what costs least in it.

    `flag` is "by model", or else "nobody" or "everybody": then no model costs less, and `models` is
    empty. Several models have the same least loss.
    """

    cost_ratio_low: float
    cost_ratio_high: float
    flag: str
    models: tuple[str, ...]


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


def implied_cost_ratio(
    kappa: npt.ArrayLike, prevalence: npt.ArrayLike, cost_ratio: float = 1.0
) -> FloatArray:
    """How many false alarms a miss counts as where kappa has this value.

    One missed positive less raises kappa as much as so many false alarms less. The threshold of the
    largest kappa is therefore that of the least loss at this cost, which depends on the model.

    Parameters
    ----------
    kappa : array-like in [-1, 1]
        Cohen's kappa of a model at a threshold, or kappa at the cost ratio.
    prevalence : array-like in (0, 1)
        Share of positives.
    cost_ratio : float in (0, inf), default 1.0
        Cost ratio at which kappa is taken; 1 is Cohen's kappa.

    Returns
    -------
    ndarray of the shape to which `kappa` and `prevalence` broadcast
        c* / (1 - c*) with c* = k c + (1-k) (1-p) and c = `cost_ratio` / (1 + `cost_ratio`). It is
        the class ratio (1-p) / p, that of AUC, where kappa is 0, and `cost_ratio` where it is 1.
        Infinite where c* is at least 1, and 0 where it is at most 0, which takes a negative kappa.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    Rewrites equation 26 of Kaymak, Ben-David & Potharst (2010), a special case of Koyejo,
    Natarajan, Ravikumar & Dhillon (2014), "Consistent binary classification with generalized
    performance metrics", NeurIPS 27, 2744-2752. Parker (2011), ICDM, says that the costs which AUK
    implies depend on the model.

    Examples
    --------
    At 11 % positives, for a useless model, two useful ones and a perfect one:

    >>> implied_cost_ratio([0, 0.2, 0.328, 1], 0.11).round(1)
    array([8.1, 4.3, 3.2, 1. ])
    """
    k = check_numbers("kappa", kappa)
    if not ((k >= -1) & (k <= 1)).all():
        raise ValueError(f"kappa must lie between -1 and 1, got {kappa!r}.")
    p, ratio = check_prevalences(prevalence), check_cost_ratio(cost_ratio)
    miss = k * (ratio / (1 + ratio)) + (1 - k) * (1 - p)
    alarm = k / (1 + ratio) + (1 - k) * p  # 1 - miss, without its rounding
    with np.errstate(divide="ignore"):
        return np.asarray(
            np.where(alarm > 0, np.maximum(miss, 0.0) / np.maximum(alarm, 0.0), np.inf)
        )


def find_least_loss(curves: Mapping[str, Rates], prevalence: float) -> list[CostRange]:
    """What costs least in which range of cost ratios, from 0 to infinity without gaps.

    `curves` are the false and the true positive rates of each model's ROC curve or hull.
    """
    p, q = prevalence, 1 - prevalence
    hulls = {model: _hull(*curve) for model, curve in curves.items()}
    f, t = _joint_hull(hulls)
    with np.errstate(divide="ignore"):
        ends = np.concatenate([[0.0], q * np.diff(f) / (p * np.diff(t)), [np.inf]])
    ranges: list[CostRange] = []
    for i, (low, high) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
        if high <= low * (1 + SAME):
            continue
        flag = {0: "nobody", len(f) - 1: "everybody"}.get(i, "by model")
        models: tuple[str, ...] = ()
        if flag == "by model":
            miss, alarm = _middle(low, high)
            losses = {
                model: float((miss * p * (1 - hull_t) + alarm * q * hull_f).min())
                for model, (hull_f, hull_t) in hulls.items()
            }
            least = min(losses.values()) * (1 + SAME)
            models = tuple(model for model, loss in losses.items() if loss <= least)
        if ranges and ranges[-1][2:] == (flag, models):
            low = ranges.pop().cost_ratio_low
        ranges.append(CostRange(low, high, flag, models))
    return ranges


def loss_unit(cost_ratio: float) -> float:
    """False alarms per 1,000 rows in an expected loss of 1, where an error of each kind costs 1."""
    return 1000 * (1 + cost_ratio)


def trivial_losses(prevalence: float, cost_ratio: float) -> tuple[float, float]:
    """Losses of flagging nobody and of flagging everybody, per 1,000 rows in false alarms."""
    return 1000 * cost_ratio * prevalence, 1000 * (1 - prevalence)


def _joint_hull(
    hulls: Mapping[str, tuple[FloatArray, FloatArray]],
) -> tuple[FloatArray, FloatArray]:
    """Corners of the hull of all points of several curves."""
    f, t = (np.concatenate([hull[axis] for hull in hulls.values()]) for axis in (0, 1))
    order = np.lexsort((t, f))
    f, t = f[order], t[order]
    kept = t == np.maximum.accumulate(t)  # a point below and right of another costs more
    return _hull(f[kept], t[kept])


def _hull(fpr: FloatArray, tpr: FloatArray) -> Rates:
    """Corners of the hull of a curve."""
    index = hull_places(fpr.copy(), tpr.copy())  # compiled for arrays of one memory order
    return fpr[index], tpr[index]


def _middle(low: float, high: float) -> tuple[float, float]:
    """Cost shares of a miss and of a false alarm in the middle of a range of cost ratios."""
    miss = low / (1 + low) + (1.0 if high == np.inf else high / (1 + high))
    alarm = 1 / (1 + low) + 1 / (1 + high)
    return miss / 2, alarm / 2
