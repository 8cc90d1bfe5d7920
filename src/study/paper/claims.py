"""Sixteen claims of Kaymak, Ben-David & Potharst (2010): one function each.

A function is given the csv files that its arguments name, as tables, and returns one of six words
with the evidence:

holds    true in every case we tried, or by definition, or usual in our splits
partly   some evidence for it, some against or missing
only if  true under a condition that the paper does not state
rare     happens in fewer than 5 % of our splits; one rare split does not refute the paper
fails    a counterexample, or another number
open     our data cannot tell
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd

from study.paper.cases import ROUNDING
from study.paper.counts import KAPPA_ROWS, select_matrices, smallest_class
from study.paper.explanations import AS_STATED, GOOD_POSITIVE, SHARES_INTERCHANGED
from study.paper.printed import STATED_ROWS, TRAINING_ROWS, count_test_rows, stated_sample
from study.printed import PAPER_PAIR, RARE_SHARE, STATED, printed_pairs, printed_point
from study.tables.reversals import share_with_interval

Verdict = Literal["holds", "partly", "only if", "rare", "fails", "open", ""]
COLUMNS = ["number", "group", "key", "section", "claim", "verdict", "condition", "evidence"]
COLUMNS += ["source"]
# What the paper says, where, and which settings of the run have to be the paper's.
CLAIMS = Path(__file__).with_suffix(".csv")
# The files by the names of the functions' arguments: below results, and of the repository.
FILES = {
    "rank_reversal": "tables/rank_reversal.csv",
    "reversal_by_gap": "tables/reversal_by_gap.csv",
    "original_reversal": "tables/original_reversal.csv",
    "sample": "split/sample.csv",
    "prevalences": "tables/prevalences.csv",
    "counts": "tables/counts.csv",
    "explanations": "tables/explanations.csv",
    "cases": "tables/cases.csv",
    "results": "studies/many-data-sets/results.csv",
    "earlier_rounds": "studies/many-data-sets/earlier_rounds.csv",
}
# Settings that the paper has, or can have: its kappa is at the prevalence of the rows, or at the
# share that the text states.
PAPER: dict[str, Sequence[Any]] = {
    "skew": [STATED],
    "sampling": ["keep_majority"],
    "n_train": [TRAINING_ROWS],
    "hidden_units": [5],
    "prevalence": ["test", "nominal"],
    "cost_ratio": [None],
}
LEVEL = 0.05
GOOD = "good is the positive class"
# So it is with good positive, and with bad positive if p and 1 - p are interchanged.
SHARE_OF_GOOD = "kappa is taken at the share of good customers"


class Finding(NamedTuple):
    """The word, the evidence in a sentence or two, and what follows "only if"."""

    verdict: Verdict
    evidence: str
    condition: str = ""


class MissingRowError(LookupError):
    """A table has no such row, or none with a number."""


def judge_claims(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> pd.DataFrame:
    """One row per claim: COLUMNS.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        The files of FILES, by their names there.
    settings : mapping
        Of the run, by the keys of PAPER. Where a claim needs the paper's and the run has another,
        its verdict is empty and the evidence says why.
    """
    claims = pd.read_csv(CLAIMS, keep_default_na=False)
    claims.insert(0, "number", range(1, len(claims) + 1))
    findings, sources = [], []
    for key, needs in zip(claims["key"], claims["needs"], strict=True):
        judge = JUDGES[key]
        names = list(signature(judge).parameters)
        sources.append("; ".join(FILES[name] for name in names))
        finding = Finding("", difference_of_settings(settings, needs.split()))
        if not finding.evidence:
            try:
                finding = judge(*(tables[name] for name in names))
            except MissingRowError as error:
                finding = Finding("", f"This run has no numbers for it: {error}.")
        findings.append(finding)
    return claims.join(pd.DataFrame(findings)).assign(source=sources)[COLUMNS]


def difference_of_settings(settings: Mapping[str, Any], needs: Sequence[str]) -> str:
    """In what the settings of the run are not the paper's: a sentence, or nothing."""
    for name in needs:
        if settings[name] not in PAPER[name]:
            found, expected = (str(value).lower() for value in (settings[name], PAPER[name][0]))
            return f"Not judged: {name} is {found} in this run, and {expected} in the paper."
    return ""


