"""Which model costs least at which cost of a miss: exact lower envelopes over ROC hulls.

Where a miss costs R false alarms, a point (f, t) of a ROC curve costs R p (1-t) + (1-p) f, a line
in R. The least of all points of a model is the lower envelope of its hull's lines, and the least of
several models that of the hull of all their points (Provost & Fawcett 2001, Machine Learning 42,
203-231): neighbouring corners cost the same where R is (1-p) df / (p dt). Every hull starts with
flagging nobody, (0, 0), and ends with flagging everybody, (1, 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..curves.curve import roc_hull
from ..validation import FloatArray

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


def find_least_loss(curves: Mapping[str, Rates], prevalence: float) -> list[CostRange]:
    """What costs least in which range of cost ratios, from 0 to infinity without gaps.

    `curves` are the false and the true positive rates of each model's ROC curve or hull.
    """
    p, q = prevalence, 1 - prevalence
    hulls = {model: roc_hull(*curve)[:2] for model, curve in curves.items()}
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
    return roc_hull(f[kept], t[kept])[:2]


def _middle(low: float, high: float) -> tuple[float, float]:
    """Cost shares of a miss and of a false alarm in the middle of a range of cost ratios."""
    miss = low / (1 + low) + (1.0 if high == np.inf else high / (1 + high))
    alarm = 1 / (1 + low) + 1 / (1 + high)
    return miss / 2, alarm / 2
