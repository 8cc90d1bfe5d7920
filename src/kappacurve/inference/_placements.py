"""Placements of each row among the rows of the other class: the sums behind DeLong and the AUK.

Everything is computed per distinct score, in rising order, from one sort. A distinct score is
one straight segment of the ROC curve; ``u`` runs along it from its upper threshold (0) to its
lower one (1). The formulas are derived in the Notes of :func:`kappacurve.auk_influence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import Axis, BoolArray, Cost, FloatArray, Scored, is_flagged
from kappacurve.auk import area_under_kappa
from kappacurve.kappa import error_weights, kappa_terms, rate_shares


class Tally(NamedTuple):
    """Rows of each class at each distinct score, rising, and the order that sorts the rows."""

    positives: FloatArray
    negatives: FloatArray
    order: npt.NDArray[np.intp]

    def rates(self) -> tuple[FloatArray, FloatArray]:
        """False and true positive rates at the ROC vertices, from (0, 0) to (1, 1)."""
        above = [np.cumsum(count[::-1]) for count in (self.negatives, self.positives)]
        # Divided last, so that the end is exactly one.
        f, t = (np.concatenate(([0.0], count)) / count[-1] for count in above)
        return f, t

    def by_row(self, is_positive: BoolArray, placements: Placements) -> FloatArray:
        """The placement of each row, negated for the negatives."""
        size = (self.positives + self.negatives).astype(np.intp)
        values = np.empty((2, len(self.order)))
        values[:, self.order] = np.repeat(np.stack(placements), size, axis=1)
        return np.asarray(np.where(is_positive, values[0], -values[1]))


class Setting(NamedTuple):
    """At what an AUK is evaluated; the cost was checked."""

    prevalence: float
    cost: Cost = 0.5
    axis: Axis = "fpr"

    def area(self, tally: Tally) -> float:
        """The AUK."""
        f, t = tally.rates()
        return area_under_kappa(f, t, self.prevalence, cost=self.cost, axis=self.axis)

    def inner(self) -> Setting:
        """The same just inside costs 0 and 1, where single terms of the influence are infinite."""
        if isinstance(self.cost, str):
            return self
        return self._replace(cost=np.clip(self.cost, 1e-8, 1 - 1e-8))

    def on_axis(self, f: FloatArray, t: FloatArray) -> FloatArray:
        """Where rates lie on the axis."""
        p = self.prevalence
        return (1 - p) * f + p * t if is_flagged(self.axis) else f


# For each distinct score: the placement of a positive and of a negative row with it.
Placements = tuple[FloatArray, FloatArray]


def tally_of(scored: Scored) -> Tally:
    """Count the rows of each class at each distinct score."""
    order = np.argsort(scored.score)
    score, positive = scored.score[order], scored.positive[order]
    new = score[1:] != score[:-1]
    if new.all():  # no ties, the common case: half the time
        return Tally(positive.astype(np.float64), (~positive).astype(np.float64), order)
    last = np.append(np.flatnonzero(new), len(score) - 1)
    positives = np.cumsum(positive, dtype=np.int64)[last]
    return Tally(
        np.diff(positives, prepend=0).astype(np.float64),
        np.diff(last + 1 - positives, prepend=0).astype(np.float64),
        order,
    )


def auk_placements(tally: Tally, setting: Setting) -> Placements:
    """Integrals of the AUK's weight over the ROC curve at or below each score's threshold."""
    setting = setting.inner()
    f, t, df, dt = _segments(tally)
    p, q = setting.prevalence, 1 - setting.prevalence
    start, moments, (_, _, _, miss, slope, *_) = _denominator_moments(f, t, df, dt, setting)
    place, length = setting.on_axis(f, t), setting.on_axis(df, dt)
    numerator, change = miss + slope * place, slope * length
    scale = 2 * p * q / start**2
    whole = scale * (numerator * moments[0] + change * moments[1])
    rising = scale * (numerator * moments[1] + change * moments[2])
    return _up_to(whole * df, rising * df), _up_to(whole * dt, rising * dt)


def auk_by_prevalence(tally: Tally, setting: Setting) -> float:
    """Derivative of the AUK of a fixed ROC curve by the prevalence."""
    if isinstance(setting.cost, str):
        return 0.0  # AUC - 1/2 at every prevalence
    setting = setting.inner()
    f, t, df, dt = _segments(tally)
    p, q = setting.prevalence, 1 - setting.prevalence
    start, moments, _ = _denominator_moments(f, t, df, dt, setting)
    w1, w0 = (float(w) for w in error_weights(setting.cost, p, q))
    d, change_d = t - f, dt - df
    numerator, change = w0 * q**2 * f - w1 * p**2 * (1 - t), w0 * q**2 * df + w1 * p**2 * dt
    along = (
        d * numerator * moments[0]
        + (d * change + numerator * change_d) * moments[1]
        + change_d * change * moments[2]
    )
    total = float(np.sum(2 * setting.on_axis(df, dt) * along / start**2))
    if is_flagged(setting.axis):  # the axis itself moves, by dt - df
        over_f = setting._replace(axis="fpr").area(tally)
        total += (setting.area(tally) - over_f) / p
    return total


def auk_influence_within_class(scored: Scored, setting: Setting) -> FloatArray:
    """Influence of each row on the AUK at a fixed prevalence; mean zero in each class."""
    tally = tally_of(scored)
    a, b = auk_placements(tally, setting)
    a -= np.average(a, weights=tally.positives)
    b -= np.average(b, weights=tally.negatives)
    return tally.by_row(scored.positive, (a, b))


def auc_covariance(scores: Sequence[Scored]) -> tuple[FloatArray, FloatArray]:
    """AUC of several scores of the same rows, and DeLong's covariance matrix of them."""
    positive = scores[0].positive
    rows = np.empty((len(scores), len(positive)))
    auc = np.empty(len(scores))
    for i, scored in enumerate(scores):
        tally = tally_of(scored)
        placements = _share_below(tally.negatives), _share_below(tally.positives)
        auc[i] = tally.positives @ placements[0] / tally.positives.sum()
        rows[i] = tally.by_row(positive, placements)
    return auc, class_covariance(positive, rows)


