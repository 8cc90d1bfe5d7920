"""How often two measures order two models differently, and how far the printed areas lie out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.printed import PAPER_PAIR, printed_lookup

ROUNDING = 1e-12  # leads that are smaller are ties
NORMAL_QUANTILE = 1.959963984540054  # of 0.975
SMALLEST_EIGENVALUE = 1e-10  # of the largest; what is smaller is rounding, and counts as none
CURVES = ("hull", "raw")
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


def share_with_interval(k: int, n: int) -> dict[str, float]:
    """Share of k in n replicates, with low and high, its 95 % Wilson interval.

    It is about the chance of a split of these rows, not about other data.
    """
    if n == 0:
        return dict.fromkeys(("share", "low", "high"), np.nan)
    share, z2 = k / n, NORMAL_QUANTILE**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = NORMAL_QUANTILE / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n**2))
    # At the ends exactly, whatever rounding does.
    low, high = middle - half if k else 0.0, middle + half if k < n else 1.0
    return {"share": share, "low": low, "high": high}


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


# ---- the eight areas of a split ----


def stack_areas(
    measures: pd.DataFrame,
    positive_class: str,
    models: Sequence[str] = PAPER_PAIR,
    auk: str = "auk",
) -> FloatArray:
    """AUC and AUK (axis 1) of hull and curve (axis 2) of both models (axis 3), of each split.

    `auk` is the column of the AUK. Splits in which a class is missing are left out.
    """
    is_used = measures["model"].isin(models) & (measures["positive_class"] == positive_class)
    wide = measures[is_used].pivot_table(
        index="replicate", columns=["curve", "model"], values=["auc", auk]
    )
    columns = pd.MultiIndex.from_product([("auc", auk), CURVES, models])
    return wide.reindex(columns=columns).dropna().to_numpy(dtype=float).reshape(-1, 2, 2, 2)


def printed_areas() -> FloatArray:
    """The eight printed areas, in the same order."""
    printed = printed_lookup()
    return np.array(
        [
            [[printed[curve, model, name] for model in PAPER_PAIR] for curve in CURVES]
            for name in ("auc", "auk")
        ]
    )


def distance_from_splits(areas: FloatArray, printed: FloatArray) -> dict[str, float]:
    """Mahalanobis distance of the printed areas, and how many splits lie farther out.

    A split is measured from the mean and covariance of the others, as the printed areas are.
    """
    values = areas.reshape(len(areas), -1)
    n, n_areas = values.shape
    if n < n_areas + 2:
        return {"distance": np.nan, "typical": np.nan, "splits_farther": 0, "splits": n}
    inverse = np.linalg.pinv(np.cov(values.T), rcond=SMALLEST_EIGENVALUE, hermitian=True)

    def squared_distance(offset: FloatArray) -> FloatArray:
        return np.asarray(((offset @ inverse) * offset).sum(axis=-1))

    mean = values.mean(axis=0)
    within = squared_distance(values - mean)
    left_out = within * n**2 * (n - 2) / ((n - 1) * np.maximum((n - 1) ** 2 - n * within, 1e-9))
    distance = squared_distance(printed.ravel() - mean)
    return {
        "distance": float(np.sqrt(distance)),
        "typical": float(np.sqrt(np.median(left_out))),
        "splits_farther": int((left_out > distance).sum()),
        "splits": n,
    }


def count_reversals(areas: FloatArray) -> int:
    """Splits in which AUC prefers the first model and AUK the second, on hull and curve both."""
    lead = areas[..., 0] - areas[..., 1]
    return int(((lead[:, 0] > ROUNDING) & (lead[:, 1] < -ROUNDING)).all(axis=1).sum())
