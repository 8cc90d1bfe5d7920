"""Cohen's kappa of rates, joint probabilities and confusion matrices, and the area under it.

Notation (Kaymak, Ben-David & Potharst 2010): prevalence ``p`` of the positive class, false
positive rate ``f``, true positive rate ``t``. Joint probabilities (Ben-David 2008) are shares of
all rows: FP = (1-p) f in [0, 1-p], TP = p t in [0, p], and Q = TP + FP is the share predicted
positive. Arguments are array-like and broadcast, in the order rates or probabilities, kappa,
predicted share, prevalence, costs; one out of its range raises a ValueError.

At a cost: a missed positive costs c in [0, 1] and a false alarm 1 - c; Cohen's kappa has c = 1/2.
Chance-corrected agreement with these weights (Kraemer 1992; Roldan-Nofuentes & Amro 2018) is

    kappa_c = 1 - (c p (1-t) + (1-c) q f) / (c p (1-Q) + (1-c) q Q) = p q (t-f) / (c p + (q-c) Q),

with q = 1 - p and Q = p t + q f (docs/theory.md). `cost_ratio` is the missed positive's cost over
the false alarm's. The weights on costs of :func:`kappacurve.h_measure_score` are stated for the
other share: 1 - c.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kappacurve._kernels import kappa_segments, kappa_shares, kappa_terms
from kappacurve._validation import (
    Axis,
    Cost,
    CostRatio,
    FloatArray,
    check_choice,
    check_conditions,
    check_cost,
    check_curve,
    check_numbers,
    check_one_prevalence,
    check_prevalence,
    check_rate,
    is_flagged,
)

Curve = tuple[FloatArray, FloatArray]
Integration = Literal["exact", "trapezoid"]

# Rates of the ranking that makes every error, and of the one that makes none.
WORST = np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0])
PERFECT = WORST[::-1]

# Computed rates, probabilities and kappas may be out of their range by so much.
_SLACK = 1e-12


def error_weights(cost: Cost, p: Any, q: Any) -> tuple[Any, Any]:
    """Weights 2c of a missed positive and 2(1-c) of a false alarm, for a cost that was checked."""
    if isinstance(cost, str):
        return 2 * q, 2 * p
    if isinstance(cost, CostRatio):
        return 2 * float(cost), 2 * cost.alarm
    return 2 * np.asarray(cost), 2 * (1 - np.asarray(cost))


def rate_shares(p: FloatArray, cost: Cost) -> tuple[Any, ...]:
    """The shares of rates, at a cost that was checked."""
    return kappa_shares(1, 1, p, 1 - p, error_weights(cost, p, 1 - p))


def loss_from_rates(
    fpr: npt.ArrayLike,
    tpr: npt.ArrayLike,
    prevalence: npt.ArrayLike,
    *,
    cost: Cost | None = None,
    cost_ratio: npt.ArrayLike | None = None,
) -> FloatArray:
    """Expected cost per row of the classifier at a point of the ROC plane, if one of each costs 1.

    c p (1-t) + (1-c) (1-p) f, in [0, 1), of the arguments of :func:`kappa_from_rates`. Hand (2009),
    equations 2 and 3, with b = 1.

    >>> loss_from_rates([0, 0.1, 1], [0, 0.6, 1], 0.2, cost_ratio=4).round(3)
    array([0.16, 0.08, 0.16])
    """
    f, t, p = _checked_point(fpr, tpr, prevalence)
    _, _, alarm, miss, *_ = rate_shares(p, check_cost(cost, cost_ratio))
    return np.asarray((alarm * f + miss * (1 - t)) / 2)


def kappa_from_rates(
    fpr: npt.ArrayLike,
    tpr: npt.ArrayLike,
    prevalence: npt.ArrayLike,
    *,
    cost: Cost | None = None,
    cost_ratio: npt.ArrayLike | None = None,
) -> FloatArray:
    """Cohen's kappa of the classifier at a point of the ROC plane.

    Parameters
    ----------
    fpr, tpr : array-like in [0, 1]
    prevalence : array-like in (0, 1)
    cost, cost_ratio : number in [0, 1] or "balanced"; number >= 0, optional
        Cost of a missed positive as a share of both errors, by default 1/2 ("balanced" is
        1 - prevalence), or over that of a false alarm.

    Returns
    -------
    ndarray, as all arguments broadcast
        kappa = 2p(1-p)(t-f) / (p + (1-2p)f + p(1-2p)(t-f)) in [-1, 1]; at a cost at least
        -max(p/(1-p), (1-p)/p) and at most 1, and t - f at the cost "balanced". At cost 0 it is 0/0
        in (0, 0), at cost 1 in (1, 1), and counts as 0.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 19. Kraemer (1992), Evaluating Medical Tests, for
    the costs.

    Examples
    --------
    The published operating point of Kaymak et al. (f = 0.60, t = 0.928) at the stated prevalence:

    >>> kappa_from_rates(0.60, 0.928, 0.11, cost=[0, 0.5, 1]).round(3)
    array([0.057, 0.106, 0.802])
    """
    return _kappa(*_checked_point(fpr, tpr, prevalence), check_cost(cost, cost_ratio))


def _checked_point(
    fpr: npt.ArrayLike, tpr: npt.ArrayLike, prevalence: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    p = check_prevalence(prevalence)
    return check_rate("fpr", fpr), check_rate("tpr", tpr), p


def _kappa(f: Any, t: Any, p: FloatArray, cost: Cost) -> FloatArray:
    above, below = kappa_terms(f, t, 1, 1, rate_shares(p, cost))
    return np.asarray(above / np.where(below == 0, 1, below))


def least_kappa(p: Any, cost: Cost) -> float:
    """The least kappa of any classifier, at f = 1 and t = 0: below -1 at some costs."""
    return float(_kappa(1.0, 0.0, np.asarray(p), cost))


def tpr_from_kappa(
    fpr: npt.ArrayLike,
    kappa: npt.ArrayLike,
    prevalence: npt.ArrayLike,
    *,
    cost: Cost | None = None,
    cost_ratio: npt.ArrayLike | None = None,
) -> FloatArray:
    """True positive rate of the classifier with a given kappa and false positive rate, in [0, 1].

    The inverse of :func:`kappa_from_rates`, whose arguments it takes. Raises a ValueError if the
    kappa is not between those of tpr = 0 and tpr = 1; NaN where all tpr have the same: cost 0 at
    fpr 0 and cost 1 at fpr 1.

    Equation 16 (Kaymak et al. 2010) gives t from the predicted share, which depends on t by
    equation 17. Solved for d = t - f the two give d = k (c p + (q-c) f) / (p (q - k (q-c))). The
    pole q/(q-c) is not between the attainable kappas.

    >>> kappa = kappa_from_rates(0.6, 0.928, 0.89)
    >>> round(float(tpr_from_kappa(0.6, kappa, 0.89)), 6)
    0.928
    """
    p = check_prevalence(prevalence)
    f = check_rate("fpr", fpr)
    k = check_numbers("kappa", kappa)
    share = check_cost(cost, cost_ratio)
    least, most = _kappa(f, 0.0, p, share), _kappa(f, 1.0, p, share)
    outside = ~((k >= least - _SLACK) & (k <= most + _SLACK))
    if outside.any():
        k, least, most = (np.broadcast_to(v, outside.shape)[outside][0] for v in (k, least, most))
        raise ValueError(
            f"kappa = {k:g} cannot be attained: at this fpr and prevalence kappa lies between "
            f"{least:.6g} and {most:.6g}."
        )
    _, _, _, miss, slope, *_ = rate_shares(p, share)
    with np.errstate(divide="ignore", invalid="ignore"):
        d = k * (miss + slope * f) / (p * (2 * (1 - p) - k * slope))
    return np.asarray(np.where(miss + slope * f == 0, np.nan, np.clip(f + d, 0.0, 1.0)))


def optimal_slope(
    fpr: npt.ArrayLike,
    tpr: npt.ArrayLike,
    prevalence: npt.ArrayLike,
    *,
    cost: Cost | None = None,
    cost_ratio: npt.ArrayLike | None = None,
) -> FloatArray:
    """Slope of the line of equal kappa through a point of the ROC plane.

    Where kappa is largest, a smooth ROC curve has this slope; a hull has at least this slope
    before the corner and at most this slope after it. Equation 26 of Kaymak et al. (2010) at
    c = 1/2. Takes the arguments of :func:`kappa_from_rates`.

    dt/df = 1 + (q-c)(t-f) / (c p + (q-c) f), q = 1 - p, never negative: all lines of equal kappa
    meet at f = t = -c p / (q-c). NaN where kappa is 0/0.

    >>> optimal_slope(0.2, 0.7, [0.1, 0.5]).round(3)
    array([2.538, 1.   ])
    """
    f, t, p = _checked_point(fpr, tpr, prevalence)
    _, _, _, miss, slope, *_ = rate_shares(p, check_cost(cost, cost_ratio))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(1 + slope * (t - f) / (miss + slope * f))


def least_kappa_max(auc: float, prevalence: float, cost: Cost = 0.5) -> float:
    """The least that the largest kappa of any ROC curve with this AUC can be.

    Lines of equal kappa k are straight. The curve of the largest AUC below such a line follows it
    from f = 0 until t = 1, so that 1 - AUC is the triangle above,
    ``2pq (1 - k)^2 / ((2q - ka) (2p + ka))`` with ``a = 2q - 2c``: a quadratic equation for k. At
    the cost "balanced" a is 0 and k the KS statistic, ``1 - sqrt(2 (1 - AUC))``.

    >>> round(least_kappa_max(0.92, 0.3, "balanced"), 12)
    0.6
    """
    p, q = prevalence, 1 - prevalence
    a = 2 * q - float(error_weights(cost, p, q)[0])
    above = 1 - auc
    square = 2 * p * q + above * a * a
    half = 2 * p * q + above * a * (q - p)
    rest = 2 * p * q * (1 - 2 * above)
    return max(0.0, rest / (half + sqrt(max(0.0, half * half - square * rest))))


def joint_from_rates(
    fpr: npt.ArrayLike, tpr: npt.ArrayLike, prevalence: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Joint probabilities of false and true positives, in [0, 1 - prevalence] and [0, prevalence].

    Takes array-likes, rates in [0, 1] and prevalences in (0, 1). Ben-David (2008), section 4; his
    equation 4 misprints P as the predicted share.

    >>> fp, tp = joint_from_rates(0.5, 0.9, 0.7)
    >>> round(float(fp), 6), round(float(tp), 6)
    (0.15, 0.63)
    """
    f, t, p = _checked_point(fpr, tpr, prevalence)
    return np.asarray((1 - p) * f), np.asarray(p * t)


