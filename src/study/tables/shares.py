"""A share of replicates, and a mean of few values, with their intervals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from kappacurve.inference import wilson_interval


def share_with_interval(k: int, n: int, *, intervals: int = 1) -> dict[str, float]:
    """Share of k in n replicates, with low and high, its 95 % Wilson interval.

    It is about the chance of a split of these rows, not about other data. As one of several
    `intervals` it is wider, so that all of them hold at once in 95 % (Bonferroni).
    """
    if n == 0:
        return dict.fromkeys(("share", "low", "high"), np.nan)
    low, high = wilson_interval(k / n, n, float(ndtri(1 - 0.025 / intervals)))
    # At the ends exactly, whatever rounding does.
    return {"share": k / n, "low": float(low) if k else 0.0, "high": float(high) if k < n else 1.0}


def mean_interval(values: npt.ArrayLike) -> tuple[float, float]:
    """Student's 95 % interval of a mean."""
    array = np.asarray(values, dtype=np.float64)
    return t_interval(float(array.mean()), float(array.std(ddof=1)), array.size)


def t_interval(mean: float, sd: float, n: int) -> tuple[float, float]:
    """Student's 95 % interval of a mean, of the values' standard deviation and number."""
    half = float(stdtrit(n - 1, 0.975)) * sd / n**0.5 if n > 1 else np.nan
    return mean - half, mean + half
