"""Measures of a ranking: all at once, of one vector of scores or of replicates, or one at a time.

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
    check_choice,
    check_conditions,
    check_jobs,
    check_one_cost,
    check_prevalence,
    check_scored,
    is_hull,
)
from kappacurve.h_measure import CostWeight, beta_parameters, h_of_hull
from kappacurve.kappa import Integration, perfect_auk

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


def auc_score(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
) -> float:
    """Area under the ROC curve: the Mann-Whitney statistic, ties counted one half.

    In [0, 1], and 0.5 for constant scores. Equation 9 of Kaymak, Ben-David & Potharst (2010).
    Takes and refuses what :func:`measures` does.

    Examples
    --------
    >>> auc_score([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    return measures(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)["auc"]


def auk_score(
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
    integration: Integration = "exact",
    normalize: bool = False,
) -> float:
    """Area under the kappa curve, the AUK: equation 21 of Kaymak, Ben-David & Potharst (2010).

    Unlike the AUC it depends on the prevalence, on the cost of the errors and, over the false
    positive rate, on which class is called positive.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, prevalence, cost, cost_ratio, axis
        As in :func:`measures`, with the same errors.
    curve : {"raw", "hull"}, default "raw"
        "hull" takes the convex hull of the ROC curve first.
    integration : {"exact", "trapezoid"}, default "exact"
        "exact" integrates kappa along the straight ROC segments. "trapezoid" joins the kappas at
        the vertices by straight lines, as a short script would.
    normalize : bool, default False
        Divide by the AUK of a classifier without errors at the same prevalence, by the same
        integration rule, so that 1 is the best possible value.

    Returns
    -------
    float
        0 for constant scores; for Cohen's kappa in (-1, 1].

    Notes
    -----
    AUC - 1/2 and the AUK are one area at two costs: "balanced" and 1/2. The area is continuous in
    the cost, and finite also at 0 and 1, where kappa is 0/0 at one end of the curve. With
    ``axis="flagged"`` swapping the classes, the scores' sign and the cost (c to 1 - c) changes
    nothing.

    Examples
    --------
    >>> y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]
    >>> auk_score(y_true, y_score)
    0.375
    >>> round(auk_score(y_true, y_score, prevalence=0.1), 4)
    0.1865
    >>> round(auk_score(y_true, y_score, prevalence=0.1, cost_ratio=5), 4)
    0.3064
    """
    check_choice("integration", integration, "exact", "trapezoid")
    is_trapezoid = integration == "trapezoid"
    rows: Any = {"pos_label": pos_label, "sample_weight": sample_weight, "prevalence": prevalence}
    share = check_one_cost(cost, cost_ratio)
    values = measures(y_true, y_score, cost=share, axis=axis, curve=curve, **rows)
    auk = values["auk_trapezoid" if is_trapezoid else "auk"]
    if not normalize:
        return auk
    # The trapezoid over the perfect classifier's three vertices is 1/2 at any prevalence.
    return auk / (0.5 if is_trapezoid else perfect_auk(values["prevalence"], share, axis))


def h_measure_score(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost_weight: CostWeight | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
) -> float:
    """H-measure: one minus the expected minimum loss, relative to the better trivial classifier.

    Hand (2009), equations 13-17; Hand & Anagnostopoulos (2014).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, prevalence
        As in :func:`measures`, with the same errors.
    cost_weight : {"hand2009", "hand2014", "class_ratio"} or (alpha, beta)
        Beta distribution of the cost c. Here, as in the R and PyPI packages hmeasure, **c is the
        cost share of a false positive**, 1 - `cost` of :func:`kappacurve.measures`. With the
        prevalence pi1 and pi0 = 1 - pi1:

        - "hand2009", the default: Beta(2, 2).
        - "hand2014": Beta(1 + pi1, 1 + pi0).
        - "class_ratio": Beta(2, 1 + pi0/pi1), the default of the R and PyPI packages hmeasure.
        - (alpha, beta): two positive numbers.
    cost, cost_ratio : optional
        Instead of `cost_weight`: one's own cost, of a missed positive, as a share of both errors or
        as a ratio to a false alarm. With R for the ratio the weight is Beta(2, 2R), or Beta(2/R, 2)
        if R < 1: unimodal, with its mean at c = 1/(1+R). At cost 0 and 1 H is the limit: the
        largest t at f = 0, and 1 less the smallest f at t = 1.

    Returns
    -------
    float in [0, 1]
        0 for constant scores, 1 if a threshold makes no error.

    Notes
    -----
    Hand (2009) calls class 0 the cases, so his asymmetric advice, Beta(4, 2) where missing a case
    is the more serious error, is (2, 4) here. Swapping the classes and negating the scores swaps
    alpha and beta; "hand2009" and "hand2014" give the same value after it, "class_ratio" does not.

    The `severity.ratio` of R's hmeasure is the cost of a false alarm over that of a miss, 1/R, and
    puts the mode of the weight there, not the mean: ``cost_weight=(2, 1 + R)``.

    Examples
    --------
    >>> y_true, y_score = [0, 1, 0, 0, 1], [0.1, 0.3, 0.4, 0.6, 0.8]
    >>> round(h_measure_score(y_true, y_score), 4)
    0.4524
    >>> round(h_measure_score(y_true, y_score, cost_weight=(4, 2)), 4)
    0.4854
    >>> round(h_measure_score(y_true, y_score, cost_ratio=5), 4)
    0.3524
    """
    if cost_weight is not None and (cost is not None or cost_ratio is not None):
        raise ValueError("cost_weight and a cost both say how costs are weighed: give one of them.")
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    ranked = measures_of(scored, check_conditions(prevalence, cost, cost_ratio))
    p = float(ranked.measures["prevalence"][0])
    alpha, beta = beta_parameters(cost_weight, p)
    if cost_weight is None or (alpha, beta) == (2.0, 2.0):
        return float(ranked.measures["h"][0])
    return h_of_hull(ranked.hull_fpr, ranked.hull_tpr, p, alpha, beta)
