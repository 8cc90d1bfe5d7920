"""What each row adds to a measure, and the covariance of several models' measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kappacurve._validation import Axis, Cost, FloatArray, check_named, check_number
from kappacurve.inference._sample import TrainedAt, check_design, check_sample
from kappacurve.inference.analytic import Models
from kappacurve.inference.results import Sampling, standard_error


def influence(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    measure: str = "auk",
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    trained_at: float | None = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    threshold: float | None = None,
    sampling: Sampling | None = None,
) -> FloatArray:
    r"""Empirical influence of each row on a measure.

    Parameters
    ----------
    y_true, y_score, pos_label, prevalence, trained_at, cost, cost_ratio, axis, sampling
        As in :func:`kappacurve.interval`, with the same errors.
    sample_weight : array-like of shape (n_samples,), optional
        How many rows each row stands for, all positive here.
    measure : {"auc", "gini", "auk", "expected_loss", "net_benefit", "brier_score", "log_loss"}
        By default "auk".
    threshold : float, optional
        Of the expected loss and the net benefit.

    Returns
    -------
    ndarray of shape (n_samples,)
        The derivative of the measure by the row's weight, times the weight of the row's class
        ("stratified") or of all rows ("random"); its (weighted) mean over these is zero.

    Notes
    -----
    For the AUK:

    Write :math:`F` and :math:`T` for the shares of negatives and positives scored above a
    threshold, :math:`q = 1 - p`, :math:`d = t - f`, and kappa as

    .. math:: k(f, t) = 2pq\,d / D, \qquad D = p + (1-2p)(qf + pt).

    The AUK is :math:`\theta = \int k(F, T)\,dF` along the curve. For small changes
    :math:`\delta F, \delta T`, which vanish at both ends of the curve, integration by parts of
    :math:`\int k\,d\,\delta F` cancels the terms in :math:`k_f` and leaves

    .. math::
       \delta\theta = \int k_t\,(\delta T\,dF - \delta F\,dT),
       \qquad k_t = 2pq\,\frac{p(1-f) + qf}{D^2}.

    A row of score x moves its own class by :math:`1[x \ge s]` less the class's curve. With
    :math:`A(x)` and :math:`B(x)` the integrals of :math:`k_t\,dF` and :math:`k_t\,dT` over the
    part of the curve whose thresholds are at most x, the influence is

    .. math:: I_1(x) = A(x) - E_1 A, \qquad I_0(x) = -(B(x) - E_0 B)

    for positives and negatives. Tied scores share one straight segment, on which the indicator
    rises in proportion; the integrals of :math:`k_t` and :math:`u k_t` over it have closed
    forms. If the prevalence is estimated from n random rows it adds

    .. math:: \dot\theta = \int k_p\,dF, \qquad k_p = 2d\,\frac{q^2 f - p^2 (1-t)}{D^2},

    so that a positive row has influence :math:`I_1/p + q\dot\theta`, a negative one
    :math:`I_0/q - p\dot\theta`. The variance of the AUK is then, the terms being uncorrelated,

    .. math:: \frac{\mathrm{var}\,I_1}{n_1} + \frac{\mathrm{var}\,I_0}{n_0}
              \left[{} + \frac{pq}{n}\,\dot\theta^2 \text{ if random}\right].

    At a cost share c of a missed positive, D becomes :math:`2(cp + (q-c)(qf + pt))`, and with it

    .. math:: k_t = 4pq\,\frac{cp(1-f) + (1-c)qf}{D^2}, \qquad
              k_p = 4d\,\frac{(1-c)q^2 f - c p^2 (1-t)}{D^2}.

    Over the flagged share :math:`qF + pT` the weight :math:`k_t` becomes
    :math:`q k_t - p k_f = 2pq / D`, and :math:`\dot\theta` gains :math:`\int k\,d(T - F)`.

    At p = 1/2, :math:`k_t = 1`, :math:`\theta` is AUC - 1/2, and with n - 1 in the variances
    this is DeLong's. The AUK of the hull is not smooth in the scores: use the bootstrap.

    References
    ----------
    Hampel (1974), "The influence curve and its role in robust estimation", JASA 69, 383-393,
    doi:10.1080/01621459.1974.10482962. AUK: Kaymak, Ben-David & Potharst (2010), equation 21.

    Examples
    --------
    >>> influence([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    array([ 0.16666667, -0.33333333, -0.16666667,  0.33333333])
    """
    sample = check_sample(y_true, {"": y_score}, pos_label, sample_weight)
    at = check_design(sample, prevalence, cost, cost_ratio, axis, sampling, threshold, trained_at)
    area = Models(sample, at).area("", measure)
    rows = area.rows.copy()
    positive = sample.positive
    for side in (positive, ~positive):
        weight = None if sample.weight is None else sample.weight[side]
        rows[side] -= np.average(rows[side], weights=weight)
    if at.estimated or sampling == "random":
        share = sample.prevalence()
        rows /= np.where(positive, share, 1 - share)
        if at.estimated:
            rows += area.slope * (positive - share)
    return rows


def covariance(
    y_true: npt.ArrayLike,
    y_scores: Mapping[str, npt.ArrayLike],
    *,
    measure: str = "auk",
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    trained_at: TrainedAt = None,
    cost: Cost | None = None,
    cost_ratio: float | None = None,
    axis: Axis = "fpr",
    threshold: float | None = None,
    sampling: Sampling | None = None,
) -> tuple[FloatArray, FloatArray]:
    """A measure of several models on the same rows, and the covariance matrix of its estimates.

    Parameters
    ----------
    y_scores : mapping of str to array-like of shape (n_samples,)
        Finite scores by model; higher means more positive.
    y_true, measure, threshold
        As in :func:`influence`.
    pos_label, sample_weight, groups, prevalence, trained_at, cost, cost_ratio, axis, sampling
        As in :func:`kappacurve.paired_test`, with the same errors.

    Returns
    -------
    values : ndarray of shape (n_models,)
    covariance : ndarray of shape (n_models, n_models)
        For a contrast ``l`` the variance of ``l @ values`` is ``l @ covariance @ l``. Of the AUC it
        is DeLong's (1988, equation 5).

    Examples
    --------
    >>> scores = {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]}
    >>> auc, matrix = covariance([0, 0, 1, 1], scores, measure="auc")
    >>> auc.tolist(), matrix.tolist()
    ([1.0, 0.75], [[0.0, 0.0], [0.0, 0.125]])
    """
    y_scores = check_named("y_scores", y_scores)
    sample = check_sample(y_true, y_scores, pos_label, sample_weight, groups)
    at = check_design(sample, prevalence, cost, cost_ratio, axis, sampling, threshold, trained_at)
    return Models(sample, at).covariance(measure)


def hanley_mcneil_standard_error(auc: float, n_positive: int, n_negative: int) -> float:
    """Standard error of an AUC from its value and the number of rows alone.

    It assumes that the scores of both classes are exponential: for published values without scores.

    Parameters
    ----------
    auc : float in [0, 1]
    n_positive, n_negative : int, at least 1

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
