"""What page, verdict and appendix say of German Credit: answers, captions and tables for a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import kappa_from_rates
from study.paper.cases import UCI_COST
from study.paper.claims import only_row, reverse_lead, select_rows
from study.paper.counts import select_matrices, smallest_class
from study.paper.explanations import AS_STATED, GOOD_POSITIVE
from study.paper.printed import INTERCHANGED, count_test_rows, stated_sample
from study.printed import (
    CLASS_COUNTS,
    MODEL_LABELS,
    PAPER_PAIR,
    STATED,
    printed_lookup,
    printed_point,
)
from study.settings import Assumption, Config, Section, find_section_in, read_config, value_at
from study.tables.leads import CPU_DEPENDENT
from study.text.tables import (
    MINUS,
    Markup,
    escape_markdown,
    format_interval,
    format_intervals,
    format_number,
    join_words,
)

MEASURES = {"auc": "AUC", "auk": "AUK", "h": "H"}
VERDICTS = ["holds", "partly", "only if", "rare", "fails", "open"]
# Whether an explanation allows the printed numbers, and how far out these then lie.
POSSIBLE = {
    "table_4_possible": "Table 4",
    "table_5_possible": "Table 5",
    "rates_possible": "rates",
    "kappa_possible": "kappa",
    "difference_possible": "difference",
}
EXPLANATION_COLUMNS = ["explanation", *POSSIBLE, "distance", "typical", "splits_farther"]
# What the page says of a verdict as the answer to a question.
ANSWERS = {"holds": "Yes", "partly": "In part", "rare": "Rarely", "fails": "No", "open": "Open"}
NOT_JUDGED = "Not judged under these settings"
MODEL_NOUNS = {"linear": "the linear model", "neural_net": "the network"}


class Answer(NamedTuple):
    """A question in a few words, the answer in as few, and the sentence that follows."""

    question: str
    word: str
    sentence: str


def pick_reversals(reversals: pd.DataFrame, curve: str, pattern: str) -> dict[Any, Any]:
    """The paper's splits in which AUC and AUK disagree in this way, with the majority positive."""
    setting = {"scenario": "paper", "pair": "auc-auk", "positive_class": "majority"}
    return only_row(reversals, curve=curve, pattern=pattern, **setting)


def paper_values(
    tables: Mapping[str, pd.DataFrame],
    *,
    study_results: pd.DataFrame,
    earlier_rounds: pd.DataFrame,
    skew: float | None,
    names: Mapping[str, str],
) -> dict[str, Any]:
    """What page and appendix say of German Credit; `tables` are those of the run by name."""
    claims = tables["claims"].fillna({"verdict": "not judged"}).fillna("")
    for name in ("evidence", "condition"):
        claims[name] = claims[name].str.replace(r"(?<![\w.])-(?= ?[\dp])", MINUS, regex=True)
        claims[name] = claims[name].str.replace("'", "\u2019")
    for name in ("claim", "evidence", "condition"):
        claims[name] = [name_classes(text, names) for text in claims[name]]
    claims["judged"] = (claims["verdict"] + " " + claims["condition"]).str.strip()
    counts = claims["verdict"].value_counts()
    counted = tables["rank_reversal"]
    reversals = {
        "any": pick_reversals(counted, "raw", "any"),
        "printed": pick_reversals(counted, "both", "printed"),
    }
    # Gaps at another cost ratio are not compared with the printed ones.
    if "as_large" in counted["pattern"].tolist():
        reversals["as_large"] = pick_reversals(counted, "both", "as_large")
    explanations = tables["explanations"]
    hull, raw = print_beside_ours(tables["table4"]), print_beside_ours(tables["table5"])
    stars = pd.concat([tables["table4"], tables["table5"]], ignore_index=True)
    return {
        "paper": True,
        "question": "Does the AUK paper hold up?",
        "stated_share": f"{100 * STATED:g} %",
        "other_share": f"{100 * INTERCHANGED:g} %",
        "skew": None if skew is None else f"{100 * skew:g} %",
        "splits": int(reversals["any"]["replicates"]),
        "answers": [
            answer_printed_numbers(explanations, names),
            answer_reversal(reversals["printed"], tables["claims"]),
            answer_conclusion(tables["claims"]),
            answer_cheaper(tables["cases"], names),
        ],
        "stars_caption": Markup(escape_markdown(describe_stars(stars, names))),
        "kappa": kappa_at_printed_rates(),
        "counting": count_positives(tables["counts"]),
        "areas": table_of_areas(hull, raw),
        "table4": hull.replace({"positive": dict(names)}),
        "table5": raw.replace({"positive": dict(names)}),
        "models": [MODEL_LABELS[model] for model in PAPER_PAIR],
        "reversals": reversals,
        "gaps": table_of_gaps(tables["reversal_by_gap"]),
        "largest_gap": largest_gap(tables["reversal_by_gap"]),
        "printed_gap": printed_gap(),
        "close_models": disagree_when_close(tables["reversal_by_gap"]),
        "rarer": describe_rarer(tables.get("sweep_reversal"), skew),
        "shares": {
            pattern: format_interval(row["share"], row["low"], row["high"], "{:.1%}")
            for pattern, row in reversals.items()
        },
        "claims": claims,
        "claim_tables": tables_of_claims(claims),
        "verdict_counts": ", ".join(
            f"{word} {counts[word]}" for word in VERDICTS if word in counts
        ),
        "prevalence_table": table_of_prevalences(tables["prevalences"]),
        "explanation_table": explanations[EXPLANATION_COLUMNS]
        .assign(explanation=[name_classes(text, names) for text in explanations["explanation"]])
        .replace(" - ", f" {MINUS} ", regex=True)
        .rename(columns={**POSSIBLE, "splits_farther": "farther"}),
        "study": describe_study(study_results, earlier_rounds),
    }