def class_covariance(positive: BoolArray, rows: FloatArray) -> FloatArray:
    """Covariance of the two class means' sum, for rows of shape (k, n), each class with n - 1."""
    total = np.zeros((len(rows), len(rows)))
    for chosen in (rows[:, positive], rows[:, ~positive]):
        centred = chosen - chosen.mean(axis=1, keepdims=True)
        count = chosen.shape[1]
        total += centred @ centred.T / ((count - 1) * count)
    return total


def variance_of_tally(tally: Tally, placement: Placements) -> float:
    """The same for one set of scores, without going back to the rows."""
    total = 0.0
    for count, value in zip(tally[:2], placement, strict=True):
        n = count.sum()
        centred = value - count @ value / n
        # einsum makes no temporary: at a million rows the page faults cost more than the sums.
        total += float(np.einsum("i,i,i->", count, centred, centred) / ((n - 1) * n))
    return total


def _segments(tally: Tally) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Start (f, t) of each score's ROC segment, and its extent; rising order of the score."""
    df = tally.negatives / tally.negatives.sum()
    dt = tally.positives / tally.positives.sum()
    f, t = tally.rates()
    return f[-2::-1], t[-2::-1], df, dt


def _denominator_moments(
    f: FloatArray, t: FloatArray, df: FloatArray, dt: FloatArray, setting: Setting
) -> tuple[FloatArray, list[FloatArray], tuple[Any, ...]]:
    """Kappa's denominator D at the segments' starts; integrals of u^k / (D(u)/D(0))^2, k = 0..2.

    With D(u)/D(0) = 1 + xu, where x > -1. Last the shares of kappa.
    """
    p = setting.prevalence
    shares = rate_shares(np.asarray(p), setting.cost)
    start = kappa_terms(f, t, 1, 1, shares)[1]
    x = shares[4] * ((1 - p) * df + p * dt) / start
    # The closed forms of the last two lose digits near zero: a power series there. Nearly every
    # segment of a long curve is near zero, so the others are computed apart.
    far = np.abs(x) >= 0.05
    near = np.where(far, 0.0, x)
    first, second = _series(near, 2), _series(near, 3)
    if far.any():
        wide = x[far]
        log, inverse = np.log1p(wide), 1 / (1 + wide)
        first[far] = (log - wide * inverse) / wide**2
        second[far] = (1 - 2 * log / wide + inverse) / wide**2
    return start, [1 / (1 + x), first, second], shares


def _series(x: FloatArray, shift: int) -> FloatArray:
    """Sum over j of (j + 1) (-x)^j / (j + shift), by Horner's rule, to the last digit."""
    largest = float(np.abs(x).max())
    terms = 1 if largest == 0 else 2 + int(np.log(1e-18) / np.log(largest))
    total = np.zeros_like(x)
    for j in range(terms, -1, -1):
        total *= -x
        total += (j + 1) / (j + shift)
    return total


def _share_below(count: FloatArray) -> FloatArray:
    """Share of the rows below each score, ties counted one half (DeLong's components)."""
    share = np.cumsum(count)
    total = share[-1]
    share -= count / 2
    share /= total
    return share


def _up_to(whole: FloatArray, rising: FloatArray) -> FloatArray:
    """Sum over the lower scores, plus the score's own share."""
    return np.asarray(np.cumsum(whole) - whole + rising)
