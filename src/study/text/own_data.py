"""What page and appendix say of data of one's own: who leads, at your cost, at your budget."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from study.tables.leads import LEAST_LOSS, NOT_COMPARED, TOO_FEW
from study.text.summary import MEASURES, Answer
from study.text.tables import (
    HARD_SPACE,
    Markup,
    escape_markdown,
    format_interval,
    format_intervals,
    format_number,
    join_words,
)

SIGNIFICANT = 0.05


def own_data_values(
    tables: Mapping[str, pd.DataFrame],
    *,
    cost_ratio: float | None,
    constraints: Sequence[str],
    title: str,
    minority: str,
    comparison: str,
) -> dict[str, Any]:
    """What page and appendix say of other data; `tables` are those of the run by name.

    The lead is the first sentence: what the models bring at the cost, or else within the first
    limit, or else how near their probabilities are.
    """
    leads = tables["leads"][tables["leads"]["positive_class"] == "minority"]
    intervals, tests = tables["intervals"], tables["tests"]
    ranking = leads[leads["measure"].isin(MEASURES)]
    answers = []
    if cost_ratio is not None:
        answers.append(answer_loss(leads, cost_ratio, minority))
    answers += [answer_limit(leads, limit, minority) for limit in constraints]
    if not answers and leads["measure"].eq("brier").any():
        answers.append(answer_brier(leads, minority))
    lead, *answers = [*answers, answer_leads(ranking)]
    if has_few_splits(ranking):  # then the rows of one split are all that can be compared
        if cost_ratio is not None:
            answers.append(answer_cost(intervals, tests, cost_ratio, minority))
        answers += [answer_budget(intervals, tests, at, minority) for at in constraints]
    caption = (
        f"Means over the splits, with {minority} as the positive class. Ahead: share of the "
        "splits in which the model leads. Behind the leader: difference of the means with its "
        "95 % interval, corrected for the overlap of the splits (Nadeau and Bengio 2003) and for "
        "the number of pairs."
    )
    if cost_ratio is not None:
        caption += f" AUK and H are those at a cost ratio of {cost_ratio:g}."
    return {
        "paper": False,
        "question": title,
        "lead": lead,
        "answers": answers,
        "models": list(ranking["model"].unique()),
        "splits": int(ranking["splits"].max()),
        "decision_tables": tables_of_decisions(leads, cost_ratio, constraints),
        "rules": describe_rules(leads, cost_ratio, constraints),
        "calibration_table": table_of_calibration(leads),
        "models_table": table_of_models(leads),
        "leads_table": table_of_leads(ranking),
        "leads_caption": Markup(escape_markdown(caption)),
        "comparison_text": Markup(comparison.rstrip()),
    }


# ---- tables ----


def table_of_leads(leads: pd.DataFrame) -> pd.DataFrame:
    """Mean, share of splits in which a model is ahead, and how far it lies behind the leader."""
    return pd.DataFrame(
        {
            "measure": leads["measure"].map(MEASURES),
            "model": leads["model"],
            "mean": leads["mean"],
            "ahead": leads["share"].map(lambda share: format_number(share, "{:.0%}")),
            "behind the leader": format_intervals(leads[["difference", "lower", "upper"]]),
            "p": leads["p_value"].map(lambda p: format_number(p, "{:.2g}")),
        }
    )


def tables_of_decisions(
    leads: pd.DataFrame, cost_ratio: float | None, constraints: Sequence[str]
) -> dict[str, pd.DataFrame]:
    """What models bring at the cost and within each limit, by caption, the best first."""
    tables = {}
    if cost_ratio is not None:
        rows = select(leads, "expected_loss")
        table = pd.DataFrame({"model": rows.index.map(name_reference)}, index=rows.index)
        table["loss"] = rows["mean"].map("{:.0f}".format)
        for name in ("recall", "flagged"):
            table[name] = means_as_shares(leads, name, rows.index)
        table["more than the least"] = describe_gaps(rows, "{:.0f}", -1)
        tables["Loss in false alarms per 1,000 rows"] = table
    for limit in constraints:
        measure, is_small = limit_measure(limit)
        rows = select(leads, measure)
        table = pd.DataFrame({"model": rows.index}, index=rows.index)
        for name in ("recall", "flagged"):
            table[name] = means_as_shares(leads, f"{name} at {limit}", rows.index)
        gaps = rows.assign(**{end: 100 * rows[end] for end in ("difference", "lower", "upper")})
        table["points behind"] = describe_gaps(gaps, "{:.0f}", -1 if is_small else 1)
        tables[f"Thresholds that keep {limit} on the training rows"] = table
    return tables


def table_of_calibration(leads: pd.DataFrame) -> pd.DataFrame:
    """How near probabilities are to the outcomes, one by one and in sum."""
    rows = select(leads, "brier")
    table = pd.DataFrame({"model": rows.index.map(name_reference)}, index=rows.index)
    table["Brier score"] = rows["mean"]
    table["more than the least"] = describe_gaps(rows, "{:.3f}", -1)
    ratios = select(leads, "observed_over_expected")["mean"].reindex(rows.index)
    table["observed / expected"] = ratios.map(lambda ratio: format_number(ratio, "{:.2f}"))
    return table


def table_of_models(leads: pd.DataFrame) -> pd.DataFrame:
    """One row per model: means of loss, calibration, AUC and AUK over the splits."""
    columns = {
        "loss": ("expected_loss", "{:.0f}"),
        "Brier score": ("brier", "{:.3f}"),
        "observed / expected": ("observed_over_expected", "{:.2f}"),
        "AUC": ("auc", "{:.3f}"),
        "AUK": ("auk", "{:.3f}"),
    }
    table = pd.DataFrame(index=leads["model"].unique())
    table["model"] = table.index.map(name_reference)
    for name, (measure, form) in columns.items():
        means = select(leads, measure)["mean"].reindex(table.index)
        if means.notna().any():
            table[name] = [format_number(mean, form) for mean in means]
    return table


def means_as_shares(leads: pd.DataFrame, measure: str, models: pd.Index[str]) -> pd.Series[str]:
    """Means of a measure as percentages."""
    means = select(leads, measure)["mean"].reindex(models)
    return means.map(lambda mean: format_number(mean, "{:.0%}"))


def describe_gaps(rows: pd.DataFrame, form: str, sign: int) -> list[str]:
    """How far a model lies behind the leader, with its interval; ends of losses change places."""
    ends = ["difference", "lower", "upper"] if sign > 0 else ["difference", "upper", "lower"]
    return [
        format_interval(sign * gap, sign * low, sign * high, form)
        for gap, low, high in rows[ends].to_numpy(dtype=float)
    ]


def select(leads: pd.DataFrame, measure: str) -> pd.DataFrame:
    """The rows of a measure by model, without those that are not compared."""
    is_compared = ~leads["note"].astype(str).str.startswith(NOT_COMPARED)
    return leads[leads["measure"].eq(measure) & is_compared].set_index("model")


def name_reference(model: str) -> str:
    """What needs no model has a name in brackets."""
    names = {"(nobody)": "flagging nobody", "(everybody)": "flagging everybody"}
    return {**names, "(share alone)": "the share alone"}.get(model, model)


def limit_measure(limit: str) -> tuple[str, bool]:
    """What models are compared by within a limit, and whether the smallest is the best."""
    is_recall = limit.startswith("recall")
    return f"{'flagged' if is_recall else 'recall'} at {limit}", is_recall


# ---- answers ----


def answer_loss(leads: pd.DataFrame, cost_ratio: float, positive: str) -> Answer:
    """Which model loses least at the cost, over all splits, or whether none is needed."""
    rows = select(leads, "expected_loss")
    best, n = rows.index[0], rows["splits"].iloc[0]
    start = f"Where a missed {positive} costs {cost_ratio:g} false alarms, "
    loss = f"{rows['mean'].iloc[0]:.0f} false alarms per{HARD_SPACE}1,000{HARD_SPACE}rows over {n}"
    loss += " splits" if n != 1 else " split"
    gaps = describe_leads(rows, "{:.0f}", "fewer")
    if is_reference(best):
        advice = f"flag {best.strip('()')}: no model loses less. That costs {loss}{gaps}."
        return Answer("At your cost", f"flag {best.strip('()')}", start + advice)
    return Answer("At your cost", best, f"{start}{best} loses least: {loss}{gaps}.")


def answer_limit(leads: pd.DataFrame, limit: str, positive: str) -> Answer:
    """Which model finds most within a limit over all splits, or flags fewest rows for a recall."""
    measure, is_recall = limit_measure(limit)
    rows = select(leads, measure)
    best, n = rows.index[0], rows["splits"].iloc[0]
    recall, flagged = (
        means_as_shares(leads, f"{name} at {limit}", rows.index).iloc[0]
        for name in ("recall", "flagged")
    )
    shares = [f"{flagged} of all rows", f"{recall} of the {positive} rows"]
    verbs = ["flags fewest", "finds them"]
    if not is_recall:
        shares, verbs = shares[::-1], ["finds most", "flags"]
    points = rows.assign(**{end: 100 * rows[end] for end in ("difference", "lower", "upper")})
    gaps = describe_leads(points, "{:.0f}", "points fewer" if is_recall else "points more")
    other = f"finding {shares[1]}" if is_recall else f"flagging {shares[1]}"
    sentence = (
        f"With thresholds that keep {limit} on the training rows, {best} {verbs[0]}: {shares[0]} "
        f"over {n} split{'s' if n != 1 else ''}, {other}{gaps}."
    )
    return Answer(f"Within {limit}", best, sentence)


def answer_brier(leads: pd.DataFrame, positive: str) -> Answer:
    """Whose probabilities are nearest to the outcomes, and whether the share alone is nearer."""
    rows = select(leads, "brier")
    best, n = rows.index[0], rows["splits"].iloc[0]
    score = f"a Brier score of {rows['mean'].iloc[0]:.3f} over {n} split{'s' if n != 1 else ''}"
    gaps = describe_leads(rows, "{:.3f}", "less")
    sentence = f"The probabilities of {best} are the most accurate: {score}{gaps}."
    if is_reference(best):
        sentence = (
            f"No model's probabilities are more accurate than the share of {positive} rows alone, "
            f"which has {score}{gaps}."
        )
    return Answer("Probabilities", name_reference(best), sentence)


def is_reference(model: str) -> bool:
    """Whether this is what needs no model."""
    return model.startswith("(")


def describe_leads(rows: pd.DataFrame, form: str, more: str) -> str:
    """How far the first row is ahead of the best other model, with its interval, and of none.

    Then which leads are significant, or why nothing is claimed.
    """
    parts = []
    others = rows.iloc[1:]
    models = [str(model) for model in others.index]
    rivals = [model for model in models if not is_reference(model)][:1]
    gaps = others[["difference", "lower", "upper"]].to_numpy(dtype=float)
    for model, (difference, lower, upper) in zip(models, gaps, strict=True):
        if np.isnan(difference) or not (model in rivals or is_reference(model)):
            continue
        gap = f"{format_number(abs(difference), form)} {more} than {name_reference(model)}"
        if model in rivals and not np.isnan(lower):
            ends = [lower, upper] if difference > 0 else [-upper, -lower]
            low, high = (format_number(end, form) for end in ends)
            gap += f" (95{HARD_SPACE}% interval {low} to {high})"
        parts.append(gap)
    text = "".join(f", {part}" for part in parts)
    if has_few_splits(rows):
        return f"{text}. {rows['note'].iloc[0].removesuffix('.')}"
    if others.empty or others["p_value"].isna().all():
        return text
    is_clear = others["p_value"] < SIGNIFICANT
    clear = [name_reference(str(model)) for model in others.index[is_clear]]
    if not clear:
        return f"{text}. None of its leads is significant"
    if is_clear.all():
        return f"{text}. All its leads are significant"
    return f"{text}. Only its lead over {join_words(clear)} is significant"


def has_few_splits(rows: pd.DataFrame) -> bool:
    """Whether nothing is claimed over so few splits or test rows."""
    return bool(rows["note"].astype(str).str.startswith(TOO_FEW).any())


def describe_rules(
    leads: pd.DataFrame, cost_ratio: float | None, constraints: Sequence[str]
) -> str:
    """How each split's thresholds are chosen without its test rows."""
    if cost_ratio is None and not constraints:
        return ""
    sentences = ["Every split has thresholds of its own, which its training rows give."]
    if cost_ratio is not None:
        rows = select(leads, "expected_loss")
        by_training = list(rows.index[rows["note"].eq(LEAST_LOSS)])
        sentences.append(
            f"At the cost, rows are flagged from a probability of {1 / (1 + cost_ratio):.3g} on"
            + (
                f"; {join_words(by_training)}, without probabilities, from the score with the "
                "least loss on the training rows."
                if by_training
                else "."
            )
        )
    if constraints:
        sentences.append("A limit that holds on training rows may not hold on test rows.")
    return " ".join(sentences)


