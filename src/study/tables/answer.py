"""The answer of a run: which model leads by which measure, how surely, and where to cut.

Over random splits, leads are tested by Nadeau & Bengio's (2003) corrected resampled t test: splits
share rows, so the variance of a mean over J of them is taken as (1/J + n_test/n_train) s^2. From
one split, the answer is that of the paired tests on its test rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtr, stdtrit

from kappacurve import MEASURES, ComparisonResult, compare
from kappacurve.inference import outward
from study.data.classes import Names
from study.labels import MEASURE_LABELS as LABELS
from study.tables.comparison import tests_of_model
from study.tables.shares import share_with_interval
from study.tables.summaries import central

LOSS, LOG_LOSS = "expected_loss", "log_loss"
LESS_IS_BETTER = [name for name, measure in MEASURES.items() if measure.less_is_better]
LEVEL = 0.05
WINS = ["measure", "model_a", "model_b", "splits", "ahead", "ties", "mean", "low", "high"]
WINS += ["lower", "upper", "p_value"]
ANSWER = ["about", "measure", "model", "value", "splits", "share", "low", "high", "other"]
ANSWER += ["difference", "lower", "upper", "p_value", "sentence"]
ByMeasure = Mapping[str, pd.DataFrame]
# What the columns of tests on one split are called over splits.
AS_OVER_SPLITS = {"other": "model_b", "difference": "mean", "low": "lower", "high": "upper"}
AS_OVER_SPLITS |= {"p_adjusted": "p_value"}


def measures_by_split(
    measures: pd.DataFrame,
    scores: pd.DataFrame,
    prevalence: float | None = None,
    cost_ratio: float | None = None,
) -> ByMeasure:
    """Each measure by split (row) and model (column): of the raw curves, the minority positive.

    With a cost ratio the expected loss is one, of thresholds that other test rows chose. The log
    loss is that of the probabilities in `scores`, which are missing where they would say nothing.
    """
    raw = measures[(measures["positive_class"] == "minority") & (measures["curve"] == "raw")]
    wide = {
        name: raw.pivot_table(index="replicate", columns="model", values=name, sort=False)
        for name in ("auc", "auk", "h")
    }
    if cost_ratio is not None:
        at = {"prevalence": prevalence, "cost_ratio": cost_ratio}
        wide[LOSS] = _expected_losses(scores, at).reindex(columns=wide["auc"].columns)
    known = scores.dropna(subset="probability")
    if len(known):
        chance = np.where(known["minority"] == 1, known["probability"], 1 - known["probability"])
        # Cut off as scikit-learn does: a chance of 0 would make every mean infinite.
        losses = known.assign(loss=-np.log(np.maximum(chance, np.finfo(float).eps)))
        wide[LOG_LOSS] = losses.pivot_table(
            index="replicate", columns="model", values="loss", sort=False
        )
    return wide


def _expected_losses(scores: pd.DataFrame, at: Mapping[str, Any]) -> pd.DataFrame:
    """Of each split (row) and model (column), as the library compares models."""
    losses = {}
    for replicate, rows in scores.dropna(subset="score").groupby("replicate"):
        wide = rows.pivot_table(index="row", columns="model", values="score", sort=False)
        label = rows.groupby("row", sort=False)["minority"].first().loc[wide.index]
        if label.nunique() == 2:
            by_model = {str(model): wide[model].to_numpy() for model in wide}
            found = compare(label.to_numpy(), by_model, level=None, **at).measures
            losses[replicate] = found.set_index(["measure", "model"])["estimate"][LOSS]
    return pd.DataFrame.from_dict(losses, orient="index")


def paired_wins(by_measure: ByMeasure, test_to_train: float) -> pd.DataFrame:
    """How often, and by how much, a model is ahead of another in the same splits.

    Of each pair the model with the better mean stands first. low and high are the central 95 % of
    the differences; lower, upper and p_value are those of the corrected test, for all pairs of a
    measure at once (Bonferroni).
    """
    rows = []
    for measure, wide in by_measure.items():
        sign = -1 if measure in LESS_IS_BETTER else 1
        order = (sign * wide).mean().sort_values(ascending=False, kind="stable").index
        pairs = list(combinations(order, 2))
        for first, second in pairs:
            lead = (wide[first] - wide[second]).dropna().to_numpy()
            row = {"measure": measure, "model_a": first, "model_b": second, "splits": len(lead)}
            row |= {"ahead": int((sign * lead > 0).sum()), "ties": int((lead == 0).sum())}
            rows.append(row | central(lead) | corrected_test(lead, test_to_train, len(pairs)))
    return pd.DataFrame(rows, columns=WINS)


def corrected_test(lead: Any, test_to_train: float, tests: int = 1) -> dict[str, float]:
    """Interval and p value of a mean difference over splits, as one of several tests."""
    n = len(lead)
    if n < 2 or not np.ptp(lead):
        return dict.fromkeys(("lower", "upper", "p_value"), np.nan)
    error = float(np.sqrt((1 / n + test_to_train) * np.var(lead, ddof=1)))
    mean, reach = float(np.mean(lead)), -float(stdtrit(n - 1, LEVEL / 2 / tests)) * error
    p_value = min(1.0, 2 * tests * float(stdtr(n - 1, -abs(mean) / error)))
    return {"lower": mean - reach, "upper": mean + reach, "p_value": p_value}


def leaders_over_splits(by_measure: ByMeasure, wins: pd.DataFrame) -> list[dict[str, Any]]:
    """For each measure the model with the best mean, in how many splits it is best, and its leads.

    The difference is that to the second.
    """
    rows = []
    for measure, wide in by_measure.items():
        if wide.shape[1] < 2 or wide.dropna().empty:
            continue
        sign = -1 if measure in LESS_IS_BETTER else 1
        pairs = wins[wins["measure"] == measure]
        leader = str(pairs["model_a"].iloc[0])
        shared = sign * wide.dropna()
        best = int((shared[leader] > shared.drop(columns=leader).max(axis="columns")).sum())
        share = share_with_interval(best, len(shared))
        leads: Any = pairs[pairs["model_a"] == leader].to_dict("records")
        mean = float(wide[leader].mean())
        sentence = (
            f"{leader} has the best mean ({mean:.3f}) and is ahead of all others in "
            f"{best} of {len(shared)} random splits (95 % interval {100 * share['low']:.0f} to "
            f"{100 * share['high']:.0f} %)."
        )
        rows.append(_leader(measure, leader, mean, len(shared), sentence, leads) | share)
    return rows


def leaders_of_one_split(result: ComparisonResult) -> list[dict[str, Any]]:
    """For each measure the best model on the test rows, and its paired tests."""
    rows = []
    for measure in ("auc", "auk", "h", LOSS, LOG_LOSS):
        table = result.measures[result.measures["measure"] == measure].dropna(subset="estimate")
        if len(table) < 2:
            continue
        sign = -1 if measure in LESS_IS_BETTER else 1
        best: Any = table.iloc[int((sign * table["estimate"]).argmax())].to_dict()
        tests = tests_of_model(result.tests, measure, best["model"])
        leads: Any = tests.rename(columns=AS_OVER_SPLITS).to_dict("records")
        leads.sort(key=lambda row: sign * row["mean"])
        sentence = f"{best['model']} is best on these rows ({best['estimate']:.3f})."
        rows.append(_leader(measure, best["model"], best["estimate"], 1, sentence, leads))
    return rows


def _leader(
    measure: str, model: str, value: float, splits: int, sentence: str, leads: list[dict[str, Any]]
) -> dict[str, Any]:
    """A row of the answer, with the lead over the second if there is a test of it."""
    row = {"about": "leader", "measure": measure, "model": model, "value": value, "splits": splits}
    if leads:
        second = {"other": leads[0]["model_b"], "difference": leads[0]["mean"]}
        row |= second | {name: leads[0][name] for name in ("lower", "upper", "p_value")}
    label = LABELS[measure]
    return row | {"sentence": f"{label[:1].upper()}{label[1:]}: {sentence} {_leads(leads)}"}


def _leads(leads: list[dict[str, Any]]) -> str:
    """Which leads are more than chance; the second's in numbers."""
    tested = [row for row in leads if row["p_value"] == row["p_value"]]
    if not tested:
        return "No test of the differences is possible."
    sure = [row["model_b"] for row in tested if row["p_value"] < LEVEL]
    open_ = [row["model_b"] for row in tested if row["p_value"] >= LEVEL]
    second = tested[0]
    numbers = f"{second['mean']:+z.3f} to {second['model_b']}"
    if second["lower"] == second["lower"]:
        numbers += f", 95 % interval {second['lower']:+z.3f} to {second['upper']:+z.3f}"
    text = f"No difference to {_listed(open_)} is statistically significant"
    if sure:
        text = f"The difference to {_listed(sure)} is statistically significant"
        text += f"; that to {_listed(open_)} is not" if open_ else ""
    return f"{text} ({numbers})."


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def rows_sentence(sample: pd.DataFrame, scores: pd.DataFrame, names: Names) -> str:
    """How many rows trained and tested in the split shown."""
    train, test = (
        f"{len(rows)} rows, {rows.sum()} of them {names['minority']}"
        for is_test in (False, True)
        for rows in [sample.loc[sample["row"].isin(scores["row"]) == is_test, "minority"]]
    )
    return f"The models were trained on {train}, and measured on {test}."


