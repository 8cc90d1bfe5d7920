"""Placements of each row among the rows of the other class: the sums behind DeLong and the AUK.

One sort of the scores, one pass over them. A distinct score is one straight segment of the ROC
curve; ``u`` runs along it from its upper threshold (0) to its lower one (1). The formulas are
derived in the Notes of :func:`kappacurve.inference.auk_influence`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._compiled import Kernel, helper
from kappacurve._ranking import Ranking, measure_ranking, ranked
from kappacurve._validation import Axis, BoolArray, Cost, FloatArray, Scored, is_flagged
from kappacurve.auk import auk_range, kappa_shares, kappa_terms
from kappacurve.inference.results import standard_error
from kappacurve.kappa import error_weights, kappa_from_rates

# Coefficients of the power series of the first two moments, see `moments`.
FIRST, SECOND = (np.arange(1.0, 17.0) / np.arange(k, k + 16.0) for k in (2.0, 3.0))

IntArray = npt.NDArray[np.int64]


class Area(NamedTuple):
    """An area under a curve, what each row adds to it, and its derivative by the prevalence."""

    value: float
    rows: FloatArray
    slope: float = 0.0

    def minus(self, other: Area) -> Area:
        """The difference of two models' areas."""
        return Area(self.value - other.value, self.rows - other.rows, self.slope - other.slope)

    def standard_error(
        self, positive: BoolArray, prevalence: float = 0.5, estimated: bool = False
    ) -> float:
        """Of fixed classes, or of an estimated prevalence; `positive` in the order of the rows."""
        variance = float(class_covariance(positive, self.rows[None])[0, 0])
        if estimated:
            variance += prevalence * (1 - prevalence) / len(positive) * self.slope**2
        return standard_error(variance)


class Setting(NamedTuple):
    """At what an AUK is evaluated; the cost was checked."""

    prevalence: float
    cost: Cost = 0.5
    axis: Axis = "fpr"

    def area(self, ranking: Ranking) -> Area:
        """The AUK with its placements."""
        return Area(self._value(ranking), *self.placements(ranking))

    def range(self, estimated: bool) -> tuple[float, float]:
        """What the AUK can be: at a fixed prevalence, or at any near an estimated one."""
        if not estimated:
            return auk_range(*self)
        lowest = kappa_from_rates([1.0, 1.0], [0.0, 1.0], self.prevalence, cost=self.cost).min()
        return min(-1.0, float(lowest)), 1.0

    def _value(self, ranking: Ranking) -> float:
        n_pos = positives_of(ranking).sum(keepdims=True)
        n_neg = ranking.keys.shape[1] - n_pos
        return float(measure_ranking(ranking, n_neg, n_pos, *self).measures["auk"][0])

    def placements(self, ranking: Ranking) -> tuple[FloatArray, float]:
        """What rows add to the AUK, and its derivative by the prevalence, of a fixed ROC curve.

        For a positive row the integral of the AUK's weight over the ROC curve at or below its
        score's threshold; for a negative row minus that. By row or, where the ranking has no
        rows, in the order of its keys.
        """
        # Just inside costs 0 and 1, where single terms of the influence are infinite.
        cost = self.cost if isinstance(self.cost, str) else np.clip(self.cost, 1e-8, 1 - 1e-8)
        keys, p = ranking.keys[0], self.prevalence
        weights = [float(weight) for weight in error_weights(cost, p, 1 - p)]
        found, flagged = np.empty(len(keys)), is_flagged(self.axis)
        slope = auk_placements(keys, p, (weights[0], weights[1]), flagged, found)
        found = by_row(ranking, found)
        if isinstance(cost, str):
            return found, 0.0  # AUC - 1/2 at every prevalence
        if flagged:  # the axis itself moves, by dt - df
            inner = self._replace(cost=cost)
            slope += (inner._value(ranking) - inner._replace(axis="fpr")._value(ranking)) / p
        return found, slope


def ranking_of(scored: Scored, with_rows: bool = True) -> Ranking:
    """Sort one vector of scores."""
    return ranked(scored.positive[None], scored.score[None], with_rows=with_rows)


def positives_of(ranking: Ranking) -> BoolArray:
    """Whether the rows of the sorted keys are positive."""
    return np.asarray(ranking.keys[0] & 1, dtype=np.bool_)


def auc_of(ranking: Ranking) -> Area:
    """The AUC with DeLong's components, the negatives' less 1."""
    values = np.empty(ranking.keys.shape[1])
    auc = delong_placements(ranking.keys[0], values)
    return Area(auc, by_row(ranking, values))


