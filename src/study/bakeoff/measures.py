"""The measures and goals of the study, each a function of many ROC curves at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numba
import numpy as np

from kappacurve import batch_measures
from study.arrays import FloatArray, IntArray

Axis = Literal["fpr", "flagged"]
NODES = 32  # costs at which the weight of an H-measure is taken, equally probable


class Curves:
    """ROC curves of the ranks (b, n) of rows of which the first are positive, all corners kept.

    Without ties a curve has two vertices a positive, before and after it. With ties (equal ranks)
    it has one a row; within a tie the vertex before it is repeated, a segment of no length.
    """

    def __init__(self, ranks: IntArray, n_positive: int, prevalence: float) -> None:
        self.ranks, self.p = ranks, prevalence
        self.auks: dict[tuple[float, Axis], FloatArray] = {}  # by cost and axis, once computed
        self.label = np.arange(ranks.shape[1]) < n_positive
        counts = np.array([n_positive, ranks.shape[1] - n_positive])[:, None, None]
        keys = np.sort(2 * ranks + self.label, axis=1)[:, ::-1]
        tied = (keys[:, 1:] >> 1) == (keys[:, :-1] >> 1)
        place = np.arange(ranks.shape[1] + 1) * np.ones((len(ranks), 1), dtype=np.int64)
        if tied.any():
            place[:, 1:-1][tied] = 0
            place = np.maximum.accumulate(place, axis=1)
        else:
            before = np.nonzero(keys & 1)[1].reshape(len(ranks), n_positive)
            around = np.stack([before, before + 1], axis=2).reshape(len(ranks), -1)
            place = np.hstack([place[:, :1], around, place[:, -1:]])
        above = np.zeros((len(ranks), ranks.shape[1] + 1), dtype=np.int64)
        np.cumsum(keys & 1, axis=1, out=above[:, 1:])
        positives = np.take_along_axis(above, place, axis=1)
        self.tpr, self.fpr = np.stack([positives, place - positives]) / counts

    def at(self, prevalence: float) -> Curves:
        """The same curves, seen at another prevalence."""
        other = object.__new__(Curves)
        other.__dict__ |= {key: self.__dict__[key] for key in ("ranks", "label", "tpr", "fpr")}
        other.p, other.auks = prevalence, {}
        return other

    @cached_property
    def flagged(self) -> FloatArray:
        """Share of all rows above each threshold, at the prevalence."""
        return np.asarray(self.p * self.tpr + (1 - self.p) * self.fpr)

    @cached_property
    def library(self) -> dict[str, FloatArray]:
        """The measures of :func:`kappacurve.batch_measures`."""
        return batch_measures(self.label, self.ranks, pos_label=True, prevalence=self.p)


class Measure(NamedTuple):
    """A measure: its label, its values by curve, and the goal that it is by definition.

    Of a measure `at_cost` the values depend on the goal's cost too.
    """

    label: str
    of: Callable[..., FloatArray]
    at_cost: bool = False
    own_goal: str | None = None


def auk_at(curves: Curves, cost: float, axis: Axis = "fpr") -> FloatArray:
    """AUK at the cost share of a missed positive, over f or over the flagged share."""
    if (cost, axis) not in curves.auks:
        options: dict[str, Any] = {"prevalence": curves.p, "cost": cost, "axis": axis}
        found = batch_measures(curves.label, curves.ranks, pos_label=True, **options)
        curves.auks[cost, axis] = found["auk"]
    return curves.auks[cost, axis]


def best(values: FloatArray) -> FloatArray:
    """The largest value along a curve; where it is 0/0 there is none."""
    return np.asarray(np.nanmax(values, axis=1))


def best_f1(curves: Curves) -> FloatArray:
    """The largest harmonic mean of precision and recall."""
    return best(2 * curves.p * curves.tpr / (curves.p + curves.flagged))


def best_mcc(curves: Curves) -> FloatArray:
    """The largest correlation of prediction and label."""
    spread = curves.p * (1 - curves.p) / np.maximum(curves.flagged * (1 - curves.flagged), 1e-15)
    return best((curves.tpr - curves.fpr) * np.sqrt(spread))


def average_precision(curves: Curves) -> FloatArray:
    """Mean precision over the positives, without interpolation."""
    precision = curves.p * curves.tpr[:, 1:] / curves.flagged[:, 1:].clip(1e-15)
    return np.asarray((np.diff(curves.tpr, axis=1) * precision).sum(axis=1))


def swapped_auk(curves: Curves) -> FloatArray:
    """AUK with the other class as the positive one: the area over t."""
    over_flagged = auk_at(curves, 0.5, "flagged")
    return (over_flagged - (1 - curves.p) * curves.library["auk"]) / curves.p


def h_at(curves: Curves, cost: float) -> FloatArray:
    """H with the unimodal Beta weight whose mean is the cost and whose smaller parameter is 2."""
    from scipy.stats import beta

    odds = cost / (1 - cost)
    a, b = (2 * odds, 2.0) if odds > 1 else (2.0, 2 / odds)
    costs = beta.ppf((np.arange(NODES) + 0.5) / NODES, a, b)
    loss = _least_losses(curves.tpr, curves.fpr, curves.p, costs)
    trivial = np.minimum(costs * curves.p, (1 - costs) * (1 - curves.p)).sum()
    return np.asarray(1 - loss / trivial)


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _least_losses(tpr: FloatArray, fpr: FloatArray, p: float, costs: FloatArray) -> FloatArray:
    """For each curve the sum over costs of the least expected cost."""
    total = np.zeros(len(tpr))
    for row in range(len(tpr)):
        for cost in costs:
            least = 1.0
            for place in range(tpr.shape[1]):
                miss = cost * p * (1 - tpr[row, place])
                least = min(least, miss + (1 - cost) * (1 - p) * fpr[row, place])
            total[row] += least
    return total


def from_library(name: str) -> Callable[[Curves], FloatArray]:
    """A measure by its name in the library."""
    return lambda curves: curves.library[name]


# One entry a measure; a greater value is better. `random` is drawn with the samples.
MEASURES = {
    "auc": Measure("AUC", from_library("auc")),
    "auk": Measure("AUK", from_library("auk")),
    "auk_symmetric": Measure("symmetric AUK", lambda curves: auk_at(curves, 0.5, "flagged")),
    "auk_swapped": Measure("AUK, classes swapped", swapped_auk),
    "auk_goal": Measure("AUK at the goal's cost", auk_at, at_cost=True),
    "auch": Measure("AUC of the hull", from_library("auch")),
    "auk_hull": Measure("AUK of the hull", from_library("auk_hull")),
    "h": Measure("H, Beta(2, 2)", from_library("h")),
    "h_goal": Measure("H at the goal's cost", h_at, at_cost=True),
    "ks": Measure("KS", from_library("ks"), own_goal="cost_balanced"),
    "kappa_max": Measure("largest kappa", from_library("kappa_max")),
    "mcc": Measure("best MCC", best_mcc),
    "f1": Measure("best F1", best_f1),
    "average_precision": Measure("average precision", average_precision),
}


class Goal(NamedTuple):
    """What a model is chosen for: less expected cost at a cost share, or precision at the top."""

    name: str
    cost: float | None
    top: float = 0.0

    def value(self, curves: Curves) -> FloatArray:
        """Of each curve; greater is better."""
        if self.cost is not None:
            return np.asarray(-self.losses(curves).min(axis=1))
        share = np.array([self.top])
        pairs = zip(curves.flagged, curves.tpr, strict=True)
        found = [np.interp(share, flagged, tpr)[0] for flagged, tpr in pairs]
        return np.asarray(curves.p * np.array(found) / self.top)

    def losses(self, curves: Curves) -> FloatArray:
        """Expected cost at each vertex."""
        cost = self.cost or 0.0
        miss = cost * curves.p * (1 - curves.tpr)
        return np.asarray(miss + (1 - cost) * (1 - curves.p) * curves.fpr)


def goals_at(prevalence: float, costs: list[float], top: float) -> list[Goal]:
    """Costs balanced between the classes, those of the config, and precision in the top share."""
    return [
        Goal("cost_balanced", 1 - prevalence),
        *(Goal(f"cost_{cost:g}", cost) for cost in costs),
        Goal("precision_top", None, top),
    ]
