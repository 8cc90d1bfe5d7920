"""The AUK of two models at every cost, from the kept scores of replicates, and where they tie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from study.analysis.reversals import CURVES
from study.analysis.shares import share_with_interval
from study.arrays import FloatArray, IntArray
from study.data.classes import GERMAN_CREDIT
from study.published import published_lookup
from study.replicates.evaluation import measure_curves, orientations

GRID = np.linspace(0, 1, 41)
# UCI's cost matrix of German Credit: accepting a bad customer costs 5, refusing a good one 1.
OWN_RATIO = 5.0
# The members of the family that the paper prints, and what a printed area has on top of them.
BALANCED = "AUC - 1/2"
PRINTED = {BALANCED: ("auc", 0.5), "AUK": ("auk", 0.0)}


class CostProfile(NamedTuple):
    """Areas by cost, and costs of ties."""

    profile: pd.DataFrame
    ties: pd.DataFrame


def cost_profile(
    scores: pd.DataFrame,
    pair: tuple[str, str],
    prevalence: float | None = None,
    cost_ratio: float | None = None,
) -> CostProfile:
    """AUK of two models at every cost, for both positive classes, on the raw curve and the hull.

    The scores are kept ones, the prevalence is that of bad rows (None: the test rows' own), the
    cost ratio is marked beside that of the data. Costs are the share of a missed *bad* row,
    whichever class is positive. The row marked "AUC - 1/2" has each split's own balanced cost; its
    cost is their mean. Ties lie between that cost and 1/2, in splits whose AUC and AUK order the
    models differently.
    """
    marks = {r / (1 + r): f"{r:g}:1" for r in (cost_ratio, OWN_RATIO) if r is not None} | {
        0.5: "AUK"
    }
    costs = np.unique([*GRID, *marks])
    profile, ties = [], []
    for key, replicates, goods, areas in _areas(scores, pair, prevalence, costs):
        lead = areas[0] - areas[1]
        levels = [*((cost, marks.get(cost, "")) for cost in costs), (goods.mean(), BALANCED)]
        for i, (cost, mark) in sorted(enumerate(levels), key=lambda level: level[1][0]):
            for model, sign, area in zip(pair, (1, -1), areas[:, i], strict=True):
                row = key | {"cost": cost, "mark": mark, "model": model}
                profile.append(row | _spread(area, sign * lead[i], (key["curve"], model), mark))
        for replicate, good, one in zip(replicates, goods, lead.T, strict=True):
            for cost in _ties(costs, one[:-1], float(good), one[-1]):
                by_auc = pair[0] if one[-1] > 0 else pair[1]
                ties.append(key | {"replicate": replicate, "auc_prefers": by_auc, "cost": cost})
    columns = [*key, "replicate", "auc_prefers", "cost"]
    return CostProfile(pd.DataFrame(profile), pd.DataFrame(ties, columns=columns))


def _areas(
    scores: pd.DataFrame, pair: tuple[str, str], prevalence: float | None, costs: FloatArray
) -> Iterator[tuple[dict[str, str], IntArray, FloatArray, FloatArray]]:
    """By place: replicates (n,) with both models, share of good rows (n,), areas (2, costs, n)."""
    tables = [scores[scores["model"] == model] for model in pair]
    shared = np.intersect1d(tables[0]["replicate"], tables[1]["replicate"])
    by_model: list[Any] = []
    for table in tables:
        kept = table[table["replicate"].isin(shared)].sort_values(["replicate", "row"])
        bad, score = (kept[name].to_numpy().reshape(len(shared), -1) for name in ("bad", "score"))
        by_model.append(list(orientations(bad == 1, score, prevalence, GERMAN_CREDIT)))
        good = 1 - bad.mean(axis=1) if prevalence is None else np.full(len(bad), 1 - prevalence)
    for both in zip(*by_model, strict=True):
        at = [*(costs if both[0].sign > 0 else 1 - costs), "balanced"]
        measured = [[measure_curves(side._replace(cost=cost)) for cost in at] for side in both]
        for curve in CURVES:
            areas = np.array([[each[curve]["auk"] for each in side] for side in measured])
            known = np.isfinite(areas).all(axis=(0, 1))
            key = {"positive_class": both[0].positive_class, "curve": curve}
            yield key, shared[known], good[known], areas[..., known]


def _spread(area: Any, lead: FloatArray, which: tuple[str, str], mark: str) -> dict[str, Any]:
    """Mean and central 95 % of an area; how often its model leads, Wilson interval; as printed."""
    low, high = np.quantile(area, [0.025, 0.975]) if len(area) else (np.nan, np.nan)
    ahead = share_with_interval(int((lead > 0).sum()), len(lead))
    summary = {"splits": len(area), "mean": np.mean(area) if len(area) else np.nan}
    summary |= {"low": low, "high": high, "ahead": ahead["share"]}
    summary |= {"ahead_low": ahead["low"], "ahead_high": ahead["high"]}
    measure, above = PRINTED.get(mark, ("", 0))
    return summary | {"published": published_lookup().get((*which, measure), np.nan) - above}


def _ties(costs: FloatArray, lead: FloatArray, good: float, by_auc: float) -> list[float]:
    """Costs between 1/2 and the balanced one at which the lead changes sign; on lines between."""
    inside = (costs - 0.5) * (costs - good) <= 0
    at, own = np.append(costs[inside], good), np.append(lead[inside], by_auc)
    order = np.argsort(at, kind="stable")
    at, own = at[order], own[order]
    if own[0] * own[-1] >= 0:
        return []
    i = np.flatnonzero(own[:-1] * own[1:] < 0)
    ties: list[float] = (at[i] - own[i] * np.diff(at)[i] / np.diff(own)[i]).tolist()
    return ties
