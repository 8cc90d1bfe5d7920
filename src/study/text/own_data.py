"""What page and appendix say of data of one's own: who leads, at your cost, within your limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from study.tables.leads import LEAST_LOSS, MISSED_LIMIT, NOT_COMPARED, TOO_FEW
from study.text.summary import MEASURES
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
INTERVAL = f"(95{HARD_SPACE}% interval"
NO_MODEL = "no model has values in more than half of the splits."
REFERENCES = {
    "(nobody)": "flagging nobody",
    "(everybody)": "flagging everybody",
    "(share alone)": "the share alone",
}
ROUNDED = "differences are taken before rounding"
NEAR_ONE = {"observed / expected": "observed_over_expected", "slope": "calibration_slope"}
ENDS = ["difference", "lower", "upper"]


class Section(NamedTuple):
    """A question, the sentence that answers it, how sure it is, and tables by caption."""

    question: str
    sentence: str
    certainty: str
    tables: dict[str, pd.DataFrame]


def own_data_values(
    tables: Mapping[str, pd.DataFrame],
    *,
    cost_ratio: float | None,
    constraints: Sequence[str],
    at_tolerance: float,
    title: str,
    minority: str,
    comparison: str,
) -> dict[str, Any]:
    """What page and appendix say of other data; `tables` are those of the run by name.

    The first section answers what the models bring at the cost, or else within the first limit, or
    else how near their probabilities are, or else how they rank.
    """
    leads = tables["leads"][tables["leads"]["positive_class"] == "minority"]
    ranking = leads[leads["measure"].isin(MEASURES)]
    decisions = [] if cost_ratio is None else [describe_loss(leads, cost_ratio, minority)]
    decisions += [describe_limit(leads, limit, minority, at_tolerance) for limit in constraints]
    sections = list(decisions)
    if leads["measure"].eq("brier").any():
        sections.append(describe_probabilities(leads, minority))
    sections.append(describe_ranking(ranking))
    lead = sections[0]
    # An interval is enough after the lead, and that few splits say nothing is said once.
    further = [
        section._replace(certainty="")
        if INTERVAL in section.sentence or section.certainty == lead.certainty
        else section
        for section in sections[1:]
    ]
    caption = (
        f"Means over the splits, with {minority} as the positive class. Ahead: share of the "
        "splits in which the model leads. Behind the leader: difference of the means, before "
        "rounding, with its 95 % interval, corrected for the overlap of the splits (Nadeau and "
        "Bengio 2003) and for the number of pairs."
    )
    if cost_ratio is not None:
        caption += f" AUK and H are those at a cost ratio of {cost_ratio:g}."
    return {
        "paper": False,
        "question": title,
        "sections": [lead, *further],
        "models": list(ranking["model"].unique()),
        "splits": int(ranking["splits"].max()),
        "rules": describe_rules(leads, cost_ratio, constraints),
        "decision_tables": {
            caption: table for section in decisions for caption, table in section.tables.items()
        },
        "models_table": table_of_models(leads),
        "leads_table": table_of_leads(ranking),
        "leads_caption": Markup(escape_markdown(caption)),
        "comparison_text": Markup(comparison.rstrip()),
    }


# ---- a section for each question ----


def describe_loss(leads: pd.DataFrame, cost_ratio: float, positive: str) -> Section:
    """Which model loses least at the cost, over all splits, or whether none is needed."""
    rows = select(leads, "expected_loss")
    sentence = f"Where a missed {positive} costs {cost_ratio:g} false alarms, "
    if has_no_model(rows):
        sentence += NO_MODEL
    else:
        best = str(rows.index[0])
        if is_reference(best):
            sentence += f"flag {best.strip('()')}: no model loses less. That costs "
        else:
            sentence += f"{best} loses least: "
        sentence += f"{rows['mean'].iloc[0]:.0f} false alarms per 1,000{HARD_SPACE}rows"
        sentence += f" over {count_splits(rows)}{describe_leads(rows, '{:.0f}', 'fewer')}."
    table = pd.DataFrame({"model": rows.index.map(name_reference)}, index=rows.index)
    table["loss"] = rows["mean"].map("{:.0f}".format)
    for name in ("recall", "flagged"):
        table[name] = format_means(leads, name, rows.index, "{:.0%}")
    table["more than the least"] = describe_gaps(rows, "{:.0f}", -1)
    caption = f"Loss in false alarms per 1,000 rows, over all splits; {ROUNDED}"
    return Section("At your cost", sentence, describe_certainty(rows), {caption: table})


def describe_limit(leads: pd.DataFrame, limit: str, positive: str, at_tolerance: float) -> Section:
    """Which model finds most within a limit over all splits, or flags fewest rows for a recall.

    A single model finds or flags, and nothing is said of the most. Models that miss the limit on
    the test rows by more than `at_tolerance`, a share of it, are named.
    """
    is_recall = limit.startswith("recall")
    rows = select(leads, f"{'flagged' if is_recall else 'recall'} at {limit}")
    rows[ENDS] *= 100
    table = pd.DataFrame({"model": rows.index}, index=rows.index)
    for name in ("recall", "flagged"):
        table[name] = format_means(leads, f"{name} at {limit}", rows.index, "{:.0%}")
    table["points behind"] = describe_gaps(rows, "{:.0f}", -1 if is_recall else 1)
    sentence = f"With thresholds that keep {limit} on the training rows, "
    missed = list_missed(leads, limit)
    share_off = f"{100 * at_tolerance:g}{HARD_SPACE}%"
    if missed and rows.empty:
        sentence += f"every model is more than {share_off} off it on the test rows: "
        sentence += f"{join_words(missed)}."
    elif has_no_model(rows):
        sentence += NO_MODEL
    else:
        best, recall, share, _ = table.iloc[0]
        found, flagged = f"{recall} of the {positive} rows", f"{share} of all rows"
        splits = count_splits(rows)
        fewest, most = ("fewest: ", "most: ") if len(rows) > 1 else ("", "")
        if is_recall:
            gaps = describe_leads(rows, "{:.0f}", "points fewer")
            sentence += f"{best} flags {fewest}{flagged} over {splits}, finding {found}{gaps}."
            sentence += f" At random it would take {recall} of all rows."
        else:
            gaps = describe_leads(rows, "{:.0f}", "points more")
            sentence += f"{best} finds {most}{found} over {splits}, flagging {flagged}{gaps}."
            sentence += f" As many rows at random hold {share} of them."
    if missed and len(rows):
        sentence += f" More than {share_off} off the limit on the test rows, so left out: "
        sentence += f"{join_words(missed)}."
    caption = f"Thresholds that keep {limit} on the training rows, over all splits; {ROUNDED}"
    return Section(f"Within {limit}", sentence, describe_certainty(rows), {caption: table})


def list_missed(leads: pd.DataFrame, limit: str) -> list[str]:
    """The models that miss a limit on recall or flagged rows by far, and what they have."""
    quantity = limit.partition("<=")[0].partition(">=")[0]
    is_missed = leads["note"].astype(str).str.startswith(MISSED_LIMIT)
    rows = leads[leads["measure"].eq(f"{quantity} at {limit}") & is_missed]
    word = "recall" if quantity == "recall" else "flagged"
    return [
        f"{model} ({word} {format_number(mean, '{:.0%}')})"
        for model, mean in zip(rows["model"], rows["mean"], strict=True)
    ]


def describe_probabilities(leads: pd.DataFrame, positive: str) -> Section:
    """How near probabilities are to the outcomes, one by one and in sum; or the share alone."""
    rows = select(leads, "brier")
    if has_no_model(rows):
        sentence = f"Of the probabilities, {NO_MODEL}"
    else:
        sentence = f"The probabilities of {rows.index[0]} are the most accurate: "
        if sum(not is_reference(model) for model in rows.index) == 1:
            sentence = f"The probabilities of {rows.index[0]}, the only ones, have "
        if is_reference(rows.index[0]):
            sentence = "No model's probabilities are more accurate than the share of "
            sentence += f"{positive} rows alone, which has "
        sentence += f"a Brier score of {rows['mean'].iloc[0]:.3f} over {count_splits(rows)}"
        sentence += f"{describe_leads(rows, '{:.3f}', 'less')}."
    table = pd.DataFrame({"model": rows.index.map(name_reference)}, index=rows.index)
    table["Brier score"] = rows["mean"]
    table["more than the least"] = describe_gaps(rows, "{:.3f}", -1)
    for name, measure in NEAR_ONE.items():
        table[name] = format_means(leads, measure, rows.index, "{:.2f}")
    caption = (
        f"Brier score: mean squared error. Observed / expected: {positive} rows for each that is "
        f"expected. Slope: 1 if log odds are right, below 1 if they are too extreme; {ROUNDED}"
    )
    return Section("Probabilities", sentence, describe_certainty(rows), {caption: table})


def describe_ranking(ranking: pd.DataFrame) -> Section:
    """Which model has the best mean by each measure, and which leads are significant."""
    rows = ranking[~is_left_out(ranking)]
    by_model: dict[str, list[str]] = {}
    by_rivals: dict[str, list[str]] = {}
    for measure, group in rows.groupby("measure", sort=False):
        by_model.setdefault(group["model"].iloc[0], []).append(MEASURES[str(measure)])
        if rivals := list(group.loc[group["p_value"] < SIGNIFICANT, "model"]):
            by_rivals.setdefault(join_words(rivals), []).append(MEASURES[str(measure)])
    best = [f"{model} by {join_words(names)}" for model, names in by_model.items()]
    if not best:
        sentence, certainty = NO_MODEL.capitalize(), ""
    else:
        sentence = f"Ranked best over {count_splits(rows)}: {'; '.join(best)}."
        certainty = "No lead over another model is significant."
    if len(set(rows["model"])) == 1:
        certainty = "It is the only model, so there is nothing to compare."
    elif len(rows) and rows["p_value"].isna().all():
        certainty = next(iter(rows["note"].dropna()), "No lead varies over the splits.")
    elif by_rivals:
        parts = [f"over {rivals} by {join_words(names)}" for rivals, names in by_rivals.items()]
        certainty = f"Significant is the lead {', and that '.join(parts)}."
    tables = {
        f"{measure}, over all splits": table.drop(columns=["measure", "p"])
        for measure, table in table_of_leads(ranking).groupby("measure", sort=False)
    }
    return Section("Ranking", sentence, certainty, tables)


def describe_leads(rows: pd.DataFrame, form: str, more: str) -> str:
    """How far the first row is ahead of the best other model, with its interval, and of none.

    Nothing where that is not known.
    """
    others = rows.iloc[1:]
    rivals = [model for model in others.index if not is_reference(model)][:1]
    text = ""
    for model, difference, lower, upper in others[ENDS].dropna(subset="difference").itertuples():
        if model not in rivals and not is_reference(model):
            continue
        text += f", {format_number(abs(difference), form)} {more} than {name_reference(model)}"
        if model in rivals and not np.isnan(lower):
            ends = [lower, upper] if difference > 0 else [-upper, -lower]
            low, high = (format_number(end, form) for end in ends)
            text += f" {INTERVAL} {low} to {high})"
    return text


def describe_certainty(rows: pd.DataFrame) -> str:
    """Which leads of the first row are significant, or why nothing is claimed."""
    others = rows.iloc[1:]
    few = [note for note in rows["note"] if str(note).startswith(TOO_FEW)]
    if few:
        return str(few[0])
    if others.empty or others["p_value"].isna().all():
        return ""
    is_clear = others["p_value"] < SIGNIFICANT
    if is_clear.all():
        return "All its leads are significant." if len(others) > 1 else "Its lead is significant."
    clear = [name_reference(model) for model in others.index[is_clear]]
    if not clear:
        none = "None of its leads is significant."
        return none if len(others) > 1 else "Its lead is not significant."
    return f"Only its lead over {join_words(clear)} is significant."


def describe_rules(
    leads: pd.DataFrame, cost_ratio: float | None, constraints: Sequence[str]
) -> str:
    """How each split's thresholds are chosen without its test rows."""
    if cost_ratio is None and not constraints:
        return ""
    sentences = ["Each split has its own thresholds, from its training rows."]
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


