"""The AUK of two models at every cost, from the kept scores of replicates, and where they tie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from study.arrays import FloatArray, IntArray
from study.published import Lookup
from study.replicates.evaluation import measure_curves, orientations
from study.tables.reversals import CURVES
from study.tables.shares import share_with_interval
from study.tables.summaries import central

GRID = np.linspace(0, 1, 41)
# The members of the family that the paper prints, and what a printed area has on top of them.
BALANCED = "AUC - 1/2"
PRINTED = {BALANCED: ("auc", 0.5), "AUK": ("auk", 0.0)}


class CostProfile(NamedTuple):
    """Areas by cost, and costs of ties."""

    profile: pd.DataFrame
    ties: pd.DataFrame


def cost_profile(
    scores: pd.DataFrame,
    pair: Sequence[str],
    prevalence: float | None = None,
    ratios: Sequence[float] = (),
    published: Lookup = MappingProxyType({}),
) -> CostProfile:
    """AUK of two models at every cost, for both positive classes, on the raw curve and the hull.

    The scores are kept ones, the prevalence is that of the minority (None: the test rows' own), the
    cost ratios are marked. Costs are the share of a missed *minority* row, whichever class is
    positive. The row marked "AUC - 1/2" has each split's own balanced cost; its
    cost is their mean. Ties lie between that cost and 1/2, in splits whose AUC and AUK order the
    models differently.
    """
    marks = {ratio / (1 + ratio): f"{ratio:g}:1" for ratio in ratios} | {0.5: "AUK"}
    costs = np.unique([*GRID, *marks])
    profile = []
    ties = []
    for key, replicates, majorities, areas in _areas(scores, pair, prevalence, costs):
        lead = areas[0] - areas[1]
        balanced = majorities.mean() if len(majorities) else np.nan
        levels = [*((cost, marks.get(cost, "")) for cost in costs), (balanced, BALANCED)]
        for i, (cost, mark) in sorted(enumerate(levels), key=lambda level: level[1][0]):
            for model, sign, area in zip(pair, (1, -1), areas[:, i], strict=True):
                ahead = share_with_interval(int((sign * lead[i] > 0).sum()), len(area))
                measure, above = PRINTED.get(mark, ("", 0))
                row = key | {"cost": cost, "mark": mark, "model": model, "splits": len(area)}
                row |= central(area) | {"ahead": ahead["share"]}
                row |= {f"ahead_{end}": ahead[end] for end in ("low", "high")}
                row["published"] = published.get((key["curve"], model, measure), np.nan) - above
                profile.append(row)
        for replicate, majority, lead_of_split in zip(replicates, majorities, lead.T, strict=True):
            for cost in _ties(costs, lead_of_split[:-1], float(majority), lead_of_split[-1]):
                by_auc = pair[0] if lead_of_split[-1] > 0 else pair[1]
                ties.append(key | {"replicate": replicate, "auc_prefers": by_auc, "cost": cost})
    columns = [*key, "replicate", "auc_prefers", "cost"]
    return CostProfile(pd.DataFrame(profile), pd.DataFrame(ties, columns=columns))


def _areas(
    scores: pd.DataFrame, pair: Sequence[str], prevalence: float | None, costs: FloatArray
) -> Iterator[tuple[dict[str, str], IntArray, FloatArray, FloatArray]]:
    """By place: replicates (n,) of both models, share of the majority (n,), areas (2, costs, n)."""
    # Those of one size are measured together; by group splits have several.
    sizes = scores.groupby(["replicate", "model"])["row"].transform("size")
    by_size = [
        list(_areas_of_one_size(rows, pair, prevalence, costs)) for _, rows in scores.groupby(sizes)
    ]
    for parts in zip(*by_size, strict=True):
        replicates, majority, areas = (
            np.concatenate([part[i] for part in parts], axis=-1) for i in (1, 2, 3)
        )
        order = np.argsort(replicates, kind="stable")
        yield parts[0][0], replicates[order], majority[order], areas[..., order]


def _areas_of_one_size(
    scores: pd.DataFrame, pair: Sequence[str], prevalence: float | None, costs: FloatArray
) -> Iterator[tuple[dict[str, str], IntArray, FloatArray, FloatArray]]:
    tables = [scores[scores["model"] == model] for model in pair]
    shared = np.intersect1d(tables[0]["replicate"], tables[1]["replicate"])
    by_model: list[Any] = []
    for table in tables:
        paired = table[table["replicate"].isin(shared)].sort_values(["replicate", "row"])
        minority = paired["minority"].to_numpy().reshape(len(shared), -1)
        score = paired["score"].to_numpy().reshape(minority.shape)
        by_model.append(list(orientations(minority == 1, score, prevalence)))
        share = minority.mean(axis=1) if prevalence is None else np.full(len(minority), prevalence)
        majority = 1 - share
    for both in zip(*by_model, strict=True):
        at = [*(costs if both[0].sign > 0 else 1 - costs), "balanced"]
        measured = [[measure_curves(side._replace(cost=cost)) for cost in at] for side in both]
        for curve in CURVES:
            areas = np.array([[measures[curve]["auk"] for measures in side] for side in measured])
            defined = np.isfinite(areas).all(axis=(0, 1))
            key = {"positive_class": both[0].positive_class, "curve": curve}
            yield key, shared[defined], majority[defined], areas[..., defined]


def _ties(costs: FloatArray, lead: FloatArray, majority: float, by_auc: float) -> list[float]:
    """Costs between 1/2 and the balanced one at which the lead changes sign; on lines between."""
    inside = (costs - 0.5) * (costs - majority) <= 0
    at = np.append(costs[inside], majority)
    leads = np.append(lead[inside], by_auc)
    order = np.argsort(at, kind="stable")
    at = at[order]
    leads = leads[order]
    if leads[0] * leads[-1] >= 0:
        return []
    i = np.flatnonzero(leads[:-1] * leads[1:] < 0)
    ties: list[float] = (at[i] - leads[i] * np.diff(at)[i] / np.diff(leads)[i]).tolist()
    return ties