def name_classes(text: str, names: Mapping[str, str]) -> str:
    """A text about UCI's good and bad customers, with what the config calls the classes."""
    sides = {"good": "majority", "bad": "minority"}
    return re.sub(r"\b(good|bad)\b", lambda word: names[sides[word[0]]], text)


# ---- answers ----


def answer_printed_numbers(explanations: pd.DataFrame, names: Mapping[str, str]) -> Answer:
    """Whether the text, or the other positive class, allows every printed number."""
    question = "Do the printed numbers fit the text?"
    table = explanations.set_index("explanation")
    areas_and_rates = table[["table_4_possible", "table_5_possible", "rates_possible"]].all(axis=1)
    possible = areas_and_rates & (table["kappa_possible"] | table["difference_possible"])
    if possible[AS_STATED]:
        return Answer(question, "Yes", "")
    fit = "They fit" if possible[GOOD_POSITIVE] else "Nor do they fit"
    remark = ""
    if possible[GOOD_POSITIVE] and not table.loc[GOOD_POSITIVE, "kappa_possible"]:
        fit = "Areas and rates do"
        kappa = printed_point().kappa.text
        remark = f"; {kappa} is perhaps the difference of the rates"
    sentence = f"{fit} if {names['majority']} customers are the positive class{remark}."
    return Answer(question, "No", sentence)


def answer_reversal(printed: Mapping[str, Any], claims: pd.DataFrame) -> Answer:
    """How often AUC prefers the linear model and AUK the network."""
    sentence = f"As printed, in {printed['reversals']} of {printed['replicates']} splits."
    return Answer("Do AUC and AUK reverse the ranking?", pick_word(claims, "reversal"), sentence)


def answer_conclusion(claims: pd.DataFrame) -> Answer:
    """Whether AUK is the better measure, and what holds of its main argument."""
    is_partly = only_row(claims, key="prefers_minority")["verdict"] == "partly"
    sentence = "Its main argument holds against accuracy, not AUC." if is_partly else ""
    return Answer("Is AUK the better measure?", pick_word(claims, "better_measure"), sentence)


def answer_cheaper(cases: pd.DataFrame, names: Mapping[str, str]) -> Answer:
    """Which model loses less at UCI's cost, in how many splits, and whether that is significant."""
    question = f"Which model at a cost of {UCI_COST}?"
    rows = {model: only_row(cases, key=f"cheaper_{model}") for model in PAPER_PAIR}
    splits = rows[PAPER_PAIR[0]]["cases"]
    if not splits:
        return Answer(question, NOT_JUDGED, "")
    losses = {
        key: only_row(cases, key=f"loss_{key}")["value"] for key in (*PAPER_PAIR, "without_model")
    }
    best, other = sorted(PAPER_PAIR, key=lambda model: losses[model])
    wins, defeats = (round(rows[model]["value"] * splits) for model in (best, other))
    row = only_row(cases, key="loss_difference")
    lead, low, high = row["value"], row["low"], row["high"]
    if best != PAPER_PAIR[0]:
        lead, low, high = -lead, -high, -low
    sentence = (
        f"If missing a {names['minority']} customer costs UCI's {UCI_COST} false alarms, it loses "
        f"less in {wins} of {splits} splits, {MODEL_NOUNS[other]} in {defeats}. Per 1,000 rows "
        f"{MODEL_NOUNS[best]}'s errors cost {losses[best]:.0f} false alarms, "
        f"{MODEL_NOUNS[other]}'s {losses[other]:.0f}, using no model "
        f"{losses['without_model']:.0f}; the test rows choose the thresholds."
    )
    if not pd.isna(low):
        interval = " to ".join(format_number(end, "{:.0f}") for end in (low, high))
        sentence += f" Difference: {lead:.0f} (95 % interval {interval}, corrected for shared "
        sentence += "rows)."
    word = MODEL_NOUNS[best] if low > 0 else f"{MODEL_NOUNS[best]}, but not significantly"
    return Answer(question, word[0].upper() + word[1:], sentence)


