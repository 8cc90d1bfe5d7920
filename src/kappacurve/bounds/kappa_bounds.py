"""The least value of the largest kappa, given the AUC."""

from __future__ import annotations

import math

from kappacurve._validation import Cost
from kappacurve.kappa import error_weights


def least_kappa_max(auc: float, prevalence: float, cost: Cost = 0.5) -> float:
    """The least that the largest kappa of any ROC curve with this AUC can be.

    Lines of equal kappa k are straight. The curve of the largest AUC below such a line follows it
    from f = 0 until t = 1, so that 1 - AUC is the triangle above,
    ``2pq (1 - k)^2 / ((2q - ka) (2p + ka))`` with ``a = 2q - 2c``: a quadratic equation for k. At
    the cost "balanced" a is 0 and k the KS statistic, ``1 - sqrt(2 (1 - AUC))``.

    >>> round(least_kappa_max(0.92, 0.3, "balanced"), 12)
    0.6
    """
    p, q = prevalence, 1 - prevalence
    a = 2 * q - float(error_weights(cost, p, q)[0])
    above = 1 - auc
    square = 2 * p * q + above * a * a
    half = 2 * p * q + above * a * (q - p)
    rest = 2 * p * q * (1 - 2 * above)
    return max(0.0, rest / (half + math.sqrt(max(0.0, half * half - square * rest))))
