"""Cohen's kappa of a confusion matrix, and the largest kappa that its margins allow."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray, check_numbers


def kappa_score(confusion: npt.ArrayLike) -> float:
    """Cohen's kappa of a confusion matrix.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Counts, weights or joint probabilities; true classes in the rows and predicted ones in
        the columns, or the other way round.

    Returns
    -------
    float in [-1, 1]

    Raises
    ------
    ValueError
        If the matrix is not square, has a negative or infinite entry, or holds one class only,
        which is always predicted (kappa is 0/0).

    See Also
    --------
    kappa_max_score : The largest kappa with the same margins.

    References
    ----------
    Cohen (1960); Kaymak, Ben-David & Potharst (2010), equation 11.

    Examples
    --------
    >>> round(kappa_score([[252, 18], [21, 9]]), 3)
    0.244
    """
    share, chance = _shares(confusion)
    return float((np.trace(share) - chance) / (1 - chance))


def kappa_max_score(confusion: npt.ArrayLike) -> float:
    """Largest kappa that a confusion matrix with these margins could have.

    With the true shares and the predicted shares as they are, at most sum(min(true, predicted))
    of the rows can be right.

    Parameters
    ----------
    confusion : array-like of shape (n_classes, n_classes)
        Counts, weights or joint probabilities; true classes in the rows and predicted ones in
        the columns, or the other way round.

    Returns
    -------
    float in [0, 1]
        1 where each class is predicted as often as it occurs.

    Raises
    ------
    ValueError
        As :func:`kappa_score`.

    See Also
    --------
    kappa_score : The kappa that the matrix has.
    kappacurve.measures : ``kappa_max`` there is the largest kappa over all thresholds.

    References
    ----------
    Cohen (1960).

    Examples
    --------
    >>> round(kappa_max_score([[252, 18], [21, 9]]), 3)
    0.942
    """
    share, chance = _shares(confusion)
    most = np.minimum(share.sum(axis=0), share.sum(axis=1)).sum()
    return float((most - chance) / (1 - chance))


def _shares(confusion: npt.ArrayLike) -> tuple[FloatArray, float]:
    """Return the matrix as shares of its sum, and the agreement expected by chance."""
    counts = check_numbers("confusion", confusion)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise ValueError(f"confusion must be a square matrix, got shape {counts.shape}.")
    if not (np.isfinite(counts).all() and (counts >= 0).all() and counts.sum() > 0):
        raise ValueError("confusion must hold finite counts, none negative and not all zero.")
    if (counts > 0).sum() == 1 and np.trace(counts) > 0:
        raise ValueError("confusion holds one class only, always predicted: kappa is 0/0.")
    share = counts / counts.sum()
    return share, float(share.sum(axis=0) @ share.sum(axis=1))