def select_rows(table: pd.DataFrame, **values: object) -> pd.DataFrame:
    """The rows with these values."""
    for name, value in values.items():
        table = table[table[name] == value]
    return table


def only_row(table: pd.DataFrame, **values: object) -> dict[Any, Any]:
    """The row with these values, as a dict; MissingRowError if there is not exactly one."""
    rows = select_rows(table, **values)
    if len(rows) != 1:
        where = ", ".join(f"{name} {value}" for name, value in values.items())
        raise MissingRowError(f"{len(rows)} rows have {where}")
    return rows.iloc[0].to_dict()


def interval(row: Mapping[str, Any]) -> str:
    """Such as 2.2 (0.4 to 4.0)."""
    return f"{row['estimate']:.1f} ({row['low']:.1f} to {row['high']:.1f})"


def reverse_lead(row: Mapping[str, Any]) -> dict[str, float]:
    """Estimate and interval of a lead as the other measure's."""
    return {"estimate": -row["estimate"], "low": -row["high"], "high": -row["low"]}


def judge_share(row: Mapping[str, Any]) -> Verdict:
    """Rare if the interval of a share of splits lies below 5 %, open if 5 % is inside."""
    return "holds" if row["low"] >= RARE_SHARE else "rare" if row["high"] < RARE_SHARE else "open"


def judge_lead(row: Mapping[str, Any]) -> Verdict:
    """By two intervals of a lead over data sets: plain, and with packages weighing alike."""
    lows = [row["low"], row.get("equal_packages_low", row["low"])]
    highs = [row["high"], row.get("equal_packages_high", row["high"])]
    return "holds" if min(lows) > 0 else "fails" if max(highs) < 0 else "open"


def weigh(verdicts: Sequence[Verdict]) -> Verdict:
    """One word of several: partly if some hold; open if none holds and not all fail."""
    for word in ("holds", "fails"):
        if set(verdicts) == {word}:
            return word
    return "partly" if "holds" in verdicts else "open"


def judge_number(is_possible: bool, conditions: Mapping[str, bool], evidence: str) -> Finding:
    """A printed number: whether the text gives it, else under which conditions it is possible."""
    allowed = [words for words, is_met in conditions.items() if is_met]
    if is_possible:
        return Finding("holds", evidence)
    return Finding("only if" if allowed else "fails", evidence, ", or ".join(allowed))


# ---- The conclusion ----


def better_measure(results: pd.DataFrame, earlier_rounds: pd.DataFrame) -> Finding:
    """Does the model that AUK chooses lose less? By its registered leads over AUC's choice."""
    own_cost = only_row(results, key="choice_own_cost")
    earlier = only_row(earlier_rounds, key="choice_25_at_5_new")
    at_2 = only_row(earlier_rounds, key="choice_25_at_2_new")
    at_5, own_share, round_2 = (
        only_row(results, key=key) for key in ("choice_25_at_5", "choice", "choice_25_at_5_round_2")
    )
    behind = f"led by {interval(at_2)}"
    if at_2["estimate"] < 0:
        behind = f"was behind by {interval(reverse_lead(at_2))}"
    of_own_share = f"it led by {interval(own_share)}"
    if own_share["low"] <= 0:
        of_own_share = f"no lead is shown: {interval(own_share)}"
    shown = "also showed" if earlier["low"] > 0 else "did not show"
    evidence = (
        f"Registered: at the data's own share AUK's choice led AUC's by {interval(own_cost)} "
        f"points where a miss costs one false alarm ({after_holm(own_cost)}); at 2 % positives it "
        f"{behind} over several goals ({at_2['data_sets']} data sets of at most "
        f"{round_2['packages']} packages, not corrected). Exploratory, over several goals: from 25 "
        f"positives at 5 % it led by {interval(at_5)}, which an earlier round on "
        f"{earlier['data_sets']} of the same {at_5['data_sets']} data sets {shown}; at the data's "
        f"own share {of_own_share}."
    )
    return Finding(weigh([judge_lead(row) for row in (own_cost, earlier, at_2)]), evidence)


