"""Measures of a ranking: AUK, H, or all of them, of one vector of scores or of many.

Scores below chance are reported as they are, never negated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..validation import (
    FloatArray,
    check_batch,
    check_cost_ratio,
    check_number,
    check_prevalence,
    check_prevalences,
    check_sample,
)
from .kernels import hull_places, measure_batch, measure_rows, sort_and_count


def measures(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    cost_ratio: float = 1.0,
) -> dict[str, float]:
    """All measures of one vector of scores.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans or strings); finite scores, higher for positives.
    sample_weight : array-like of shape (n_samples,), default None
        Weights, not negative; 2 counts as two equal rows, and 0 as none.
    pos_label : label, default None
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1), default None
        Share of positives at which the measures are evaluated; by default that of the rows.
    cost_ratio : float in (0, inf), default 1.0
        Cost of a missed positive in false alarms, for kappa, H and the loss; 1 is Cohen's kappa.

    Returns
    -------
    dict of str to float
        - prevalence: the one used, in (0, 1);
        - auc in [0, 1] and auch, the area under the hull, in [0.5, 1] (Gini is 2 auc - 1);
        - ks in [0, 1]: the largest t - f (one-sided);
        - auk in (-1, 1] and auk_hull in [0, 1]: area under the kappa curve, for Cohen's kappa;
        - average_precision in (0, 1]: mean precision over the positives, without interpolation;
        - h in [0, 1]: H-measure, always of the hull (see :func:`h_measure_score`);
        - kappa_max in [0, 1], threshold, fpr, tpr: the point of the largest kappa, of several the
          one with the smallest fpr; the threshold may be infinite. It describes where kappa is
          largest, and is not a threshold to act on: it is best at the cost that
          :func:`implied_cost_ratio` gives for kappa_max, not at `cost_ratio`. For that take
          ``operating_point(..., cost_ratio=)``;
        - expected_loss in [0, 1/2]: the least of all thresholds, per row, where a miss and a false
          alarm together cost 1; times 1000 (1 + `cost_ratio`) it is in false alarms per 1,000 rows.

    Raises
    ------
    ValueError
        If the rows or an argument are not valid; the message says what to do.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equations 9 (AUC), 19 and 21 (AUK); Hand (2009), equations
    13 to 17 (H).

    Examples
    --------
    >>> values = measures([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> values["auc"], values["auk"], values["kappa_max"], values["threshold"]
    (0.875, 0.375, 0.5, 0.8)
    """
    sample = check_sample(y_true, {"": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    p = None if prevalence is None else check_prevalence(prevalence)
    ratio = check_cost_ratio(cost_ratio)
    return measure_rows(sample.positive, sample.scores[""], sample.weight, p, ratio)


def batch_measures(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    prevalence: npt.ArrayLike | None = None,
    cost_ratio: float = 1.0,
) -> dict[str, FloatArray]:
    """All measures of many vectors of scores of the same length.

    Parameters
    ----------
    y_true : array-like of shape (n_replicates, n_samples) or (n_samples,)
        Labels of each replicate, or those that all replicates share.
    y_score : array-like of shape (n_replicates, n_samples)
        Finite scores; higher means more positive.
    pos_label : label, default None
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1) or array-like of shape (n_replicates,), default None
        Share of positives at which the measures are evaluated; by default that of each replicate.
    cost_ratio : float in (0, inf), default 1.0
        Cost of a missed positive in false alarms; 1 is Cohen's kappa.

    Returns
    -------
    dict of str to ndarray of shape (n_replicates,)
        The keys of :func:`measures`. Every value equals that of :func:`measures` for the replicate
        alone, to the last bit.

    Raises
    ------
    ValueError
        As :func:`measures`; the replicate is named.

    Examples
    --------
    >>> scores = [[0.1, 0.4, 0.4, 0.8], [0.4, 0.2, 0.1, 0.3]]
    >>> batch_measures([0, 0, 1, 1], scores)["auc"]
    array([0.875, 0.25 ])
    """
    positive, score = check_batch(y_true, y_score, pos_label)
    p = None if prevalence is None else check_prevalences(prevalence)
    if p is not None and p.shape not in ((), score.shape[:1]):
        raise ValueError(
            f"prevalence must be one number or one for each of the {len(score)} replicates, got "
            f"shape {p.shape}."
        )
    return measure_batch(positive, score, p, check_cost_ratio(cost_ratio))


def auk_score(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    cost_ratio: float = 1.0,
) -> float:
    """Area under the kappa curve, the AUK.

    Unlike the AUC it depends on the prevalence, on the cost of the errors and on which class is
    called positive. It is exact, not a trapezoid sum.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans or strings); finite scores, higher for positives.
    sample_weight : array-like of shape (n_samples,), default None
        Weights, not negative; 2 counts as two equal rows, and 0 as none.
    pos_label : label, default None
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1), default None
        Share of positives at which kappa is evaluated; by default that of the rows.
    cost_ratio : float in (0, inf), default 1.0
        Cost of a missed positive in false alarms; 1 is Cohen's kappa. At (1 - p) / p the AUK is
        AUC - 1/2.

    Returns
    -------
    float
        0 for constant scores; in (-1, 1] for Cohen's kappa. The largest possible value depends on
        the prevalence: it is ``auk_score(y_true, y_true)``.

    Raises
    ------
    ValueError
        If the rows or an argument are not valid; the message says what to do.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), equation 21.

    Examples
    --------
    >>> y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]
    >>> auk_score(y_true, y_score)
    0.375
    >>> round(auk_score(y_true, y_score, prevalence=0.1, cost_ratio=5), 4)
    0.3064
    """
    return measures(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        prevalence=prevalence,
        cost_ratio=cost_ratio,
    )["auk"]


def h_measure_score(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    cost_weight: str | tuple[float, float] = "hand2009",
) -> float:
    """H-measure: one minus the expected minimum loss, relative to the better trivial classifier.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Labels of two classes (numbers, booleans or strings); finite scores, higher for positives.
    sample_weight : array-like of shape (n_samples,), default None
        Weights, not negative; 2 counts as two equal rows, and 0 as none.
    pos_label : label, default None
        The positive class. May be left out for labels in {0, 1} or {-1, 1} and booleans.
    prevalence : float in (0, 1), default None
        Share of positives at which H is evaluated; by default that of the rows.
    cost_weight : {"hand2009", "hand2014", "class_ratio"} or (float, float), default "hand2009"
        Beta distribution of the cost c, **the cost share of a false positive**, as in the R and
        PyPI packages hmeasure. With the prevalence p:

        - "hand2009": Beta(2, 2).
        - "hand2014": Beta(1 + p, 2 - p).
        - "class_ratio": Beta(2, 1 + (1-p)/p), the default of the R and PyPI packages hmeasure.
        - (alpha, beta): two positive numbers. At a cost ratio R `measures` takes (2, 2 R), or
          (2 / R, 2) if R < 1, whose mean is at that cost.

    Returns
    -------
    float in [0, 1]
        0 for constant scores, 1 if a threshold makes no error.

    Raises
    ------
    ValueError
        If the rows or an argument are not valid; the message says what to do.

    Notes
    -----
    Hand (2009) calls class 0 the cases: his Beta(4, 2), where missing a case is the more serious
    error, is (2, 4) here.

    References
    ----------
    Hand (2009), "Measuring classifier performance", Machine Learning 77, 103-123, equations 13 to
    17; Hand & Anagnostopoulos (2014), "A better Beta for the H measure", Pattern Recognition
    Letters 40, 41-46.

    Examples
    --------
    >>> y_true, y_score = [0, 1, 0, 0, 1], [0.1, 0.3, 0.4, 0.6, 0.8]
    >>> round(h_measure_score(y_true, y_score, cost_weight=(4, 2)), 4)
    0.4854
    """
    from scipy.special import betainc

    sample = check_sample(y_true, {"": y_score}, pos_label=pos_label, sample_weight=sample_weight)
    p = sample.prevalence if prevalence is None else check_prevalence(prevalence)
    alpha, beta = _beta_parameters(cost_weight, p)

    def expected_loss(gain: Any, harm: Any) -> Any:
        """What segments of a hull add to it: both ends are equally good at one cost."""
        cost, rest = gain / (gain + harm), harm / (gain + harm)
        alarms = harm * alpha * betainc(alpha + 1, beta, cost)
        return (alarms + gain * beta * betainc(beta + 1, alpha, rest)) / (alpha + beta)

    fps, tps, _ = sort_and_count(sample.positive, sample.scores[""], sample.weight)
    hull = hull_places(fps, tps)
    fpr, tpr = fps[hull] / fps[-1], tps[hull] / tps[-1]
    segments = expected_loss(p * np.diff(tpr), (1 - p) * np.diff(fpr))
    return float(max(0.0, 1 - segments.sum() / expected_loss(p, 1 - p)))


def _beta_parameters(cost_weight: Any, p: float) -> tuple[float, float]:
    """Return alpha and beta of the weight on the cost share of a false positive."""
    named = {
        "hand2009": (2.0, 2.0),
        "hand2014": (1 + p, 2 - p),
        "class_ratio": (2.0, 1 + (1 - p) / p),
    }
    try:
        weight = named[cost_weight] if isinstance(cost_weight, str) else cost_weight
        alpha, beta = (check_number("cost_weight", value) for value in weight)
    except (KeyError, TypeError, ValueError):
        alpha = beta = np.nan
    if not (0 < alpha < np.inf and 0 < beta < np.inf):
        raise ValueError(
            'cost_weight must be "hand2009", "hand2014", "class_ratio" or two positive numbers '
            f"(alpha, beta), got {cost_weight!r}."
        )
    return alpha, beta
