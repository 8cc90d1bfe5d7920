"""What Cohen's kappa pays for a miss: the cost ratio that it implies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..validation import FloatArray, check_cost_ratio, check_numbers, check_prevalences


def implied_cost_ratio(
    kappa: npt.ArrayLike, prevalence: npt.ArrayLike, cost_ratio: float = 1.0
) -> FloatArray:
    """How many false alarms a miss counts as where kappa has this value.

    One missed positive less raises kappa as much as so many false alarms less. The threshold of the
    largest kappa is therefore that of the least loss at this cost, which depends on the model.

    Parameters
    ----------
    kappa : array-like in [-1, 1]
        Cohen's kappa of a model at a threshold, or kappa at the cost ratio.
    prevalence : array-like in (0, 1)
        Share of positives.
    cost_ratio : float in (0, inf), default 1.0
        Cost ratio at which kappa is taken; 1 is Cohen's kappa.

    Returns
    -------
    ndarray of the shape to which `kappa` and `prevalence` broadcast
        c* / (1 - c*) with c* = k c + (1-k) (1-p) and c = `cost_ratio` / (1 + `cost_ratio`). It is
        the class ratio (1-p) / p, that of AUC, where kappa is 0, and `cost_ratio` where it is 1.
        Infinite where c* is at least 1, and 0 where it is at most 0, which takes a negative kappa.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    Rewrites equation 26 of Kaymak, Ben-David & Potharst (2010), a special case of Koyejo,
    Natarajan, Ravikumar & Dhillon (2014), "Consistent binary classification with generalized
    performance metrics", NeurIPS 27, 2744-2752. Parker (2011), ICDM, says that the costs which AUK
    implies depend on the model.

    Examples
    --------
    At 11 % positives, for a useless model, two useful ones and a perfect one:

    >>> implied_cost_ratio([0, 0.2, 0.328, 1], 0.11).round(1)
    array([8.1, 4.3, 3.2, 1. ])
    """
    k = check_numbers("kappa", kappa)
    if not ((k >= -1) & (k <= 1)).all():
        raise ValueError(f"kappa must lie between -1 and 1, got {kappa!r}.")
    p, ratio = check_prevalences(prevalence), check_cost_ratio(cost_ratio)
    miss = k * (ratio / (1 + ratio)) + (1 - k) * (1 - p)
    alarm = k / (1 + ratio) + (1 - k) * p  # 1 - miss, without its rounding
    with np.errstate(divide="ignore"):
        return np.asarray(
            np.where(alarm > 0, np.maximum(miss, 0.0) / np.maximum(alarm, 0.0), np.inf)
        )