def after_holm(row: Mapping[str, Any]) -> str:
    """Whether a registered lead is confirmed, and still is among all registered ones (Holm)."""
    if row["low"] <= 0:
        return "not confirmed"
    return "confirmed, also after Holm" if row["holm"] < LEVEL else "confirmed, not after Holm"


def prefers_minority(cases: pd.DataFrame) -> Finding:
    """Does kappa count a miss as more than accuracy does, one false alarm, and more than AUC?"""
    auc, kappa = (only_row(cases, key=f"miss_by_{name}")["value"] for name in ("auc", "kappa"))
    verdicts: list[Verdict] = ["holds" if kappa > cost else "fails" for cost in (1, auc)]
    point = printed_point()
    evidence = (
        f"Kappa counts a miss as more than accuracy does, but as less than AUC does: {kappa:.1f} "
        f"false alarms instead of {auc:.1f}, at 11 % positives and a kappa of {point.kappa.text}."
    )
    return Finding(weigh(verdicts), evidence)


def more_powerful(results: pd.DataFrame) -> Finding:
    """Does a paired test of AUK find the cheaper model more often than one of AUC?"""
    tests = [only_row(results, key=key) for key in ("power_5", "power_own_cost")]
    auk, auc = (only_row(results, key=f"power_{name}")["estimate"] for name in ("auk", "auc"))
    four_costs = only_row(results, key="power_four_costs")
    is_shown = "a lead is shown, too" if four_costs["low"] > 0 else "no lead is shown"
    outcomes = " and ".join(dict.fromkeys(after_holm(row) for row in reversed(tests)))
    evidence = (
        f"Registered where a miss costs one false alarm, and over four costs at 5 % positives: "
        f"{outcomes}. At 5 % a test of AUK found the cheaper model in {auk:.1f} of 100 tests "
        f"instead of {auc:.1f} with AUC ({tests[0]['low']:.1f} to {tests[0]['high']:.1f} more); "
        f"over these costs at the data's own shares {is_shown}: {interval(four_costs)}."
    )
    return Finding(weigh([judge_lead(row) for row in tests]), evidence)


def solves_key_problem(cases: pd.DataFrame) -> Finding:
    """Does AUK need no cost (by definition), and imply the same one for every classifier?"""
    costs = [only_row(cases, key=f"miss_by_{model}")["value"] for model in PAPER_PAIR]
    depends: Verdict = "fails" if abs(costs[0] - costs[1]) > ROUNDING else "holds"
    evidence = (
        "It asks for no cost, but what kappa pays for a miss still depends on the classifier: at "
        f"their mean largest kappa {costs[0]:.1f} false alarms for the linear model and "
        f"{costs[1]:.1f} for the network, at 11 % positives."
    )
    return Finding(weigh(["holds", depends]), evidence)


# ---- The example ----


def reversal(rank_reversal: pd.DataFrame) -> Finding:
    """In how many splits do AUC and AUK rank the models as printed, on curve and hull both?"""
    kind = {"scenario": "paper", "pair": "auc-auk", "curve": "both", "pattern": "printed"}
    row = only_row(rank_reversal, positive_class="majority", **kind)
    splits = f"{row['reversals']} of {row['replicates']} splits"
    return Finding(judge_share(row), f"This happened in {splits}, on the curve and on its hull.")


def alike_on_original(original_reversal: pd.DataFrame) -> Finding:
    """In how many splits of all rows do AUC and AUK agree? The fewer of curves and hulls count."""
    kind = {"pair": "auc-auk", "positive_class": "majority", "pattern": "any"}
    raw, hull = (only_row(original_reversal, curve=curve, **kind) for curve in ("raw", "hull"))
    alike = [row["replicates"] - row["reversals"] for row in (raw, hull)]
    evidence = f"They were identical in {alike[0]} of {raw['replicates']} splits on the curves"
    evidence += f", in {alike[1]} on the hulls."
    shares = [share_with_interval(count, raw["replicates"]) for count in alike]
    return Finding(judge_share(min(shares, key=lambda row: row["share"])), evidence)


def table4(prevalences: pd.DataFrame) -> Finding:
    """Can a hull with a printed AUC of Table 4 have the AUK beside it?"""
    rows = select_rows(prevalences, place="Table 4", rule="trapezoid")
    words = "the areas are trapezoids over few points"
    return judge_table(prevalences, "Table 4", {words: bool(rows["possible"].all())})


