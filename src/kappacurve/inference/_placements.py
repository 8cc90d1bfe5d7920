"""Placements of each row among the rows of the other class: the sums behind DeLong and the AUK.

One sort of the scores, which finds the straight segments of the ROC curve: a distinct score that
both classes have, or neighbouring scores of one class, whose rows have one placement. ``u`` runs
along a segment from its upper threshold (0) to its lower one (1). The formulas are derived in the
Notes of :func:`kappacurve.inference.influence`.

With pseudo-rows each class has two more, at either end of all scores: the negatives' outside the
positives'.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import numpy as np

from kappacurve._kernels import IntArray, auk_placements, fill_segments
from kappacurve._ranking import ranked_rows
from kappacurve._validation import BoolArray, Conditions, FloatArray, Scored
from kappacurve.kappa import error_weights


class Decisions(NamedTuple):
    """Which rows are flagged, and what comes of it by the shares of the classes that are.

    `outcome` of the shares of positives and of negatives rises or falls in each alone; `slopes`
    are its derivatives by them, and `span` is its range. `is_curved` says that it is no straight
    line in the shares, as a precision.
    """

    flagged: BoolArray
    outcome: Callable[[float, float], float]
    slopes: tuple[float, float]
    span: tuple[float, float]
    is_curved: bool = False

    @property
    def vary(self) -> bool:
        """Whether some rows are flagged and others not."""
        return bool(self.flagged.any() and not self.flagged.all())


class Area(NamedTuple):
    """A measure, what each row adds to its class's mean, and its derivative by the prevalence.

    `pseudo` (2, 2) are the placements of the negative and of the positive pseudo-rows, if there
    were any, else 0. `decisions` are those of which it is the outcome, if it is; `within` is what a
    difference can be, where Student's t would go beyond.
    """

    value: float
    rows: FloatArray
    slope: float = 0.0
    pseudo: FloatArray = np.zeros((2, 2))
    decisions: Decisions | None = None
    method: str = "influence"
    within: tuple[float, float] = (-inf, inf)

    def minus(self, other: Area) -> Area:
        """The difference of two models' measures."""
        return Area(
            self.value - other.value,
            self.rows - other.rows,
            self.slope - other.slope,
            self.pseudo - other.pseudo,
        )


class Segments(NamedTuple):
    """Straight segments of the ROC curve, from the lowest scores to the highest.

    `rates` (k + 1, 2) are the false and true positive rates between them, from (1, 1) to (0, 0);
    `steps` (k, 2) what each adds to them.
    """

    rates: FloatArray
    steps: FloatArray


class Ordered(NamedTuple):
    """Sorted scores: the weights (k, 2) of the negatives and positives on each segment.

    And the place of each row among these weights, flattened.
    """

    weights: FloatArray
    cells: IntArray

    def segments(self, pseudo: tuple[float, float] = (0.0, 0.0)) -> Segments:
        """The segments, with pseudo-rows of the negatives and of the positives at either end."""
        weights = self._padded(pseudo)
        # Summed from above, so that rounding leaves nothing above the last score.
        above = np.cumsum(weights[::-1], axis=0)[::-1]
        return Segments(np.append(above, [[0.0, 0.0]], axis=0) / above[0], weights / above[0])

    def auc(self, pseudo: tuple[float, float] = (0.0, 0.0)) -> Area:
        """The AUC with DeLong's components, the negatives' less 1.

        For a positive row the share of negatives below it, ties counted half.
        """
        weights = self._padded(pseudo)
        twice_below = 2 * np.cumsum(weights, axis=0) - weights
        total = weights.sum(axis=0)
        place = np.stack([-twice_below[:, 1], twice_below[:, 0]], axis=1) / (2 * total[::-1])
        pairs = float((weights[:, 1] * twice_below[:, 0]).sum())  # a dot product wakes all cores
        area = self._area(pairs / (2 * total[0] * total[1]), 0.0, place, pseudo)
        return area._replace(method="delong")

    def auk(self, at: Conditions, pseudo: tuple[float, float] = (0.0, 0.0)) -> Area:
        """The AUK, what rows add to it, and its derivative by the prevalence at a fixed ROC curve.

        For a positive row the integral of the AUK's weight over the ROC curve at or below its
        score's threshold; for a negative row minus that.
        """
        p, cost = at.prevalence, at.cost
        exact, near = (
            tuple(float(weight) for weight in error_weights(share, p, 1 - p))
            for share in (cost, inside(cost))
        )
        segments = self.segments(pseudo)
        place = np.empty_like(segments.steps)
        value, slope = auk_placements(*segments, p, exact, near, at.axis == "flagged", place)
        if isinstance(cost, str):
            slope = 0.0  # AUC - 1/2 at every prevalence
        return self._area(float(value), float(slope), place, pseudo)

    def _padded(self, pseudo: tuple[float, float]) -> FloatArray:
        if not any(pseudo):
            return self.weights
        outer, inner = [pseudo[0], 0.0], [0.0, pseudo[1]]
        return np.concatenate([[outer, inner], self.weights, [inner, outer]])

    def _area(
        self, value: float, slope: float, place: FloatArray, pseudo: tuple[float, float]
    ) -> Area:
        if not any(pseudo):
            return Area(value, place.ravel()[self.cells], slope)
        extra = np.array([place[[0, -1], 0], place[[1, -2], 1]])
        return Area(value, place[2:-2].ravel()[self.cells], slope, extra)


def inside(cost: Any) -> Any:
    """Costs just inside 0 and 1, where single terms of the influence are infinite."""
    return cost if isinstance(cost, str) else np.clip(cost, 1e-8, 1 - 1e-8)


def ordered(scored: Scored) -> Ordered:
    """Sort one vector of scores."""
    ranking = ranked_rows(scored)
    cells = np.empty(len(scored.score), np.int64)
    weights = np.empty((len(cells), 2))
    weight = np.empty(0) if scored.weight is None else scored.weight
    n_segments = fill_segments(ranking.keys[0], ranking.rows, weight, cells, weights)
    return Ordered(weights[:n_segments].copy(), cells)
