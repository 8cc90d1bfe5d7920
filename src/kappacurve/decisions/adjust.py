"""Probabilities of a model where another share of rows is positive."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..validation import FloatArray, check_prevalence, check_rate


def adjust_prevalence(
    y_prob: npt.ArrayLike, training_prevalence: float, prevalence: float
) -> FloatArray:
    """Probabilities of a model, moved to another share of positives.

    Parameters
    ----------
    y_prob : array-like in [0, 1]
        Probabilities of the positive class.
    training_prevalence : float in (0, 1)
        Share of positives in the training rows, after any resampling, to which they belong.
    prevalence : float in (0, 1)
        Share of positives where the model is used.

    Returns
    -------
    ndarray of the shape of `y_prob`
        The odds are multiplied by the ratio of the two prevalences' odds. The order of the rows,
        and with it every measure of the ranking, stays.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    Elkan (2001), "The foundations of cost-sensitive learning", IJCAI, theorem 2.

    Examples
    --------
    >>> adjust_prevalence([0.0, 0.5, 0.9], 0.5, 0.1).round(3)
    array([0. , 0.1, 0.5])
    """
    probability = check_rate("y_prob", y_prob)
    old = check_prevalence(training_prevalence, "training_prevalence")
    new = check_prevalence(prevalence)
    ratio = (new / (1 - new)) / (old / (1 - old))
    return np.asarray(ratio * probability / (1 - probability + ratio * probability))
