"""How often two measures order two models differently, and how often as the paper prints it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from study.printed import PAPER_PAIR
from study.tables.shares import ROUNDING, share_with_interval
from study.tables.split_areas import CURVES, printed_areas

MEASURE_PAIRS = (("auc", "auk"), ("auc", "h"), ("auk", "h"))
COLUMNS = ["pair", "curve", "positive_class", "pattern", "replicates", "reversals"]
COLUMNS += ["share", "low", "high"]
# Ends of the differences in AUC by which reversals are counted.
GAPS = (0.0, 0.02, 0.06, 1.0)
GAP_COLUMNS = ["curve", "positive_class", "gap_from", "gap_to", "replicates", "reversals"]
GAP_COLUMNS += ["share", "low", "high", "largest_gap"]
# Printed numbers differ by whole units of the fourth decimal; floats do so nearly.
PRINTED_ROUNDING = 1e-9
TYPICAL = "typical split:\nAUC, AUK agree"
RARE = "rare split:\nthey disagree"


def reversals_table(
    measures: pd.DataFrame, models: Sequence[str], *, as_large: bool = False
) -> pd.DataFrame:
    """In how many replicates two measures order two models differently, by curve, class, pattern.

    The pattern "any" is any order; of AUC and AUK there is also "printed": AUC prefers the first
    model and AUK the second; and, if asked for, "as_large": that by the printed gaps or more, on
    the hull those of Table 4, on the raw curve those of Table 5. The curve "both" counts what shows
    on raw curve and hull. Ties are no reversals; replicates in which a class is missing are left
    out. Without both models the table is empty.
    """
    rows: list[tuple[Any, ...]] = []
    if len(models) < 2 or not set(models) <= set(measures["model"]):
        return pd.DataFrame(rows, columns=COLUMNS)
    lead = _measure_leads(measures, models)
    for side in lead.index.unique("positive_class"):
        own: Any = lead.loc[side]
        for first, second in MEASURE_PAIRS:
            patterns = {"any": own[first] * own[second] < 0}
            if (first, second) == ("auc", "auk"):
                patterns["printed"] = (own["auc"] > 0) & (own["auk"] < 0)
                if as_large:
                    linear, network = np.moveaxis(printed_areas(), -1, 0)
                    auc, auk = (pd.Series(gap, CURVES) for gap in linear - network)
                    large = own["auc"].ge(auc - PRINTED_ROUNDING)
                    large &= own["auk"].le(auk + PRINTED_ROUNDING)
                    patterns["as_large"] = large
            for pattern, found in patterns.items():
                counts = {**found.sum(), "both": found.all(axis=1).sum()}
                for curve in ("raw", "hull", "both"):
                    key = (f"{first}-{second}", curve, side, pattern, len(found), counts[curve])
                    rows.append((*key, *share_with_interval(counts[curve], len(found)).values()))
    return pd.DataFrame(rows, columns=COLUMNS)


def reversals_by_gap(measures: pd.DataFrame, models: Sequence[str]) -> pd.DataFrame:
    """In how many replicates AUC and AUK order two models differently, by the difference in AUC.

    One row per positive class, curve and range of differences, from `gap_from` up to but not with
    `gap_to`. `largest_gap` is the largest difference at which they do. Without both models the
    table is empty.
    """
    rows: list[tuple[Any, ...]] = []
    if len(models) < 2 or not set(models) <= set(measures["model"]):
        return pd.DataFrame(rows, columns=GAP_COLUMNS)
    lead = _measure_leads(measures, models)
    for side in lead.index.unique("positive_class"):
        own: Any = lead.loc[side]
        for curve in ("raw", "hull"):
            auc, auk = own["auc", curve], own["auk", curve]
            gap, is_reversed = auc.abs(), auc * auk < 0
            for start, end in pairwise(GAPS):
                within = gap.between(start, end, inclusive="left")
                reversals = gap[within & is_reversed]
                share = share_with_interval(len(reversals), int(within.sum()))
                key = curve, side, start, end, int(within.sum()), len(reversals)
                rows.append((*key, *share.values(), reversals.max()))
    return pd.DataFrame(rows, columns=GAP_COLUMNS)


def _measure_leads(measures: pd.DataFrame, models: Sequence[str]) -> pd.DataFrame:
    """The first model's measures less the second's.

    A row for each positive class and replicate, and columns (measure, curve).
    """
    keys = ["model", "positive_class", "replicate", "curve"]
    names = ["auc", "auk", "h"]
    by_model = measures[measures["model"].isin(models)].set_index(keys)[names]
    first, second = (by_model.loc[model] for model in models)
    lead: Any = (first - second).unstack("curve").dropna()  # noqa: PD010 the index is wanted
    leads: pd.DataFrame = lead.where(lead.abs() > ROUNDING, 0.0)
    return leads


def choose_splits(measures: pd.DataFrame) -> dict[str, int]:
    """The split whose leads are nearest to their medians, and the clearest reversal, by title.

    A reversal shows on curve and hull both, with good as the positive class; the clearest has the
    largest of the smaller leads, each in standard deviations. Without one there is one split.
    """
    own = measures[measures["positive_class"] == "majority"]
    wide: Any = own.pivot_table(
        index="replicate", columns=["curve", "model"], values=["auc", "auk"]
    )
    first, second = (wide.xs(model, axis=1, level="model") for model in PAPER_PAIR)
    lead = (first - second).dropna()
    scaled = lead / lead.std()
    agrees = lead[(lead > 0).all(axis=1)].index
    distance = (scaled.loc[agrees] - scaled.median()).abs().max(axis=1)
    signs = np.where(lead.columns.get_level_values(0) == "auc", 1.0, -1.0)
    reversal = scaled[(lead * signs > 0).all(axis=1)] * signs
    candidates = {TYPICAL: distance, RARE: -reversal.min(axis=1)}
    return {title: int(rank.idxmin()) for title, rank in candidates.items() if len(rank)}
