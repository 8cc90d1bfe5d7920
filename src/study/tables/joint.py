"""How far the published numbers lie from replicates: all together, and an AUK given its AUC."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.data.classes import CLASSES
from study.published import AUC_WINDOW, Lookup, published_lookup
from study.replicates.evaluation import Kinds, measures_by_kind
from study.tables.reversals import AUK_BY, published_reversals
from study.tables.summaries import percentile

# The eleven published numbers, eight areas and an operating point: curve, whose, measure.
AREAS = tuple(product(("hull", "raw"), ("linear", "network"), ("auc", "auk")))
POINT = tuple(product(("hull",), ("network",), ("kappa_max", "fpr", "tpr")))


class Distance(NamedTuple):
    """Mahalanobis distance from replicates, a typical replicate's, and how many lie farther."""

    replicates: int
    distance: float
    typical: float
    farther: int


def joint_values(
    kinds: Kinds,
    network: str,
    integration: str,
    published: Lookup,
    wanted: Iterable[tuple[str, str, str]] = (*AREAS, *POINT),
) -> tuple[pd.DataFrame, dict[str, float]]:
    """Our numbers by replicate, and the published ones, by "curve model measure".

    The measures are of one positive class. What was not published is left out.
    """
    columns = {}
    printed = {}
    for curve, whose, measure in wanted:
        model = network if whose == "network" else whose
        if (curve, model, measure) in published:
            name = f"{curve} {whose} {measure}"
            column = AUK_BY[integration] if measure == "auk" else measure
            columns[name] = kinds[curve, model][column]
            printed[name] = published[curve, model, measure]
    return pd.DataFrame(columns).dropna(), printed


def joint_distance(
    values: pd.DataFrame, published: Mapping[str, float], given: Sequence[str] = ()
) -> Distance:
    """How far published numbers lie from replicates (one per row), given some of the numbers.

    Given others, it is the distance of the residuals of a linear regression on them: the squared
    distance of all less that of the given ones. Every distance is out of sample: a replicate counts
    from the mean and covariance of the others, as the published numbers do.
    """
    printed = np.array([published[str(name)] for name in values])
    return distance_of(values.to_numpy(), printed, [list(values).index(name) for name in given])


def distance_of(numbers: FloatArray, printed: FloatArray, given: Sequence[int] = ()) -> Distance:
    """The joint distance of printed numbers (n,) from replicates (m, n), given some by position.

    It is NaN where a replicate's distance from the others can't be: their covariance is singular.
    """
    n_replicates, n_numbers = numbers.shape
    if n_replicates < n_numbers + 2:
        return Distance(n_replicates, math.nan, math.nan, 0)
    ours, theirs = _squared(numbers, printed)
    if given:
        known = list(given)
        ours_given, theirs_given = _squared(numbers[:, known], printed[known])
        ours = ours - ours_given
        theirs = theirs - theirs_given
    farther = int((np.sqrt(np.maximum(ours, 0)) > math.sqrt(max(theirs, 0))).sum())
    typical = float(np.sqrt(np.median(np.maximum(ours, 0))))
    return Distance(len(numbers), math.sqrt(max(theirs, 0)), typical, farther)


def _squared(numbers: FloatArray, printed: FloatArray) -> tuple[FloatArray, float]:
    """Squared distances of each replicate from the others, and of the published numbers."""
    n = len(numbers)
    centre = numbers.mean(axis=0)
    # Below this share of the largest an eigenvalue is rounding, whose size depends on the CPU.
    inverse = np.linalg.pinv(np.atleast_2d(np.cov(numbers.T)), rcond=1e-10, hermitian=True)
    offset = printed - centre
    deviations = numbers - centre
    squared = (deviations @ inverse * deviations).sum(axis=1)
    squared *= n**2 * (n - 2) / ((n - 1) * np.maximum((n - 1) ** 2 - n * squared, 1e-9))
    return squared, float(offset @ inverse @ offset)


def specification_table(
    cells: Iterable[tuple[Sequence[Mapping[str, Any]], pd.DataFrame]],
) -> pd.DataFrame:
    """One row per network, prevalence, positive class and integration rule, nearest first.

    Each cell comes as the places of its networks (columns; network and skew among them) and its
    kept scores, of the linear model and these networks.
    """
    rows = []
    for places, scores in cells:
        ats = {"test": None, "nominal": places[0]["skew"]}
        measured = {name: measures_by_kind(scores, at) for name, at in ats.items()}
        for place, (name, kinds) in product(places, measured.items()):
            settings = {column: level for column, level in place.items() if column != "skew"}
            for positive_class, integration in product(CLASSES, AUK_BY):
                chosen = {"positive_class": positive_class, "integration": integration}
                compared = _compared(kinds[positive_class], settings["network"], integration)
                rows.append({**settings, "prevalence": name, **chosen, **compared})
    return pd.DataFrame(rows).sort_values("distance", kind="stable", ignore_index=True)


def _compared(kinds: Kinds, network: str, integration: str) -> dict[str, float]:
    """Distance, percentiles and reversals in the replicates of one cell."""
    values, printed = joint_values(kinds, network, integration, published_lookup())
    distance = joint_distance(values, printed)
    counted: dict[str, float] = distance._asdict()
    farther = counted.pop("farther")
    counted["share_farther"] = farther / len(values) if distance.distance >= 0 else math.nan
    ranks = {name: percentile(values[name].to_numpy(), at) for name, at in printed.items()}
    return {**counted, **ranks, **published_reversals(kinds, network, integration)}


def auk_given_auc(auc: FloatArray, auk: FloatArray, point: tuple[float, float]) -> dict[str, float]:
    """How far the AUK of a point (AUC, AUK) lies from what replicates (n,) have at its AUC.

    AUK is not exactly a line in AUC, and its spread is not the same everywhere. The count of the
    replicates near the point's AUC needs neither. results/README.md explains the keys.
    """
    slope, intercept = np.polyfit(auc, auk, 1)
    residuals = auk - (intercept + slope * auc)
    sd = float(np.sqrt((residuals**2).sum() / (len(auc) - 2)))
    expected = float(intercept + slope * point[0])
    near = np.abs(auc - point[0]) <= AUC_WINDOW
    reaching = int((auk[near] >= point[1]).sum())
    statistics = {"expected": expected, "sd": sd, "z": (point[1] - expected) / sd}
    return statistics | {"near": int(near.sum()), "reaching": reaching}


def auk_given_auc_table(measures: pd.DataFrame) -> pd.DataFrame:
    """Every published AUC and AUK beside the replicates of each model that stands for it."""
    published: Any = published_lookup()
    keys = ["positive_class", "curve", "model"]
    rows = []
    for key, table in measures.groupby(keys, sort=False):
        auc, auk = (published.get((*map(str, key[1:]), name)) for name in ("auc", "auk"))
        defined = table.dropna(subset=["auc", "auk"])
        if auc is None or auk is None or defined["auc"].nunique() < 3:
            continue
        for integration, measure in AUK_BY.items():
            values = defined["auc"].to_numpy(), defined[measure].to_numpy()
            row = {**dict(zip(keys, key, strict=True)), "integration": integration}
            row |= {"auc": auc, "auk": auk, "replicates": len(defined)}
            rows.append(row | auk_given_auc(*values, (auc, auk)))
    columns = [*keys, "integration", "auc", "auk", "replicates"]
    return pd.DataFrame(rows, columns=[*columns, "expected", "sd", "z", "near", "reaching"])
