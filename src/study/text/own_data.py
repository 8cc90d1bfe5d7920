"""What page and appendix say of data of one's own: who leads, at your cost, at your budget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

from study.text.summary import MEASURES, Case, join_words
from study.text.tables import HARD_SPACE, format_intervals, format_number

SIGNIFICANT = 0.05


def own_data_values(
    *,
    leads: pd.DataFrame,
    intervals: pd.DataFrame,
    tests: pd.DataFrame,
    cost_ratio: float | None,
    constraints: Sequence[str],
    title: str,
    minority: str,
) -> dict[str, Any]:
    """What page and appendix say of other data: three answers, and the models over the splits."""
    leads = leads[leads["positive_class"] == "minority"]
    answers = [("Who leads", judge_leads(leads))]
    split = [table[table["at"].isna()] if "at" in table else table for table in (intervals, tests)]
    if cost_ratio is not None:
        case = judge_cost(split[0], split[1], cost_ratio, minority)
        answers.append(("At your cost", case))
    for constraint in constraints:
        held = [table[table["at"] == constraint] for table in (intervals, tests)]
        answers.append(("At your budget", judge_budget(held[0], held[1], constraint, minority)))
    return {
        "question": title,
        "answers": answers,
        "models": list(leads["model"].unique()),
        "splits": int(leads["splits"].max()),
        "leads_table": table_of_leads(leads),
        "leads_by_measure": {
            MEASURES[str(measure)]: table_of_leads(rows).drop(columns=["measure", "p"])
            for measure, rows in leads.groupby("measure", sort=False)
        },
        "leads_caption": (
            f"Means over the splits, with {minority} as the positive class. Ahead: share of the "
            "splits in which the model leads. Behind the leader: difference of the means with its "
            "95 % interval, corrected for the overlap of the splits (Nadeau and Bengio 2003)."
            + (
                ""
                if cost_ratio is None
                else f" AUK and H are those at a cost ratio of {cost_ratio:g}."
            )
        ),
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


def judge_leads(leads: pd.DataFrame) -> Case:
    """Which model has the best mean by each measure, and whether its lead is significant."""
    by_model: dict[str, list[str]] = {}
    significant = []
    for measure, rows in leads.groupby("measure", sort=False):
        name, leader = MEASURES[str(measure)], str(rows["model"].iloc[0])
        by_model.setdefault(leader, []).append(name)
        rivals = rows.loc[rows["p_value"] < SIGNIFICANT, "model"]
        if len(rivals):
            significant.append(f"{name} of {leader} over {join_words(list(rivals))}")
    word = "; ".join(f"{model}, by {join_words(names)}" for model, names in by_model.items())
    if len(by_model) == 1 and len(set(leads["model"])) == 1:
        return Case(leads["model"].iloc[0], "It is the only model, so there is nothing to compare.")
    if leads["p_value"].isna().all():
        notes = leads["note"].dropna()
        return Case(word, notes.iloc[0] if len(notes) else "No lead varies over the splits.")
    if significant:
        return Case(word, f"Significant: {'; '.join(significant)}.")
    return Case(word, "No lead over another model is significant.")


def judge_cost(intervals: pd.DataFrame, tests: pd.DataFrame, ratio: float, positive: str) -> Case:
    """Which model has the smallest expected loss at the stated cost."""
    best, value, others = rank_models(intervals, tests, "expected_loss", smallest=True)
    loss = format_number(value, "{:.0f}")
    return Case(
        best,
        f"If a missed {positive} costs {ratio:g} false alarms, the expected loss is smallest: "
        f"{loss} false alarms per{HARD_SPACE}1,000{HARD_SPACE}rows{others}",
    )


def judge_budget(
    intervals: pd.DataFrame, tests: pd.DataFrame, constraint: str, positive: str
) -> Case:
    """Which model brings most under a constraint, or flags fewest rows for a demanded recall."""
    name, sign, limit = re.split("(<=|>=)", constraint)
    share = f"{100 * float(limit):g} %"
    bound = "at most" if sign == "<=" else "at least"
    smallest = name == "recall"
    measure = "flagged" if smallest else "recall"
    best, brings, others = rank_models(intervals, tests, measure, smallest=smallest)
    value = format_number(brings, "{:.0%}")
    if smallest:
        text = f"To find {bound} {share} of the {positive} rows, {value} of all rows are flagged"
    elif name == "flagged":
        text = f"Flagging {bound} {share} of the rows finds {value} of the {positive} rows"
    else:
        text = f"At a {name} of {bound} {share}, {value} of the {positive} rows are found"
    return Case(best, text + others)


def rank_models(
    intervals: pd.DataFrame, tests: pd.DataFrame, measure: str, *, smallest: bool
) -> tuple[str, float, str]:
    """The best models by a measure, its value, and how the others compare on the split shown."""
    values = intervals[intervals["measure"] == measure].set_index("model")["value"]
    value = float(values.min() if smallest else values.max())
    best = list(values.index[values == value])
    word = join_words(best)
    pairs = tests[tests["measure"] == measure]
    pairs = pairs[pairs["model_a"].isin(best) ^ pairs["model_b"].isin(best)]
    notes = pairs["note"].dropna()
    pairs = pairs[pairs["p_value"].notna()]
    if pairs.empty:
        return word, value, f". {notes.iloc[0]}" if len(notes) else "."
    p_values = pairs["p_adjusted"].fillna(pairs["p_value"])
    rivals = pairs["model_a"].where(~pairs["model_a"].isin(best), pairs["model_b"])
    alike = list(dict.fromkeys(rivals[p_values >= SIGNIFICANT]))
    if alike:
        return (
            word,
            value,
            f"; on the split shown {join_words(alike)} did not differ significantly.",
        )
    return word, value, "; on the split shown all others were significantly worse."
