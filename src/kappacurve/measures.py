"""All measures of a ranking at once: of one vector of scores, of several models, of replicates.

Every measure is a function of the ROC polyline (one vertex per distinct score) and of the
prevalence. Scores below chance are reported as they are, never negated.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy.typing as npt

from kappacurve._ranking import measure_scores, measures_of
from kappacurve._validation import (
    Axis,
    Conditions,
    Cost,
    Curve,
    FloatArray,
    check_batch,
    check_jobs,
    check_named,
    check_one_cost,
    check_prevalence,
    check_scored,
    is_hull,
)

if TYPE_CHECKING:
    import pandas as pd


class Measure(NamedTuple):
    """What is known of a measure.

    `ranks` says whether a greater value is better, so that models can be ranked by it. `of_hull`
    says whether it is a function of the hull, so that chance can only raise it; `hull` names the
    same measure of the hull, `function` the one in :mod:`kappacurve.scores` that computes it.
    """

    label: str
    low: float
    high: float
    ranks: bool = True
    of_hull: bool = False
    hull: str | None = None
    function: str | None = None


_AT_KAPPA_MAX: dict[str, Any] = {"ranks": False, "of_hull": True}

# The one list of measures, in the order in which they are reported.
MEASURES = {
    "auc": Measure("AUC", 0, 1, hull="auch", function="auc_score"),
    "auch": Measure("AUCH", 0.5, 1, of_hull=True, function="measure_score"),
    "gini": Measure("Gini", -1, 1, function="measure_score"),
    "ks": Measure("KS", 0, 1, of_hull=True, function="measure_score"),
    "auk": Measure("AUK", -1, 1, hull="auk_hull", function="auk_score"),
    "auk_hull": Measure("AUK of the hull", 0, 1, of_hull=True),
    "auk_trapezoid": Measure("AUK, trapezoid rule", -1, 1, hull="auk_trapezoid_hull"),
    "auk_trapezoid_hull": Measure("AUK of the hull, trapezoid rule", 0, 1, of_hull=True),
    "average_precision": Measure("average precision", 0, 1, function="average_precision_score"),
    "h": Measure("H", 0, 1, of_hull=True, function="h_measure_score"),
    "kappa_max": Measure("maximum kappa", 0, 1, of_hull=True, function="kappa_at_best"),
    "threshold": Measure("threshold", -inf, inf, **_AT_KAPPA_MAX),
    "fpr": Measure("false positive rate", 0, 1, **_AT_KAPPA_MAX),
    "tpr": Measure("true positive rate", 0, 1, **_AT_KAPPA_MAX),
}
RANKING = tuple(name for name, measure in MEASURES.items() if measure.ranks)
_REPORTED = ("prevalence", *MEASURES)


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
    cost : float in [0, 1] or "balanced", optional
        Share of a missed positive in the cost of two errors, a miss and a false alarm, at which
        kappa and H are evaluated; by default 1/2, Cohen's kappa. "balanced" is 1 - prevalence:
        kappa is then t - f, and the AUK is AUC - 1/2.
    cost_ratio : float >= 0, optional
        Instead of `cost`: what a missed positive costs over what a false alarm costs.
    axis : {"fpr", "flagged"}, default "fpr"
        Over what the AUK is taken: the false positive rate, or the share of rows that are
        predicted positive, which gives the same AUK whichever class is called positive.
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
        If there are not two classes, `pos_label` is needed or unknown, a score is not finite,
        shapes differ, a weight is negative, the prevalence is not between 0 and 1, or the cost is
        not in [0, 1] or given twice.

    Notes
    -----
    Without weights the counts, the hull and the areas are computed in integers: scores that are
    moved by a strictly increasing function, or rows in another order, give the same bits.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 9, 19, 21; Hand (2009), equations 13-17.

    Examples
    --------
    >>> found = measures([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> found["auc"], found["auk"], found["kappa_max"], found["threshold"]
    (0.875, 0.375, 0.5, 0.8)
    """
    scored = check_scored(y_true, y_score, pos_label, sample_weight)
    at = Conditions(prevalence, check_one_cost(cost, cost_ratio), axis)
    ranked = measures_of(scored, at, check_jobs(n_jobs)).measures
    values = {name: float(ranked[name][0]) for name in _REPORTED}
    if is_hull(curve):
        values |= {name: values[measure.hull] for name, measure in MEASURES.items() if measure.hull}
        values["gini"] = 2 * values["auch"] - 1
    return values


