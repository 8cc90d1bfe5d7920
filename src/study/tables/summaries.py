"""What thousands of replicates say: spread, percentiles, agreement."""

from __future__ import annotations

from itertools import combinations
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


def central(values: FloatArray) -> dict[str, float]:
    """Mean and central 95 % of some differences."""
    spread = _spread(values)
    return {name: spread[name] for name in ("mean", "low", "high")}


def percentile(values: FloatArray, at: float) -> float:
    """Percentage of values below a number, ties counted one half; nan where there is no number."""
    if np.isnan(at) or not len(values):
        return float("nan")
    return float(100 * (np.mean(values < at) + 0.5 * np.mean(values == at)))


def agreement(measures: pd.DataFrame) -> pd.DataFrame:
    """How far two measures rank the models alike: Kendall's tau within a replicate, averaged."""
    rows = []
    for curve, of_curve in measures.groupby("curve", sort=False):
        signs = _pair_signs(of_curve)
        for a, b in combinations(signs, 2):
            product = signs[a] * signs[b]
            tau = float(product.mean()) if product.size else np.nan
            keys = {"curve": curve, "measure_a": a, "measure_b": b}
            rows.append({**keys, "tau": tau, "replicates": len(product)})
    return pd.DataFrame(rows)


def _pair_signs(table: pd.DataFrame) -> dict[str, FloatArray]:
    """For each measure, which model of each pair of models is ahead (replicates, pairs)."""
    wide = {}
    for name in ("auc", "auk, majority positive", "auk, minority positive", "h", "ks", "kappa_max"):
        side = "majority" if "majority" in name else "minority"
        of_side = table[table["positive_class"] == side]
        wide[name] = of_side.pivot_table(
            index="replicate", columns="model", values=name.split(",")[0], sort=False
        ).dropna()
    models = combinations(range(wide["ks"].shape[1]), 2)  # without those that have no scores
    i, j = np.array(list(models), dtype=int).reshape(-1, 2).T
    return {
        name: np.sign(values.to_numpy()[:, i] - values.to_numpy()[:, j])
        for name, values in wide.items()
    }
