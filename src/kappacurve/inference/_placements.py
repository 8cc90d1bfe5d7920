"""Placements of each row among the rows of the other class: the sums behind DeLong and the AUK.

One sort of the scores, one pass over them. A distinct score is one straight segment of the ROC
curve; ``u`` runs along it from its upper threshold (0) to its lower one (1). The formulas are
derived in the Notes of :func:`kappacurve.inference.influence`.

With pseudo-rows each class has two more, at either end of all scores: the negatives' outside the
positives'. Their placements follow in the order negative and positive at the bottom, positive and
negative at the top.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._compiled import Kernel, helper
from kappacurve._ranking import Ranking, ranked
from kappacurve._validation import Conditions, FloatArray, Scored, is_flagged
from kappacurve.auk import kappa_segment, kappa_shares, kappa_terms
from kappacurve.kappa import error_weights

# Coefficients of the power series of the first two moments, see `moments`.
FIRST, SECOND = (np.arange(1.0, 17.0) / np.arange(k, k + 16.0) for k in (2.0, 3.0))

IntArray = npt.NDArray[np.int64]


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
        rows, extra = np.empty(self.ranking.keys.shape[1]), np.empty(4)
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
        keys, rows, extra = self.ranking.keys[0], np.empty(self.ranking.keys.shape[1]), np.empty(4)
        exact, near = (
            tuple(float(weight) for weight in error_weights(each, p, 1 - p))
            for each in (cost, inside)
        )
        flagged = is_flagged(at.axis)
        options = (p, exact, near, flagged, *pseudo)
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


@helper
def tied_with(keys: IntArray, weight: FloatArray, start: int) -> tuple[int, float, float]:
    """End of the run of keys with the same score, and the weights of its negatives, positives."""
    stop, negatives, positives = start, 0.0, 0.0
    while stop < len(keys) and keys[stop] >> 1 == keys[start] >> 1:
        own = weight[stop] if len(weight) else 1.0
        if keys[stop] & 1:
            positives += own
        else:
            negatives += own
        stop += 1
    return stop, negatives, positives


@helper
def class_weights(keys: IntArray, weight: FloatArray) -> tuple[float, float]:
    """Weights of all negatives and of all positives."""
    if len(weight) == 0:
        positives = (keys & 1).sum()
        return float(len(keys) - positives), float(positives)
    negatives, positives = 0.0, 0.0
    for i in range(len(keys)):
        if keys[i] & 1:
            positives += weight[i]
        else:
            negatives += weight[i]
    return negatives, positives


@helper
def put(keys: IntArray, start: int, stop: int, pair: tuple[float, float], out: Any) -> None:
    """Give tied rows their values: the first to the positive, minus the second to the others."""
    for i in range(start, stop):
        out[i] = pair[0] if keys[i] & 1 else -pair[1]


@Kernel
def delong_placements(
    keys: IntArray,
    weight: FloatArray,
    pseudo_neg: float,
    pseudo_pos: float,
    out: FloatArray,
    extra: FloatArray,
) -> float:
    """Fill out with DeLong's components, the negatives' less 1, and return the AUC.

    For a positive row the share of negatives below it, ties counted half.
    """
    negatives, positives = class_weights(keys, weight)
    n_neg, n_pos = negatives + 2 * pseudo_neg, positives + 2 * pseudo_pos
    fp, tp, start = pseudo_neg, pseudo_pos, 0
    pairs = 2 * pseudo_pos * pseudo_neg
    while start < len(keys):
        stop, more_fp, more_tp = tied_with(keys, weight, start)
        pair = (fp + 0.5 * more_fp) / n_neg, (tp + 0.5 * more_tp) / n_pos
        put(keys, start, stop, pair, out)
        pairs += more_tp * (2 * fp + more_fp)
        fp, tp, start = fp + more_fp, tp + more_tp, stop
    pairs += 2 * pseudo_pos * fp
    extra[0], extra[1], extra[2], extra[3] = 0.0, pseudo_neg / n_neg, fp / n_neg, -1.0
    return 0.5 * pairs / (n_pos * n_neg)


@helper
def weigh(
    f: float,
    t: float,
    df: float,
    dt: float,
    p: float,
    weights: tuple[float, float],
    shares: Any,
    flagged: bool,
) -> tuple[float, float, float]:
    """Integrals of the AUK's weight and of u times it along a segment; of kappa's slope in p."""
    q = 1.0 - p
    at, length = (q * f + p * t, q * df + p * dt) if flagged else (f, df)
    denominator = kappa_terms(f, t, 1, 1, shares)[1]
    none, first, second = moments(shares[4] * (q * df + p * dt) / denominator)
    scale = 2.0 / (denominator * denominator)
    numerator, change = shares[3] + shares[4] * at, shares[4] * length
    whole = p * q * scale * (numerator * none + change * first)
    rising = p * q * scale * (numerator * first + change * second)
    numerator = weights[1] * q * q * f - weights[0] * p * p * (1.0 - t)
    change = weights[1] * q * q * df + weights[0] * p * p * dt
    d, turn = t - f, dt - df
    along = d * numerator * none + (d * change + numerator * turn) * first
    return whole, rising, scale * length * (along + turn * change * second)


@Kernel
def auk_placements(
    keys: IntArray,
    weight: FloatArray,
    p: float,
    exact: tuple[float, float],
    near: tuple[float, float],
    flagged: bool,
    pseudo_neg: float,
    pseudo_pos: float,
    out: FloatArray,
    extra: FloatArray,
) -> tuple[float, float]:
    """Fill out as `Ordered.auk` says; return the AUK and its derivative by the prevalence."""
    negatives, positives = class_weights(keys, weight)
    n_neg, n_pos = negatives + 2 * pseudo_neg, positives + 2 * pseudo_pos
    shares = kappa_shares(1, 1, p, 1.0 - p, near, flagged)
    # Areas over the axis and, where that moves with p, over the false positive rate.
    over_axis = kappa_shares(1, 1, p, 1.0 - p, exact, flagged)
    over_fpr = kappa_shares(1, 1, p, 1.0 - p, exact, False)
    fp, tp, a, b, slope, area, plain = n_neg, n_pos, 0.0, 0.0, 0.0, 0.0, 0.0
    start, turn = 0, 0 if pseudo_neg + pseudo_pos > 0.0 else 2
    while turn < 5:
        stop, more_fp, more_tp = start, 0.0, 0.0
        if turn == 2 and start == len(keys):
            turn = 3 if pseudo_neg + pseudo_pos > 0.0 else 5
            continue
        if turn == 2:
            stop, more_fp, more_tp = tied_with(keys, weight, start)
        elif turn in (0, 4):
            more_fp = pseudo_neg
        else:
            more_tp = pseudo_pos
        df, dt = more_fp / n_neg, more_tp / n_pos
        # What rounding leaves of the weights above the last score is nothing.
        fp, tp = max(0.0, fp - more_fp), max(0.0, tp - more_tp)
        f, t = fp / n_neg, tp / n_pos
        whole, rising, more = weigh(f, t, df, dt, p, near, shares, flagged)
        slope += more
        begin, end = (
            kappa_terms(f, t, 1, 1, over_axis),
            kappa_terms(f + df, t + dt, 1, 1, over_axis),
        )
        area += kappa_segment(df, dt, begin, end, over_axis)
        if flagged:
            plain += kappa_segment(df, dt, begin, end, over_fpr)
        pair = a + rising * df, b + rising * dt
        if turn == 2:
            put(keys, start, stop, pair, out)
        else:
            extra[turn if turn < 2 else turn - 1] = -pair[1] if turn in (0, 4) else pair[0]
        a, b, start = a + whole * df, b + whole * dt, stop
        turn += turn != 2
    if flagged:  # the axis itself moves, by dt - df
        slope += (area - plain) / p
    return area, slope


@helper
def moments(x: float) -> tuple[float, float, float]:
    """Integrals over u of u^k / (1 + xu)^2, k = 0..2, where x > -1."""
    if abs(x) < 0.05:  # the closed forms lose digits near zero
        if x == 0.0:
            return 1.0, 0.5, 1.0 / 3.0
        first, second = 0.0, 0.0
        for j in range(5 if abs(x) < 1e-3 else 15, -1, -1):
            first, second = first * -x + FIRST[j], second * -x + SECOND[j]
        return 1 / (1 + x), first, second
    log, inverse = math.log1p(x), 1 / (1 + x)
    return inverse, (log - x * inverse) / (x * x), (1 - 2 * log / x + inverse) / (x * x)