def pick_word(claims: pd.DataFrame, key: str) -> str:
    """A claim's verdict as an answer; other settings than the paper's leave some without one."""
    word = only_row(claims, key=key)["verdict"]
    return NOT_JUDGED if pd.isna(word) else ANSWERS[str(word)]


def count_positives(counts: pd.DataFrame) -> dict[str, Any]:
    """What counting says of the printed true positive rate: a share of about 31 bad rows?

    The nearest shares of the usual number of bad test rows, below and above; the fewest rows that
    print it; and the bad rows of which a share does with its digits cut off.
    """
    tpr = printed_point().tpr
    test_rows = count_test_rows()
    majority, minority = stated_sample()
    bad = round(test_rows * minority / (majority + minority))
    below = int(tpr.value * bad)
    cut = select_matrices(counts, "minority", digits="cut").iloc[0]
    shares = [f"{count / bad:.{tpr.decimals}f}" for count in (below, below + 1)]
    return {
        "test_rows": test_rows,
        "bad": bad,
        "below": below,
        "above": below + 1,
        "shares": shares,
        "fewest": smallest_class(tpr),
        "cut_tp": int(cut["tp"]),
        "cut_bad": int(cut["bad_rows"]),
    }


def kappa_at_printed_rates() -> dict[str, str]:
    """Kappa at the network's printed rates, at the stated share and at the other class's.

    Also its two parts at the stated share: right decisions, and those that are right by chance.
    """
    fpr, tpr, printed = printed_point()
    stated, other = kappa_from_rates(fpr.value, tpr.value, np.array([STATED, INTERCHANGED]))
    right = STATED * tpr.value + INTERCHANGED * (1 - fpr.value)
    flagged = STATED * tpr.value + INTERCHANGED * fpr.value
    chance = STATED * flagged + INTERCHANGED * (1 - flagged)
    kappas = {"printed": printed.text, "stated": f"{stated:.3f}", "other": f"{other:.3f}"}
    parts = {"right": f"{right:.3f}", "chance": f"{chance:.3f}"}
    return {"fpr": fpr.text, "tpr": tpr.text, **kappas, **parts}


def largest_gap(gaps: pd.DataFrame) -> str:
    """The largest difference in AUC at which the measures disagree, on the curve."""
    return format_number(select_gaps(gaps)["largest_gap"].max())


def printed_gap() -> str:
    """The printed difference in AUC of the curves (Table 5)."""
    linear, network = (printed_lookup()["raw", model, "auc"] for model in PAPER_PAIR)
    return format_number(linear - network)


def disagree_when_close(gaps: pd.DataFrame) -> bool:
    """Whether most disagreements are in the range of the smallest differences in AUC."""
    reversals = select_gaps(gaps)["reversals"]
    return bool(reversals.iloc[0] > reversals.sum() / 2)


def describe_rarer(sweep_reversal: pd.DataFrame | None, skew: float | None) -> str:
    """How often the measures disagree at smaller shares of the minority than the experiment's."""
    if sweep_reversal is None:
        return ""
    kind = {"pair": "auc-auk", "curve": "raw", "positive_class": "majority", "pattern": "any"}
    rows = select_rows(sweep_reversal, **kind).dropna(subset="share")
    own = CLASS_COUNTS["minority"] / sum(CLASS_COUNTS.values()) if skew is None else skew
    rows = rows[rows["skew"] < own].sort_values("skew", ascending=False)
    shares = [
        f"{100 * share:.1f} % (at {100 * skew:g} %)"
        for skew, share in zip(rows["skew"], rows["share"], strict=True)
    ]
    return join_words(shares)