def by_row(ranking: Ranking, values: FloatArray) -> FloatArray:
    """Put values of the sorted keys into the order of the rows, if the ranking has them.

    Not in the kernels, which take twice as long for it.
    """
    if not len(ranking.rows):
        return values
    found = np.empty_like(values)
    found[ranking.rows] = values
    return found


def class_covariance(positive: BoolArray, rows: FloatArray) -> FloatArray:
    """Covariance of the two class means' sum, for rows of shape (k, n), each class with n - 1."""
    found = np.zeros((len(rows), len(rows)))
    for one in (positive, ~positive):
        found += np.cov(rows[:, one]).reshape(found.shape) / np.count_nonzero(one)
    return found


@helper
def tied_with(keys: IntArray, start: int) -> tuple[int, int]:
    """End of the run of keys with the same score, and how many of them are positive."""
    stop, positives = start + 1, keys[start] & 1
    while stop < len(keys) and keys[stop] >> 1 == keys[start] >> 1:
        positives += keys[stop] & 1
        stop += 1
    return stop, positives


@helper
def place(keys: IntArray, start: int, stop: int, pair: tuple[float, float], out: Any) -> None:
    """Give tied rows their values: the first to the positive, minus the second to the others."""
    for i in range(start, stop):
        out[i] = pair[0] if keys[i] & 1 else -pair[1]


@Kernel
def delong_placements(keys: IntArray, out: FloatArray) -> float:
    """Fill out with DeLong's components, the negatives' less 1, and return the AUC.

    For a positive row the share of negatives below it, ties counted half.
    """
    n_pos = (keys & 1).sum()
    n_neg = len(keys) - n_pos
    fp, tp, pairs, start = 0, 0, 0, 0
    while start < len(keys):
        stop, more_tp = tied_with(keys, start)
        more_fp = stop - start - more_tp
        pair = (fp + 0.5 * more_fp) / n_neg, (tp + 0.5 * more_tp) / n_pos
        place(keys, start, stop, pair, out)
        pairs += more_tp * (2 * fp + more_fp)
        fp, tp, start = fp + more_fp, tp + more_tp, stop
    return 0.5 * pairs / (float(n_pos) * float(n_neg))


@Kernel
def auk_placements(
    keys: IntArray, p: float, weights: tuple[float, float], flagged: bool, out: FloatArray
) -> float:
    """Fill out as `Setting.placements` says, and return the derivative by the prevalence."""
    n_pos = (keys & 1).sum()
    n_neg, q = len(keys) - n_pos, 1.0 - p
    shares = kappa_shares(1, 1, p, q, weights, flagged)
    fp, tp, start = n_neg, n_pos, 0  # counts above the score, once it is passed
    below, slope = (0.0, 0.0), 0.0
    while start < len(keys):
        stop, more_tp = tied_with(keys, start)
        more_fp = stop - start - more_tp
        fp, tp = fp - more_fp, tp - more_tp
        f, t, df, dt = fp / n_neg, tp / n_pos, more_fp / n_neg, more_tp / n_pos
        at, length = (q * f + p * t, q * df + p * dt) if flagged else (f, df)
        denominator = kappa_terms(f, t, 1, 1, shares)[1]
        none, first, second = moments(shares[4] * (q * df + p * dt) / denominator)
        scale = 2.0 / (denominator * denominator)
        numerator, change = shares[3] + shares[4] * at, shares[4] * length
        whole = p * q * scale * (numerator * none + change * first)
        rising = p * q * scale * (numerator * first + change * second)
        pair = below[0] + rising * df, below[1] + rising * dt
        place(keys, start, stop, pair, out)
        below = below[0] + whole * df, below[1] + whole * dt
        numerator = weights[1] * q * q * f - weights[0] * p * p * (1.0 - t)
        change = weights[1] * q * q * df + weights[0] * p * p * dt
        d, turn = t - f, dt - df
        along = d * numerator * none + (d * change + numerator * turn) * first
        slope += scale * length * (along + turn * change * second)
        start = stop
    return slope


@helper
def moments(x: float) -> tuple[float, float, float]:
    """Integrals over u of u^k / (1 + xu)^2, k = 0..2, where x > -1."""
    if abs(x) < 0.05:  # the closed forms lose digits near zero
        first, second = 0.0, 0.0
        for j in range(5 if abs(x) < 1e-3 else 15, -1, -1):
            first, second = first * -x + FIRST[j], second * -x + SECOND[j]
        return 1 / (1 + x), first, second
    log, inverse = math.log1p(x), 1 / (1 + x)
    return inverse, (log - x * inverse) / (x * x), (1 - 2 * log / x + inverse) / (x * x)
