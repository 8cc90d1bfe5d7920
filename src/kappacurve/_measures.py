"""The one table of measures: labels, ranges, formulas, and where each of them is shown.

An entry is all that a new measure needs. It is then a key of `measures` and `batch_measures`, a row
of `compare` and ``kappacurve measure``, and a scorer; it has bootstrap intervals, bootstrap and
permutation tests, and a column in the tables of the study. With very many rows a line in
`_kernels.measure_rows` makes it faster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

import numpy as np

from kappacurve._kernels import beta_at_cost
from kappacurve._validation import Conditions, FloatArray
from kappacurve.h_measure import h_of_hull
from kappacurve.kappa import (
    Integration,
    area_under_kappa,
    error_weights,
    kappa_from_rates,
    loss_from_rates,
)
from kappacurve.roc import RocHull, RocVertices, area_under_curve, roc_hull

# Of equal values, which rounding may set apart, the first counts.
SAME = 8 * np.finfo(float).eps


@dataclass(frozen=True)
class EvaluatedCurve:
    """The ROC curve of rows, in rates, and at what it is evaluated: all that formulas take."""

    roc: RocVertices
    p: float
    at: Conditions

    @cached_property
    def hull(self) -> RocHull:
        """Its convex hull."""
        return roc_hull(self.roc.fpr, self.roc.tpr)

    def auc(self, curve: RocVertices | RocHull) -> float:
        """Area under the curve, or the hull."""
        return area_under_curve(curve.fpr, curve.tpr)

    def kappa(self, curve: RocVertices | RocHull) -> FloatArray:
        """Kappa at each corner."""
        return kappa_from_rates(curve.fpr, curve.tpr, self.p, cost=self.at.cost)

    def auk(self, curve: RocVertices | RocHull, rule: Integration = "exact") -> float:
        """Area under kappa."""
        at: Any = {"cost": self.at.cost, "axis": self.at.axis, "integration": rule}
        return area_under_kappa(curve.fpr, curve.tpr, self.p, **at)

    @cached_property
    def best(self) -> int:
        """The vertex with the largest kappa: a corner of the hull, as lines of kappa are straight.

        At cost 0 all of the hull's first segment ties, and so do the vertices on it.
        """
        kappa = self.kappa(self.hull)
        first = np.argmax(kappa >= kappa.max() * (1 - SAME))
        if not isinstance(self.at.cost, str) and self.at.cost == 0 and self.hull.fpr[first] > 0:
            tied = self.kappa(self.roc) >= kappa[first] * (1 - SAME)
            return int(np.argmax(tied & (self.roc.fpr > 0)))
        return int(self.hull.index[first])

    def kappa_max(self) -> float:
        """The largest kappa."""
        return float(self.kappa(self.roc)[self.best])

    def cheapest(self) -> tuple[float, float]:
        """The least expected loss, and the threshold that has it."""
        losses = loss_from_rates(self.hull.fpr, self.hull.tpr, self.p, cost=self.at.cost)
        first = np.argmax(losses <= losses.min() * (1 + SAME))
        return float(losses[first]), float(self.roc.thresholds[self.hull.index[first]])

    def average_precision(self) -> float:
        """Mean precision over the positives."""
        hits = self.p * self.roc.tpr[1:]
        precision = hits / (hits + (1 - self.p) * self.roc.fpr[1:])
        return float(np.sum(np.diff(self.roc.tpr) * precision))

    def h(self) -> float:
        """H with the weight that belongs to the cost."""
        weight = beta_at_cost(*error_weights(self.at.cost, self.p, 1 - self.p))
        return h_of_hull(self.hull.fpr, self.hull.tpr, self.p, *weight)


class Measure(NamedTuple):
    """What is known of a measure.

    `formula` is its value by the ROC curve; a measure without one is of decisions or probabilities
    and stands in `inference.analytic`. `compiled`: `_kernels.measure_rows` has it too, exact in
    counts. `options` are those that a scorer passes on. `ranks` says whether models are ranked by
    it, `less_is_better` which way. `of_hull`: it is a function of the hull, so that chance can only
    raise it; `hull` names the same measure of the hull. `compared`: `compare` reports it;
    `printed`: so does ``kappacurve measure`` without ``--all``.
    """

    label: str
    low: float
    high: float
    formula: Callable[[EvaluatedCurve], Any] | None = None
    options: tuple[str, ...] = ()
    compiled: bool = False
    ranks: bool = True
    less_is_better: bool = False
    of_hull: bool = False
    hull: str | None = None
    compared: bool = True
    printed: bool = False
    of_probabilities: bool = False


_AT_COST = ("prevalence", "cost", "cost_ratio")
_HULL: dict[str, Any] = {"of_hull": True, "compiled": True}
_AUK: dict[str, Any] = {"options": (*_AT_COST, "axis"), "compiled": True}
_RULE: dict[str, Any] = {**_AUK, "compared": False}
_POINT: dict[str, Any] = {"ranks": False, "of_hull": True, "compared": False}
_RATE: dict[str, Any] = {**_POINT, "compiled": True}
_LOSS: dict[str, Any] = {"less_is_better": True, "printed": True}
_ERROR: dict[str, Any] = {**_LOSS, "of_probabilities": True}

# In the order in which they are reported: of the ROC curve, of the operating point with the largest
# kappa, of decisions and of probabilities.
MEASURES = {
    "auc": Measure("AUC", 0, 1, lambda c: c.auc(c.roc), compiled=True, hull="auch", printed=True),
    "auch": Measure("AUCH", 0.5, 1, lambda c: max(0.5, c.auc(c.hull)), **_HULL),
    "gini": Measure("Gini", -1, 1, lambda c: 2 * c.auc(c.roc) - 1, compiled=True),
    "ks": Measure("KS", 0, 1, lambda c: (c.hull.tpr - c.hull.fpr).max(), **_HULL),
    "auk": Measure("AUK", -1, 1, lambda c: c.auk(c.roc), hull="auk_hull", printed=True, **_AUK),
    "auk_hull": Measure(
        "AUK of the hull", 0, 1, lambda c: max(0.0, c.auk(c.hull)), of_hull=True, **_AUK
    ),
    "auk_trapezoid": Measure(
        "AUK, trapezoid rule",
        -1,
        1,
        lambda c: c.auk(c.roc, "trapezoid"),
        hull="auk_trapezoid_hull",
        **_RULE,
    ),
    "auk_trapezoid_hull": Measure(
        "AUK of the hull, trapezoid rule",
        0,
        1,
        lambda c: c.auk(c.hull, "trapezoid"),
        of_hull=True,
        **_RULE,
    ),
    "average_precision": Measure(
        "average precision",
        0,
        1,
        EvaluatedCurve.average_precision,
        options=("prevalence",),
        compiled=True,
        printed=True,
    ),
    "h": Measure("H", 0, 1, EvaluatedCurve.h, _AT_COST, printed=True, **_HULL),
    "kappa_max": Measure("maximum kappa", 0, 1, EvaluatedCurve.kappa_max, _AT_COST, **_HULL),
    "threshold": Measure("threshold", -inf, inf, lambda c: c.roc.thresholds[c.best], **_POINT),
    "fpr": Measure("false positive rate", 0, 1, lambda c: c.roc.fpr[c.best], **_RATE),
    "tpr": Measure("true positive rate", 0, 1, lambda c: c.roc.tpr[c.best], **_RATE),
    "expected_loss": Measure(
        "expected loss", 0, 1, options=(*_AT_COST, "threshold"), compiled=True, **_LOSS
    ),
    "net_benefit": Measure(
        "net benefit", -inf, 1, options=("threshold", "prevalence", "trained_at", "standardized")
    ),
    "brier_score": Measure("Brier score", 0, 1, **_ERROR),
    "log_loss": Measure("log loss", 0, inf, **_ERROR),
}
LOSS = "expected_loss"
FORMULAS = {name: measure.formula for name, measure in MEASURES.items() if measure.formula}
# Those that a comparison reports, in the order of its tables.
REPORTED = tuple(name for name in FORMULAS if MEASURES[name].compared)
RANKING = tuple(name for name in FORMULAS if MEASURES[name].ranks)
# Maxima and measures of the hull: chance can only raise them, so they lie too high in a sample.
BIASED = tuple(name for name in RANKING if MEASURES[name].of_hull)
LESS_IS_BETTER = tuple(name for name, measure in MEASURES.items() if measure.less_is_better)
OF_PROBABILITIES = tuple(name for name, measure in MEASURES.items() if measure.of_probabilities)
