"""What models bring under constraints such as an alert budget: on one split, and over all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import interval, operating_point, paired_test
from study.tables.answer import LEVEL, corrected_test
from study.tables.summaries import central

COLUMNS = ["at", "measure", "model", "other", "threshold", "value", "low", "high", "p_value"]
COLUMNS += ["splits", "mean", "central_low", "central_high", "p_corrected"]
DECIDED = ("recall", "precision", "specificity", "flagged", "kappa", "expected_loss")
OVER_SPLITS = ("threshold", *DECIDED)
Rows = list[dict[str, Any]]


def points_under_constraints(
    scores: pd.DataFrame,
    constraints: Sequence[str],
    pair: Sequence[str],
    conditions: Mapping[str, Any],
    splits: tuple[pd.DataFrame, float] | None = None,
    **options: Any,
) -> tuple[pd.DataFrame, list[str]]:
    """The table of all constraints, and the sentences of the answer.

    `conditions` are prevalence and cost ratio, `options` groups, number and seed of the resamples;
    `splits` are the scores of all splits, and their test rows over their training rows.
    """
    table: Rows = []
    sentences = []
    for at in constraints:
        rows, refused = points_of_split(scores, at, pair, **conditions, **options)
        if splits is not None:
            rows = with_splits(rows, points_by_split(splits[0], at, **conditions), splits[1])
        table += rows
        sentences += point_sentences(at, rows, refused, pair)
    return pd.DataFrame(table, columns=COLUMNS), sentences


def points_of_split(
    scores: pd.DataFrame,
    at: str,
    pair: Sequence[str],
    groups: pd.Series | None = None,
    **options: Any,
) -> tuple[Rows, dict[str, str]]:
    """Each model's operating point on the test rows, the pair's differences, and what is refused.

    `options` are those that :func:`kappacurve.interval` and :func:`kappacurve.paired_test` share.
    Models of which no threshold meets the constraint are refused, each with the reason.
    """
    wide = scores.pivot_table(index="row", columns="model", values="score", sort=False).sort_index()
    positive = scores.groupby("row")["minority"].first().to_numpy()
    options |= {"at": at, "groups": None if groups is None else groups.loc[wide.index]}
    conditions = {name: options.get(name) for name in ("at", "prevalence", "cost_ratio")}
    rows: Rows = []
    refused: dict[str, str] = {}
    for model in map(str, wide):
        try:
            point = operating_point(positive, wide[model], **conditions)
            found = interval(positive, wide[model], measure=DECIDED, **options)
        except ValueError as error:  # no such threshold, or too few rows of a class
            refused[model] = str(error)
            continue
        for measure, estimate in found.items():
            row = {"at": at, "measure": measure, "model": model, "threshold": point.threshold}
            rows.append(
                row | {"value": estimate.estimate, "low": estimate.low, "high": estimate.high}
            )
    if pair and {row["model"] for row in rows} >= set(pair):
        for measure in DECIDED:
            test = paired_test(
                positive, *(wide[model] for model in pair), measure=measure, **options
            )
            row = {"at": at, "measure": measure, "model": pair[0], "other": pair[1]}
            row |= {"value": test.difference, "low": test.low, "high": test.high}
            if not np.isnan(test.standard_error):  # not what the constraint holds
                rows.append(row | {"p_value": test.p_value})
    return rows, refused


def points_by_split(scores: pd.DataFrame, at: str, **conditions: Any) -> Mapping[str, pd.DataFrame]:
    """What decisions bring by split (row) and model (column).

    Where no threshold meets the constraint nobody is flagged, as in the library's resamples, and
    there is no threshold.
    """
    found = []
    for (replicate, model), rows in scores.dropna(subset="score").groupby(
        ["replicate", "model"], sort=False
    ):
        label, score = rows["minority"].to_numpy(), rows["score"].to_numpy()
        if len(set(label)) < 2:
            continue
        try:
            point = operating_point(label, score, at=at, **conditions)
        except ValueError:
            nobody = operating_point(label, score, at=np.inf, **conditions)
            point = nobody._replace(threshold=np.nan)
        values = point._asdict() | {"recall": point.tpr, "specificity": 1 - point.fpr}
        found.append({"replicate": replicate, "model": model} | values)
    table = pd.DataFrame(found, columns=["replicate", "model", *OVER_SPLITS])
    return {
        measure: table.pivot_table(values=measure, index="replicate", columns="model", dropna=False)
        for measure in OVER_SPLITS
    }


def with_splits(rows: Rows, by_measure: Mapping[str, pd.DataFrame], test_to_train: float) -> Rows:
    """The same rows with mean and central 95 % over splits, and rows of the mean thresholds.

    p_corrected is of Nadeau & Bengio's test of a difference, as in the table of wins.
    """
    models = dict.fromkeys((row["at"], row["model"]) for row in rows)
    thresholds = [{"at": at, "measure": "threshold", "model": model} for at, model in models]
    joined = []
    for row in (*thresholds, *rows):
        values = by_measure[row["measure"]]
        other = row.get("other")
        by_split = values[row["model"]] if other is None else values[row["model"]] - values[other]
        known = by_split.dropna().to_numpy()
        spread = central(known)
        row |= {"splits": len(known), "mean": spread["mean"]}
        row |= {"central_low": spread["low"], "central_high": spread["high"]}
        if other is not None:
            row |= {"p_corrected": corrected_test(known, test_to_train)["p_value"]}
        joined.append(row)
    return joined


def point_sentences(
    at: str, rows: Rows, refused: Mapping[str, str], pair: Sequence[str]
) -> list[str]:
    """What the pair brings under a constraint, the difference, and models that can't meet it."""
    measure = "precision" if at.startswith("recall") else "recall"
    rows = [row for row in rows if row["measure"] == measure]
    values = [
        f"{row['model']} {row['value']:.3f} (95 % interval {row['low']:.3f} to {row['high']:.3f})"
        for row in rows
        if row["model"] in (pair or [row["model"]]) and "other" not in row
    ]
    sentences = [_difference(row) for row in rows if "other" in row]
    if values:
        sentences.insert(0, f"At {at}, {measure} on the rows of the tables: {', '.join(values)}.")
    return sentences + [f"{model}: {reason}" for model, reason in refused.items()]


def _difference(row: Mapping[str, Any]) -> str:
    """A paired difference: over the splits, if there are several."""
    columns = ["value", "low", "high", "p_value"]
    where = "95 % interval"
    if row.get("splits", 0) > 1:
        columns = ["mean", "central_low", "central_high", "p_corrected"]
        where = f"mean of {row['splits']} splits, central 95 %"
    value, low, high, p_value = (row[name] for name in columns)
    sure = "is not statistically significant"
    if np.isnan(p_value):
        sure = "can't be tested"
    elif p_value < LEVEL:
        sure = "is statistically significant"
    return (
        f"At {row['at']}, the difference in {row['measure']} of {row['model']} to {row['other']}, "
        f"{value:+z.3f} ({where} {low:+z.3f} to {high:+z.3f}), {sure}."
    )
