"""What thousands of replicates say: spread and percentiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.published import Lookup
from study.replicates.evaluation import MEASURES
from study.tables.parts import KIND


def summarise(measures: pd.DataFrame, published: Lookup | None = None) -> pd.DataFrame:
    """Spread of every measure over the replicates, and where published values fall in it."""
    rows = []
    for key, table in measures.groupby(KIND, sort=False):
        kind = dict(zip(KIND, key, strict=True))
        for measure in MEASURES:
            value = table[measure].to_numpy()
            defined = value[~np.isnan(value)]
            row = {**kind, "measure": measure, "replicates": len(value)}
            row |= {"undefined": len(value) - len(defined), **_spread(defined)}
            if published is not None:
                at = published.get((str(kind["curve"]), str(kind["model"]), measure), np.nan)
                row |= {"published": at, "percentile": percentile(defined, at)}
            rows.append(row)
    return pd.DataFrame(rows)


def _spread(values: FloatArray) -> dict[str, float]:
    spread = dict.fromkeys(("mean", "sd", "low", "median", "high"), np.nan)
    # A threshold may be infinite, where predicting nothing is best: such have no mean, and between
    # a number and infinity the nearer of the two is the quantile.
    finite = bool(np.isfinite(values).all())
    if len(values) and finite:
        spread["mean"] = float(values.mean())
    if len(values) > 1 and finite:
        spread["sd"] = float(values.std(ddof=1))
    if len(values):
        method: Any = "linear" if finite else "nearest"
        quantiles = np.quantile(values, [0.025, 0.5, 0.975], method=method)
        spread |= zip(("low", "median", "high"), quantiles.tolist(), strict=True)
    return spread


def percentile(values: FloatArray, at: float) -> float:
    """Percentage of values below a number, ties counted one half; nan where there is no number."""
    if np.isnan(at) or not len(values):
        return float("nan")
    return float(100 * (np.mean(values < at) + 0.5 * np.mean(values == at)))
