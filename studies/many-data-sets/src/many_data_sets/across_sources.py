"""Means over families of several sources, with intervals that know that sources are the units."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import t as student

from many_data_sets._experiment import FloatArray, IntArray

FEWEST = 10  # sources of a verdict, and most sources for which Student's t is taken
WORDS = {1: "leads", -1: "is behind", 0: "is not shown to differ"}
NO_EVIDENCE = "no evidence"


def across_sources(
    values: FloatArray, sources: IntArray, resamples: int, seed: int
) -> dict[str, float]:
    """The mean over families; the interval if sources are resampled, and that under a correlation.

    `sources` are codes from 0. Up to ten of them: Student's t with a variance clustered by source,
    with the effective number of sources less one degrees of freedom; no interval below one.
    """
    n, mean, sizes = len(values), float(values.mean()), np.bincount(sources)
    found = {"families": n, "sources": len(sizes), "largest_share": sizes.max() / n}
    found |= {"difference": mean, "low": np.nan, "high": np.nan}
    if len(sizes) > FEWEST:
        drawn = np.random.default_rng([seed, len(sizes)]).integers(
            len(sizes), size=(resamples, len(sizes))
        )
        total = np.bincount(sources, values)[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
        found["low"], found["high"] = np.quantile(total, [0.025, 0.975])
    elif len(sizes) > 1:
        sums = np.bincount(sources, values - mean)
        error = np.sqrt(len(sizes) / (len(sizes) - 1) * (sums**2).sum()) / n
        found |= _ends(mean, error, n**2 / (sizes**2).sum(), "")
    correlation = intra_source(values, sources)
    found |= {"correlation": correlation, "correlated_low": np.nan, "correlated_high": np.nan}
    if n > 1:
        effective = n / (1 + correlation * (sizes * (sizes - 1)).sum() / n)
        error = float(values.std(ddof=1)) / np.sqrt(effective)
        found |= _ends(mean, error, effective, "correlated_")
    return found


def _ends(mean: float, error: float, effective: float, name: str) -> dict[str, float]:
    """Of an interval by Student's t; none with less than one degree of freedom."""
    around = float(student.isf(0.025, effective - 1)) * error if effective >= 2 else np.nan
    return {f"{name}low": mean - around, f"{name}high": mean + around}


def intra_source(values: FloatArray, sources: IntArray) -> float:
    """Correlation of two families of a source, by one-way analysis of variance; at least 0."""
    sizes, n = np.bincount(sources), len(values)
    groups = len(sizes)
    if not 1 < groups < n:
        return 0.0
    means = np.bincount(sources, values) / sizes
    between = (sizes * (means - values.mean()) ** 2).sum() / (groups - 1)
    within = ((values - means[sources]) ** 2).sum() / (n - groups)
    size = (n - (sizes**2).sum() / n) / (groups - 1)
    whole = between + (size - 1) * within
    return float(max(0.0, between - within) / whole) if whole > 0 else 0.0


def direction(found: Mapping[str, float]) -> int | None:
    """1 if both intervals lie above zero, -1 below, 0 otherwise; None on too few sources."""
    if found["sources"] < FEWEST:
        return None
    if min(found["low"], found["correlated_low"]) > 0:
        return 1
    return -1 if max(found["high"], found["correlated_high"]) < 0 else 0


def in_words(found: Mapping[str, float]) -> str:
    """What may be said of a difference."""
    sign = direction(found)
    return NO_EVIDENCE if sign is None else WORDS[sign]


def pooled(rows: pd.DataFrame, keys: list[str], levels: Mapping[str, int]) -> pd.DataFrame:
    """A line for each group of rows with columns `lead` and `source`."""
    lines = []
    for key, part in rows.dropna(subset="lead").groupby(keys, sort=False):
        codes = pd.factorize(part["source"], sort=True)[0]
        found = across_sources(part["lead"].to_numpy(), codes, levels["resamples"], levels["seed"])
        lines.append({**dict(zip(keys, key, strict=True)), **found, "words": in_words(found)})
    return pd.DataFrame(lines)
