"""Tables 4 and 5 and the operating point: one split, its replicates, and what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.experiment.measures import MEASURES
from study.printed import Lookup

AREAS = ("auc", "auk", "h")
POINT_MEASURES = ("kappa_max", "fpr", "tpr", "threshold")


def areas_table(
    measures: pd.DataFrame,
    curve: str,
    names: Sequence[str] = AREAS,
    printed: Lookup | None = None,
) -> pd.DataFrame:
    """Measures on one curve: replicate 0 beside mean, SD and central 95 % of all replicates.

    Table 4 and the operating point are of the curve "hull", Table 5 is of "raw". With printed
    values (by curve, model and measure) there are two more columns: these, and the percentage of
    replicates below them.
    """
    rows = []
    curves = measures[measures["curve"] == curve].set_index("replicate")
    for (side, model), table in curves.groupby(["positive_class", "model"], sort=False):
        for name in names:
            values = table[name]
            value = (printed or {}).get((curve, str(model), name), np.nan)
            row = {"positive_class": side, "model": model, "measure": name, "printed": value}
            row |= {"split": values.get(0, np.nan), **spread(values)}
            rows.append(row | {"percentile": percentile(values.to_numpy(), value)})
    result = pd.DataFrame(rows).drop(columns="median")
    if printed is None:
        result = result.drop(columns=["printed", "percentile"])
    return result.sort_values("positive_class", kind="stable", ignore_index=True)


def summarise(measures: pd.DataFrame, names: Sequence[str] = MEASURES) -> pd.DataFrame:
    """Spread of each measure over the replicates, of every model, positive class and curve."""
    rows = []
    keys = ["model", "positive_class", "curve"]
    for kind, table in measures.groupby(keys, sort=False):
        for name in names:
            counts = {"replicates": len(table), "undefined": int(table[name].isna().sum())}
            key = dict(zip(keys, kind, strict=True))
            rows.append({**key, "measure": name, **counts, **spread(table[name])})
    return pd.DataFrame(rows)


def spread(values: pd.Series) -> dict[str, float]:
    """Mean, SD, median and central 95 % of the values that are defined."""
    known = values.dropna().to_numpy(dtype=np.float64)
    result = dict.fromkeys(("mean", "sd", "low", "median", "high"), np.nan)
    if not len(known):
        return result
    # A threshold may be infinite, where predicting nothing is best: such have no mean, and between
    # a number and infinity the nearer of the two is the quantile.
    finite = bool(np.isfinite(known).all())
    if finite:
        result["mean"] = float(known.mean())
    if finite and len(known) > 1:
        result["sd"] = float(known.std(ddof=1))
    method: Any = "linear" if finite else "nearest"
    quantiles = np.quantile(known, [0.025, 0.5, 0.975], method=method)
    return result | dict(zip(("low", "median", "high"), quantiles.tolist(), strict=True))


def percentile(values: FloatArray, at: float) -> float:
    """Percentage of values below a number, ties counted one half; nan where there is no number."""
    known = values[~np.isnan(values)]
    if np.isnan(at) or not len(known):
        return float("nan")
    return float(100 * (np.mean(known < at) + 0.5 * np.mean(known == at)))