def table5(prevalences: pd.DataFrame) -> Finding:
    """Can a curve with a printed AUC of Table 5 have the AUK beside it?"""
    rows = select_rows(prevalences, place="Table 5", rule="exact")
    # Below one half, the model that needs the larger share needs this one.
    least = rows[rows["low"] < 0.5].groupby("model")["low"].min().max()
    words = f"the test rows hold more than {100 * least:.1f} % bad customers"
    return judge_table(prevalences, "Table 5", {words: bool(rows["possible_test_rows"].all())})


def judge_table(prevalences: pd.DataFrame, place: str, others: Mapping[str, bool]) -> Finding:
    """Whether both models' printed pairs are possible; else under which conditions."""
    rows = select_rows(prevalences, place=place, rule="exact")
    # Of two that are impossible the one farther from what is possible.
    worst = rows.iloc[int((rows["value"] - rows["upper"]).argmax())]
    (printed,) = (
        pair for pair in printed_pairs() if (pair.place, pair.model) == (place, worst["model"])
    )
    evidence = (
        f"At 11 % positives and an AUC of {printed.auc.text} the exact AUK is at most "
        f"{worst['upper']:.3f}; {printed.auk.text} is printed."
    )
    conditions = {SHARE_OF_GOOD: bool(rows["possible_other"].all()), **others}
    return judge_number(bool(rows["possible"].all()), conditions, evidence)


def operating_point(prevalences: pd.DataFrame, counts: pd.DataFrame) -> Finding:
    """Is the printed kappa that of the printed rates at 11 %, and can counts print these rates?"""
    row = select_rows(prevalences, rule="kappa").iloc[0]
    point = printed_point()
    of_286 = select_matrices(counts, "majority")
    of_280 = select_matrices(counts, "majority", KAPPA_ROWS)
    kappas = {
        f"{point.kappa.text} is the difference of the rates": of_286["difference"],
        f"about {KAPPA_ROWS} rows were tested": of_280["kappa"],
    }
    ways = [words for words, found in kappas.items() if found.map(point.kappa.is_of).any()]
    prints_bad = len(select_matrices(counts, "minority")) > 0
    condition = {f"{GOOD}, and {' or '.join(ways)}": bool(ways) and not prints_bad}
    majority, minority = stated_sample()
    bad = count_test_rows() * minority / (majority + minority)
    evidence = (
        f"At 11 % positives kappa is {row['upper']:.3f}; and no group of fewer than "
        f"{smallest_class(point.tpr)} customers prints {point.tpr.text}, if digits are rounded, "
        f"while about {bad:.0f} test customers are bad."
    )
    return judge_number(bool(row["possible"] and prints_bad), condition, evidence)


def tables_in_our_splits(explanations: pd.DataFrame) -> Finding:
    """How many splits lie farther from the mean of the others than the eight printed areas do?"""
    bad, good, interchanged = (
        only_row(explanations, explanation=name)
        for name in (AS_STATED, GOOD_POSITIVE, SHARES_INTERCHANGED)
    )
    if not (bad["distance"] >= 0 and good["distance"] >= 0):
        raise MissingRowError("it has too few splits")
    n = int(bad["splits"])
    farther = int(bad["splits_farther"]), int(good["splits_farther"])
    verdicts = [judge_share(share_with_interval(count, n)) for count in farther]
    with_bad = {0: "none does", 1: "1 does"}.get(farther[0], f"{farther[0]} do")
    evidence = (
        f"With good positive {farther[1] or 'none'} of {n} splits lie farther from the others than "
        f"the paper's eight areas do; with bad positive, as the text says, {with_bad}."
    )
    if not interchanged["rates_possible"]:
        evidence += f" With p and 1 - p interchanged {int(interchanged['splits_farther'])} would; "
        evidence += "no counts print the rates then."
    if verdicts == ["rare", "holds"]:
        of_share = share_with_interval(int(interchanged["splits_farther"]), n)
        is_either = judge_share(of_share) == "holds"
        return Finding("only if", evidence, SHARE_OF_GOOD if is_either else GOOD)
    return Finding(verdicts[0], evidence)