def measures_table(
    y_true: npt.ArrayLike,
    y_scores: Mapping[str, npt.ArrayLike],
    *,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    curve: Curve = "raw",
) -> pd.DataFrame:
    """All measures of several models on the same rows.

    Parameters
    ----------
    y_true, pos_label, sample_weight, prevalence, cost, cost_ratio, axis, curve
        As in :func:`measures`.
    y_scores : mapping of str to array-like of shape (n_samples,)
        Scores by model name: a dict, or a data frame (pandas, polars, pyarrow ...) with a column
        for each model.

    Returns
    -------
    DataFrame
        One row per model, in the given order, named in the index "model"; the columns are the
        keys of :func:`measures`.

    Errors are those of :func:`measures` and name the model; one is needed.

    Examples
    --------
    >>> scores = {"good": [0.1, 0.4, 0.4, 0.8], "constant": [1, 1, 1, 1]}
    >>> table = measures_table([0, 0, 1, 1], scores)
    >>> table[["auc", "auk", "h"]]  # doctest: +NORMALIZE_WHITESPACE
                auc    auk    h
    model
    good      0.875  0.375  0.5
    constant  0.500  0.000  0.0
    """
    import pandas as pd

    options: dict[str, Any] = {"pos_label": pos_label, "sample_weight": sample_weight}
    options |= {"prevalence": prevalence, "curve": curve, "axis": axis}
    options |= {"cost": cost, "cost_ratio": cost_ratio}
    rows = {}
    for model, y_score in check_named("y_scores", y_scores).items():
        try:
            rows[model] = measures(y_true, y_score, **options)
        except ValueError as error:
            raise ValueError(f"Model {model!r}: {error}") from None
    if not rows:
        raise ValueError("y_scores must hold the scores of at least one model.")
    table = pd.DataFrame.from_dict(rows, orient="index", columns=list(_REPORTED))
    return table.rename_axis("model")


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
    pos_label : label, optional
        The positive class. May be left out for labels in {0, 1} or {-1, 1}.
    prevalence : float in (0, 1) or array-like of shape (n_replicates,), optional
        Class ratio at which kappa and H are evaluated; by default each replicate's own share of
        positives.
    cost : float in [0, 1] or "balanced", optional
        Share of a missed positive in the cost of a miss and a false alarm; by default 1/2.
        "balanced" is 1 - prevalence.
    cost_ratio : float >= 0, optional
        Instead of `cost`: what a missed positive costs over what a false alarm costs.
    axis : {"fpr", "flagged"}, default "fpr"
        Over what the AUK is taken: the false positive rate, or the share of rows flagged.
    n_jobs : int, optional
        Threads, by default one, -1 for one per processor; the result is the same for any number.

    Returns
    -------
    dict of str to ndarray of shape (n_replicates,)
        The keys of :func:`measures`. Every value equals that of :func:`measures` for the replicate
        alone, to the last bit; so do the errors, which name the replicate.

    Raises
    ------
    ValueError
        If there are not two classes, `pos_label` is needed or unknown, a score is not finite,
        shapes differ, or an option is out of its range; a replicate is named.

    Examples
    --------
    >>> found = batch_measures([0, 0, 1, 1], [[0.1, 0.4, 0.4, 0.8], [0.4, 0.2, 0.1, 0.3]])
    >>> found["auc"]
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
    at = Conditions(prevalence, check_one_cost(cost, cost_ratio), axis)
    values = measure_scores(positive, score, at, check_jobs(n_jobs)).measures
    return {name: values[name] for name in _REPORTED}
