"""Scalar measures of a ranking: AUC, AUCH, Gini, KS, AUK, H-measure, maximum kappa.

Every measure is a function of the ROC polyline (one vertex per distinct score) and of the
prevalence. Scores below chance are reported as they are, never negated in silence.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betainc

from kappacurve._validation import FloatArray, check_prevalence, check_scored
from kappacurve.curves import kappa_from_rates, positive_share, roc_hull, vertices_of

Integration = Literal["exact", "trapezoid"]


class OperatingPoint(NamedTuple):
    """The vertex of a ROC curve at which Cohen's kappa is largest."""

    threshold: float
    fpr: float
    tpr: float
    kappa: float


def area_under_curve(fpr: FloatArray, tpr: FloatArray) -> float:
    """Area under a ROC polyline (Kaymak et al. 2010, equation 9).

    Over all vertices this is the Mann-Whitney statistic with ties counted one half.

    >>> area_under_curve(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
    0.75
    """
    return float(np.trapezoid(tpr, fpr))


def area_under_kappa(
    fpr: FloatArray,
    tpr: FloatArray,
    prevalence: float,
    *,
    integration: Integration = "exact",
) -> float:
    """Area under the kappa curve (AUK) of a ROC polyline.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_vertices,)
        Vertices of a ROC curve or hull from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
    integration : {"exact", "trapezoid"}, default "exact"
        "exact" integrates kappa along the straight ROC segments in closed form, so collinear
        vertices change nothing. "trapezoid" joins the kappa values at the vertices by straight
        lines, as a short script would; it depends on which vertices are there.

    Returns
    -------
    float
        1/2 at most for p = 1/2, where it equals AUC - 1/2.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 19 and 21.

    Examples
    --------
    The perfect classifier at 10 % prevalence, by both rules:

    >>> perfect = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    >>> round(area_under_kappa(*perfect, 0.1), 5)
    0.25295
    >>> area_under_kappa(*perfect, 0.1, integration="trapezoid")
    0.5
    """
    p = float(check_prevalence(prevalence))
    if integration == "trapezoid":
        return float(np.trapezoid(kappa_from_rates(fpr, tpr, p), fpr))
    if integration != "exact":
        raise ValueError(f'integration must be "exact" or "trapezoid", got {integration!r}.')
    d = tpr - fpr
    denominator = p + (1 - 2 * p) * (fpr + p * d)
    start, slope = d[:-1], np.diff(d)
    growth = np.diff(denominator) / denominator[:-1]
    constant_part, linear_part = _mean_over_linear(growth)
    mean_kappa = (start * constant_part + slope * linear_part) / denominator[:-1]
    return float(2 * p * (1 - p) * np.sum(np.diff(fpr) * mean_kappa))


def _mean_over_linear(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Integrals of 1/(1 + xu) and u/(1 + xu) over u in [0, 1], for x > -1."""
    # log1p(x)/x loses digits near zero, and the second integral twice as many.
    small = np.abs(x) < 0.1
    safe = np.where(small, 1.0, x)
    log = np.log1p(safe)
    constant_part = log / safe
    linear_part = (safe - log) / safe**2
    if small.any():
        powers = (-x[small]) ** np.arange(18)[:, None]
        k = np.arange(18)[:, None]
        constant_part[small] = (powers / (k + 1)).sum(axis=0)
        linear_part[small] = (powers / (k + 2)).sum(axis=0)
    return constant_part, linear_part


def h_of_hull(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, alpha: float = 2.0, beta: float = 2.0
) -> float:
    """H-measure of a concave ROC curve under a Beta(alpha, beta) weight on the cost.

    The cost c in [0, 1] is the share of a false *positive*: the loss at a vertex is
    c (1-p) f + (1-c) p (1-t). H is one minus the expected minimum loss, divided by that of
    the better trivial classifier.

    References
    ----------
    Hand (2009), equations 13-17 (his class 0 are the cases, so his c reads the other way round;
    with the default Beta(2, 2) that makes no difference).

    Examples
    --------
    Hand's Table 1, curve (a), whose hull has the corner (0, 0.5):

    >>> hull = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0])
    >>> round(h_of_hull(*hull, 0.5) * 135, 9)
    47.0
    """
    p = float(check_prevalence(prevalence))
    gain, harm = p * np.diff(tpr), (1 - p) * np.diff(fpr)
    indifferent = gain / (gain + harm)
    # Corner i is the best threshold for costs between the indifference points of its neighbours.
    upper = np.concatenate(([1.0], indifferent))
    lower = np.concatenate((indifferent, [0.0]))
    loss = np.sum(
        (1 - p) * fpr * _cost_moment(lower, upper, alpha, beta)
        + p * (1 - tpr) * _cost_moment(1 - upper, 1 - lower, beta, alpha)
    )
    trivial = (1 - p) * _cost_moment(0.0, p, alpha, beta) + p * _cost_moment(
        0.0, 1 - p, beta, alpha
    )
    return float(1 - loss / trivial)


def _cost_moment(
    lower: FloatArray | float, upper: FloatArray | float, alpha: float, beta: float
) -> FloatArray:
    """Integral of c times the Beta(alpha, beta) density from lower to upper."""
    share = betainc(alpha + 1, beta, upper) - betainc(alpha + 1, beta, lower)
    return np.asarray(share * alpha / (alpha + beta))


def auk_score(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    hull: bool = False,
    integration: Integration = "exact",
) -> float:
    """Area under the kappa curve, the AUK.

    Unlike the AUC it depends on the prevalence and on which class is called positive.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in :func:`kappacurve.roc_vertices`.
    prevalence : float in (0, 1), optional
        Class ratio at which kappa is evaluated; by default the share of positives in `y_true`.
    hull : bool, default False
        Take the convex hull of the ROC curve first.
    integration : {"exact", "trapezoid"}, default "exact"
        See :func:`area_under_kappa`.

    Raises
    ------
    ValueError
        If only one class is present, a score is not finite, shapes differ, or the prevalence
        is not strictly between 0 and 1.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 21.

    Examples
    --------
    >>> y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]
    >>> auk_score(y_true, y_score)
    0.375
    >>> round(auk_score(y_true, y_score, prevalence=0.1), 4)
    0.1865
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    fpr, tpr, _ = vertices_of(scored)
    if hull:
        fpr, tpr, _ = roc_hull(fpr, tpr)
    p = positive_share(scored) if prevalence is None else prevalence
    return area_under_kappa(fpr, tpr, p, integration=integration)