def samples_768(sample: pd.DataFrame, counts: pd.DataFrame) -> Finding:
    """Does deleting bad customers down to 11 % leave 768 rows?"""
    evidence = (
        f"Deleting bad customers to 11 % leaves {len(sample)}. {STATED_ROWS} is 786 with two "
        "digits interchanged, and the size of the Pima diabetes data (500 + 268)."
    )
    tested = STATED_ROWS - TRAINING_ROWS
    if not any(len(select_matrices(counts, side, tested)) for side in ("majority", "minority")):
        evidence += f" Of {tested} test rows, 9 to 13 % of them bad, no counts give the "
        evidence += "printed rates, if digits are rounded."
    return Finding("holds" if len(sample) == STATED_ROWS else "fails", evidence)


# ---- The measure ----


def rankings_differ(rank_reversal: pd.DataFrame, reversal_by_gap: pd.DataFrame) -> Finding:
    """Do AUC and AUK disagree in any split? If in none, our data cannot tell."""
    kind = {"scenario": "paper", "pair": "auc-auk", "curve": "raw", "pattern": "any"}
    row = only_row(rank_reversal, positive_class="majority", **kind)
    gaps = select_rows(reversal_by_gap, curve="raw", positive_class="majority")["largest_gap"]
    evidence = f"On the curve they differed in {row['reversals']} of {row['replicates']} splits"
    if gaps.notna().any():
        evidence += f", whose AUCs were at most {gaps.max():.3f} apart"
    return Finding("holds" if row["share"] > 0 else "open", f"{evidence}.")


def skew_aware(cases: pd.DataFrame) -> Finding:
    """Does AUK change with the share of positives? A curve whose AUK stays the same refutes it."""
    row = only_row(cases, key="skew_moves_auk")
    changed = f"{row['cases'] - row['value']:.0f} of {row['cases']:.0f}"
    evidence = (
        f"The AUK of {changed} random hulls changed with the share of positives; AUC does not "
    )
    evidence += "depend on it, by definition."
    return Finding("fails" if row["value"] else "holds", evidence)


def function_of_auc(cases: pd.DataFrame) -> Finding:
    """Does AUC fix AUK? Two curves of one AUC with different AUKs refute it."""
    width = only_row(cases, key="auk_range")["value"]
    auc = next(pair.auc.text for pair in printed_pairs() if pair.model == PAPER_PAIR[1])
    evidence = f"Two curves of AUC {auc} can have AUKs that are {width:.3f} apart at 11 % "
    evidence += "positives; only at 50 % does AUC fix AUK."
    return Finding("fails" if width > ROUNDING else "holds", evidence)


def objective(cases: pd.DataFrame) -> Finding:
    """Is AUK the same if the other class is positive? If not, the class must be agreed on."""
    row = only_row(cases, key="class_moves_auk")
    areas = [only_row(cases, key=f"auk_of_{name}_class")["value"] for name in ("one", "other")]
    evidence = (
        f"One curve has an AUK of {areas[0]:.3f}, and of {areas[1]:.3f} when the other class "
    )
    evidence += "is called positive; its AUC stays the same."
    if not row["value"]:
        return Finding("holds", evidence)
    return Finding("only if", evidence, "both call the same class positive")


def unique_maximum(cases: pd.DataFrame) -> Finding:
    """Do most kappa curves have one maximum? "Usually" is read as more than half of them."""
    row = only_row(cases, key="unique_maximum")
    if not row["cases"]:
        raise MissingRowError("it has no curves")
    count = round(row["value"] * row["cases"])
    verdict: Verdict = "holds" if row["low"] > 0.5 else "fails" if row["high"] < 0.5 else "open"
    evidence = f"{count:,} of {row['cases']:,.0f} curves have their largest kappa at one threshold."
    return Finding(verdict, evidence)


JUDGES: dict[str, Callable[..., Finding]] = {
    judge.__name__: judge
    for judge in (
        better_measure,
        prefers_minority,
        more_powerful,
        solves_key_problem,
        reversal,
        alike_on_original,
        table4,
        table5,
        operating_point,
        tables_in_our_splits,
        samples_768,
        rankings_differ,
        skew_aware,
        function_of_auc,
        objective,
        unique_maximum,
    )
}
