"""The H-measure of a ROC hull under a Beta weight on the misclassification cost."""

from __future__ import annotations

from typing import Literal

import numpy as np

from kappacurve._validation import FloatArray, check_prevalence

CostWeight = Literal["hand2009", "hand2014", "class_ratio"] | tuple[float, float]


def h_of_hull(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, alpha: float = 2.0, beta: float = 2.0
) -> float:
    """H-measure of a concave ROC curve under a Beta(alpha, beta) weight on the cost.

    The cost c in [0, 1] is the share of a false *positive*: the loss at a vertex is
    c (1-p) f + (1-c) p (1-t). H is one minus the expected minimum loss, divided by that of
    the better trivial classifier.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_hull,)
        Corners of a ROC hull from (0, 0) to (1, 1).
    prevalence : float in (0, 1)
    alpha, beta : float > 0, default 2

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    ValueError
        If the prevalence is not strictly between 0 and 1.

    See Also
    --------
    kappacurve.h_measure_score : The same from labels and scores.

    References
    ----------
    Hand (2009), equations 13-17 (his class 0 are the cases, so his c reads the other way round;
    with the default Beta(2, 2) that makes no difference).

    Examples
    --------
    Hand's Table 1, curve (a), whose hull has the corner (0, 0.5):

    >>> hull = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0])
    >>> round(h_of_hull(*hull, 0.5) * 135, 9)
    47.0
    """
    p = float(check_prevalence(prevalence))
    gain, harm = p * np.diff(tpr), (1 - p) * np.diff(fpr)
    # Corner i is the best threshold for costs between the indifference points of its neighbours;
    # 1 - c is computed apart, since near c = 1 the difference would lose digits.
    indifferent, rest = gain / (gain + harm), harm / (gain + harm)
    upper, lower = np.concatenate(([1.0], indifferent)), np.concatenate((indifferent, [0.0]))
    upper_rest, lower_rest = np.concatenate(([0.0], rest)), np.concatenate((rest, [1.0]))
    loss = np.sum(
        (1 - p) * fpr * _cost_moment(lower, upper, alpha, beta)
        + p * (1 - tpr) * _cost_moment(upper_rest, lower_rest, beta, alpha)
    )
    trivial = (1 - p) * _cost_moment(0.0, p, alpha, beta) + p * _cost_moment(
        0.0, 1 - p, beta, alpha
    )
    return float(1 - loss / trivial)


def beta_parameters(cost_weight: CostWeight, prevalence: float) -> tuple[float, float]:
    """Return alpha and beta of the weight on the cost share c of a false positive.

    Parameters
    ----------
    cost_weight : {"hand2009", "hand2014", "class_ratio"} or (alpha, beta)
        As in :func:`kappacurve.h_measure_score`.
    prevalence : float in (0, 1)
        Share of the positive class, on which two of the named weights depend.

    Returns
    -------
    alpha, beta : float > 0

    Raises
    ------
    ValueError
        If the name is unknown, or a parameter is not a positive number.

    Examples
    --------
    >>> beta_parameters("hand2014", 0.25), beta_parameters("class_ratio", 0.25)
    ((1.25, 1.75), (2.0, 4.0))
    """
    p = prevalence
    named = {
        "hand2009": (2.0, 2.0),
        "hand2014": (1 + p, 2 - p),
        "class_ratio": (2.0, 1 + (1 - p) / p),
    }
    if isinstance(cost_weight, str):
        if cost_weight not in named:
            raise ValueError(
                f"cost_weight must be one of {', '.join(map(repr, named))} or a pair "
                f"(alpha, beta), got {cost_weight!r}."
            )
        return named[cost_weight]
    try:
        alpha, beta = (float(value) for value in cost_weight)
    except (TypeError, ValueError):
        alpha = beta = np.nan
    if not (0 < alpha < np.inf and 0 < beta < np.inf):
        raise ValueError(
            "cost_weight must be a name or two positive numbers (alpha, beta), "
            f"got {cost_weight!r}."
        )
    return alpha, beta


def _cost_moment(
    lower: FloatArray | float, upper: FloatArray | float, alpha: float, beta: float
) -> FloatArray:
    """Integral of c times the Beta(alpha, beta) density from lower to upper."""
    from scipy.special import betainc  # here, so that importing the package stays cheap

    share = betainc(alpha + 1, beta, upper) - betainc(alpha + 1, beta, lower)
    return np.asarray(share * alpha / (alpha + beta))
