"""ROC curves, their convex hulls, and the kappa curves that belong to them.

Notation (Kaymak, Ben-David & Potharst 2010): prevalence ``p`` of the positive class, false
positive rate ``f``, true positive rate ``t``. Scores: higher means more positive.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray, Scored, check_prevalence, check_scored


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
        If a prevalence is not strictly between 0 and 1.

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
    f = np.asarray(fpr, dtype=np.float64)
    d = np.asarray(tpr, dtype=np.float64) - f
    predicted_share = f + p * d
    return np.asarray(2 * p * (1 - p) * d / (p + (1 - 2 * p) * predicted_share))


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

    References
    ----------
    Fawcett (2006), "An introduction to ROC analysis", section 6.

    Examples
    --------
    >>> hull = roc_hull([0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1])
    >>> hull.index
    array([0, 1, 3, 4])
    """
    f = np.asarray(fpr, dtype=np.float64)
    t = np.asarray(tpr, dtype=np.float64)
    _check_polyline(f, t)
    corners: list[int] = []
    for i in range(len(f)):
        while len(corners) > 1 and _not_left_of(f, t, corners[-2], corners[-1], i):
            corners.pop()
        if corners and f[i] == f[corners[-1]] and t[i] == t[corners[-1]]:
            continue
        corners.append(i)
    index = np.array(corners, dtype=np.intp)
    return RocHull(f[index], t[index], index)


def _not_left_of(f: FloatArray, t: FloatArray, a: int, b: int, c: int) -> bool:
    """Whether vertex b lies on or below the line from a to c (within rounding)."""
    # Rates are quotients of counts: the cross product of collinear points is a few ulp, not zero.
    rounding = 1e-14
    cross = (f[b] - f[a]) * (t[c] - t[a]) - (t[b] - t[a]) * (f[c] - f[a])
    return bool(cross >= -rounding)


def _check_polyline(f: FloatArray, t: FloatArray) -> None:
    if f.ndim != 1 or f.shape != t.shape or len(f) < 2:
        raise ValueError(
            f"fpr and tpr must be one-dimensional and equally long, got {f.shape} and {t.shape}."
        )
    if (f[0], t[0], f[-1], t[-1]) != (0.0, 0.0, 1.0, 1.0):
        raise ValueError("fpr and tpr must start at (0, 0) and end at (1, 1).")
    if not ((np.diff(f) >= 0).all() and (np.diff(t) >= 0).all()):
        raise ValueError("fpr and tpr must not decrease.")


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
