"""A share of replicates with its interval."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

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