def describe_stars(areas: pd.DataFrame, names: Mapping[str, str]) -> str:
    """The caption of the printed areas: where the stars lie for either positive class."""
    stars = areas[areas["model"].isin(PAPER_PAIR)].dropna(subset="printed")
    inside = stars["printed"].between(stars["low"], stars["high"])
    is_majority = stars["positive_class"] == "majority"
    n_majority, n_minority = inside[is_majority].sum(), inside[~is_majority].sum()
    return (
        "Stars: printed. Lines: mean and central 95 % of our splits. "
        f"{n_majority} of {is_majority.sum()} stars lie on their line with {names['majority']} "
        f"customers positive (AUK: green), and {n_minority} with {names['minority']} ones (purple)."
    )


def describe_study(results: pd.DataFrame, earlier_rounds: pd.DataFrame) -> str:
    """Say which registered hypotheses on AUK the study of many data sets confirmed and refuted."""
    choice, own_cost, at_5 = (
        only_row(results, key=key) for key in ("choice_own_cost", "power_own_cost", "power_5")
    )
    refuted = only_row(earlier_rounds, key="choice_25_at_2_new")
    round_2 = only_row(results, key="choice_25_at_5_round_2")
    behind = reverse_lead(refuted)

    def show(row: Mapping[str, Any], *columns: str) -> str:
        return " to ".join(format_number(row[column], "{:.1f}") for column in columns)

    def estimate(key: str) -> str:
        return show(only_row(results, key=key), "estimate")

    return (
        "Our study of many data sets confirmed three registered hypotheses for AUK, on untuned "
        "models. Where a miss costs one false alarm, at the data's own ratio, its choice gained "
        f"{estimate('gain_own_cost_auk')} points, AUC's {estimate('gain_own_cost_auc')} "
        f"({show(choice, 'low', 'high')} more, on {choice['data_sets']} data sets), and its test "
        f"found the better model in {estimate('power_own_cost_auk')} of 100 tests, AUC's in "
        f"{estimate('power_own_cost_auc')} ({show(own_cost, 'low', 'high')} more, on "
        f"{own_cost['data_sets']}). At 5 % positives it did in {estimate('power_auk')}, AUC's in "
        f"{estimate('power_auc')} ({show(at_5, 'low', 'high')} more, on {at_5['data_sets']}). "
        "Corrected for all eight hypotheses none is "
        "significant; with packages weighing alike, uncorrected, the last alone is. An earlier "
        "round refuted another, uncorrected: at 2 % positives its choice gained "
        f"{show(behind, 'estimate')} points ({show(behind, 'low', 'high')}) less, on "
        f"{refuted['data_sets']} data sets of at most {round_2['packages']} packages."
    )


# ---- assumptions ----


