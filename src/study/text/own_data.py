"""What page and appendix say of data of one's own: who leads, at your cost, at your budget."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from study.tables.leads import NOT_COMPARED
from study.text.summary import MEASURES, Answer
from study.text.tables import (
    HARD_SPACE,
    Markup,
    escape_markdown,
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
    """What page and appendix say of other data; `tables` are those of the run by name."""
    leads = tables["leads"][tables["leads"]["positive_class"] == "minority"]
    intervals, tests = tables["intervals"], tables["tests"]
    answers = [answer_leads(leads)]
    if cost_ratio is not None:
        answers.append(answer_cost(intervals, tests, cost_ratio, minority))
    answers += [answer_budget(intervals, tests, at, minority) for at in constraints]
    caption = (
        f"Means over the splits, with {minority} as the positive class. Ahead: share of the "
        "splits in which the model leads. Behind the leader: difference of the means with its "
        "95 % interval, corrected for the overlap of the splits (Nadeau and Bengio 2003)."
    )
    if cost_ratio is not None:
        caption += f" AUK and H are those at a cost ratio of {cost_ratio:g}."
    return {
        "paper": False,
        "question": title,
        "answers": answers,
        "models": list(leads["model"].unique()),
        "splits": int(leads["splits"].max()),
        "leads_table": table_of_leads(leads),
        "leads_caption": Markup(escape_markdown(caption)),
        "comparison_text": Markup(comparison.rstrip()),
    }


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
    return Answer("Who leads", word, sentence)


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
