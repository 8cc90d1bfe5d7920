"""What thousands of replicates say: spread, percentiles, agreement."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from study.analysis.parts import KIND
from study.arrays import FloatArray
from study.published import published_lookup
from study.replicates.evaluation import MEASURES

WINS = ["measure", "model_a", "model_b", "splits", "ahead", "ties", "mean", "low", "high"]


def summarise(measures: pd.DataFrame, cost_ratio: float | None = None) -> pd.DataFrame:
    """Spread of every measure over the replicates, and where the published values fall in it."""
    lookup = published_lookup(cost_ratio)
    rows = []
    for key, table in measures.groupby(KIND, sort=False):
        kind = dict(zip(KIND, key, strict=True))
        for measure in MEASURES:
            value = table[measure].to_numpy()
            known = value[~np.isnan(value)]
            published = lookup.get((str(kind["curve"]), str(kind["model"]), measure), np.nan)
            row = {**kind, "measure": measure, "replicates": len(value)}
            row["undefined"] = len(value) - len(known)
            rows.append({**row, **_spread(known, published)})
    return pd.DataFrame(rows)


def _spread(known: FloatArray, published: float) -> dict[str, float]:
    spread = dict.fromkeys(("mean", "sd", "low", "median", "high"), np.nan)
    spread |= {"published": published, "percentile": np.nan}
    # A threshold may be infinite, where predicting nothing is best: such have no mean, and between
    # a number and infinity the nearer of the two is the quantile.
    finite = bool(np.isfinite(known).all())
    if len(known) and finite:
        spread["mean"] = float(known.mean())
    if len(known) > 1 and finite:
        spread["sd"] = float(known.std(ddof=1))
    if len(known):
        method: Any = "linear" if finite else "nearest"
        quantiles = np.quantile(known, [0.025, 0.5, 0.975], method=method)
        spread |= zip(("low", "median", "high"), quantiles.tolist(), strict=True)
        spread["percentile"] = percentile(known, published)
    return spread


def paired_wins(measures: pd.DataFrame) -> pd.DataFrame:
    """How often, and by how much, a model is ahead of another in the same splits.

    The measures are those of one positive class and curve; of each pair the model with the larger
    mean stands first. low and high are the central 95 % of the differences.
    """
    rows = []
    for measure in ("auc", "auk", "h", "kappa_max"):
        wide = measures.pivot_table(index="replicate", columns="model", values=measure)
        order = wide.mean().sort_values(ascending=False, kind="stable").index
        for first, second in combinations(order, 2):
            lead = (wide[first] - wide[second]).dropna().to_numpy()
            spread = _spread(lead, np.nan)
            row = {"measure": measure, "model_a": first, "model_b": second, "splits": len(lead)}
            row |= {"ahead": int((lead > 0).sum()), "ties": int((lead == 0).sum())}
            rows.append({**row, **{name: spread[name] for name in ("mean", "low", "high")}})
    return pd.DataFrame(rows, columns=WINS)


def win_sentences(wins: pd.DataFrame, labels: Mapping[str, str]) -> list[str]:
    """The two models with the largest means by AUC and by AUK, in words."""
    said = []
    for measure in ("auc", "auk"):
        for row in wins[wins["measure"] == measure].head(1).to_dict("records"):
            said.append(
                f"Over {row['splits']} random splits {row['model_a']} has the larger "
                f"{labels[measure]} than {row['model_b']} in {row['ahead']}, on average by "
                f"{row['mean']:.3f} (central 95 %: {row['low']:.3f} to {row['high']:.3f})."
            )
    return said


def percentile(values: FloatArray, at: float) -> float:
    """Percentage of values below a number, ties counted one half; nan where there is no number."""
    if np.isnan(at):
        return float("nan")
    return float(100 * (np.mean(values < at) + 0.5 * np.mean(values == at)))


def agreement(measures: pd.DataFrame) -> pd.DataFrame:
    """How far two measures rank the models alike: Kendall's tau within a replicate, averaged."""
    rows = []
    for curve, one in measures.groupby("curve", sort=False):
        signs = _pair_signs(one)
        for a, b in combinations(signs, 2):
            product = signs[a] * signs[b]
            tau = float(product.mean()) if product.size else np.nan
            keys = {"curve": curve, "measure_a": a, "measure_b": b}
            rows.append({**keys, "tau": tau, "replicates": len(product)})
    return pd.DataFrame(rows)


def _pair_signs(table: pd.DataFrame) -> dict[str, FloatArray]:
    """For each measure, which model of each pair of models is ahead (replicates, pairs)."""
    wide = {}
    for name in ("auc", "auk, good positive", "auk, bad positive", "h", "ks", "kappa_max"):
        of_side = table[table["positive_class"] == ("good" if "good" in name else "bad")]
        wide[name] = of_side.pivot_table(
            index="replicate", columns="model", values=name.split(",")[0], sort=False
        ).dropna()
    models = combinations(range(wide["ks"].shape[1]), 2)  # without those that have no scores
    i, j = np.array(list(models)).reshape(-1, 2).T
    return {
        name: np.sign(values.to_numpy()[:, i] - values.to_numpy()[:, j])
        for name, values in wide.items()
    }
