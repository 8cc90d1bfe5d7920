"""Models on one test set: measures, tests and thresholds, and what their AUCs allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import ComparisonResult, compare
from kappacurve.bounds import auk_bounds
from study.labels import MEASURE_LABELS as LABELS

# What compare calls the areas of Tables 4 (hull) and 5 (raw).
OF_CURVE = {
    "hull": {"auc": "auch", "auk": "auk_hull", "h": "h"},
    "raw": {"auc": "auc", "auk": "auk", "h": "h"},
}
# Of a large test set fewer resamples do; p values of 21 pairs can still fall below 0.05.
RESAMPLES = 2000
RESAMPLES_OF_MANY = 1000
MANY_ROWS = 20_000


def compare_models(
    scores: pd.DataFrame,
    *,
    seed: int,
    positive_class: str = "minority",
    prevalence: float | None = None,
    trained_at: Mapping[str, float] | None = None,
    cost_ratio: float | None = None,
    n_resamples: int | None = None,
    groups: pd.Series | None = None,
) -> ComparisonResult:
    """Compare all models by :func:`kappacurve.compare`.

    The scores have the columns row, minority, model and score. Prevalence and cost ratio (a missed
    row to a false alarm) are those of the minority, whichever class is positive. Groups are indexed
    by row. `trained_at` are the minority's shares of models' training rows after resampling.
    """
    wide = scores.pivot_table(index="row", columns="model", values="score", sort=False).sort_index()
    by_model = {str(name): wide[name].to_numpy() for name in scores["model"].unique()}
    positive = scores.groupby("row")["minority"].first().to_numpy() == 1
    if positive_class == "majority":
        positive = ~positive
        by_model = {name: -score for name, score in by_model.items()}
        prevalence = None if prevalence is None else 1 - prevalence
        trained_at = {name: 1 - share for name, share in (trained_at or {}).items()}
        cost_ratio = None if cost_ratio is None else 1 / cost_ratio
    usual = RESAMPLES if len(positive) <= MANY_ROWS else RESAMPLES_OF_MANY
    return compare(
        positive,
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
    return table[[*columns, "p_value", "p_adjusted", "test"]].iloc[order.argsort(kind="stable")]


def tests_of_model(tests: pd.DataFrame, measure: str, model: str) -> pd.DataFrame:
    """A model's paired tests by a measure: the other model, its own value less the other's."""
    of_measure = tests[tests["measure"] == measure]
    first = of_measure[of_measure["first"] == model].rename(columns={"second": "other"})
    turned = {"first": "other", "low": "high", "high": "low"}
    second = of_measure[of_measure["second"] == model].rename(columns=turned)
    second[["difference", "low", "high"]] *= -1
    both = pd.concat([first, second]).sort_index()
    return both[["other", "difference", "low", "high", "p_adjusted"]]


def threshold_table(
    result: ComparisonResult, scores: pd.DataFrame, scales: Mapping[str, str]
) -> pd.DataFrame:
    """Where each model is best by kappa, and by the expected loss if there is a cost.

    The minority is predicted from the threshold on, which is this probability where the model has
    probabilities; missed and false_alarms count test rows, whose loss there, the least that a
    threshold gives, is lower than that of other rows.
    """
    table = result.thresholds.drop(columns="lower")
    design = result.design
    table["threshold"] = table.pop("printed")  # which predicts the same of these rows
    table["scale"] = [scales.get(model, "as given") for model in table["model"]]
    table["missed"] = (design["n_positive"] * (1 - table["tpr"])).round().astype(int)
    table["false_alarms"] = (design["n_negative"] * table["fpr"]).round().astype(int)
    by_model: Any = dict(iter(scores.groupby("model")))
    chances = [
        by_model[model]["probability"][by_model[model]["score"] >= at].min()
        for model, at in zip(table["model"], table["threshold"], strict=True)
    ]
    # Of six decimals, as the csv has it, and rounded down: it then flags the same rows.
    table["probability"] = np.floor(np.array(chances) * 1e6) / 1e6
    table["n_positive"] = design["n_positive"]
    table["n_negative"] = design["n_negative"]
    table["value"] = table.pop("value")  # the last column
    return table.rename(columns={"criterion": "measure"})


def one_split_table(results: Mapping[str, ComparisonResult], curve: str) -> pd.DataFrame:
    """Areas of one split in the layout of Tables 4 and 5, by positive class, with their tests.

    Each row has the 95 % interval over test rows, and the difference to the best model.
    """
    tables = []
    for side, result in results.items():
        for measure, name in OF_CURVE[curve].items():
            estimates = result.measures[result.measures["measure"] == name]
            if estimates.empty:
                continue
            best = estimates["model"].iloc[int(estimates["estimate"].argmax())]
            areas = estimates[["model", "estimate", "low", "high", "method"]].assign(best=best)
            areas.insert(0, "positive_class", side)
            areas.insert(2, "measure", measure)
            tests = tests_of_model(result.tests, name, best).rename(columns={"other": "model"})
            tests["difference"] *= -1
            tables.append(
                areas.merge(tests[["model", "difference", "p_adjusted"]], "left", "model")
            )
    table = pd.concat(tables, ignore_index=True)
    return table.rename(columns={"estimate": "value", "method": "interval"})


def bounds_table(measures: pd.DataFrame, cost_ratio: float | None = None) -> pd.DataFrame:
    """The AUKs that each model's hull could have with the AUC that it has, the minority positive.

    place, of the AUK between its bounds from 0 to 1 (missing if they meet), says how much it adds
    to the AUC.
    """
    rows = (measures["curve"] == "hull") & (measures["positive_class"] == "minority")
    table = measures.loc[rows, ["model", "prevalence", "auc", "auk"]].reset_index(drop=True)
    bounds = [
        auk_bounds(float(row["auc"]), float(row["prevalence"]), cost_ratio=cost_ratio)
        for row in table.to_dict("records")
    ]
    table.insert(3, "lowest", [float(pair.lower) for pair in bounds])
    table["highest"] = [float(pair.upper) for pair in bounds]
    width = (table["highest"] - table["lowest"]).where(lambda width: width > 0)
    return table.assign(place=((table["auk"] - table["lowest"]) / width).clip(0, 1))
