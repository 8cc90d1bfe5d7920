"""ROC curves, their convex hulls, and the kappa curves that belong to them.

Notation (Kaymak, Ben-David & Potharst 2010): prevalence ``p`` of the positive class, false
positive rate ``f``, true positive rate ``t``. Scores: higher means more positive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import (
    FloatArray,
    Scored,
    check_curve,
    check_numbers,
    check_prevalence,
    check_rate,
    check_scored,
)


class RocVertices(NamedTuple):
    """The corners of a ROC polyline from (0, 0) to (1, 1), with the threshold of each."""

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray


class RocHull(NamedTuple):
    """The corners of a ROC convex hull, and which of the given vertices they are."""

    fpr: FloatArray
    tpr: FloatArray
    index: npt.NDArray[np.intp]  # type: ignore[assignment]  # shadows tuple.index, unused here


class KappaCurve(NamedTuple):
    """Cohen's kappa at each corner of a ROC curve or hull."""

    fpr: FloatArray
    kappa: FloatArray
    thresholds: FloatArray


def kappa_from_rates(
    fpr: npt.ArrayLike, tpr: npt.ArrayLike, prevalence: npt.ArrayLike
) -> FloatArray:
    """Cohen's kappa of the classifier at a point of the ROC plane.

    Parameters
    ----------
    fpr, tpr : array-like in [0, 1]
        False and true positive rates; broadcast against each other.
    prevalence : array-like in (0, 1)
        Share of the positive class.

    Returns
    -------
    ndarray in [-1, 1]
        kappa = 2p(1-p)(t-f) / (p + (1-2p)f + p(1-2p)(t-f)).

    Raises
    ------
    ValueError
        If a prevalence is not strictly between 0 and 1, or a rate is outside [0, 1].

    See Also
    --------
    tpr_from_kappa : The inverse.
    kappacurve.joint.kappa_from_joint : From joint probabilities.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 19.

    Examples
    --------
    The published operating point of Kaymak et al. (f = 0.60, t = 0.928), at the stated
    prevalence of the minority class and at that of the majority:

    >>> kappa_from_rates(0.60, 0.928, [0.11, 0.89]).round(3)
    array([0.106, 0.331])
    """
    p = check_prevalence(prevalence)
    f, t = check_rate("fpr", fpr), check_rate("tpr", tpr)
    above, below = kappa_terms(f, t, p)
    return np.asarray(above / below)