def answer_leads(leads: pd.DataFrame) -> Answer:
    """Which model has the best mean by each measure, and whether its lead is significant."""
    by_model: dict[str, list[str]] = {}
    significant = []
    leads = leads[~leads["note"].astype(str).str.startswith(NOT_COMPARED)]
    for measure, rows in leads.groupby("measure", sort=False):
        name, leader = MEASURES[str(measure)], str(rows["model"].iloc[0])
        by_model.setdefault(leader, []).append(name)
        rivals = rows.loc[rows["p_value"] < SIGNIFICANT, "model"]
        if len(rivals):
            significant.append(f"{name} of {leader} over {join_words(list(rivals))}")
    word = "; ".join(f"{model}, by {join_words(names)}" for model, names in by_model.items())
    sentence = "No lead over another model is significant."
    if len(set(leads["model"])) == 1:
        word, sentence = leader, "It is the only model, so there is nothing to compare."
    elif leads["p_value"].isna().all():
        sentence = next(iter(leads["note"].dropna()), "No lead varies over the splits.")
    elif significant:
        sentence = f"Significant: {'; '.join(significant)}."
    return Answer("Who ranks best", word, sentence)


def answer_cost(
    intervals: pd.DataFrame, tests: pd.DataFrame, cost_ratio: float, positive: str
) -> Answer:
    """Which model has the smallest expected loss at the stated cost."""
    best, value, others = rank_models(intervals, tests, None, "expected_loss", smallest=True)
    sentence = (
        f"If a missed {positive} costs {cost_ratio:g} false alarms, the expected loss is smallest: "
        f"{format_number(value, '{:.0f}')} false alarms per{HARD_SPACE}1,000{HARD_SPACE}rows"
    )
    return Answer("At your cost, on one split", best, sentence + others)


