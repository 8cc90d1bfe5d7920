"""Kappa in joint probabilities, after Ben-David (2008), with the signs put right.

Ben-David divides each cell of the confusion matrix by the number of rows: TP, FN, FP and TN
sum to 1. P = TP + FN is the prevalence (his equation 4 misprints it as the predicted share),
N = 1 - P, and Q = TP + FP is the predicted share (P with a bar in the paper). Rates are
t = TP / P and f = FP / N.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray, check_numbers, check_prevalence, check_rate

# Probabilities that are sums and quotients of others may be out of range by so much.
_ROUNDING = 1e-12


class JointProbabilities(NamedTuple):
    """Shares of all rows that are false positives and true positives."""

    fp: FloatArray
    tp: FloatArray


class Rates(NamedTuple):
    """False positive rate and true positive rate."""

    fpr: FloatArray
    tpr: FloatArray


def joint_from_rates(
    fpr: npt.ArrayLike, tpr: npt.ArrayLike, prevalence: npt.ArrayLike
) -> JointProbabilities:
    """Joint probabilities of false and true positives.

    Parameters
    ----------
    fpr, tpr : array-like in [0, 1]
    prevalence : array-like in (0, 1)

    Returns
    -------
    fp : ndarray in [0, 1 - prevalence]
    tp : ndarray in [0, prevalence]

    Raises
    ------
    ValueError
        If a rate is outside [0, 1] or a prevalence is not strictly between 0 and 1.

    See Also
    --------
    rates_from_joint : The inverse.

    References
    ----------
    Ben-David (2008), section 4.

    Examples
    --------
    >>> fp, tp = joint_from_rates(0.5, 0.9, 0.7)
    >>> round(float(fp), 6), round(float(tp), 6)
    (0.15, 0.63)
    """
    p = check_prevalence(prevalence)
    f, t = check_rate("fpr", fpr), check_rate("tpr", tpr)
    return JointProbabilities(np.asarray((1 - p) * f), np.asarray(p * t))


def rates_from_joint(fp: npt.ArrayLike, tp: npt.ArrayLike, prevalence: npt.ArrayLike) -> Rates:
    """False and true positive rates of joint probabilities.

    Parameters
    ----------
    fp : array-like in [0, 1 - prevalence]
    tp : array-like in [0, prevalence]
    prevalence : array-like in (0, 1)

    Returns
    -------
    fpr, tpr : ndarray in [0, 1]

    Raises
    ------
    ValueError
        If a probability is out of its range.

    See Also
    --------
    joint_from_rates : The inverse.

    References
    ----------
    Ben-David (2008), section 4.

    Examples
    --------
    >>> fpr, tpr = rates_from_joint(0.15, 0.63, 0.7)
    >>> round(float(fpr), 6), round(float(tpr), 6)
    (0.5, 0.9)
    """
    p = check_prevalence(prevalence)
    fpr = _within("fp", fp, 1 - p, "1 - prevalence") / (1 - p)
    tpr = _within("tp", tp, p, "prevalence") / p
    return Rates(np.asarray(fpr), np.asarray(tpr))


def chance_agreement(predicted_share: npt.ArrayLike, prevalence: npt.ArrayLike) -> FloatArray:
    """Agreement that is expected by chance, Pc.

    Parameters
    ----------
    predicted_share : array-like in [0, 1]
        Share of the rows that are predicted positive, Q = TP + FP.
    prevalence : array-like in (0, 1)

    Returns
    -------
    ndarray in (0, 1)
        Pc = Q (1 - 2N) + N; 1/2 at prevalence 1/2, whatever is predicted.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Notes
    -----
    Example 4 of the paper prints 0.625; by this equation, and by its own kappa, it is 0.62.

    References
    ----------
    Ben-David (2008), equation 10.

    Examples
    --------
    >>> round(float(chance_agreement(0.8, 0.7)), 3)
    0.62
    """
    p = check_prevalence(prevalence)
    share = check_rate("predicted_share", predicted_share)
    return np.asarray(p * share + (1 - p) * (1 - share))


def kappa_from_joint(fp: npt.ArrayLike, tp: npt.ArrayLike, prevalence: npt.ArrayLike) -> FloatArray:
    """Cohen's kappa of joint probabilities of false and true positives.

    Parameters
    ----------
    fp : array-like in [0, 1 - prevalence]
    tp : array-like in [0, prevalence]
    prevalence : array-like in (0, 1)

    Returns
    -------
    ndarray in [-1, 1]
        K = (TP - FP - Q(1 - 2N)) / (P - Q(1 - 2N)) with Q = TP + FP.

    Raises
    ------
    ValueError
        If a probability is out of its range.

    See Also
    --------
    tp_from_kappa : Solved for TP.
    kappacurve.kappa_from_rates : The same in rates.

    References
    ----------
    Ben-David (2008), equation 13; equation 15 at prevalence 1/2.

    Examples
    --------
    The paper's Examples 2 and 4:

    >>> kappa_from_joint([0.10, 0.15], [0.40, 0.65], [0.5, 0.7]).round(3)
    array([0.6  , 0.474])
    """
    p = check_prevalence(prevalence)
    false_positive = _within("fp", fp, 1 - p, "1 - prevalence")
    true_positive = _within("tp", tp, p, "prevalence")
    by_chance = (true_positive + false_positive) * (2 * p - 1)
    return np.asarray((true_positive - false_positive - by_chance) / (p - by_chance))


def tp_from_kappa(
    fp: npt.ArrayLike,
    kappa: npt.ArrayLike,
    predicted_share: npt.ArrayLike,
    prevalence: npt.ArrayLike,
) -> FloatArray:
    """Joint probability of a true positive with a given kappa.

    Parameters
    ----------
    fp : array-like in [0, 1 - prevalence]
    kappa : array-like in [-1, 1]
    predicted_share : array-like in [0, 1]
        Q = TP + FP.
    prevalence : array-like in (0, 1)

    Returns
    -------
    ndarray in [0, prevalence]
        TP = Q(1 - K)(1 - 2N) + K P + FP.

    Raises
    ------
    ValueError
        If an argument is out of its range, or no confusion matrix has this kappa.

    See Also
    --------
    kappa_from_joint : Solved for kappa.
    kappacurve.tpr_from_kappa : The same in rates, without the predicted share.

    Notes
    -----
    The paper prints a minus before FP in equation 14. Its equation 13, from which 14 follows,
    and its special case 16 have the plus that is used here.

    References
    ----------
    Ben-David (2008), equation 14 (sign corrected); equation 16 at prevalence 1/2.

    Examples
    --------
    Example 2 of the paper, whose printed equation 14 would give 0.2:

    >>> round(float(tp_from_kappa(0.10, 0.6, 0.5, 0.5)), 6)
    0.4
    """
    p = check_prevalence(prevalence)
    false_positive = _within("fp", fp, 1 - p, "1 - prevalence")
    share = check_rate("predicted_share", predicted_share)
    k = check_numbers("kappa", kappa)
    tp = share * (1 - k) * (2 * p - 1) + k * p + false_positive
    # Q is given beside K and FP although two of them fix the third.
    if not ((tp >= -_ROUNDING) & (tp <= p + _ROUNDING)).all():
        raise ValueError("kappa cannot be attained with this fp, predicted_share and prevalence.")
    return np.asarray(np.clip(tp, 0, p))


def _within(name: str, values: npt.ArrayLike, limit: FloatArray, limit_name: str) -> FloatArray:
    array = check_rate(name, values)
    if not (array <= limit + _ROUNDING).all():
        raise ValueError(f"{name} must not exceed {limit_name}, got {values!r}.")
    return np.minimum(array, limit)
