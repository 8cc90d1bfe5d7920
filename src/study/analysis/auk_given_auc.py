"""Is a published AUK an ordinary one among replicates that have its AUC?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from study.analysis.reversals import AUK_BY
from study.arrays import FloatArray
from study.published import published_lookup

# How far from the published AUC a replicate's may be to count as one that has it.
AUC_WINDOW = 0.02
# Standard deviations around the centre that hold 95 % of a normal distribution.
ORDINARY = 1.96


class AukGivenAuc(NamedTuple):
    """A point beside replicates of the same AUC; results/README.md explains the fields."""

    expected: float
    sd: float
    z: float
    near: int
    reaching: int


def auk_given_auc(auc: FloatArray, auk: FloatArray, point: tuple[float, float]) -> AukGivenAuc:
    """How far the AUK of a point (AUC, AUK) lies from what replicates (n,) have at its AUC.

    AUK is not exactly a line in AUC, and its spread is not the same everywhere. The count of the
    replicates near the point's AUC needs neither.
    """
    slope, intercept = np.polyfit(auc, auk, 1)
    residuals = auk - (intercept + slope * auc)
    sd = float(np.sqrt((residuals**2).sum() / (len(auc) - 2)))
    expected = float(intercept + slope * point[0])
    near = np.abs(auc - point[0]) <= AUC_WINDOW
    reaching = int((auk[near] >= point[1]).sum())
    return AukGivenAuc(expected, sd, (point[1] - expected) / sd, int(near.sum()), reaching)


def auk_given_auc_table(measures: pd.DataFrame) -> pd.DataFrame:
    """Every published AUC and AUK beside the replicates of each model that stands for it."""
    columns = ["positive_class", "curve", "model", "integration", "auc", "auk", "replicates"]
    published = published_lookup()
    rows = []
    for key, table in measures.groupby(["positive_class", "curve", "model"], sort=False):
        positive_class, curve, model = map(str, key)
        if not {(curve, model, "auc"), (curve, model, "auk")} <= set(published):
            continue
        point = (published[curve, model, "auc"], published[curve, model, "auk"])
        known = table.dropna(subset=["auc", "auk"])
        if known["auc"].nunique() < 3:
            continue
        for integration, measure in AUK_BY.items():
            found = auk_given_auc(known["auc"].to_numpy(), known[measure].to_numpy(), point)
            rows.append((positive_class, curve, model, integration, *point, len(known), *found))
    return pd.DataFrame(rows, columns=[*columns, *AukGivenAuc._fields])