def answer_budget(
    intervals: pd.DataFrame, tests: pd.DataFrame, constraint: str, positive: str
) -> Answer:
    """Which model brings most under a constraint, or flags fewest rows for a demanded recall."""
    name, sign, limit = re.split("(<=|>=)", constraint)
    bound = f"{'at most' if sign == '<=' else 'at least'} {100 * float(limit):g} %"
    is_recall = name == "recall"
    measure = "flagged" if is_recall else "recall"
    best, value, others = rank_models(intervals, tests, constraint, measure, smallest=is_recall)
    share = format_number(value, "{:.0%}")
    if not best:
        sentence = f"No threshold keeps {constraint} and flags a {positive} row."
        return Answer("At your budget, on one split", "no model", sentence)
    if is_recall:
        sentence = f"To find {bound} of the {positive} rows, {share} of all rows are flagged"
    elif name == "flagged":
        sentence = f"Flagging {bound} of the rows finds {share} of the {positive} rows"
    else:
        sentence = f"At a {name} of {bound}, {share} of the {positive} rows are found"
    return Answer("At your budget, on one split", best, sentence + others)


def rank_models(
    intervals: pd.DataFrame,
    tests: pd.DataFrame,
    constraint: str | None,
    measure: str,
    *,
    smallest: bool,
) -> tuple[str, float, str]:
    """The best models by a measure, its value, and how the others compare on the split shown."""
    rows, pairs = (
        table[
            (table["measure"] == measure)
            & (table["at"].isna() if constraint is None else table["at"] == constraint)
        ]
        for table in (intervals, tests)
    )
    values = rows.set_index("model")["value"].dropna()
    value = float(values.min() if smallest else values.max())
    best = list(values.index[values == value])
    pairs = pairs[pairs["model_a"].isin(best) ^ pairs["model_b"].isin(best)]
    p_values = pairs["p_adjusted"].fillna(pairs["p_value"])
    rivals = pairs["model_a"].where(~pairs["model_a"].isin(best), pairs["model_b"])
    alike = list(dict.fromkeys(rivals[p_values >= SIGNIFICANT]))
    if p_values.isna().all():
        others = f". {next(iter(pairs['note'].dropna()), '')}".rstrip()
    else:
        untested = list(dict.fromkeys(rivals[p_values.isna()]))
        parts = [f"{join_words(alike)} did not differ significantly"] if alike else []
        if untested:
            parts.append(f"{join_words(untested)} could not be tested")
        others = f"; {'; '.join(parts) or 'all others were significantly worse'}."
    return join_words(best), value, others
