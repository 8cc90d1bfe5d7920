"""Cohen's kappa of confusion matrices and of counts."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray, check_choice, check_numbers
from kappacurve.kappa import kappa_shares, kappa_terms


def kappa_of_confusion(
    confusion: npt.ArrayLike,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    cost_matrix: npt.ArrayLike | None = None,
) -> float:
    """Cohen's kappa (1960, 1968) of a confusion matrix, in [-1, 1] without costs.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Counts, weights or joint probabilities; true classes in the rows and predicted ones in
        the columns, or the other way round. A ValueError is raised unless it is square, finite and
        not negative, and if it holds one class only that is always predicted (kappa is 0/0).
    weights : {"linear", "quadratic"}, optional
        Disagreements of ordered classes weigh as their distance or its square; by default all
        weigh the same. As in :func:`sklearn.metrics.cohen_kappa_score`.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        Instead: what each cell of `confusion` costs; not negative, the diagonal zero. For two
        classes that is :func:`kappacurve.algebra.kappa_from_rates` at a `cost_ratio`.

    Examples
    --------
    >>> round(kappa_of_confusion([[252, 18], [21, 9]]), 3)
    0.244

    Kaymak et al. (2010), Table 1, in which accuracy is 0.95 and kappa is not:

    >>> round(kappa_of_confusion([[0.05, 0.02], [0.03, 0.90]]), 3)
    0.64
    """
    share, chance = _shares(confusion)
    if weights is None and cost_matrix is None:
        return (float(np.trace(share)) - chance) / (1 - chance)
    cost = _disagreement(len(share), weights, cost_matrix)
    expected = float((cost * np.outer(share.sum(axis=1), share.sum(axis=0))).sum())
    if expected == 0:
        raise ValueError("cost_matrix makes every error that chance gives cost nothing.")
    return 1 - float((cost * share).sum()) / expected


def _disagreement(n: int, weights: str | None, cost_matrix: npt.ArrayLike | None) -> FloatArray:
    """What each cell of a confusion matrix costs."""
    if cost_matrix is None:
        power = 1.0 + check_choice("weights", weights, "linear", "quadratic")
        return np.asarray(np.abs(np.subtract.outer(np.arange(n), np.arange(n))) ** power)
    if weights is not None:
        raise ValueError("weights and cost_matrix say the same: give one of them.")
    cost = check_numbers("cost_matrix", cost_matrix)
    if cost.shape != (n, n):
        raise ValueError(f"cost_matrix must have the shape ({n}, {n}), got {cost.shape}.")
    if not (np.isfinite(cost) & (cost >= 0)).all() or np.diag(cost).any():
        raise ValueError("cost_matrix must be finite and not negative, with a diagonal of zeros.")
    return cost


def kappa_max_of_confusion(confusion: npt.ArrayLike) -> float:
    """Largest kappa that a confusion matrix with these margins could have, in [0, 1].

    With the true and the predicted shares as they are, at most sum(min(true, predicted)) of the
    rows can be right (Cohen 1960). The ``kappa_max`` of :func:`kappacurve.measures` is another: the
    largest kappa over all thresholds.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Counts, weights or joint probabilities, true classes in the rows or in the columns.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    ValueError
        Unless the matrix is square, finite and not negative, with more than one class.

    Examples
    --------
    >>> round(kappa_max_of_confusion([[252, 18], [21, 9]]), 3)
    0.942
    """
    share, chance = _shares(confusion)
    most = float(np.minimum(share.sum(axis=0), share.sum(axis=1)).sum())
    return (most - chance) / (1 - chance)


def kappa_of_counts(true: int, false: int, n_positive: int, n_negative: int) -> float:
    """Cohen's kappa of true and false positives; 0 where all rows are predicted rightly one class.

    >>> round(kappa_of_counts(232, 18, 250, 30), 4)
    0.328
    """
    n = n_positive + n_negative
    shares = kappa_shares(n_negative, n_positive, n_positive / n, n_negative / n)
    above, below = kappa_terms(false, true, n_negative, n_positive, shares)
    return above / below if below else 0.0


def _shares(confusion: npt.ArrayLike) -> tuple[FloatArray, float]:
    """Return the matrix as shares of its sum, and the agreement expected by chance."""
    counts = check_numbers("confusion", confusion)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise ValueError(f"confusion must be a square matrix, got shape {counts.shape}.")
    with np.errstate(over="ignore", invalid="ignore"):
        total = counts.sum()
    if not ((counts >= 0).all() and 0 < total < np.inf):
        raise ValueError("confusion must hold finite counts, none negative and not all zero.")
    if (counts > 0).sum() == 1 and np.trace(counts) > 0:
        raise ValueError("confusion holds one class only, always predicted: kappa is 0/0.")
    share = counts / total
    return share, float(share.sum(axis=0) @ share.sum(axis=1))