def measures(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    hull: bool = False,
) -> dict[str, float]:
    """All measures of one vector of scores, from one sort.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, prevalence, hull
        As in :func:`auk_score`. With ``hull=True`` every area is that of the hull.

    Returns
    -------
    dict
        prevalence, auc, auch, gini, ks (one-sided: the largest t - f), auk, auk_trapezoid,
        h (Beta(2, 2), always on the hull), and the operating point at which kappa is largest:
        kappa_max, threshold, fpr, tpr.

    Examples
    --------
    >>> found = measures([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> found["auc"], found["auk"], found["kappa_max"], found["threshold"]
    (0.875, 0.375, 0.5, 0.8)
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    p = float(check_prevalence(positive_share(scored) if prevalence is None else prevalence))
    fpr, tpr, thresholds = vertices_of(scored)
    hull_fpr, hull_tpr, index = roc_hull(fpr, tpr)
    if hull:
        fpr, tpr, thresholds = hull_fpr, hull_tpr, thresholds[index]
    auc = area_under_curve(fpr, tpr)
    best = largest_kappa(fpr, tpr, thresholds, p)
    return {
        "prevalence": p,
        "auc": auc,
        "auch": area_under_curve(hull_fpr, hull_tpr),
        "gini": 2 * auc - 1,
        "ks": float(np.max(tpr - fpr)),
        "auk": area_under_kappa(fpr, tpr, p),
        "auk_trapezoid": area_under_kappa(fpr, tpr, p, integration="trapezoid"),
        "h": h_of_hull(hull_fpr, hull_tpr, p),
        "kappa_max": best.kappa,
        "threshold": best.threshold,
        "fpr": best.fpr,
        "tpr": best.tpr,
    }


def largest_kappa(
    fpr: FloatArray, tpr: FloatArray, thresholds: FloatArray, prevalence: float
) -> OperatingPoint:
    """The vertex with the largest kappa; of several, the one with the smallest rate.

    Lines of equal kappa are straight in the ROC plane, so the maximum over a polyline is
    always at a vertex (Kaymak et al. 2010, section 7, equation 26).
    """
    kappa = kappa_from_rates(fpr, tpr, prevalence)
    i = int(np.argmax(kappa))
    return OperatingPoint(float(thresholds[i]), float(fpr[i]), float(tpr[i]), float(kappa[i]))


def batch_measures(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, prevalence: float | None = None
) -> dict[str, FloatArray]:
    """All measures of many replicates, of the curves and (with the suffix _hull) of the hulls."""
    rows = []
    for labels, score in zip(np.asarray(y_true), np.asarray(y_score), strict=True):
        found = measures(labels, score, prevalence=prevalence)
        hull = measures(labels, score, prevalence=prevalence, hull=True)
        for name in ("auk", "auk_trapezoid"):
            found[f"{name}_hull"] = hull[name]
        rows.append(found)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]} if rows else {}
