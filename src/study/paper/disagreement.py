"""In how many splits AUC and AUK cannot, can and do disagree: disagreement.csv.

At each false positive rate f the kappas of two curves differ by w(f) times their difference of true
positive rates, so the AUKs do by mean(w) dAUC + cov(w, difference). AUC and AUK cannot disagree if
|dAUC| is at least the coefficient of variation of w times the standard deviation of the difference
(docs/theory.md). Means are over f from 0 to 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.measure.measures import roc_points
from study.paper.numbers import PAPER_PAIR
from study.tables.reversals import ROUNDING, share_with_interval

BAD_SHARES = (0.5, 0.3, 0.2, 0.11, 0.05, 0.02)  # at which the curves of the splits are read
OWN = "test rows"
MEASURED = ("auc", "auk", "by_identity", "limit")
# Means over f are exact to 1e-7 by eight points between neighbouring steps and these places: w is
# smooth there, and steep near the ends.
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(8)
NEAR_AN_END = [0.0, 0.002, 0.006, 0.02, 0.06, 0.2]
CUTS = np.array([*NEAR_AN_END, *(1 - place for place in NEAR_AN_END)])


def compare_curves(first: Any, second: Any, prevalences: Any) -> dict[str, FloatArray]:
    """Differences of AUC and AUK of two curves, and what bounds them, at each prevalence.

    A curve is its false and its true positive rates.
    A curve is its false and its true positive rates.
    auc and auk are the first curve's less the second's, by_identity is the AUKs' difference by the
    formula above, and limit a difference of AUC from which on the AUKs have the same order.
    """
    cuts = np.unique(np.concatenate([first[0], second[0], CUTS]))
    widths = np.diff(cuts)[:, None]
    f = (cuts[:-1, None] + widths * (1 + NODES) / 2).ravel()
    share = (widths * NODE_WEIGHTS / 2).ravel()
    t, other = (np.interp(f, fpr, tpr) for fpr, tpr in (first, second))
    p = np.array(prevalences)[:, None]
    # Kappa is p q (t - f) / below.
    below, below_other = (p / 2 + (0.5 - p) * ((1 - p) * f + p * rate) for rate in (t, other))
    kappas = p * (1 - p) * ((t - f) / below - (other - f) / below_other)
    w = p * (1 - p) * (p / 2 + (0.5 - p) * f) / (below * below_other)
    auc, mean = share @ (t - other), w @ share
    spread = t - other - auc
    deviation = np.sqrt((w - mean[:, None]) ** 2 @ share)
    return {
        "auc": np.full(len(p), auc),
        "auk": kappas @ share,
        "by_identity": mean * auc + w @ (spread * share),
        "limit": deviation / mean * np.sqrt(share @ spread**2),
    }


def compare_splits(scores: pd.DataFrame) -> pd.DataFrame:
    """The comparison of the paper's models in each split, by class, curve and share of bad rows."""
    tables = []
    for replicate, table in scores.dropna(subset="score").groupby("replicate"):
        rows = [table[table["model"] == model] for model in PAPER_PAIR]
        share = table["minority"].mean()
        if not all(map(len, rows)) or not 0 < share < 1:
            continue
        at = np.array([share, *BAD_SHARES])
        points = [
            roc_points(own["minority"].to_numpy() == 1, own["score"].to_numpy()) for own in rows
        ]
        for curve in ("raw", "hull"):
            pair = [own[curve][1:] for own in points]
            # With the other class positive the curves are reflected.
            other = [(1 - t[::-1], 1 - f[::-1]) for f, t in pair]
            for side, curves, shares in (("majority", other, 1 - at), ("minority", pair, at)):
                found: dict[str, Any] = {"replicate": replicate, "positive_class": side}
                found |= {"curve": curve, "bad_share": [OWN, *map(str, BAD_SHARES)]}
                tables.append(found | compare_curves(curves[0], curves[1], shares))
    long = pd.DataFrame(tables)
    return long.explode([*long.columns[3:]], ignore_index=True).astype(
        dict.fromkeys(MEASURED, float)
    )


def disagreement_table(compared: pd.DataFrame) -> pd.DataFrame:
    """Splits by class, curve and share of bad rows: all, those that cannot and do disagree.

    The share of those that do has a 95 % interval. A bad_share that is a number says that the
    splits' curves are read at it.
    """
    lead = compared["auc"].where(compared["auc"].abs() > ROUNDING, 0.0)
    cannot = lead.abs() >= compared["limit"]
    disagree = lead * compared["auk"].where(compared["auk"].abs() > ROUNDING, 0.0) < 0
    table = compared.assign(splits=1, cannot=cannot, disagree=disagree)
    keys = ["positive_class", "curve", "bad_share"]
    counts = table.groupby(keys, sort=False)[["splits", "cannot", "disagree"]].sum().reset_index()
    intervals = [
        share_with_interval(k, n) for k, n in zip(counts["disagree"], counts["splits"], strict=True)
    ]
    return counts.join(pd.DataFrame(intervals))
