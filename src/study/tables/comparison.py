"""All models on the test rows of the split shown, compared by the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from kappacurve import ComparisonResult, compare
from study.labels import MEASURE_LABELS

# Of a large test set fewer resamples do; p values of 21 pairs can still fall below 0.05.
RESAMPLES = 2000
RESAMPLES_OF_MANY = 1000
MANY_ROWS = 20_000


def compare_models(
    scores: pd.DataFrame,
    *,
    seed: int,
    prevalence: float | None = None,
    trained_at: Mapping[str, float] | None = None,
    cost_ratio: float | None = None,
    at: Sequence[str] = (),
    n_resamples: int | None = None,
    groups: pd.Series | None = None,
) -> ComparisonResult:
    """Compare all models by :func:`kappacurve.compare`, the minority positive.

    The scores have the columns row, minority, model and score. Groups are indexed by row.
    `trained_at` are the minority's shares of models' training rows after resampling.
    """
    wide = scores.pivot_table(index="row", columns="model", values="score", sort=False).sort_index()
    by_model = {str(name): wide[name].to_numpy() for name in scores["model"].unique()}
    positive = scores.groupby("row")["minority"].first().to_numpy() == 1
    usual = RESAMPLES if len(positive) <= MANY_ROWS else RESAMPLES_OF_MANY
    return compare(
        positive,
        by_model,
        prevalence=prevalence,
        trained_at=trained_at,
        cost_ratio=cost_ratio,
        at=list(at),
        n_resamples=n_resamples or usual,
        random_state=seed,
        groups=None if groups is None else groups.loc[wide.index],
    )


def interval_table(result: ComparisonResult) -> pd.DataFrame:
    """Every measure of every model with a 95 % interval over test rows.

    `at` is the constraint under which decisions were measured, missing for measures of the ranking.
    """
    table = result.measures[result.measures["measure"] != "gini"]
    held = [
        {**found[name], "model": model, "measure": name, "at": point["at"]}
        for point in result.points
        for model, found in point["models"].items()
        for name, value in found.items()
        if isinstance(value, Mapping)
    ]
    table = pd.concat([table, pd.DataFrame(held)]) if held else table.assign(at=None)
    table = table.rename(columns={"estimate": "value"})
    table["interval"] = table["method"].fillna("none")
    return table[["model", "measure", "value", "low", "high", "interval", "at"]]


def test_table(result: ComparisonResult) -> pd.DataFrame:
    """Paired tests of every two models by every measure, and under each constraint (`at`)."""
    table = result.tests[result.tests["measure"] != "gini"]
    order = table["measure"].map({name: i for i, name in enumerate(MEASURE_LABELS)})
    table = table.iloc[order.argsort(kind="stable")].assign(at=None)
    held = [row | {"at": point["at"]} for point in result.points for row in point["tests"]]
    if held:
        table = pd.concat([table, pd.DataFrame(held)])
    table = table.rename(columns={"first": "model_a", "second": "model_b", "method": "test"})
    columns = ["measure", "model_a", "model_b", "difference", "standard_error", "low", "high"]
    return table[[*columns, "p_value", "p_adjusted", "test", "at"]]
