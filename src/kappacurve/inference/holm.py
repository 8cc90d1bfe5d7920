"""Holm's adjustment of p values for the number of tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kappacurve._validation import FloatArray


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust the p values of one family of tests by Holm's step-down method.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,) in [0, 1]
        NaN for a test that could not be made: it stays, and does not count.

    Returns
    -------
    ndarray of shape (n_tests,) in [0, 1]
        In the order given. Rejecting where it is at most alpha keeps the chance of any false
        rejection at alpha, whatever the tests have to do with one another.

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=float)
    made = ~np.isnan(given)
    p = given[made]
    order = np.argsort(p, kind="stable")
    # The smallest counts n times, the next n - 1 times; none may fall below the one before.
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.full_like(given, np.nan)
    adjusted[np.flatnonzero(made)[order]] = np.minimum(stepped, 1.0)
    return adjusted
