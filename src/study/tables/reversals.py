"""How often two measures order two models differently, and how often as the paper prints it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from study.arrays import BoolArray, FloatArray
from study.published import AUC_AND_AUK, PAPER_PAIR, published_lookup
from study.replicates.evaluation import Kinds
from study.tables.parts import by_kind
from study.tables.shares import share_with_interval

PAIRS = (("auc", "auk"), ("auc", "auk_trapezoid"), ("auc", "h"), ("auk", "h"))
CURVES = ("raw", "hull")


def rank_reversals(
    measures: pd.DataFrame, pair: Sequence[str], *, as_large: bool = False
) -> pd.DataFrame:
    """In how many replicates two measures order two models differently, on raw curve, hull, both.

    The pattern is "any" order; "published": the first measure prefers the first model and the
    second the second; if asked for also "as_large": that by the published gaps or more, on the hull
    those of Table 4, on the raw curve those of Table 5. Ties are not reversals; replicates in which
    a class is missing are left out.
    """
    rows = []
    for positive_class, kinds in by_kind(measures).items():
        lead = _lead(kinds, pair)
        for first, second in PAIRS:
            for pattern, reversed_on in reversal_patterns(lead, first, second).items():
                if pattern == "as_large" and not (as_large and len(lead["raw"])):
                    continue
                for curve, reversal in reversed_on.items():
                    key = {"pair": f"{first}-{second}", "curve": curve}
                    key |= {"positive_class": str(positive_class), "pattern": pattern}
                    rows.append({**key, **_share(reversal)})
    table = pd.DataFrame(rows)
    last = (table["pattern"] == "as_large").argsort(kind="stable")
    return table.iloc[last].reset_index(drop=True)


def _lead(kinds: Kinds, pair: Sequence[str]) -> dict[str, pd.DataFrame]:
    """First model's measures minus the second's, by curve."""
    nothing = pd.DataFrame(columns=["auc", "auk", "auk_trapezoid", "h"], dtype=float)
    lead = {}
    for curve in CURVES:
        first, second = (kinds.get((curve, model), nothing)[list(nothing)] for model in pair)
        lead[curve] = (first - second).dropna()
    return lead


def reversal_patterns(
    lead: dict[str, pd.DataFrame], first: str, second: str
) -> dict[str, dict[str, BoolArray]]:
    """Replicates that show a pattern, by pattern and curve."""
    patterns: dict[str, dict[str, BoolArray]] = {"any": {}, "published": {}}
    for curve, leads in lead.items():
        a, b = past_rounding(leads[[first, second]].to_numpy()).T
        patterns["any"][curve] = a * b < 0
        patterns["published"][curve] = (a > 0) & (b < 0)
        if f"{first}-{second}" in AUC_AND_AUK:
            gaps = published_gaps(curve)
            # Printed numbers differ by whole units of the fourth decimal; floats do so nearly.
            large = (a >= gaps["auc"] - 1e-9) & (b <= gaps["auk"] + 1e-9)
            patterns.setdefault("as_large", {})[curve] = large
    return {pattern: {**on, "both": on["raw"] & on["hull"]} for pattern, on in patterns.items()}


def past_rounding(leads: FloatArray) -> FloatArray:
    """With zero for what rounding alone makes of a tie."""
    return np.where(np.abs(leads) > 1e-12, leads, 0.0)


def _share(reversal: BoolArray) -> dict[str, float]:
    n = len(reversal)
    k = int(reversal.sum())
    return {"replicates": n, "reversals": k, **share_with_interval(k, n)}


def published_gaps(curve: str) -> dict[str, float]:
    """AUC and AUK of the published linear model less those of the published network."""
    published = published_lookup()
    first, second = PAPER_PAIR
    return {
        name: published.get((curve, first, name), np.nan)
        - published.get((curve, second, name), np.nan)
        for name in ("auc", "auk")
    }