def kappa_terms(f: FloatArray, t: FloatArray, p: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Numerator and denominator of kappa at rates that were checked already (equation 19).

    The denominator is the numerator plus the error rate. Written so, no digits are lost for p
    near 0 or 1, and kappa is 1 without errors and never more.
    """
    p = np.asarray(p, dtype=np.float64)
    above = 2 * p * (1 - p) * (t - f)
    return above, above + ((1 - p) * f + p * (1 - t))


def tpr_from_kappa(
    fpr: npt.ArrayLike, kappa: npt.ArrayLike, prevalence: npt.ArrayLike
) -> FloatArray:
    """True positive rate of the classifier with a given kappa and false positive rate.

    Parameters
    ----------
    fpr : array-like in [0, 1]
        False positive rate; the three arguments are broadcast against each other.
    kappa : array-like
        Cohen's kappa, between the kappas of tpr = 0 and of tpr = 1 at this `fpr`.
    prevalence : array-like in (0, 1)
        Share of the positive class.

    Returns
    -------
    ndarray in [0, 1]

    Raises
    ------
    ValueError
        If a kappa cannot be attained at its false positive rate, a rate is outside [0, 1], or a
        prevalence is not strictly between 0 and 1.

    See Also
    --------
    kappa_from_rates : The inverse.

    Notes
    -----
    Equation 16 gives t from the predicted share, which depends on t by equation 17. Solved for
    d = t - f the two give d = k (p + (1-2p)f) / (p (2(1-p) - k(1-2p))). For p > 3/4 that has a
    pole at a kappa above -1, which no classifier attains: hence the refusal.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 16 and 17.

    Examples
    --------
    >>> kappa = kappa_from_rates(0.6, 0.928, 0.89)
    >>> round(float(tpr_from_kappa(0.6, kappa, 0.89)), 6)
    0.928
    """
    p = check_prevalence(prevalence)
    f = check_rate("fpr", fpr)
    k = check_numbers("kappa", kappa)
    least, most = kappa_from_rates(f, 0.0, p), kappa_from_rates(f, 1.0, p)
    rounding = 1e-12
    outside = ~((k >= least - rounding) & (k <= most + rounding))
    if outside.any():
        k, least, most = (np.broadcast_to(v, outside.shape)[outside][0] for v in (k, least, most))
        raise ValueError(
            f"kappa = {k:g} cannot be attained: at this fpr and prevalence kappa lies between "
            f"{least:.6g} and {most:.6g}."
        )
    d = k * (p + (1 - 2 * p) * f) / (p * (2 * (1 - p) - k * (1 - 2 * p)))
    return np.asarray(np.clip(f + d, 0.0, 1.0))


def optimal_slope(fpr: npt.ArrayLike, tpr: npt.ArrayLike, prevalence: npt.ArrayLike) -> FloatArray:
    """Slope of the line of equal kappa through a point of the ROC plane.

    Where kappa is largest, a smooth ROC curve has this slope; a hull has at least this slope
    before the corner and at most this slope after it.

    Parameters
    ----------
    fpr, tpr : array-like in [0, 1]
        False and true positive rates; broadcast against each other.
    prevalence : array-like in (0, 1)
        Share of the positive class.

    Returns
    -------
    ndarray
        dt/df = 1 + (1-2p)(t-f) / (p + (1-2p)f), never negative.

    Raises
    ------
    ValueError
        If a prevalence is not strictly between 0 and 1, or a rate is outside [0, 1].

    See Also
    --------
    kappacurve.operating_point : The vertex of the largest kappa.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 26.

    Examples
    --------
    >>> optimal_slope(0.2, 0.7, [0.1, 0.5]).round(3)
    array([2.538, 1.   ])
    """
    p = check_prevalence(prevalence)
    f, t = check_rate("fpr", fpr), check_rate("tpr", tpr)
    return np.asarray(1 + (1 - 2 * p) * (t - f) / (p + (1 - 2 * p) * f))


def roc_vertices(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
) -> RocVertices:
    """Corners of the ROC curve: one per distinct score, none dropped.

    Unlike :func:`sklearn.metrics.roc_curve` collinear points are kept by default, because a
    trapezoid AUK depends on them.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes.
    y_score : array-like of shape (n_samples,)
        Finite scores; higher means more positive.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
        Not negative; a weight of 2 counts as two equal rows, and 0 as none.

    Returns
    -------
    fpr, tpr : ndarray of shape (n_distinct + 1,) in [0, 1]
    thresholds : ndarray of shape (n_distinct + 1,)
        Decreasing; a row is predicted positive when its score is at least the threshold.
        The first is infinity (nothing is predicted positive).

    Raises
    ------
    ValueError
        If only one class is present, a score is not finite, or shapes differ.

    See Also
    --------
    roc_hull : The convex hull of these vertices.
    kappa_curve : Cohen's kappa at each of them.

    Examples
    --------
    >>> fpr, tpr, thresholds = roc_vertices([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> fpr
    array([0. , 0. , 0.5, 1. ])
    >>> tpr
    array([0. , 0.5, 1. , 1. ])
    >>> thresholds
    array([inf, 0.8, 0.4, 0.1])
    """
    return vertices_of(check_scored(y_true, y_score, pos_label, sample_weight))


def vertices_of(scored: Scored) -> RocVertices:
    """ROC vertices of labels and scores that were checked already."""
    order = np.argsort(-scored.score, kind="stable")
    score = scored.score[order]
    positive = scored.positive[order]
    weight = np.ones(len(score)) if scored.weight is None else scored.weight[order]
    last_of_tie = np.append(np.flatnonzero(np.diff(score)), len(score) - 1)
    true_positives = np.cumsum(np.where(positive, weight, 0.0))[last_of_tie]
    false_positives = np.cumsum(np.where(positive, 0.0, weight))[last_of_tie]
    return RocVertices(
        np.concatenate(([0.0], false_positives / false_positives[-1])),
        np.concatenate(([0.0], true_positives / true_positives[-1])),
        np.concatenate(([np.inf], score[last_of_tie])),
    )


def roc_hull(fpr: npt.ArrayLike, tpr: npt.ArrayLike) -> RocHull:
    """Smallest concave curve above a ROC polyline (its upper convex hull).

    The monotone chain of Andrew (1979); corners on a straight line are dropped.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices from (0, 0) to (1, 1), neither coordinate decreasing.

    Returns
    -------
    fpr, tpr : ndarray of shape (n_hull,)
    index : ndarray of int of shape (n_hull,)
        Positions of the hull's corners among the given vertices.

    Raises
    ------
    ValueError
        If the polyline does not start at (0, 0), end at (1, 1) and rise in between.

    See Also
    --------
    roc_vertices : The polyline of labels and scores.

    References
    ----------
    Fawcett (2006), "An introduction to ROC analysis", section 6.

    Examples
    --------
    >>> hull = roc_hull([0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1])
    >>> hull.index
    array([0, 1, 3, 4])
    """
    from kappacurve import _kernels as kernels

    f, t = check_curve(fpr, tpr)
    # Rates are rounded: the cross product of collinear points is a few ulp of the extent.
    index = kernels.hull_of_rates(f, t, 2.0**-50)
    return RocHull(f[index], t[index], index)


def kappa_curve(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    hull: bool = False,
) -> KappaCurve:
    """Cohen's kappa against the false positive rate, over all thresholds.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in :func:`roc_vertices`.
    prevalence : float in (0, 1), optional
        Class ratio at which kappa is evaluated; by default the share of positives in `y_true`.
    hull : bool, default False
        Take the convex hull of the ROC curve first.

    Returns
    -------
    fpr : ndarray of shape (n_vertices,) in [0, 1]
    kappa : ndarray of shape (n_vertices,) in [-1, 1]
    thresholds : ndarray of shape (n_vertices,)
        Decreasing from infinity, as in :func:`roc_vertices`.

    Raises
    ------
    ValueError
        As :func:`roc_vertices`; also if the prevalence is not strictly between 0 and 1.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), section 4 and equation 19.

    Examples
    --------
    >>> fpr, kappa, thresholds = kappa_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> kappa
    array([0. , 0.5, 0.5, 0. ])
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    fpr, tpr, thresholds = vertices_of(scored)
    if hull:
        fpr, tpr, index = roc_hull(fpr, tpr)
        thresholds = thresholds[index]
    p = positive_share(scored) if prevalence is None else prevalence
    return KappaCurve(fpr, kappa_from_rates(fpr, tpr, p), thresholds)


def positive_share(scored: Scored) -> float:
    """Share of the positive class, by weight where there are weights."""
    weight = np.ones(len(scored.score)) if scored.weight is None else scored.weight
    return float(weight[scored.positive].sum() / weight.sum())


def along_segments(
    fpr: npt.ArrayLike, tpr: npt.ArrayLike, *, step: float = 0.005
) -> tuple[FloatArray, FloatArray]:
    """Add points to a ROC polyline, because kappa is not straight between its vertices.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,) in [0, 1]
    step : float > 0, default 0.005
        Largest distance between neighbours, in either rate.

    Returns
    -------
    fpr, tpr : ndarray of shape (n_points,)
        The same polyline, its vertices included.

    Raises
    ------
    ValueError
        If the step is not positive, a rate is outside [0, 1], or the shapes differ.

    Examples
    --------
    >>> fpr, tpr = along_segments([0, 0, 1], [0, 1, 1], step=0.5)
    >>> fpr
    array([0. , 0. , 0. , 0.5, 1. ])
    >>> tpr
    array([0. , 0.5, 1. , 1. , 1. ])
    """
    if not step > 0:
        raise ValueError(f"step must be positive, got {step!r}.")
    f, t = check_rate("fpr", fpr), check_rate("tpr", tpr)
    if f.ndim != 1 or f.shape != t.shape or len(f) == 0:
        raise ValueError(
            f"fpr and tpr must be one-dimensional and equally long, got {f.shape} and {t.shape}."
        )
    longest = np.maximum(np.abs(np.diff(f)), np.abs(np.diff(t)))
    pieces = np.maximum(1, np.ceil(longest / step - 1e-9)).astype(np.intp)
    segment = np.repeat(np.arange(len(pieces)), pieces)
    first = np.repeat(np.cumsum(pieces) - pieces, pieces)
    position = np.append(segment + (np.arange(len(segment)) - first) / pieces[segment], len(pieces))
    vertex = np.arange(len(f))
    return np.interp(position, vertex, f), np.interp(position, vertex, t)
