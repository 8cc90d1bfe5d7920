"""All measures of a ranking at once: of one vector of scores, or of replicates.

Every measure is a function of the ROC polyline (one vertex per distinct score) and of the
prevalence. Scores below chance are reported as they are, never negated.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from kappacurve._measures import FORMULAS, MEASURES as MEASURES
from kappacurve._ranking import measure_scores, measures_of
from kappacurve._validation import (
    Axis,
    Cost,
    Curve,
    FloatArray,
    check_batch,
    check_conditions,
    check_jobs,
    check_prevalence,
    check_scored,
    is_hull,
)

_REPORTED = ("prevalence", *FORMULAS)


def measures(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    curve: Curve = "raw",
    n_jobs: int | None = None,
) -> dict[str, float]:
    """All measures of one vector of scores, from one sort.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Labels of two classes: numbers, booleans or strings.
    y_score : array-like of shape (n_samples,)
        Finite scores; higher means more positive. They are compared as 64-bit floats.
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    sample_weight : array-like of shape (n_samples,), optional
        Not negative; a weight of 2 counts as two equal rows, and 0 as none. Weighted data take
        a slower way, whose sums are rounded.
    prevalence : float in (0, 1), optional
        Class ratio at which kappa and H are evaluated; by default the (weighted) share of
        positives in `y_true`.
    cost, cost_ratio : number in [0, 1] or "balanced"; number >= 0, optional
        Cost of a missed positive at which kappa and H are evaluated: as a share of both errors, by
        default 1/2, Cohen's kappa, or over that of a false alarm. "balanced" is the share
        1 - prevalence: kappa is then t - f, and the AUK is AUC - 1/2.
    axis : {"fpr", "flagged"}, default "fpr"
        Over what the AUK is taken: false positive rate, or share of rows predicted positive.
    curve : {"raw", "hull"}, default "raw"
        "hull" reports the convex hull under the names of the curve: auc, gini, auk and
        auk_trapezoid are then those of the hull. The other values are the same either way.
    n_jobs : int, optional
        Threads, by default one, -1 for one per processor; the result is the same for any number.

    Returns
    -------
    dict of str to float
        - prevalence: the one used, in (0, 1);
        - auc in [0, 1], auch (area under the hull) in [0.5, 1], gini = 2 auc - 1;
        - ks in [0, 1]: the largest t - f (one-sided);
        - auk and auk_hull, in (-1, 1) at cost 1/2: exact area under the kappa curve, of the curve
          and of its hull;
        - auk_trapezoid and auk_trapezoid_hull: straight lines between the kappas at the vertices;
        - average_precision in (0, 1]: mean precision over the positives, at the prevalence, without
          interpolation;
        - h in [0, 1]: H-measure, always of the hull, with Beta(2, 2) or the weight at the cost
          (see :func:`kappacurve.h_measure_score`);
        - kappa_max in [0, 1], threshold, fpr, tpr: the operating point of the largest kappa, of
          several the one with the smallest fpr; the threshold may be infinite.

    Raises
    ------
    ValueError
        If there are not two classes, a score is not finite, shapes differ, or an option is out
        of its range.

    Notes
    -----
    Without weights the counts, the hull and the areas are computed in integers: scores that are
    moved by a strictly increasing function, or rows in another order, give the same bits.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 9, 19, 21; Hand (2009), equations 13-17.

    Examples
    --------
    >>> result = measures([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> result["auc"], result["auk"], result["kappa_max"], result["threshold"]
    (0.875, 0.375, 0.5, 0.8)
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    at = check_conditions(prevalence, cost, cost_ratio, axis)
    ranked = measures_of(scored, at, check_jobs(n_jobs)).measures
    values = {name: float(ranked[name][0]) for name in _REPORTED}
    if is_hull(curve):
        values |= {name: values[measure.hull] for name, measure in MEASURES.items() if measure.hull}
        values["gini"] = 2 * values["auch"] - 1
    return values


def batch_measures(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    prevalence: npt.ArrayLike | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    n_jobs: int | None = None,
) -> dict[str, FloatArray]:
    """All measures of many replicates at once, of the curves and of their hulls.

    Parameters
    ----------
    y_true : array-like of shape (n_replicates, n_samples) or (n_samples,)
        Labels of each replicate, or those that all replicates share.
    y_score : array-like of shape (n_replicates, n_samples)
        Finite scores; higher means more positive.
    prevalence : float in (0, 1) or array-like of shape (n_replicates,), optional
        Class ratio at which kappa and H are evaluated; by default each replicate's own share of
        positives.
    pos_label, cost, cost_ratio, axis, n_jobs
        As in :func:`measures`.

    Returns
    -------
    dict of str to ndarray of shape (n_replicates,)
        The keys of :func:`measures`. Every value equals that of :func:`measures` for the replicate
        alone, to the last bit; so do the errors, which name the replicate.

    Examples
    --------
    >>> result = batch_measures([0, 0, 1, 1], [[0.1, 0.4, 0.4, 0.8], [0.4, 0.2, 0.1, 0.3]])
    >>> result["auc"]
    array([0.875, 0.25 ])
    """
    positive, score = check_batch(y_true, y_score, pos_label)
    if prevalence is not None:
        prevalence = check_prevalence(prevalence)
        if prevalence.shape not in ((), score.shape[:1]):
            raise ValueError(
                "prevalence must be one number or one for each of the "
                f"{len(score)} replicates, got shape {prevalence.shape}."
            )
    at = check_conditions(None, cost, cost_ratio, axis)._replace(prevalence=prevalence)
    values = measure_scores(positive, score, at, check_jobs(n_jobs)).measures
    return {name: values[name] for name in _REPORTED}
