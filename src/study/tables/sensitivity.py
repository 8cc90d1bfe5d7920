"""The experiment with some of its keys changed: one row for each scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.errors import ImpossibleError
from study.tables.leads import CPU_DEPENDENT
from study.tables.reversals import (
    count_reversals,
    distance_from_splits,
    printed_areas,
    share_with_interval,
    stack_areas,
)

COLUMNS = ["scenario", "change", "replicates", "model_a", "model_b"]
COLUMNS += ["auc_a", "auk_a", "auc_b", "auk_b", "reversals", "share", "low", "high"]
COLUMNS += ["distance", "splits_farther", "reason"]
RESAMPLES = 200


def sensitivity_table(
    scenarios: Mapping[str, pd.DataFrame | ImpossibleError],
    changes: Mapping[str, Mapping[str, Any]],
    models: Sequence[str],
    positive_class: str,
    *,
    has_printed: bool,
) -> pd.DataFrame:
    """What a change of the experiment does to the areas and their reversal, a row per scenario.

    Scenarios are measures by name, or the reason why the data can't give them; the first is the
    experiment, and `changes` are the keys that the others change. Models are the two whose order
    is compared. At a cost ratio there are no printed areas (has_printed).

    A row has the means of AUC and AUK on the hull, the reversals as printed (on curve and hull
    both) with a Wilson interval, the Mahalanobis distance of the eight printed areas, and how many
    splits lie farther out. Of a model whose training depends on the CPU every number has the
    digits that its Monte Carlo error allows.
    """
    rows = []
    for name, measures in scenarios.items():
        change = changes.get(name, {})
        row = {"scenario": name, "change": describe_change(change), "replicates": 0}
        rows.append(row)
        if isinstance(measures, ImpossibleError):
            row["reason"] = str(measures)
            continue
        fitted = set(measures["model"])
        # A scenario of other models: one that stands in place of a compared one.
        others = fitted.difference(models) if len(fitted) == 2 else set()
        pair = [model if model in fitted else min(others, default=str(model)) for model in models]
        row |= {"model_a": pair[0], "model_b": pair[1]}
        areas = stack_areas(measures, positive_class, pair)
        if not len(areas):
            row["reason"] = f"no replicate has scores of {' and '.join(pair)}"
            continue
        is_compared = has_printed and change.get("cost_ratio") is None
        values = _describe_splits(areas, is_compared)
        if CPU_DEPENDENT in pair:
            values = _round_to_error(values, areas, is_compared)
        row |= {"replicates": len(areas), **values}
    table = pd.DataFrame(rows).reindex(columns=COLUMNS)
    return table.astype(dict.fromkeys(["replicates", "reversals", "splits_farther"], "Int64"))


def describe_change(change: Mapping[str, Any]) -> str:
    """Such as "sampling: total, total: 768"; nothing for the experiment itself."""
    texts = []
    for key, value in change.items():
        text = " and ".join(map(str, value)) if isinstance(value, list) else str(value)
        texts.append(f"{key}: {text}")
    return ", ".join(texts)


def _describe_splits(areas: FloatArray, is_compared: bool) -> dict[str, float]:
    """Means on the hull, reversals, and the distance of the printed areas, of splits' areas."""
    (auc_a, auc_b), (auk_a, auk_b) = areas[:, :, 0].mean(axis=0)
    values = {"auc_a": auc_a, "auk_a": auk_a, "auc_b": auc_b, "auk_b": auk_b}
    reversals = count_reversals(areas)
    values |= {"reversals": reversals, **share_with_interval(reversals, len(areas))}
    if is_compared:
        found = distance_from_splits(areas, printed_areas())
        values |= {name: found[name] for name in ("distance", "splits_farther")}
    return values


def _round_to_error(
    values: dict[str, float], areas: FloatArray, is_compared: bool
) -> dict[str, float]:
    """Numbers whose last digit is of the size of their Monte Carlo error, by a bootstrap."""
    rng = np.random.default_rng(0)
    resamples = [areas[rng.integers(len(areas), size=len(areas))] for _ in range(RESAMPLES)]
    drawn = pd.DataFrame(_describe_splits(resample, is_compared) for resample in resamples)
    errors = drawn.std().replace(0, np.nan)
    digits = (-np.log10(errors)).round().clip(lower=0)  # counts stay integers
    return {
        name: value if np.isnan(digits[name]) else round(value, int(digits[name]))
        for name, value in values.items()
    }
