"""All models on the test rows of the split shown, compared by the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from kappacurve import compare

# Of a large test set fewer resamples do; p values of 21 pairs can still fall below 0.05.
RESAMPLES, RESAMPLES_OF_MANY, MANY_ROWS = 2000, 1000, 20_000
INTERVAL_COLUMNS = ["at", "model", "measure", "value", "low", "high", "method"]
TEST_COLUMNS = ["at", "measure", "model_a", "model_b", "difference", "standard_error"]
TEST_COLUMNS += ["low", "high", "p_value", "p_adjusted", "method", "note"]


def compare_models(
    scores: pd.DataFrame,
    *,
    seed: int,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
    at: Sequence[str] = (),
    groups: pd.Series | None = None,
) -> Any:
    """Compare all models by :func:`kappacurve.compare`, the minority positive.

    The scores have the columns row, minority, model, score and probability; a model that could not
    be fitted is left out. Groups are indexed by row.
    """
    fitted = scores.dropna(subset="score")
    by_model = fitted.set_index("row").groupby("model", sort=False)
    wide = pd.DataFrame({model: _choose_scores(rows) for model, rows in by_model}).sort_index()
    return compare(
        fitted.groupby("row")["minority"].first() == 1,
        wide,
        prevalence=prevalence,
        cost_ratio=cost_ratio,
        at=list(at),
        n_resamples=RESAMPLES if len(wide) <= MANY_ROWS else RESAMPLES_OF_MANY,
        random_state=seed,
        groups=None if groups is None else groups.loc[wide.index],
    )


def _choose_scores(rows: pd.DataFrame) -> pd.Series[float]:
    """Probabilities of a model, which have a log loss; scores if these tell more rows apart."""
    has_probabilities = rows["probability"].nunique() == rows["score"].nunique()
    return rows["probability" if has_probabilities else "score"]


def intervals_table(result: Any) -> pd.DataFrame:
    """Every measure of every model with a 95 % interval over test rows.

    Under a constraint, which stands under `at`, these are what decisions bring; at a cost
    "expected_loss" is in false alarms per 1,000 rows.
    """
    names = {"estimate": "value", "quantity": "measure", "loss": "value"}
    costs = result.costs.assign(measure="expected_loss")
    parts: list[pd.DataFrame] = [result.measures, costs, result.decisions]
    filled = [
        part.rename(columns=names).reindex(columns=INTERVAL_COLUMNS) for part in parts if len(part)
    ]
    return pd.concat(filled, ignore_index=True)


def tests_table(result: Any) -> pd.DataFrame:
    """Paired tests of every two models by every measure, under a constraint by what it leaves."""
    table: pd.DataFrame = result.tests.rename(columns={"first": "model_a", "second": "model_b"})
    if len(table):
        parts = table["measure"].str.split(" at ", n=1, expand=True).reindex(columns=[0, 1])
        table = table.assign(measure=parts[0], at=parts[1])
    return table.reindex(columns=TEST_COLUMNS)