def rates_from_joint(
    fp: npt.ArrayLike, tp: npt.ArrayLike, prevalence: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """False and true positive rates of joint probabilities: the inverse of `joint_from_rates`.

    Takes array-likes, `fp` in [0, 1 - prevalence] and `tp` in [0, prevalence].

    >>> fpr, tpr = rates_from_joint(0.15, 0.63, 0.7)
    >>> round(float(fpr), 6), round(float(tpr), 6)
    (0.5, 0.9)
    """
    p = check_prevalence(prevalence)
    fpr = _within("fp", fp, 1 - p, "1 - prevalence") / (1 - p)
    tpr = _within("tp", tp, p, "prevalence") / p
    return np.asarray(fpr), np.asarray(tpr)


def chance_agreement(predicted_share: npt.ArrayLike, prevalence: npt.ArrayLike) -> FloatArray:
    """Agreement that is expected by chance, Pc = pQ + (1-p)(1-Q), of predicted shares in [0, 1].

    1/2 at prevalence 1/2, whatever is predicted. Ben-David (2008), equation 10; his Example 4
    prints 0.625, but by this equation, and by its own kappa, it is 0.62.

    >>> round(float(chance_agreement(0.8, 0.7)), 3)
    0.62
    """
    p = check_prevalence(prevalence)
    share = check_rate("predicted_share", predicted_share)
    return np.asarray(p * share + (1 - p) * (1 - share))


def kappa_from_joint(fp: npt.ArrayLike, tp: npt.ArrayLike, prevalence: npt.ArrayLike) -> FloatArray:
    """Cohen's kappa of joint probabilities of false and true positives, in [-1, 1].

    K = (TP - FP - Q(2p-1)) / (p - Q(2p-1)), by way of :func:`rates_from_joint`, whose arguments it
    takes. Ben-David (2008), equation 13; equation 15 at prevalence 1/2. His Examples 2 and 4:

    >>> kappa_from_joint([0.10, 0.15], [0.40, 0.65], [0.5, 0.7]).round(3)
    array([0.6  , 0.474])
    """
    return kappa_from_rates(*rates_from_joint(fp, tp, prevalence), prevalence)


def tp_from_kappa(
    fp: npt.ArrayLike,
    kappa: npt.ArrayLike,
    predicted_share: npt.ArrayLike,
    prevalence: npt.ArrayLike,
) -> FloatArray:
    """Joint probability of a true positive with a given kappa, in [0, prevalence].

    TP = Q(1-K)(2p-1) + Kp + FP: Ben-David (2008), equation 14, where the paper prints a minus
    before FP. Its equation 13, from which 14 follows, and its special case 16 have the plus.
    Takes array-likes, `fp` in [0, 1 - prevalence], `kappa` in [-1, 1] and `predicted_share` in
    [0, 1]; raises a ValueError if no confusion matrix has them all.

    Example 2 of the paper, whose printed equation 14 would give 0.2:

    >>> round(float(tp_from_kappa(0.10, 0.6, 0.5, 0.5)), 6)
    0.4
    """
    p = check_prevalence(prevalence)
    false_positive = _within("fp", fp, 1 - p, "1 - prevalence")
    share = check_rate("predicted_share", predicted_share)
    k = check_numbers("kappa", kappa)
    tp = share * (1 - k) * (2 * p - 1) + k * p + false_positive
    # Q is given beside K and FP although two of them fix the third.
    if not ((tp >= -_SLACK) & (tp <= p + _SLACK)).all():
        raise ValueError("kappa cannot be attained with this fp, predicted_share and prevalence.")
    return np.asarray(np.clip(tp, 0, p))


def _within(name: str, values: npt.ArrayLike, limit: FloatArray, limit_name: str) -> FloatArray:
    array = check_rate(name, values)
    if not (array <= limit + _SLACK).all():
        raise ValueError(f"{name} must not exceed {limit_name}, got {values!r}.")
    return np.minimum(array, limit)


def kappa_of_confusion(
    confusion: npt.ArrayLike,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    cost_matrix: npt.ArrayLike | None = None,
) -> float:
    """Cohen's kappa (1960, 1968) of a confusion matrix, in [-1, 1] without costs.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Counts, weights or joint probabilities; true classes in the rows and predicted ones in
        the columns, or the other way round. A ValueError is raised unless it is square, finite and
        not negative, and if it holds one class only that is always predicted (kappa is 0/0).
    weights : {"linear", "quadratic"}, optional
        Disagreements of ordered classes weigh as their distance or its square; by default all
        weigh the same. As in :func:`sklearn.metrics.cohen_kappa_score`.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        Instead: what each cell of `confusion` costs; not negative, the diagonal zero. For two
        classes that is :func:`kappacurve.algebra.kappa_from_rates` at a `cost_ratio`.

    Examples
    --------
    >>> round(kappa_of_confusion([[252, 18], [21, 9]]), 3)
    0.244

    Kaymak et al. (2010), Table 1, in which accuracy is 0.95 and kappa is not:

    >>> round(kappa_of_confusion([[0.05, 0.02], [0.03, 0.90]]), 3)
    0.64
    """
    share, chance = _shares(confusion)
    if weights is None and cost_matrix is None:
        return (float(np.trace(share)) - chance) / (1 - chance)
    cost = _disagreement(len(share), weights, cost_matrix)
    expected = float((cost * np.outer(share.sum(axis=1), share.sum(axis=0))).sum())
    if expected == 0:
        raise ValueError("cost_matrix makes every error that chance gives cost nothing.")
    return 1 - float((cost * share).sum()) / expected


def _disagreement(n: int, weights: str | None, cost_matrix: npt.ArrayLike | None) -> FloatArray:
    """What each cell of a confusion matrix costs."""
    if cost_matrix is None:
        check_choice("weights", weights, "linear", "quadratic")
        power = 2.0 if weights == "quadratic" else 1.0
        return np.asarray(np.abs(np.subtract.outer(np.arange(n), np.arange(n))) ** power)
    if weights is not None:
        raise ValueError("weights and cost_matrix say the same: give one of them.")
    cost = check_numbers("cost_matrix", cost_matrix)
    if cost.shape != (n, n):
        raise ValueError(f"cost_matrix must have the shape ({n}, {n}), got {cost.shape}.")
    if not (np.isfinite(cost) & (cost >= 0)).all() or np.diag(cost).any():
        raise ValueError("cost_matrix must be finite and not negative, with a diagonal of zeros.")
    return cost


def kappa_max_of_confusion(confusion: npt.ArrayLike) -> float:
    """Largest kappa that a confusion matrix with these margins could have, in [0, 1].

    With the true and the predicted shares as they are, at most sum(min(true, predicted)) of the
    rows can be right (Cohen 1960). The ``kappa_max`` of :func:`kappacurve.measures` is another: the
    largest kappa over all thresholds.

    Takes and refuses the matrices that :func:`kappa_of_confusion` does.

    >>> round(kappa_max_of_confusion([[252, 18], [21, 9]]), 3)
    0.942
    """
    share, chance = _shares(confusion)
    most = float(np.minimum(share.sum(axis=0), share.sum(axis=1)).sum())
    return (most - chance) / (1 - chance)


def kappa_of_counts(true: int, false: int, n_positive: int, n_negative: int) -> float:
    """Cohen's kappa of true and false positives; 0 where all rows are predicted rightly one class.

    >>> round(kappa_of_counts(232, 18, 250, 30), 4)
    0.328
    """
    n = n_positive + n_negative
    shares = kappa_shares(n_negative, n_positive, n_positive / n, n_negative / n)
    above, below = kappa_terms(false, true, n_negative, n_positive, shares)
    return above / below if below else 0.0


def _shares(confusion: npt.ArrayLike) -> tuple[FloatArray, float]:
    """Return the matrix as shares of its sum, and the agreement expected by chance."""
    counts = check_numbers("confusion", confusion)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise ValueError(f"confusion must be a square matrix, got shape {counts.shape}.")
    with np.errstate(over="ignore", invalid="ignore"):
        total = counts.sum()
    if not ((counts >= 0).all() and 0 < total < np.inf):
        raise ValueError("confusion must hold finite counts, none negative and not all zero.")
    if (counts > 0).sum() == 1 and np.trace(counts) > 0:
        raise ValueError("confusion holds one class only, always predicted: kappa is 0/0.")
    share = counts / total
    return share, float(share.sum(axis=0) @ share.sum(axis=1))


def area_under_kappa(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: float,
    *,
    integration: Integration = "exact",
    cost: Cost | None = None,
    axis: Axis = "fpr",
) -> float:
    """Area under the kappa curve (AUK) of a ROC curve or hull from (0, 0) to (1, 1).

    Equations 19 and 21 of Kaymak, Ben-David & Potharst (2010); cost and axis as in
    :func:`kappacurve.measures`. "exact" integrates kappa along the straight ROC segments in
    closed form, so collinear vertices change nothing. "trapezoid" joins the kappa values at the
    vertices by straight lines, as a short script would; it depends on which vertices are there.

    The perfect classifier at 10 % prevalence, by both rules:

    >>> perfect = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    >>> round(area_under_kappa(*perfect, 0.1), 5)
    0.25295
    >>> area_under_kappa(*perfect, 0.1, integration="trapezoid")
    0.5
    """
    check_choice("integration", integration, "exact", "trapezoid")
    p = check_one_prevalence(prevalence)
    share = check_cost(cost)
    flagged = is_flagged(axis)
    f, t = check_curve(fpr, tpr)
    if integration == "exact":
        return float(areas_under_kappa(f, t, p, share, axis))
    base = (1 - p) * f + p * t if flagged else f
    return float(np.trapezoid(kappa_from_rates(f, t, p, cost=share), base))


def areas_under_kappa(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: npt.ArrayLike,
    cost: Cost = 0.5,
    axis: Axis = "fpr",
) -> FloatArray:
    """Exact AUK of each polyline (..., n_vertices) at its prevalence (...), unchecked."""
    p = np.array(prevalence, dtype=np.float64)
    f, t = (
        np.array(rates, dtype=np.float64).reshape(p.size, rates.shape[-1]) for rates in (fpr, tpr)
    )
    miss, alarm = (
        np.array(np.broadcast_to(w, p.shape), dtype=np.float64).ravel()
        for w in error_weights(cost, p, 1 - p)
    )
    areas = kappa_segments(f, t, p.ravel(), miss, alarm, axis == "flagged")
    return np.asarray(areas.sum(axis=1).reshape(p.shape))


def areas_on_grid(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: npt.ArrayLike,
    cost: npt.ArrayLike,
    axis: Axis = "fpr",
) -> FloatArray:
    """AUK of one curve at many prevalences and costs, in parts that fit into the cache."""
    p, c = np.broadcast_arrays(prevalence, cost)
    areas = []
    for part in np.array_split(np.arange(p.size), min(p.size, 1 + p.size * len(fpr) // 2**16)):
        f, t = (np.broadcast_to(rates, (len(part), len(rates))) for rates in (fpr, tpr))
        areas.append(areas_under_kappa(f, t, p.ravel()[part], c.ravel()[part], axis))
    return np.concatenate(areas).reshape(p.shape)


def tied_costs(first: Curve, second: Curve, prevalence: float, axis: Axis = "fpr") -> list[float]:
    """Costs of a missed positive, from 1/99 to 99 false alarms, at which two ROC curves tie by AUK.

    Unchecked, to three digits; two ties next to each other may be passed over.

    >>> early = np.array([0, 0, 1]), np.array([0, 0.6, 1])
    >>> late = np.array([0, 0.5, 1]), np.array([0, 1, 1])
    >>> [round(cost, 2) for cost in tied_costs(early, late, 0.1)]
    [0.97]
    """
    bends = _without_straight_runs(*first), _without_straight_runs(*second)

    def lead(logit: npt.ArrayLike) -> FloatArray:
        cost = 1 / (1 + np.exp(np.negative(logit)))
        areas = [areas_on_grid(*curve, prevalence, cost, axis) for curve in bends]
        difference = areas[0] - areas[1]
        return np.where(np.abs(difference) < 1e-12, 0.0, difference)

    grid = np.linspace(-np.log(99), np.log(99), 9)
    leads = lead(grid)
    ties = []
    for i in np.flatnonzero(leads[1:] * leads[:-1] < 0):
        ends = grid[i : i + 2].copy()
        values = leads[i : i + 2].copy()
        for _ in range(6):  # by chords, the end that stays counting half (Illinois)
            tie = ends[0] - values[0] * np.diff(ends)[0] / np.diff(values)[0]
            value = float(lead(tie))
            side = int(value * values[0] < 0)
            ends[side] = tie
            values[side] = value
            values[1 - side] /= 2
        ties.append(float(1 / (1 + np.exp(-tie))))
    return ties


def _without_straight_runs(fpr: FloatArray, tpr: FloatArray) -> Curve:
    """The same curve by the vertices at which it bends."""
    across = np.diff(fpr)
    up = np.diff(tpr)
    bends = np.concatenate(([True], across[1:] * up[:-1] != across[:-1] * up[1:], [True]))
    return fpr[bends], tpr[bends]


def perfect_auk(prevalence: float, cost: Cost | None = None, axis: Axis = "fpr") -> float:
    """AUK of the classifier that makes no error, the largest at this prevalence and cost.

    >>> [round(perfect_auk(p), 3) for p in (0.1, 0.5, 0.9)]
    [0.253, 0.5, 0.597]
    """
    return auk_range(*check_conditions(prevalence, cost, axis=axis)[:3])[1]


def auk_range(prevalence: float, cost: Cost, axis: Axis = "fpr") -> tuple[float, float]:
    """AUK of the worst and of the perfect ranking, unchecked."""
    worst, perfect = (
        areas_under_kappa(*curve, prevalence, cost, axis) for curve in (WORST, PERFECT)
    )
    return float(worst), float(perfect)
