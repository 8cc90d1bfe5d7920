"""Models on one test set: measures, tests and thresholds, what their AUCs allow, the answer."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import ComparisonResult, compare
from kappacurve.bounds import auk_bounds
from study.data.classes import Classes
from study.published import MEASURE_LABELS as LABELS

LOSS = "expected_loss"
LESS_IS_BETTER = (LOSS, "brier_score", "log_loss")
# The others are the same for both choices of the positive class.
OF_ONE_SIDE = ("auk", "auk_hull", "average_precision")
# Of a large test set fewer resamples do; p values of 21 pairs can still fall below 0.05.
RESAMPLES, RESAMPLES_OF_MANY, MANY_ROWS = 2000, 1000, 20_000


class Sides(NamedTuple):
    """A comparison towards each class, as :func:`kappacurve.compare` makes it, and their names."""

    one: ComparisonResult
    zero: ComparisonResult
    classes: Classes


def compare_sides(
    scores: pd.DataFrame,
    classes: Classes,
    *,
    seed: int,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
    n_resamples: int | None = None,
) -> Sides:
    """Compare all models with the class 1 as the positive one, then with the class 0.

    The scores have the columns row, the classes' column, model, score (higher = more likely the
    class 1). Prevalence and cost ratio (a missed row to a false alarm) are those of the class 1.
    """
    wide = scores.pivot_table(index="row", columns="model", values="score", sort=False).sort_index()
    by_model = {str(name): wide[name].to_numpy() for name in scores["model"].unique()}
    is_one = scores.groupby("row")[classes.column].first().to_numpy() == 1
    usual = RESAMPLES if len(is_one) <= MANY_ROWS else RESAMPLES_OF_MANY
    drawing: Any = {"n_resamples": n_resamples or usual, "random_state": seed}
    one = compare(is_one, by_model, prevalence=prevalence, cost_ratio=cost_ratio, **drawing)
    at = None if prevalence is None else 1 - prevalence
    ratio = None if cost_ratio is None else 1 / cost_ratio
    turned = {name: -score for name, score in by_model.items()}
    zero = compare(~is_one, turned, prevalence=at, cost_ratio=ratio, **drawing)
    return Sides(one, zero, classes)


def _of_both(sides: Sides, table: str) -> pd.DataFrame:
    """A table of the class 1, followed by what is another for the class 0."""
    one, zero = getattr(sides.one, table), getattr(sides.zero, table)
    parts = [
        one[one["measure"] != "gini"].assign(positive_class=sides.classes.one),
        zero[zero["measure"].isin(OF_ONE_SIDE)].assign(positive_class=sides.classes.zero),
    ]
    both: pd.DataFrame = pd.concat(parts, ignore_index=True)
    return both


def interval_table(sides: Sides) -> pd.DataFrame:
    """Every measure of every model with a 95 % interval over test rows, AUK for each class."""
    table = _of_both(sides, "measures").rename(columns={"estimate": "value"})
    table["interval"] = table["method"].fillna("none")
    return table[["positive_class", "model", "measure", "value", "low", "high", "interval"]]


def test_table(sides: Sides) -> pd.DataFrame:
    """Paired tests of every two models by every measure, by the AUK for each class."""
    names = {"first": "model_a", "second": "model_b", "method": "test"}
    table = _of_both(sides, "tests").rename(columns=names)
    columns = ["measure", "positive_class", "model_a", "model_b", "difference", "standard_error"]
    table = table[[*columns, "low", "high", "p_value", "p_holm", "test"]]
    order = table["measure"].map({name: i for i, name in enumerate(LABELS)})
    return table.iloc[order.argsort(kind="stable")].reset_index(drop=True)


def threshold_table(sides: Sides, scales: Mapping[str, str]) -> pd.DataFrame:
    """Where each model is best by kappa, and by the expected loss if there is a cost.

    The class 1 is predicted from the threshold on; missed and false_alarms count test rows.
    """
    table, design = sides.one.thresholds.drop(columns="lower"), sides.one.design
    table["threshold"] = table.pop("printed")  # which predicts the same of these rows
    table["scale"] = [scales.get(model, "as given") for model in table["model"]]
    table["missed"] = (design["n_positive"] * (1 - table["tpr"])).round().astype(int)
    table["false_alarms"] = (design["n_negative"] * table["fpr"]).round().astype(int)
    measured = sides.one.measures.set_index(["model", "measure"])["estimate"]
    table["value"] = [
        measured[pair] for pair in zip(table["model"], table["criterion"], strict=True)
    ]
    return table.rename(columns={"criterion": "measure"})


def answer(
    sides: Sides, thresholds: pd.DataFrame, n_train: int, ones_in_training: int
) -> list[str]:
    """Sentences: sizes, the best by each measure, which leads are no chance, where to cut."""
    design, one = sides.one.design, sides.classes.one
    trained = (
        f"trained on {n_train} rows, {ones_in_training} of them {one}, and " if n_train else ""
    )
    said = [
        f"The models were {trained}measured on {design['n']} rows, {design['n_positive']} of them "
        f"{one}."
    ]
    if len(sides.one.thresholds["model"].unique()) > 1:
        said.append(f"Best in this sample: {_leaders(sides.one.measures)}.")
        # The library's other sentences order this sample, one for each pair of models.
        told = sides.one.conclusion[: -max(1, len(sides.one.disagreements))]
        said.append(" ".join(told) or "These rows give no test of the differences.")
    criterion = thresholds["measure"].iloc[-1]  # by costs, if there are any
    chosen = thresholds[thresholds["measure"] == criterion]
    by_value = chosen["value"] * (1 if criterion == LOSS else -1)
    return [*said, _cut(chosen.iloc[int(by_value.argmin())].to_dict(), one, design)]


def _leaders(measures: pd.DataFrame) -> str:
    """Which models have the best value of which measures."""
    best: dict[str, list[str]] = {}
    for name, table in measures[measures["measure"] != "gini"].groupby("measure", sort=False):
        value = table["estimate"] * (-1 if name in LESS_IS_BETTER else 1)
        leaders = " and ".join(table.loc[value == value.max(), "model"])
        best.setdefault(leaders, []).append(LABELS[str(name)])
    return "; ".join(f"{models} by {', '.join(names)}" for models, names in best.items())


def _cut(chosen: dict[str, Any], one: str, design: Mapping[str, int]) -> str:
    """Where the best model predicts the class 1, and what follows."""
    best = f"{'Lowest' if chosen['measure'] == LOSS else 'Highest'} {LABELS[chosen['measure']]}"
    best += f", {chosen['value']:.3f}: {chosen['model']}"
    if not np.isfinite(chosen["threshold"]):
        return f"{best}, if {one} is never predicted."
    ends = "" if isnan(chosen["low"]) else f" ({chosen['low']:.3g} to {chosen['high']:.3g})"
    return (
        f"{best} with {one} predicted from a score of {chosen['threshold']!r}{ends} on (scale: "
        f"{chosen['scale']}), which misses {chosen['missed']} of {design['n_positive']} and raises "
        f"{chosen['false_alarms']} false alarms in {design['n_negative']} others."
    )


def bounds_table(measures: pd.DataFrame, one: str, cost_ratio: float | None = None) -> pd.DataFrame:
    """The AUKs that each model's hull could have with the AUC that it has.

    `one` is the class of the cost ratio. place, of the AUK between its bounds from 0 to 1 (missing
    if they meet), says how much it adds to the AUC.
    """
    columns = ["positive_class", "model", "prevalence", "auc", "auk"]
    table = measures.loc[measures["curve"] == "hull", columns].reset_index(drop=True)
    bounds = []
    for row in table.to_dict("records"):
        ratio = cost_ratio
        if cost_ratio is not None and row["positive_class"] != one:
            ratio = 1 / cost_ratio
        bounds.append(auk_bounds(float(row["auc"]), float(row["prevalence"]), cost_ratio=ratio))
    table.insert(4, "lowest", [float(one.lower) for one in bounds])
    table["highest"] = [float(one.upper) for one in bounds]
    width = (table["highest"] - table["lowest"]).where(lambda width: width > 0)
    return table.assign(place=((table["auk"] - table["lowest"]) / width).clip(0, 1))
