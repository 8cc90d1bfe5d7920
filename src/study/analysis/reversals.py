"""How often two measures order two models differently, and how often as the paper prints it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from study.arrays import BoolArray
from study.published import PAPER_PAIR, published_lookup

PAIRS = (("auc", "auk"), ("auc", "auk_trapezoid"), ("auc", "h"), ("auk", "h"))
CURVES = ("raw", "hull")
# Our measure for what the paper calls the AUK, by integration rule.
AUK_BY = {"exact": "auk", "trapezoid": "auk_trapezoid"}


def rank_reversals(measures: pd.DataFrame, pair: tuple[str, str]) -> pd.DataFrame:
    """In how many replicates two measures order two models differently.

    The measures are those of one cell's :class:`study.replicates.engine.Replicates`.

    Returns
    -------
    DataFrame
        pair (of measures), curve ("raw", "hull", or "both": reversed on the raw curve and on the
        hull), positive_class, pattern ("any" order, or "published": the first measure prefers the
        first model and the second the second), replicates, reversals, share, low, high (95 %
        Wilson interval). Ties are not reversals; replicates in which a class is missing are left
        out.
    """
    rows = []
    for positive_class, one in measures.groupby("positive_class", sort=False):
        lead = _lead(one, pair)
        for first, second in PAIRS:
            found = {curve: _orders(lead.xs(curve), first, second) for curve in CURVES}
            for i, pattern in enumerate(("any", "published")):
                reversed_on = _with_both({curve: found[curve][i] for curve in found})
                for curve, reversal in reversed_on.items():
                    place = {"pair": f"{first}-{second}", "curve": curve}
                    place |= {"positive_class": str(positive_class), "pattern": pattern}
                    rows.append({**place, **_share(reversal)})
    return pd.DataFrame(rows)


def _lead(table: pd.DataFrame, pair: tuple[str, str]) -> pd.DataFrame:
    """First model's measures minus the second's, by curve and replicate."""
    names = ["auc", "auk", "auk_trapezoid", "h"]
    one, other = (
        table[table["model"] == model].set_index(["curve", "replicate"])[names] for model in pair
    )
    lead: pd.DataFrame = (one - other).dropna()
    return lead.sort_index()


def _orders(lead: Any, first: str, second: str) -> tuple[BoolArray, BoolArray]:
    a, b = lead[first].to_numpy(), lead[second].to_numpy()
    return a * b < 0, (a > 0) & (b < 0)


def _share(reversal: BoolArray) -> dict[str, float]:
    counted = {"replicates": len(reversal), "reversals": int(reversal.sum())}
    return {**counted, **share_with_interval(reversal)}


def share_with_interval(flags: BoolArray) -> dict[str, float]:
    """Share of replicates that are so, with low and high, its 95 % Wilson interval."""
    n, k = len(flags), int(flags.sum())
    if n == 0:
        return dict.fromkeys(("share", "low", "high"), np.nan)
    interval = binomtest(k, n).proportion_ci(method="wilson")
    return {"share": k / n, "low": float(interval.low), "high": float(interval.high)}


def _with_both(found: dict[str, BoolArray]) -> dict[str, BoolArray]:
    return {**found, "both": found["raw"] & found["hull"]}


def reversals_as_large(measures: pd.DataFrame) -> pd.DataFrame:
    """In how many replicates AUC and AUK part the models at least as far as the paper prints.

    As :func:`rank_reversals`, with the pattern "as_large": AUC prefers the linear model and AUK the
    network, each by the published gap or more (on the hull that of Table 4, on the raw curve that
    of Table 5). No rows if a model is missing.
    """
    rows = []
    for positive_class, one in measures.groupby("positive_class", sort=False):
        lead = _lead(one, PAPER_PAIR)
        if lead.empty:
            continue
        for measure in AUK_BY.values():
            for curve, reversal in _as_large(lead, measure).items():
                place = {"pair": f"auc-{measure}", "curve": curve}
                place |= {"positive_class": str(positive_class), "pattern": "as_large"}
                rows.append({**place, **_share(reversal)})
    return pd.DataFrame(rows)


def _as_large(lead: pd.DataFrame, auk: str) -> dict[str, BoolArray]:
    """Replicates whose gaps are the published ones or larger, by curve."""
    found = {}
    for curve in CURVES:
        own: Any = lead.xs(curve)
        gaps = published_gaps(curve)
        # Printed numbers differ by whole units of the fourth decimal; floats do so nearly.
        found[curve] = (own["auc"].to_numpy() >= gaps["auc"] - 1e-9) & (
            own[auk].to_numpy() <= gaps["auk"] + 1e-9
        )
    return _with_both(found)


def published_gaps(curve: str) -> dict[str, float]:
    """AUC and AUK of the published linear model less those of the published network.

    >>> {name: round(gap, 4) for name, gap in published_gaps("hull").items()}
    {'auc': 0.0307, 'auk': -0.0081}
    """
    published = published_lookup()
    first, second = PAPER_PAIR
    return {
        name: published[curve, first, name] - published[curve, second, name]
        for name in ("auc", "auk")
    }


def published_reversals(
    measures: pd.DataFrame, network: str, positive_class: str, integration: str
) -> dict[str, float]:
    """The published pattern in the replicates of one cell: how often, and how often as large.

    Arguments as of :func:`study.analysis.summaries.published_distance`. For each curve (raw, hull,
    both) the number of reversals, their share with its interval, and as_large_<curve>, how many
    have gaps as large as printed.
    """
    auk = AUK_BY[integration]
    lead = _lead(measures[measures["positive_class"] == positive_class], ("linear", network))
    shown = _with_both({curve: _orders(lead.xs(curve), "auc", auk)[1] for curve in CURVES})
    large = _as_large(lead, auk)
    found: dict[str, float] = {}
    for curve, reversal in shown.items():
        counted = _share(reversal)
        found[f"reversals_{curve}"] = counted["reversals"]
        for name in ("share", "low", "high"):
            found[f"reversal_{name}_{curve}"] = counted[name]
        found[f"as_large_{curve}"] = int(large[curve].sum())
    return found
