"""Tables 4 and 5 and the operating point: one split, its replicates, and what was published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.experiment.measures import MEASURES
from study.published import Lookup

AREAS = ("auc", "auk", "h")
POINT_MEASURES = ("kappa_max", "fpr", "tpr", "threshold")
KEYS = ["positive_class", "model", "measure"]
KINDS = ["model", "positive_class", "curve"]


def areas_table(
    measures: pd.DataFrame,
    curve: str,
    names: Sequence[str] = AREAS,
    published: Lookup | None = None,
) -> pd.DataFrame:
    """Measures on one curve: replicate 0 beside mean, SD and central 95 % of all replicates.

    Table 4 and the operating point are of the curve "hull", Table 5 is of "raw". With published
    values (by curve, model and measure) there are two more columns: these, and the percentage of
    replicates below them.
    """
    rows = measures[measures["curve"] == curve]
    table = summarise(rows, names)[[*KEYS, "mean", "sd", "low", "high"]]
    split, printed, percentiles = [], [], []
    by_kind = {kind: own.set_index("replicate") for kind, own in rows.groupby(KEYS[:2])}
    for side, model, measure in table[KEYS].to_numpy():
        values = by_kind[side, model][measure]
        split.append(values.get(0, np.nan))
        printed.append((published or {}).get((curve, model, measure), np.nan))
        percentiles.append(percentile(values.to_numpy(), printed[-1]))
    table.insert(len(KEYS), "split", split)
    if published is not None:
        table.insert(len(KEYS), "published", printed)
        table["percentile"] = percentiles
    return table.sort_values("positive_class", kind="stable", ignore_index=True)


def summarise(measures: pd.DataFrame, names: Sequence[str] = MEASURES) -> pd.DataFrame:
    """Spread of each measure over the replicates, of every model, positive class and curve."""
    rows = []
    for kind, table in measures.groupby(KINDS, sort=False):
        for name in names:
            values = table[name].dropna().to_numpy(dtype=float)
            counts = {"replicates": len(table), "undefined": len(table) - len(values)}
            key = dict(zip(KINDS, kind, strict=True))
            rows.append({**key, "measure": name, **counts, **_spread(values)})
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
    known = values[~np.isnan(values)]
    if np.isnan(at) or not len(known):
        return float("nan")
    return float(100 * (np.mean(known < at) + 0.5 * np.mean(known == at)))
