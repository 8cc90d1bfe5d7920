"""The H-measure of a ROC hull under a Beta weight on the misclassification cost."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from kappacurve._kernels import h_at_end, loss_of_corners, segment_stakes, switch_costs
from kappacurve._validation import FloatArray, check_curve, check_one_prevalence

CostWeight = Literal["hand2009", "hand2014", "class_ratio"] | tuple[float, float]


def h_of_hull(
    fpr: FloatArray, tpr: FloatArray, prevalence: float, alpha: float = 2.0, beta: float = 2.0
) -> float:
    """H-measure of a ROC hull, from (0, 0) to (1, 1), under a Beta weight on the cost; in [0, 1].

    The cost c in [0, 1] is the share of a false *positive*: the loss at a vertex is
    c (1-p) f + (1-c) p (1-t). H is one minus the expected minimum loss, divided by that of
    the better trivial classifier. One parameter of the weight may be infinite: then H is the
    limit at that end of the costs. Hand (2009), equations 13-17; his class 0 are the cases, so
    his c reads the other way round. Raises a ValueError for what is no ROC curve.

    Hand's Table 1, curve (a), whose hull has the corner (0, 0.5):

    >>> hull = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0])
    >>> round(h_of_hull(*hull, 0.5) * 135, 9)
    47.0
    """
    p = check_one_prevalence(prevalence)
    fpr, tpr = check_curve(fpr, tpr)
    if np.isinf(alpha + beta):
        return float(h_at_end(fpr, tpr, 1, 1, np.isinf(beta)))
    gain, harm = segment_stakes(fpr, tpr, 1, 1, p, 1 - p)
    below = cost_moment(switch_costs(gain, harm, 1.0), alpha, beta)
    above = cost_moment(switch_costs(harm, gain, 0.0), beta, alpha)
    trivial = (1 - p) * cost_moment(p, alpha, beta) + p * cost_moment(1 - p, beta, alpha)
    # Lists, because a loop over arrays takes several times as long.
    f, t, low, high = (np.asarray(values).tolist() for values in (fpr, tpr, below, above))
    return float(max(0, 1 - loss_of_corners(f, t, 1, 1, p, 1 - p, low, high) / trivial))


def cost_moment(x: FloatArray | float, alpha: float, beta: float) -> FloatArray:
    """Integral of c times the Beta(alpha, beta) density from 0 to x."""
    from scipy.special import betainc  # here, so that importing the package stays cheap

    return np.asarray(betainc(alpha + 1, beta, x) * alpha / (alpha + beta))


def beta_density(cost: FloatArray, alpha: float, beta: float) -> FloatArray:
    """Density of Beta(alpha, beta); infinite at an end where a parameter is below one."""
    from scipy.special import betaln, xlog1py, xlogy

    with np.errstate(divide="ignore"):
        log_density = xlogy(alpha - 1, cost) + xlog1py(beta - 1, -cost)
    return np.asarray(np.exp(log_density - betaln(alpha, beta)))


def implied_costs(
    fpr: FloatArray, tpr: FloatArray, prevalence: float
) -> tuple[FloatArray, FloatArray]:
    """The discrete distribution over costs that the AUC of a hull implies.

    For each segment the cost share of a false positive at which its ends lose the same, and as
    its weight the share of all rows with scores on the segment. Hand (2009), equations 8 to 10.

    >>> implied_costs(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]), 0.5)
    (array([1.        , 0.33333333]), array([0.25, 0.75]))
    """
    p = check_one_prevalence(prevalence)
    gain, harm = segment_stakes(*check_curve(fpr, tpr), 1, 1, p, 1 - p)
    return gain / (gain + harm), gain + harm


def beta_parameters(cost_weight: CostWeight | None, prevalence: float) -> tuple[float, float]:
    """Return alpha and beta of the weight on the cost share c of a false positive.

    >>> beta_parameters("hand2014", 0.25), beta_parameters("class_ratio", 0.25)
    ((1.25, 1.75), (2.0, 4.0))
    """
    p = prevalence
    weight: Any = "hand2009" if cost_weight is None else cost_weight
    named = {"hand2009": (2, 2), "hand2014": (1 + p, 2 - p), "class_ratio": (2, 1 + (1 - p) / p)}
    try:
        alpha, beta = map(float, named[weight] if isinstance(weight, str) else weight)
    except (KeyError, TypeError, ValueError):
        alpha = beta = np.nan
    if not (0 < alpha < np.inf and 0 < beta < np.inf):
        raise ValueError(
            'cost_weight must be "hand2009", "hand2014", "class_ratio" or two positive numbers '
            f"(alpha, beta), got {cost_weight!r}."
        )
    return alpha, beta
