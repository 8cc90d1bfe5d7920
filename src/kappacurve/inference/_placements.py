"""Placements of each row among the rows of the other class: the sums behind DeLong and the AUK.

One sort of the scores, one pass over them. A distinct score is one straight segment of the ROC
curve; ``u`` runs along it from its upper threshold (0) to its lower one (1). The formulas are
derived in the Notes of :func:`kappacurve.inference.influence`.

With pseudo-rows each class has two more, at either end of all scores: the negatives' outside the
positives'. Their placements follow in the order negative and positive at the bottom, positive and
negative at the top.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kappacurve._kernels import auk_placements, delong_placements
from kappacurve._ranking import Ranking, ranked
from kappacurve._validation import Conditions, FloatArray, Scored
from kappacurve.kappa import error_weights


class Area(NamedTuple):
    """A measure, what each row adds to its class's mean, and its derivative by the prevalence.

    `pseudo` are the placements of the four pseudo-rows, if there were any.
    """

    value: float
    rows: FloatArray
    slope: float = 0.0
    pseudo: FloatArray = np.empty(0)

    def minus(self, other: Area) -> Area:
        """The difference of two models' measures."""
        return Area(
            self.value - other.value,
            self.rows - other.rows,
            self.slope - other.slope,
            self.pseudo - other.pseudo,
        )


class Ordered(NamedTuple):
    """Sorted scores with the weights of the sorted rows, none where all count as one."""

    ranking: Ranking
    weight: FloatArray

    def auc(self, pseudo: tuple[float, float] = (0.0, 0.0)) -> Area:
        """The AUC with DeLong's components, the negatives' less 1."""
        rows, extra = np.empty(self.ranking.keys.shape[1]), np.zeros(4)
        value = delong_placements(self.ranking.keys[0], self.weight, *pseudo, rows, extra)
        return Area(value, self._by_row(rows), 0.0, extra)

    def auk(self, at: Conditions, pseudo: tuple[float, float] = (0.0, 0.0)) -> Area:
        """The AUK, what rows add to it, and its derivative by the prevalence at a fixed ROC curve.

        For a positive row the integral of the AUK's weight over the ROC curve at or below its
        score's threshold; for a negative row minus that.
        """
        p, cost = at.prevalence, at.cost
        # Just inside costs 0 and 1, where single terms of the influence are infinite.
        inside = cost if isinstance(cost, str) else np.clip(cost, 1e-8, 1 - 1e-8)
        keys, rows, extra = self.ranking.keys[0], np.empty(self.ranking.keys.shape[1]), np.zeros(4)
        exact, near = (
            tuple(float(weight) for weight in error_weights(each, p, 1 - p))
            for each in (cost, inside)
        )
        options = (p, exact, near, at.axis == "flagged", *pseudo)
        value, slope = auk_placements(keys, self.weight, *options, rows, extra)
        if isinstance(cost, str):
            slope = 0.0  # AUC - 1/2 at every prevalence
        return Area(value, self._by_row(rows), slope, extra)

    def _by_row(self, values: FloatArray) -> FloatArray:
        """Put values of the sorted keys into the order of the rows.

        Not in the kernels, which take twice as long for it.
        """
        by_row = np.empty_like(values)
        by_row[self.ranking.rows] = values
        return by_row


def ordered(scored: Scored) -> Ordered:
    """Sort one vector of scores."""
    ranking = ranked(scored.positive[None], scored.score[None], with_rows=True)
    weight = np.empty(0) if scored.weight is None else scored.weight[ranking.rows]
    return Ordered(ranking, weight)
