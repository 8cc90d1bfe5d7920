"""How often two measures order two models differently, and how often as the paper prints it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.published import PAPER_PAIR, published_lookup
from study.tables.shares import share_with_interval

MEASURE_PAIRS = (("auc", "auk"), ("auc", "h"), ("auk", "h"))
CURVES = ("raw", "hull")
COLUMNS = ["pair", "curve", "positive_class", "pattern", "replicates", "reversals"]
COLUMNS += ["share", "low", "high"]
ROUNDING = 1e-12  # leads this small are ties
# Printed numbers differ by whole units of the fourth decimal; floats do so nearly.
PRINTED_ROUNDING = 1e-9


def reversals_table(
    measures: pd.DataFrame, models: Sequence[str], *, as_large: bool = False
) -> pd.DataFrame:
    """In how many replicates two measures order two models differently, by curve, class, pattern.

    The pattern "any" is any order; of AUC and AUK there is also "published": AUC prefers the first
    model and AUK the second; and, if asked for, "as_large": that by the published gaps or more, on
    the hull those of Table 4, on the raw curve those of Table 5. The curve "both" counts what shows
    on raw curve and hull. Ties are no reversals; replicates in which a class is missing are left
    out. Without both models the table is empty.
    """
    rows = []
    for positive_class, lead in _leads_by_class(measures, models).items():
        for pair in MEASURE_PAIRS:
            for pattern, found in _find_patterns(lead, *pair, as_large).items():
                for curve in (*CURVES, "both"):
                    key = ("-".join(pair), curve, positive_class, pattern)
                    count = int(found[curve].sum())
                    share = share_with_interval(count, len(found))
                    rows.append((*key, len(found), count, *share.values()))
    return pd.DataFrame(rows, columns=COLUMNS)


def _leads_by_class(measures: pd.DataFrame, models: Sequence[str]) -> dict[str, pd.DataFrame]:
    """The first model's measures less the second's, by positive class.

    A row for each replicate, and columns (measure, curve).
    """
    if len(models) < 2 or not set(models) <= set(measures["model"]):
        return {}
    names = [*dict.fromkeys(name for pair in MEASURE_PAIRS for name in pair)]
    keys = ["model", "positive_class", "replicate", "curve"]
    by_model = measures[measures["model"].isin(models)].set_index(keys)[names]
    first, second = (by_model.loc[model] for model in models)
    lead: Any = (first - second).unstack("curve").dropna()  # noqa: PD010 the index is wanted
    lead = lead.where(lead.abs() > ROUNDING, 0.0)
    return {str(side): lead.loc[side] for side in lead.index.unique("positive_class")}


def _find_patterns(lead: Any, first: str, second: str, as_large: bool) -> dict[str, pd.DataFrame]:
    """Which replicates show a pattern, by pattern and curve."""
    patterns = {"any": _on_both(lead[first] * lead[second] < 0)}
    if (first, second) == ("auc", "auk"):
        patterns["published"] = _on_both((lead["auc"] > 0) & (lead["auk"] < 0))
        if as_large:
            auc, auk = (published_gaps(name) for name in ("auc", "auk"))
            large = lead["auc"][[*CURVES]] >= auc - PRINTED_ROUNDING
            patterns["as_large"] = _on_both(
                large & (lead["auk"][[*CURVES]] <= auk + PRINTED_ROUNDING)
            )
    return patterns


def _on_both(reversal: pd.DataFrame) -> pd.DataFrame:
    return reversal.assign(both=reversal["raw"] & reversal["hull"])


def published_gaps(measure: str) -> FloatArray:
    """The published linear model's area less the network's, on raw curve (Table 5) and hull (4)."""
    published = published_lookup()
    linear, network = PAPER_PAIR
    gaps = [
        published[curve, linear, measure] - published[curve, network, measure] for curve in CURVES
    ]
    return np.array(gaps)