def describe_assumptions(
    config: Mapping[str, Any], names: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Subject and reason of each assumption; where the config differs, the key and its value."""
    default = read_config({})
    lines = []
    for key, assumption in list_assumptions(Config):
        value, assumed = (value_at(settings, key.split(".")) for settings in (config, default))
        if assumed is None:  # a key of named changes, which have lines of their own
            continue
        if value == assumed or value is None:
            lines.append((assumption.subject, name_classes(assumption.reason, names)))
        else:
            lines.append((assumption.subject, f"{key} is {_describe(value)} in this run."))
    return lines


def list_assumptions(section: type[Section], above: str = "") -> Iterator[tuple[str, Assumption]]:
    """The dotted keys whose settings carry an assumption, each with it."""
    for name, field in section.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Assumption):
                yield f"{above}{name}", mark
        if (inner := find_section_in(field.annotation)) and inner is not section:
            yield from list_assumptions(inner, f"{above}{name}.")


def _describe(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_describe(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


# ---- tables ----


def print_beside_ours(areas: pd.DataFrame) -> pd.DataFrame:
    """One row per class and measure: for each model the printed area, and our central 95 %."""
    table = areas.set_index(["model", "positive_class", "measure"]).loc[[*PAPER_PAIR]]
    printed = table["printed"].map(lambda area: format_number(area, "{:.4f}"))
    # The paper has no H, and its AUK is not comparable at another cost ratio.
    is_h = table.index.get_level_values("measure") == "h"
    printed = printed.replace("", "not comparable").mask(is_h, "not printed")
    ours = pd.Series(format_intervals(table[["mean", "low", "high"]]), table.index)
    columns = {"printed": printed, "ours": ours}
    cells = {
        f"{MODEL_LABELS[model]}: {name}": column.loc[model]
        for model in PAPER_PAIR
        for name, column in columns.items()
    }
    found = pd.DataFrame(cells).reset_index(names=["positive", "measure"])
    return found.assign(measure=found["measure"].map(MEASURES))


def table_of_areas(hull: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """Tables 4 and 5 with the majority class as the positive one, and H, which is of the hull."""
    hull, raw = (
        table[table["positive"] == "majority"].drop(columns="positive") for table in (hull, raw)
    )
    names = ["Table 4, AUC", "Table 4, AUK", "Table 5, AUC", "Table 5, AUK", "H of the hull"]
    return pd.concat([hull[:2], raw[:2], hull[2:]]).assign(measure=names)


def select_gaps(gaps: pd.DataFrame) -> pd.DataFrame:
    """The reversals by difference in AUC that texts show: curves, with the majority positive."""
    return select_rows(gaps, curve="raw", positive_class="majority")


def table_of_gaps(gaps: pd.DataFrame) -> pd.DataFrame:
    """How often AUC and AUK disagree, by the difference in AUC."""
    rows = select_gaps(gaps)
    ends = rows[["gap_from", "gap_to"]].to_numpy()
    names = [f"{low:g} to {high:g}" for low, high in ends]
    names[0], names[-1] = f"below {ends[0, 1]:g}", f"above {ends[-1, 0]:g}"
    counts = {"splits": rows["replicates"], "AUC and AUK disagree": rows["reversals"]}
    return pd.DataFrame({"difference in AUC": names, **counts})


def table_of_sensitivity(table: pd.DataFrame) -> pd.DataFrame:
    """One row per change: areas of both models on the hull, reversals, and the printed areas."""
    cells = {"change": table["scenario"].str.replace("_", " "), "splits": table["replicates"]}
    # Numbers that depend on the CPU have fewer digits, which are all that count.
    forms = (table["model_b"] == CPU_DEPENDENT).map({True: "{:.3g}", False: "{:.3f}"})
    for letter in "ab":
        model = MODEL_LABELS[str(table[f"model_{letter}"].dropna().iloc[0])]
        for measure in ("auc", "auk"):
            areas = zip(table[f"{measure}_{letter}"], forms, strict=True)
            texts = [format_number(area, form) for area, form in areas]
            cells[f"{model} {MEASURES[measure]}"] = pd.Series(texts, table.index)
    shares = pd.Series(format_intervals(table[["share", "low", "high"]], "{:.1%}"), table.index)
    cells["reversed (95 % interval)"] = shares.where(table["replicates"] > 0, "not possible")
    if table["distance"].notna().any():
        cells["distance"] = table["distance"].map(lambda value: format_number(value, "{:.1f}"))
        cells["farther"] = table["splits_farther"].map(lambda count: format_number(count, "{:.0f}"))
    return pd.DataFrame(cells)


def tables_of_claims(claims: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """By group: claim with its section, verdict with its condition, and evidence.

    Each group fits one page of LaTeX, which does not break tables.
    """
    text = claims["claim"] + " (" + claims["section"].astype(str) + ")"
    columns = {"no.": claims["number"].astype(str), "claim": text, "verdict": claims["judged"]}
    table = pd.DataFrame(columns | {"evidence": claims["evidence"]})
    return {str(group): rows for group, rows in table.groupby(claims["group"], sort=False)}


def table_of_prevalences(prevalences: pd.DataFrame) -> pd.DataFrame:
    """One row per printed result: its value, what is possible at 0.11, and where it is possible."""
    known = prevalences[prevalences["model"].isin(PAPER_PAIR)]
    rows = []
    for (place, model, rule), parts in known.groupby(["place", "model", "rule"], sort=False):
        lower, upper = parts.iloc[0][["lower", "upper"]].map(format_number)
        shares = [
            " to ".join(map(format_number, ends)) for ends in parts[["low", "high"]].to_numpy()
        ]
        row = {
            "printed in": f"{place}, {MODEL_LABELS[str(model)]}",
            "quantity": "kappa" if rule == "kappa" else f"AUK, {rule}",
            "printed": format_number(parts["value"].iloc[0], "{:.4g}"),
            "possible at 11 %": lower if lower == upper else f"{lower} to {upper}",
            "shares that allow it": " or ".join(shares),
        }
        rows.append(row)
    return pd.DataFrame(rows)
