"""ROC curves, their hulls and areas, and the kappa curves that belong to them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve import _kernels as kernels
from kappacurve._validation import (
    Cost,
    Curve,
    FloatArray,
    Scored,
    check_curve,
    check_number,
    check_one_cost,
    check_rate,
    check_scored,
    is_hull,
)
from kappacurve.kappa import kappa_from_rates


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
    y_true, y_score, pos_label, sample_weight
        As in :func:`kappacurve.measures`, with the same errors.

    Returns
    -------
    fpr, tpr : ndarray of shape (n_distinct + 1,) in [0, 1]
    thresholds : ndarray of shape (n_distinct + 1,)
        Decreasing; a row is predicted positive when its score is at least the threshold.
        The first is infinity (nothing is predicted positive).

    Examples
    --------
    >>> roc_vertices([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])  # doctest: +NORMALIZE_WHITESPACE
    RocVertices(fpr=array([0. , 0. , 0.5, 1. ]), tpr=array([0. , 0.5, 1. , 1. ]),
                thresholds=array([inf, 0.8, 0.4, 0.1]))
    """
    return vertices_of(check_scored(y_true, y_score, pos_label, sample_weight))


def vertices_of(scored: Scored) -> RocVertices:
    """ROC vertices of labels and scores that were checked already."""
    order = np.argsort(-scored.score, kind="stable")
    score = scored.score[order]
    positive = scored.positive[order]
    weight = scored.weights()[order]
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

    The monotone chain of Andrew (1979); corners on a straight line are dropped. Fawcett (2006),
    "An introduction to ROC analysis", section 6.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_vertices,)
        Vertices from (0, 0) to (1, 1), neither coordinate decreasing; otherwise a ValueError.

    Returns
    -------
    fpr, tpr : ndarray of shape (n_hull,)
    index : ndarray of int of shape (n_hull,)
        Positions of the hull's corners among the given vertices.

    Examples
    --------
    >>> roc_hull([0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1]).index
    array([0, 1, 3, 4])
    """
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
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    curve: Curve = "raw",
) -> KappaCurve:
    """Cohen's kappa against the false positive rate, over all thresholds (Kaymak et al. 2010).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, prevalence, cost, cost_ratio
        As in :func:`kappacurve.measures`, with the same errors.
    curve : {"raw", "hull"}, default "raw"
        "hull" takes the convex hull of the ROC curve first.

    Returns
    -------
    fpr, kappa, thresholds : ndarray of shape (n_vertices,)
        False positive rate, Cohen's kappa (at a cost :func:`kappacurve.algebra.kappa_from_rates`
        says what it is) and threshold, which decreases from infinity.

    Examples
    --------
    >>> kappa_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]).kappa
    array([0. , 0.5, 0.5, 0. ])
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    fpr, tpr, thresholds = vertices_of(scored)
    if is_hull(curve):
        fpr, tpr, index = roc_hull(fpr, tpr)
        thresholds = thresholds[index]
    at_cost = check_one_cost(cost, cost_ratio)
    kappa = kappa_from_rates(fpr, tpr, scored.prevalence(prevalence), cost=at_cost)
    return KappaCurve(fpr, kappa, thresholds)


def area_under_curve(fpr: FloatArray, tpr: FloatArray) -> float:
    """Area under a ROC polyline: over all vertices the Mann-Whitney statistic, ties counted half.

    Equation 9 of Kaymak, Ben-David & Potharst (2010); vertices from (0, 0) to (1, 1).

    >>> area_under_curve(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
    0.75
    """
    f, t = check_curve(fpr, tpr)
    return float(np.trapezoid(t, f))


def along_segments(
    fpr: npt.ArrayLike, tpr: npt.ArrayLike, *, step: float = 0.005
) -> tuple[FloatArray, FloatArray]:
    """Add points to a ROC polyline, because kappa is not straight between its vertices.

    Takes array-likes of shape (n_vertices,) in [0, 1] and the largest distance of neighbours in
    either rate, above 0; returns ndarrays of shape (n_points,).

    >>> along_segments([0, 0, 1], [0, 1, 1], step=0.5)
    (array([0. , 0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. , 1. ]))
    """
    if not check_number("step", step) > 0:
        raise ValueError(f"step must be positive, got {step!r}.")
    f = check_rate("fpr", fpr)
    t = check_rate("tpr", tpr)
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


def swapped_classes(fpr: npt.ArrayLike, tpr: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The same ROC polyline with the other class as the positive one and the scores negated.

    That is 1 - tpr and 1 - fpr, from the last vertex to the first. Raises a ValueError unless the
    array-likes, of shape (n_vertices,), go from (0, 0) to (1, 1) without decreasing.

    >>> swapped_classes([0, 0, 1], [0, 0.25, 1])
    (array([0.  , 0.75, 1.  ]), array([0., 1., 1.]))
    """
    f, t = check_curve(fpr, tpr)
    return 1 - t[::-1], 1 - f[::-1]