def threshold_row(thresholds: pd.DataFrame, leaders: list[dict[str, Any]], name: str) -> Any:
    """Where to cut the scores of the model that leads by expected loss, or else by AUK."""
    criterion = thresholds["measure"].iloc[-1]  # by costs, if there are any
    chosen = thresholds[thresholds["measure"] == criterion].set_index("model", drop=False)
    by = {row["measure"]: row["model"] for row in leaders}
    model = by.get(LOSS if criterion == LOSS else "auk", chosen.index[0])
    row: Any = chosen.loc[model if model in chosen.index else chosen.index[0]].to_dict()
    point = {"about": "threshold", "value": row["threshold"]}
    point |= {key: row[key] for key in ("measure", "model", "low", "high")}
    best = f"{'Lowest' if criterion == LOSS else 'Highest'} {LABELS[criterion]} of {row['model']}"
    best += f" on the rows of the tables, which choose its threshold, {row['value']:.3f}"
    if not np.isfinite(row["threshold"]):
        return point | {"sentence": f"{best}: {name} is never predicted."}
    about = [row["scale"]]
    if row["scale"] != "probability" and not np.isnan(row["probability"]):
        about.append(f"probability {row['probability']:.3g}")
    if not np.isnan(row["low"]):
        about.append(f"95 % interval {outward(row['low'], row['high'], digits=3)}")
    return point | {
        "sentence": f"{best}: {name} predicted from a score of {row['threshold']!r} on "
        f"({'; '.join(about)}), which misses {row['missed']} of {row['n_positive']} and raises "
        f"{row['false_alarms']} false alarms in {row['n_negative']} others."
    }