def table_of_models(leads: pd.DataFrame) -> pd.DataFrame:
    """One row per model: means of loss, calibration, AUC and AUK over the splits."""
    columns = {
        "loss": ("expected_loss", "{:.0f}"),
        "Brier score": ("brier", "{:.3f}"),
        **{name: (measure, "{:.2f}") for name, measure in NEAR_ONE.items()},
        "AUC": ("auc", "{:.3f}"),
        "AUK": ("auk", "{:.3f}"),
    }
    models = leads["model"].unique()
    table = pd.DataFrame({"model": map(name_reference, models)}, index=models)
    for name, (measure, form) in columns.items():
        means = format_means(leads, measure, table.index, form)
        if means.any():
            table[name] = means
    return table


def format_means(
    leads: pd.DataFrame, measure: str, models: pd.Index[str], form: str
) -> pd.Series[str]:
    """Means of a measure by model."""
    means = select(leads, measure)["mean"].reindex(models)
    return means.map(lambda mean: format_number(mean, form))


def describe_gaps(rows: pd.DataFrame, form: str, sign: int) -> list[str]:
    """How far a model lies behind the leader, with its interval; ends of losses change places."""
    ends = ["difference", "lower", "upper"] if sign > 0 else ["difference", "upper", "lower"]
    return [
        format_interval(sign * gap, sign * low, sign * high, form)
        for gap, low, high in rows[ends].to_numpy(dtype=float)
    ]


def select(leads: pd.DataFrame, measure: str) -> pd.DataFrame:
    """The rows of a measure by model, without those that are not compared."""
    return leads[leads["measure"].eq(measure) & ~is_left_out(leads)].set_index("model")


def is_left_out(leads: pd.DataFrame) -> pd.Series[bool]:
    """Whether a model has values in too few splits to be compared."""
    return leads["note"].astype(str).str.startswith(NOT_COMPARED)


def has_no_model(rows: pd.DataFrame) -> bool:
    """Whether nothing but what needs no model is there to be compared."""
    return all(map(is_reference, rows.index))


def is_reference(model: str) -> bool:
    """Whether this is what needs no model, whose name is in brackets."""
    return model in REFERENCES


def name_reference(model: str) -> str:
    """A model's name; or in words what needs none."""
    return REFERENCES.get(model, model)


def count_splits(rows: pd.DataFrame) -> str:
    """Over how many splits these means are."""
    n = int(rows["splits"].max())
    return f"{n} split{'s' if n != 1 else ''}"
