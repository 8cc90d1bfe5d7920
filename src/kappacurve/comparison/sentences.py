"""Sentences about models: which one is better, what it saves, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan
from typing import Any

import pandas as pd

from ..decisions.least_loss import CostRange, trivial_losses
from ..decisions.operating import Constraint, TiedBudget
from ..inference.estimates import ROUNDING

LABELS = {
    "auc": "AUC",
    "auk": "AUK",
    "average_precision": "average precision",
    "h": "H",
    "brier_score": "Brier score",
    "log_loss": "log loss",
    "expected_loss": "loss per 1,000 rows",
    "flagged": "share flagged",
    "f1": "F1",
    "mcc": "MCC",
    "net_benefit": "net benefit per row",
}
LOSSES = ("brier_score", "log_loss", "expected_loss")  # less is better
MANY_MODELS = 4  # from so many on, only the tests of the leader are printed
MAX_RANGES = 5  # of costs with a model of their own, that a sentence names
VERDICTS = ("better than", "not clearly better than", "equal to", "not tested against")


def find_leader(measure: str, tests: pd.DataFrame) -> str | None:
    """The model that is better than most others by a measure; None if all have one value."""
    lead = tests["difference"] * (-1 if measure.partition(" at ")[0] in LOSSES else 1)
    winners = tests["first"].where(lead > 0, tests["second"])[lead.abs() >= ROUNDING]
    return None if winners.empty else str(winners.value_counts().idxmax())


def leader_sentence(
    measure: str, tests: pd.DataFrame, cost_ratio: float, confidence_level: float
) -> str:
    """Who leads by a measure, and over whom clearly."""
    label = label_of(measure, cost_ratio)
    if measure.startswith("expected_loss"):
        label = f"Loss at {measure.partition(' at ')[2] or 'this cost'}"
    label = label[0].upper() + label[1:]
    leader = find_leader(measure, tests)
    models = list(dict.fromkeys([*tests["first"], *tests["second"]]))
    if leader is None:
        return f"{label}: {join_names(models)} have the same value."
    rivals: dict[str, dict[str, str]] = {verdict: {} for verdict in VERDICTS}
    for test in tests[(tests["first"] == leader) | (tests["second"] == leader)].to_dict("records"):
        other, p = test["second" if test["first"] == leader else "first"], test["p_adjusted"]
        if abs(test["difference"]) < ROUNDING:
            rivals["equal to"][other] = ""
        elif isnan(p):
            rivals["not tested against"][other] = ""
        else:
            verdict = "better than" if p < 1 - confidence_level else "not clearly better than"
            rivals[verdict][other] = p_value_text(p) if len(models) < MANY_MODELS else ""
    parts, word = [], "p" if len(tests) == 1 else "adjusted p"
    for verdict, p_values in rivals.items():
        names = []
        for name, p_value in p_values.items():
            names.append(f"{name} ({word} {p_value})" if p_value else name)
            word = "p"  # adjusted, which is said once
        parts += [f"{verdict} {join_names(names)}"] if names else []
    return f"{label}: {leader} is {', '.join(parts)}."


def calibration_sentences(table: pd.DataFrame) -> list[str]:
    """What is wrong with the probabilities of each model, as far as the intervals tell.

    Of many models there is one sentence for all that predict too many or too few positives, and one
    for all that are too extreme or vary too little.
    """
    sentences, ratios, slopes = [], [], []
    for model, rows in table.groupby("model", sort=False):
        by_name = rows.set_index("quantity")
        ratio, slope = by_name.loc["observed_over_expected"], by_name.loc["slope"]
        faults = []
        if ratio["high"] < 1 or ratio["low"] > 1:
            times = f"{1 / ratio['estimate']:.2g}"
            ratios.append(f"{model} {times}")
            faults.append(f"it predicts {times} times as many positives as there are")
        if slope["high"] < 1 or slope["low"] > 1:
            what = "are too extreme" if slope["high"] < 1 else "vary too little"
            slopes.append(f"{model} {slope['estimate']:.2g}")
            faults.append(f"its probabilities {what} (slope {slope['estimate']:.2g})")
        sentences.append(f"Calibration of {model}: {', and '.join(faults) or 'no clear fault'}.")
    if table["model"].nunique() < MANY_MODELS:
        return sentences
    starts = {"Positives predicted over those there are": ratios, "Slopes that are not 1": slopes}
    return [f"{start}: {', '.join(parts)}." for start, parts in starts.items() if parts]


def constant_sentences(measures: pd.DataFrame) -> list[str]:
    """The models whose losses are above those of the share of positives alone, clearly or not."""
    models: dict[tuple[str, str], list[str]] = {}
    above = measures[measures["estimate"] > measures["reference"]]
    for is_clear, word in ((True, "clearly worse"), (False, "no better")):
        rows = above[(above["low"] > above["reference"]) == is_clear]
        for model, own in rows.groupby("model", sort=False):
            names = join_names([LABELS[measure] for measure in own["measure"]])
            models.setdefault((names, word), []).append(str(model))
    return [
        f"By {names}, {join_names(group)} {'is' if len(group) == 1 else 'are'} {word} than "
        "predicting the share of positives for every row."
        for (names, word), group in models.items()
    ]


def saving_sentence(costs: Sequence[dict[str, Any]], cost_ratio: float) -> str:
    """What acting on the best model saves at the stated cost, or what to do without a saving."""
    best = min(costs, key=lambda row: float(row["loss"]))
    rule = "nobody" if best["flag_nobody"] <= best["flag_everybody"] else "everybody"
    start = f"Where a miss costs {count_alarms(f'{cost_ratio:g}')}"
    if best["flag"] != "by model":
        return f"{start}, no model saves anything over flagging {rule}: flag {rule}."
    doubt = ""
    if isnan(best["saving_low"]):
        doubt = " (no interval)"
    elif best["saving_low"] <= 0:
        doubt = f", but not clearly ({best['saving_low']:.1f} to {best['saving_high']:.1f})"
    return (
        f"{start}, flagging by {best['model']} saves the cost of {best['saving']:.1f} false alarms "
        f"per 1,000 rows over flagging {rule}{doubt}."
    )


def least_loss_sentence(ranges: Sequence[CostRange], stated_prevalence: float | None) -> str:
    """Which model costs least in which range of costs, by the rows that also set the thresholds."""
    where = "in these rows"
    if stated_prevalence is not None:
        where += f" at {100 * stated_prevalence:g} % positives"
    start = f"Least loss {where} (apparent: they also set the thresholds)"
    by_model = [cost_range for cost_range in ranges if cost_range.flag == "by model"]
    if not by_model:
        return f"{start}: no model costs less than flagging nobody or everybody, at any cost."
    low, high = by_model[0].cost_ratio_low, by_model[-1].cost_ratio_high
    if len(by_model) > MAX_RANGES:
        models = dict.fromkeys(model for cost_range in by_model for model in cost_range.models)
        text = f"{join_names([*models])} take turns, in {len(by_model)} ranges, {_while(low, high)}"
    else:
        parts: list[str] = []
        for cost_range in by_model:
            name = join_names(cost_range.models) + " alike" * (len(cost_range.models) > 1)
            end = cost_range.cost_ratio_high
            bound = "beyond" if end == inf else f"up to {_short(end)}"
            parts.append(f"{name} {bound if parts else _while(low, end)}")
        text = ", ".join(parts)
    rules = ["nobody below"] * (low > 0) + ["everybody beyond"] * (high < inf)
    return f"{start}: {text}{'; flag ' * bool(rules)}{', '.join(rules)}."


def useless_sentences(decisions: pd.DataFrame, prevalence: float) -> list[str]:
    """The thresholds and limits at which no model costs less than flagging nobody or everybody."""
    if decisions.empty:
        return []
    sentences = []
    losses = decisions[decisions["quantity"] == "expected_loss"]
    for at, rows in losses.groupby("at", sort=False):
        nobody, everybody = trivial_losses(prevalence, float(rows["cost_ratio"].iloc[0]))
        if rows["estimate"].min() >= min(nobody, everybody):
            rule = "nobody" if nobody <= everybody else "everybody"
            sentences.append(f"At {at} no model costs less than flagging {rule}.")
    return sentences


def uncosted_sentence(
    at: str | float, models: Sequence[str], stated_prevalence: float | None
) -> str:
    """Why models have no loss at a threshold."""
    share = "" if stated_prevalence is None else " at this share of positives"
    return (
        f"At {at} there is no loss of {join_names(models)}: the scores are not probabilities"
        f"{share}, so state what a miss costs (--cost-ratio, cost_ratio=)."
    )


def reversed_sentences(measures: pd.DataFrame) -> list[str]:
    """The models that rank clearly worse than by chance."""
    areas = measures[measures["measure"] == "auc"]
    return [
        f"{model}: the AUC is clearly below 0.5, so low values seem to mean positive: --lower "
        f"{model} (negate the scores)."
        for model in areas.loc[areas["high"] < 0.5, "model"]
    ]


def tied_sentence(model: str, constraint: Constraint, tied: TiedBudget) -> str:
    """How much of a budget a model uses, and what drawing among tied rows would bring."""
    return (
        f"{constraint}: {model} uses {100 * tied.used:.3g} of {100 * constraint.bound:.3g} %, "
        f"because {tied.tied_rows} rows tie at the next score. Filling up with some of these, "
        f"drawn at random, would raise recall from {tied.recall:.4f} to {tied.drawn_recall:.4f} "
        "on average."
    )


def count_alarms(cost: str) -> str:
    """The cost of a miss in words."""
    return f"{cost} false {'alarm' if cost.split()[-1] == '1' else 'alarms'}"


def p_value_text(p: float) -> str:
    """A p value with its sign, as it stands in a sentence."""
    if isnan(p):
        return "not tested"
    return f"= {p:.2g}" if p >= 1e-4 else "< 0.0001"


def label_of(measure: str, cost_ratio: float) -> str:
    """What a measure is called where it is printed."""
    name, _, where = measure.partition(" at ")
    label = LABELS.get(name, name)
    if measure in ("auk", "h", "kappa") and cost_ratio != 1:
        label += f" at cost ratio {cost_ratio:g}"
    return label + (f" at {where}" if where else "")


def join_names(names: Sequence[str]) -> str:
    """Names as they stand in a sentence."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _while(low: float, high: float) -> str:
    """A range of the cost of a miss in words."""
    if (low, high) == (0, inf):
        return "whatever a miss costs"
    bounds = f"{_short(low)} to {_short(high)}"
    if low == 0:
        bounds = f"less than {_short(high)}"
    elif high == inf:
        bounds = f"more than {_short(low)}"
    return f"while a miss costs {count_alarms(bounds)}"


def _short(cost_ratio: float) -> str:
    """A cost ratio with two digits, or more if it has more before the point."""
    return f"{cost_ratio:.0f}" if cost_ratio >= 100 else f"{cost_ratio:.2g}"
