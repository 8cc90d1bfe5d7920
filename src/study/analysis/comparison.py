"""Models on one test set: measures, tests and thresholds, what their AUCs allow, the answer."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import ComparisonResult, compare
from kappacurve.bounds import auk_bounds
from kappacurve.comparison_result import class_ratio
from study.data.classes import Classes
from study.labels import MEASURE_LABELS as LABELS

LOSS = "expected_loss"
LESS_IS_BETTER = (LOSS, "brier_score", "log_loss")
# Of a large test set fewer resamples do; p values of 21 pairs can still fall below 0.05.
RESAMPLES, RESAMPLES_OF_MANY, MANY_ROWS = 2000, 1000, 20_000


def compare_models(
    scores: pd.DataFrame,
    classes: Classes,
    *,
    seed: int,
    prevalence: float | None = None,
    trained_at: float | None = None,
    cost_ratio: float | None = None,
    n_resamples: int | None = None,
    groups: pd.Series | None = None,
) -> ComparisonResult:
    """Compare all models with the class 1 as the positive one, by :func:`kappacurve.compare`.

    The scores have the columns row, the classes' column, model, score (higher = more likely the
    class 1). Prevalence and cost ratio (a missed row to a false alarm) are those of the class 1;
    `trained_at` is its share in the training rows after resampling.
    Groups are indexed by row.
    """
    wide = scores.pivot_table(index="row", columns="model", values="score", sort=False).sort_index()
    by_model = {str(name): wide[name].to_numpy() for name in scores["model"].unique()}
    is_one = scores.groupby("row")[classes.column].first().to_numpy() == 1
    usual = RESAMPLES if len(is_one) <= MANY_ROWS else RESAMPLES_OF_MANY
    return compare(
        is_one,
        by_model,
        prevalence=prevalence,
        trained_at=trained_at,
        cost_ratio=cost_ratio,
        n_resamples=n_resamples or usual,
        random_state=seed,
        groups=None if groups is None else groups.loc[wide.index],
    )


def interval_table(result: ComparisonResult) -> pd.DataFrame:
    """Every measure of every model with a 95 % interval over test rows."""
    table = result.measures[result.measures["measure"] != "gini"]
    table = table.rename(columns={"estimate": "value"})
    table["interval"] = table["method"].fillna("none")
    return table[["model", "measure", "value", "low", "high", "interval"]]


def test_table(result: ComparisonResult) -> pd.DataFrame:
    """Paired tests of every two models by every measure."""
    table = result.tests[result.tests["measure"] != "gini"]
    table = table.rename(columns={"first": "model_a", "second": "model_b", "method": "test"})
    columns = ["measure", "model_a", "model_b", "difference", "standard_error", "low", "high"]
    order = table["measure"].map({name: i for i, name in enumerate(LABELS)})
    return table[[*columns, "p_value", "p_holm", "test"]].iloc[order.argsort(kind="stable")]


def threshold_table(result: ComparisonResult, scales: Mapping[str, str]) -> pd.DataFrame:
    """Where each model is best by kappa, and by the expected loss if there is a cost.

    The class 1 is predicted from the threshold on; missed and false_alarms count test rows, whose
    loss there, the least that a threshold gives, is lower than that of other rows.
    """
    table, design = result.thresholds.drop(columns="lower"), result.design
    table["threshold"] = table.pop("printed")  # which predicts the same of these rows
    table["scale"] = [scales.get(model, "as given") for model in table["model"]]
    table["missed"] = (design["n_positive"] * (1 - table["tpr"])).round().astype(int)
    table["false_alarms"] = (design["n_negative"] * table["fpr"]).round().astype(int)
    table["value"] = table.pop("value")  # the last column
    return table.rename(columns={"criterion": "measure"})


def answer(
    result: ComparisonResult,
    side: str,
    thresholds: pd.DataFrame,
    n_train: int,
    ones_in_training: int,
) -> list[str]:
    """Sentences: sizes, the best by each measure, which leads are no chance, where to cut."""
    design = result.design
    trained = (
        f"trained on {n_train} rows, {ones_in_training} of them {side}, and " if n_train else ""
    )
    said = [
        f"The models were {trained}measured on {design['n']} rows, {design['n_positive']} of them "
        f"{side}.",
        class_ratio(design["sampling"] == "random"),
    ]
    if len(result.thresholds["model"].unique()) > 1:
        said.append(f"Best in this sample: {_leaders(result.measures)}.")
        # The library's other sentences order this sample, one for each pair of models.
        told = result.conclusion[: -max(1, len(result.disagreements))]
        said.append(" ".join(told) or "These rows give no test of the differences.")
    criterion = thresholds["measure"].iloc[-1]  # by costs, if there are any
    chosen = thresholds[thresholds["measure"] == criterion]
    by_value = chosen["value"] * (1 if criterion == LOSS else -1)
    return [*said, _cut(chosen.iloc[int(by_value.argmin())].to_dict(), side, design)]


def _leaders(measures: pd.DataFrame) -> str:
    """Which models have the best value of which measures."""
    best: dict[str, list[str]] = {}
    for name, table in measures[measures["measure"] != "gini"].groupby("measure", sort=False):
        value = table["estimate"] * (-1 if name in LESS_IS_BETTER else 1)
        leaders = " and ".join(table.loc[value == value.max(), "model"])
        best.setdefault(leaders, []).append(LABELS[str(name)])
    return "; ".join(f"{models} by {', '.join(names)}" for models, names in best.items())


def _cut(chosen: dict[str, Any], side: str, design: Mapping[str, int]) -> str:
    """Where the best model predicts the class 1, and what follows."""
    best = f"{'Lowest' if chosen['measure'] == LOSS else 'Highest'} {LABELS[chosen['measure']]}"
    best += f", {chosen['value']:.3f}: {chosen['model']}"
    if not np.isfinite(chosen["threshold"]):
        return f"{best}, if {side} is never predicted."
    ends = "" if isnan(chosen["low"]) else f" ({chosen['low']:.3g} to {chosen['high']:.3g})"
    return (
        f"{best} with {side} predicted from a score of {chosen['threshold']!r}{ends} on (scale: "
        f"{chosen['scale']}), which misses {chosen['missed']} of {design['n_positive']} and raises "
        f"{chosen['false_alarms']} false alarms in {design['n_negative']} others."
    )


def bounds_table(
    measures: pd.DataFrame, side: str, cost_ratio: float | None = None
) -> pd.DataFrame:
    """The AUKs that each model's hull could have with the AUC that it has, the class 1 positive.

    place, of the AUK between its bounds from 0 to 1 (missing if they meet), says how much it adds
    to the AUC.
    """
    own = (measures["curve"] == "hull") & (measures["positive_class"] == side)
    table = measures.loc[own, ["model", "prevalence", "auc", "auk"]].reset_index(drop=True)
    bounds = [
        auk_bounds(float(row["auc"]), float(row["prevalence"]), cost_ratio=cost_ratio)
        for row in table.to_dict("records")
    ]
    table.insert(3, "lowest", [float(pair.lower) for pair in bounds])
    table["highest"] = [float(pair.upper) for pair in bounds]
    width = (table["highest"] - table["lowest"]).where(lambda width: width > 0)
    return table.assign(place=((table["auk"] - table["lowest"]) / width).clip(0, 1))
