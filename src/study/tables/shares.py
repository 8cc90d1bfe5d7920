"""A share of replicates with its interval."""

from __future__ import annotations

from math import sqrt

import numpy as np

ROUNDING = 1e-12  # leads that are smaller are ties
NORMAL_QUANTILE = 1.959963984540054  # of 0.975


def share_with_interval(k: int, n: int) -> dict[str, float]:
    """Share of k in n replicates, with low and high, its 95 % Wilson interval.

    It is about the chance of a split of these rows, not about other data.
    """
    if n == 0:
        return dict.fromkeys(("share", "low", "high"), np.nan)
    share, z2 = k / n, NORMAL_QUANTILE**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = NORMAL_QUANTILE / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n**2))
    # At the ends exactly, whatever rounding does.
    low, high = middle - half if k else 0.0, middle + half if k < n else 1.0
    return {"share": share, "low": low, "high": high}
