"""Standard errors, intervals and tests of the AUC: DeLong's, and Hanley and McNeil's."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray, check_number
from kappacurve.inference._placements import auc_of, class_covariance, positives_of, ranking_of
from kappacurve.inference.permutation import holds_size
from kappacurve.inference.results import (
    Comparison,
    Estimate,
    Scale,
    check_rows,
    normal_interval,
    normal_test,
    standard_error,
)


def delong_interval(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: None = None,
    confidence: float = 0.95,
    scale: Scale = "plain",
) -> Estimate:
    """AUC with DeLong's standard error and a normal confidence interval.

    Parameters
    ----------
    y_true, y_score, pos_label
        As in :func:`kappacurve.measures`, with at least two rows of each class.
    sample_weight : None
        Refused: a weight does not tell how many independent rows it stands for.
    confidence : float in (0, 1), default 0.95
    scale : {"plain", "logit"}, default "plain"
        Where the interval is symmetric: about the AUC itself, or about its logit. Take "logit"
        for an AUC near one with few rows of a class, where the plain interval covers too little.

    Returns
    -------
    Estimate
        estimate in [0, 1], standard_error >= 0, and low <= high cut to [0, 1].

    Raises
    ------
    ValueError
        If a class has fewer than two rows, a score is not finite, or weights are given.

    Notes
    -----
    One sort is enough: O(n log n). With perfect separation, and with constant scores, the variance
    is zero and low and high are NaN: the sample holds no information on the error.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, equations 3-5,
    doi:10.2307/2531595. Sun & Xu (2014), IEEE Signal Processing Letters 21, 1389-1393,
    doi:10.1109/LSP.2014.2337313. Pepe (2003), The Statistical Evaluation of Medical Tests for
    Classification and Prediction, section 5.2, for the logit scale.

    Examples
    --------
    >>> found = delong_interval([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.4, 0.6, 0.9])
    >>> round(found.estimate, 4), round(found.standard_error, 4), round(found.low, 4)
    (0.8333, 0.1925, 0.4561)
    """
    scored = check_rows(y_true, y_score, pos_label, sample_weight)
    ranking = ranking_of(scored, with_rows=False)
    auc = auc_of(ranking)
    error = auc.standard_error(positives_of(ranking))
    return normal_interval(auc.value, error, confidence, scale, (0.0, 1.0))


def delong_test(
    y_true: npt.ArrayLike,
    y_score_a: npt.ArrayLike,
    y_score_b: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: None = None,
    confidence: float = 0.95,
) -> Comparison:
    """Test whether two sets of scores on the same rows have the same AUC (DeLong, equation 5).

    Parameters
    ----------
    y_true, pos_label, sample_weight, confidence
        As in :func:`delong_interval`.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Two scores of each row; higher means more positive.

    Returns
    -------
    Comparison
        difference is AUC(a) - AUC(b) in [-1, 1]; statistic is standard normal if there is no
        difference; p_value in [0, 1] is two-sided.

    Notes
    -----
    Where the difference has no variance (identical scores, or two perfect ones) there is no test:
    statistic, p_value, low and high are NaN. With fewer than 20 rows of a class the test rejects
    a true hypothesis too often: p_value is then NaN and a warning says so; use
    :func:`permutation_tests`.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1] * 5
    >>> a = [0.1, 0.2, 0.3, 0.6, 0.5, 0.7, 0.8, 0.9] * 5
    >>> b = [0.2, 0.6, 0.4, 0.7, 0.3, 0.5, 0.8, 0.9] * 5
    >>> found = delong_test(y_true, a, b)
    >>> found.difference, round(found.p_value, 4)
    (0.25, 0.0004)
    """
    a, b = (check_rows(y_true, y, pos_label, sample_weight) for y in (y_score_a, y_score_b))
    lead = auc_of(ranking_of(a)).minus(auc_of(ranking_of(b)))
    found = normal_test(lead.value, lead.standard_error(a.positive), confidence)
    return found if holds_size(a.positive) else found._replace(p_value=nan)


def delong_covariance(
    y_true: npt.ArrayLike,
    y_scores: npt.ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: None = None,
) -> tuple[FloatArray, FloatArray]:
    """AUC of several sets of scores on the same rows, and DeLong's covariance matrix (equation 5).

    Parameters
    ----------
    y_true, pos_label, sample_weight
        As in :func:`delong_interval`.
    y_scores : array-like of shape (n_scores, n_samples)
        One set of scores per line.

    Returns
    -------
    auc : ndarray of shape (n_scores,) in [0, 1]
    covariance : ndarray of shape (n_scores, n_scores)
        For a contrast ``l`` the variance of ``l @ auc`` is ``l @ covariance @ l``.

    Examples
    --------
    >>> auc, covariance = delong_covariance([0, 0, 1, 1], [[1, 2, 3, 4], [1, 3, 2, 4]])
    >>> auc.tolist(), covariance.tolist()
    ([1.0, 0.75], [[0.0, 0.0], [0.0, 0.125]])
    """
    rows = np.asarray(y_scores)
    if rows.ndim != 2 or len(rows) == 0:
        raise ValueError(f"y_scores must have one line per set of scores, got shape {rows.shape}.")
    scores = [check_rows(y_true, score, pos_label, sample_weight) for score in rows]
    areas = [auc_of(ranking_of(scored)) for scored in scores]
    covariance = class_covariance(scores[0].positive, np.stack([area.rows for area in areas]))
    return np.array([area.value for area in areas]), covariance


def hanley_mcneil_standard_error(auc: float, n_positive: int, n_negative: int) -> float:
    """Standard error of an AUC from its value and the number of rows alone.

    It assumes that the scores of both classes are exponential: for published values without scores.

    Parameters
    ----------
    auc : float in [0, 1]
    n_positive, n_negative : int, at least 1

    Returns
    -------
    float, at least 0

    Raises
    ------
    ValueError
        If the AUC is outside [0, 1] or a count is below 1.

    References
    ----------
    Hanley & McNeil (1982), Radiology 143, 29-36, equations 1-2,
    doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    The area and the numbers of abnormal and normal tomograms of the paper's example:

    >>> round(hanley_mcneil_standard_error(0.893, 51, 58), 4)
    0.0325
    """
    auc = check_number("auc", auc)
    if not 0 <= auc <= 1:
        raise ValueError(f"auc must lie between 0 and 1, got {auc!r}.")
    for name, rows in (("n_positive", n_positive), ("n_negative", n_negative)):
        if not 1 <= check_number(name, rows) < 2**53:  # beyond, floats skip integers
            raise ValueError(f"{name} must be a number of rows, at least one, got {rows!r}.")
    m, n = float(n_positive), float(n_negative)
    two_positives = auc / (2 - auc)
    two_negatives = 2 * auc**2 / (1 + auc)
    variance = (
        auc * (1 - auc) + (m - 1) * (two_positives - auc**2) + (n - 1) * (two_negatives - auc**2)
    ) / (m * n)
    return standard_error(variance)


def unpaired_test(first: Estimate, second: Estimate, *, confidence: float = 0.95) -> Comparison:
    """Compare a measure between two independent samples.

    Parameters
    ----------
    first, second : Estimate
        The same measure on two sets of rows that have none in common, such as two results of
        :func:`delong_interval` or :func:`auk_interval`.
    confidence : float in (0, 1), default 0.95

    Returns
    -------
    Comparison
        difference is first - second; the rest as in :func:`delong_test`, and nan where one of the
        two has no interval, as an AUC of 1 has none.

    References
    ----------
    Hanley & McNeil (1983), Radiology 148, 839-843, equation 1 with r = 0,
    doi:10.1148/radiology.148.3.6878708.

    Examples
    --------
    >>> found = unpaired_test(Estimate(0.80, 0.03, 0, 0), Estimate(0.70, 0.04, 0, 0))
    >>> round(found.standard_error, 3), round(found.statistic, 3), round(found.p_value, 4)
    (0.05, 2.0, 0.0455)
    """
    error = float(np.hypot(first.standard_error, second.standard_error))
    if np.isnan([first.low, second.low]).any():  # these rows say nothing about the error
        error = float("nan")
    return normal_test(first.estimate - second.estimate, error, confidence)
