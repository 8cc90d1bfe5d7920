"""Sixteen claims of Kaymak, Ben-David & Potharst (2010): one function each.

A function is given the csv files that its arguments name, as tables, and returns one of six words
with the number that shows it:

holds    true in every case we tried, or shown, or usual in our splits
partly   some evidence for it, some against
only if  true under a condition that the paper does not state
rare     happens in fewer than 5 % of our splits; one rare split does not refute the paper
fails    a counterexample, or another number
open     our data cannot tell
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, Literal, NamedTuple

import pandas as pd

from study.paper.explanations import AS_STATED, GOOD_POSITIVE
from study.paper.printed_numbers import STATED, STATED_ROWS, TRAINING_ROWS
from study.published import PAPER_PAIR, RARE_SHARE, published_pairs, published_point
from study.tables.shares import share_with_interval

Verdict = Literal["holds", "partly", "only if", "rare", "fails", "open", ""]
COLUMNS = ["number", "group", "key", "section", "quote", "claim"]
COLUMNS += ["verdict", "condition", "evidence", "source"]
ROUNDING = 1e-9
# The files by the names of the functions' arguments: below results, and of the repository.
FILES = {
    "rank_reversal": "tables/rank_reversal.csv",
    "original_reversal": "tables/original_reversal.csv",
    "sample": "split/sample.csv",
    "prevalences": "tables/prevalences.csv",
    "explanations": "tables/explanations.csv",
    "cases": "tables/cases.csv",
    "results": "studies/many-data-sets/results.csv",
    "earlier_rounds": "studies/many-data-sets/earlier_rounds.csv",
}
# Settings that the paper has, or can have: its kappa is at the prevalence of the rows, or at the
# share that the text states.
PAPER: dict[str, Sequence[Any]] = {
    "skew": [STATED],
    "n_minority": [None],
    "sampling": ["keep_majority"],
    "n_train": [TRAINING_ROWS],
    "hidden_units": [5],
    "prevalence": ["test", "nominal"],
    "cost_ratio": [None],
}
SPLITS = ("skew", "n_minority", "n_train", "hidden_units")
AREAS = ("prevalence", "cost_ratio")
OTHER_SHARE = "89 % are positive"
RULES = ("exact", "trapezoid")
CONCLUSION, EXAMPLE, MEASURE = "The conclusion", "The example", "The measure"


class Finding(NamedTuple):
    """The word, one line with its number, and what follows "only if"."""

    verdict: Verdict
    evidence: str
    condition: str = ""


class Claim(NamedTuple):
    """What the paper says, where, what has to be the paper's setting, and how it is judged."""

    group: str
    section: int
    quote: str
    claim: str
    needs: Sequence[str]
    judge: Callable[..., Finding]


class MissingRowError(LookupError):
    """A table has no such row, or none with a number."""


CLAIMS: list[Claim] = []


def claim(
    group: str, section: int, quote: str, words: str, needs: Sequence[str] = ()
) -> Callable[[Callable[..., Finding]], Callable[..., Finding]]:
    """Add the decorated function to the claims; its name is the claim's key."""

    def add(judge: Callable[..., Finding]) -> Callable[..., Finding]:
        CLAIMS.append(Claim(group, section, quote, words, needs, judge))
        return judge

    return add


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
    rows: list[dict[str, Any]] = []
    for item in CLAIMS:
        names = [*signature(item.judge).parameters]
        reason = difference_of_settings(settings, item.needs)
        finding = Finding("", reason)
        if not reason:
            try:
                finding = item.judge(*(tables[name] for name in names))
            except MissingRowError as error:
                finding = Finding("", f"This run has no numbers for it: {error}.")
        place = {"number": len(rows) + 1, "key": item.judge.__name__}
        source = {"source": "; ".join(FILES[name] for name in names)}
        rows.append(place | item._asdict() | finding._asdict() | source)
    return pd.DataFrame(rows)[COLUMNS]


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


def only_row(table: pd.DataFrame, **values: object) -> Any:
    """The row with these values, as a dict; MissingRowError if there is not exactly one."""
    rows = select_rows(table, **values)
    if len(rows) != 1:
        where = ", ".join(f"{name} {value}" for name, value in values.items())
        raise MissingRowError(f"{len(rows)} rows have {where}")
    return rows.iloc[0].to_dict()


def interval(row: Mapping[str, Any], name: str = "estimate", unit: str = "") -> str:
    """Such as 2.2 points [0.4, 4.0]."""
    return f"{row[name]:.1f}{unit} [{row['low']:.1f}, {row['high']:.1f}]"


def percent(row: Mapping[str, Any], name: str = "share") -> str:
    """A share with its interval: 0.9 % [0.5, 1.7]."""
    return interval({end: 100 * row[end] for end in (name, "low", "high")}, name, " %")


def judge_share(row: Mapping[str, Any]) -> Verdict:
    """By the interval of a share of splits: rare is less than 5 %."""
    return "holds" if row["low"] >= RARE_SHARE else "rare" if row["high"] < RARE_SHARE else "open"


def judge_effect(row: Mapping[str, Any], limit: float = 0.0) -> Verdict:
    """By the interval of an effect: above the limit it holds, below it fails."""
    return "holds" if row["low"] > limit else "fails" if row["high"] < limit else "open"


def weigh(verdicts: Sequence[Verdict]) -> Verdict:
    """One word of several: what holds speaks for the claim, what fails against it."""
    for word in ("holds", "fails"):
        if set(verdicts) == {word}:
            return word
    return "partly" if {"holds", "fails"} <= set(verdicts) else "open"


def judge_number(is_possible: bool, conditions: Mapping[str, bool], evidence: str) -> Finding:
    """A printed number: whether the text gives it, else under which conditions it is possible."""
    allowed = [words for words, is_met in conditions.items() if is_met]
    if is_possible:
        return Finding("holds", evidence)
    return Finding("only if" if allowed else "fails", evidence, ", or ".join(allowed))


# ---- The conclusion ----


@claim(
    CONCLUSION,
    9,
    "Therefore it seems that AUK is a better measure of a model's performance",
    "AUK is a better measure than AUC when one class is rare.",
)
def better_measure(results: pd.DataFrame, earlier_rounds: pd.DataFrame) -> Finding:
    """By the gain of the model that AUK chooses, on two collections of data sets."""
    main = only_row(results, key="choice_25_at_5")
    others = only_row(earlier_rounds, key="choice_25_at_5_new")
    verdict = weigh([judge_effect(row) for row in (main, others)])
    evidence = f"its choice gained {interval(main, unit=' points')} on {main['data_sets']:.0f} "
    evidence += f"data sets, {interval(others)} on {others['data_sets']:.0f} others"
    return Finding(verdict, evidence)


@claim(
    CONCLUSION,
    5,
    "the AUK is expected to be a more powerful index than the AUC",
    "The model that AUK picks is better in use than the one AUC picks.",
)
def more_powerful_choice(results: pd.DataFrame) -> Finding:
    """By the gain of AUK's choice at the data's own class ratios."""
    row = only_row(results, key="choice")
    evidence = f"{interval(row, unit=' points')}; 0 is a random choice, 100 the best model"
    return Finding(judge_effect(row), evidence)


@claim(
    CONCLUSION,
    5,
    "the AUK is expected to be a more powerful index than the AUC",
    "A test with AUK finds the better model more often than a test with AUC.",
)
def more_powerful_test(results: pd.DataFrame) -> Finding:
    """By the power of paired tests, and by how often they call the worse model better."""
    keys = ("power_5", "power_own_cost", "power_four_costs")
    at_5, _, at_four_costs = rows = [only_row(results, key=key) for key in keys]
    verdicts = [judge_effect(row) for row in rows]
    auk, auc = (
        f"{only_row(results, key=f'false_direction_{name}')['estimate']:.1f} %"
        for name in ("auk", "auc")
    )
    evidence = f"{interval(at_5, unit=' percentage points more often')} at 5 % positives, "
    evidence += "as registered, " if isinstance(at_5["registered"], str) else ""
    evidence += f"{interval(at_four_costs)} at the data's own ratios; "
    if only_row(results, key="false_direction")["low"] > 0:
        evidence += f"but it calls the worse model better in {auk} where AUC's does in {auc}"
        return Finding(weigh([*verdicts, "fails"]), evidence)
    evidence += f"it calls the worse model better as rarely as AUC's ({auk} and {auc})"
    return Finding(weigh(verdicts), evidence)


@claim(
    CONCLUSION,
    2,
    "one which solves the AUC's key problem without resorting to prior explicit assumptions about "
    "loss function distributions",
    "AUK needs no assumption about what errors cost.",
)
def solves_key_problem(cases: pd.DataFrame) -> Finding:
    """AUK has one cost for all models; how much it counts depends on the model, as with AUC."""
    gap, weights = (only_row(cases, key=key)["value"] for key in ("one_cost", "equal_costs"))
    verdict = weigh(["holds" if abs(value) <= ROUNDING else "fails" for value in (gap, weights)])
    cost = "one cost for every model, that of equal errors" if gap <= ROUNDING else "no one cost"
    evidence = f"it takes {cost}; but how much that cost counts depends on the model: "
    return Finding(verdict, f"{evidence}by {weights:.3f} more for one of two examples")


# ---- The example ----


@claim(
    EXAMPLE,
    8,
    "according to AUC, the linear model is preferable to the neural network. However, AUK shows "
    "the reverse ranking",
    "At 11 % bad, AUC prefers the linear model and AUK the network.",
    needs=(*SPLITS, *AREAS),
)
def reversal(rank_reversal: pd.DataFrame) -> Finding:
    """In how many splits, on curve and hull both."""
    kind = {"scenario": "paper", "pair": "auc-auk", "curve": "both", "pattern": "published"}
    good = only_row(rank_reversal, positive_class="majority", **kind)
    bad = only_row(rank_reversal, positive_class="minority", **kind)
    share = f"{percent(good)} of {good['replicates']:.0f} splits, good positive"
    return Finding(judge_share(good), f"{share}; {percent(bad)} bad positive")


@claim(
    EXAMPLE,
    8,
    "for the original Statlog German Credit data set (with 30 percent minority class) the rankings "
    "by AUK and AUC were identical",
    "With 30 % bad, as in the original data, AUC and AUK agree.",
    needs=("hidden_units", *AREAS),
)
def alike_on_original(original_reversal: pd.DataFrame) -> Finding:
    """In how many splits, on curve or hull, where it is fewer."""
    kind = {"pair": "auc-auk", "positive_class": "majority", "pattern": "any"}
    rows = [only_row(original_reversal, curve=curve, **kind) for curve in ("raw", "hull")]
    row = max(rows, key=lambda row: row["share"])
    alike = {"share": 1 - row["share"], "low": 1 - row["high"], "high": 1 - row["low"]}
    return Finding(judge_share(alike), f"{percent(alike)} of {row['replicates']:.0f} splits")


@claim(
    EXAMPLE,
    8,
    "The results are shown in Table 4",
    "Each AUC and AUK of Table 4 belong to one curve at 11 % positives.",
)
def table4(prevalences: pd.DataFrame) -> Finding:
    """By the AUKs that hulls of the printed AUCs can have."""
    exact, trapezoid = (find_possible(prevalences, "Table 4", rule) for rule in RULES)
    conditions = {
        OTHER_SHARE: exact["possible_other"],
        "the area is a coarse trapezoid sum": trapezoid["possible"],
    }
    return judge_table(prevalences, "Table 4", conditions)


@claim(
    EXAMPLE,
    8,
    "The corresponding values of AUC and AUK are shown in Table 5",
    "Each AUC and AUK of Table 5 belong to one curve at 11 % positives.",
)
def table5(prevalences: pd.DataFrame) -> Finding:
    """By the AUKs that curves of the printed AUCs can have."""
    exact = find_possible(prevalences, "Table 5", "exact")
    conditions = {
        "the share is a little above 11 %": exact["possible_test_rows"],
        OTHER_SHARE: exact["possible_other"],
    }
    return judge_table(prevalences, "Table 5", conditions)


def judge_table(prevalences: pd.DataFrame, place: str, conditions: Mapping[str, bool]) -> Finding:
    """Whether both models' printed pairs are possible; else under which conditions."""
    rows = select_rows(prevalences, place=place, rule="exact")
    worst = rows.iloc[int(rows["possible"].argmin())]
    (printed,) = (
        pair for pair in published_pairs() if (pair.place, pair.model) == (place, worst["model"])
    )
    evidence = f"at an AUC of {printed.auc.text} the AUK is at most {worst['upper']:.3f}; "
    evidence += f"{printed.auk.text} is printed"
    return judge_number(worst["possible"], conditions, evidence)


def find_possible(prevalences: pd.DataFrame, place: str, rule: str) -> Any:
    """Whether both models' pairs are possible: at 11 %, at 89 %, at shares of test rows."""
    rows = select_rows(prevalences, place=place, rule=rule)
    return rows[["possible", "possible_other", "possible_test_rows"]].all()


@claim(
    EXAMPLE,
    8,
    "The optimal false positive rate that maximizes Kappa is 0.60. This corresponds to a maximum "
    "Kappa value of 0.328",
    "The network's best threshold has rates 0.60 and 0.928 and kappa 0.328.",
)
def operating_point(prevalences: pd.DataFrame) -> Finding:
    """By kappa at these rates with 11 % positives (equation 19)."""
    row = select_rows(prevalences, rule="kappa").iloc[0]
    point = published_point()
    text = f"{point.kappa.text} is no kappa but {point.tpr.text} - {point.fpr.text}"
    is_difference = point.kappa.is_of(point.tpr.value - point.fpr.value)
    conditions = {OTHER_SHARE: row["possible_other"], text: is_difference}
    evidence = f"at 11 % positives kappa is {row['upper']:.3f}"
    return judge_number(row["possible"], conditions, evidence)


@claim(
    EXAMPLE,
    8,
    "AUC and AUK corresponding to curves shown in Figure 2",
    "The eight areas are such as one random split gives.",
    needs=SPLITS,
)
def tables_in_our_splits(explanations: pd.DataFrame) -> Finding:
    """By how many splits lie farther from the mean of the others."""
    bad, good = (only_row(explanations, explanation=name) for name in (AS_STATED, GOOD_POSITIVE))
    if not (bad["distance"] >= 0 and good["distance"] >= 0):
        raise MissingRowError("it has too few splits")
    n = int(bad["splits"])
    farther = int(bad["splits_farther"]), int(good["splits_farther"])
    verdicts = [judge_share(share_with_interval(count, n)) for count in farther]
    evidence = f"with bad positive {farther[0] or 'none'} of {n} splits "
    evidence += f"{'lie' if farther[0] > 1 else 'lies'} farther out than the paper, "
    evidence += f"with good {farther[1] or 'none'}"
    if verdicts == ["rare", "holds"]:
        return Finding("only if", evidence, "good is the positive class")
    return Finding(verdicts[0], evidence)


@claim(
    EXAMPLE,
    8,
    "The data set contains 768 samples",
    "Deleting bad customers down to 11 % leaves 768.",
    needs=("skew", "n_minority", "sampling"),
)
def samples_768(sample: pd.DataFrame) -> Finding:
    """By the rows of the sample."""
    return Finding("holds" if len(sample) == STATED_ROWS else "fails", f"it leaves {len(sample)}")


# ---- The measure ----


@claim(
    MEASURE,
    8,
    "the rankings of AUC and AUK may differ from each other",
    "AUC and AUK can rank two models differently.",
    needs=AREAS,
)
def rankings_differ(rank_reversal: pd.DataFrame) -> Finding:
    """One split is an example; without one the data cannot tell."""
    kind = {"scenario": "paper", "pair": "auc-auk", "curve": "raw", "pattern": "any"}
    row = only_row(rank_reversal, positive_class="majority", **kind)
    verdict: Verdict = "holds" if row["share"] > 0 else "open"
    return Finding(verdict, f"{percent(row)} of {row['replicates']:.0f} splits")


@claim(
    MEASURE,
    9,
    "AUK accounts for class skewness in the data, while AUC does not",
    "AUK reacts to the class shares, AUC does not.",
)
def skew_aware(cases: pd.DataFrame) -> Finding:
    """One curve whose AUK stays the same would refute it."""
    row = only_row(cases, key="skew_moves_auk")
    exceptions = f"{row['value']:.0f} exceptions in {row['cases']:.0f} cases"
    return Finding("fails" if row["value"] else "holds", exceptions)


@claim(
    MEASURE,
    6,
    "It can therefore be expected that AUK is a function of the difference between the model AUC "
    "and the AUC of a random classifier",
    "AUK is a function of AUC.",
    needs=SPLITS,
)
def function_of_auc(cases: pd.DataFrame) -> Finding:
    """Over splits both rise together; yet curves of one AUC have different AUKs."""
    rows = [only_row(cases, key=f"correlation_{model}") for model in PAPER_PAIR]
    width = only_row(cases, key="auk_range")["value"]
    verdicts = [judge_effect(row) for row in rows]
    verdicts.append("holds" if width <= ROUNDING else "fails")
    r = " and ".join(f"{row['value']:.2f}" for row in rows)
    evidence = f"correlation {r} over splits; at one AUC the AUK can differ by {width:.3f} "
    return Finding(weigh(verdicts), f"{evidence}at 11 % positives")


@claim(
    MEASURE,
    1,
    "the AUK is also objective in the sense mentioned earlier",
    "AUK is objective: everybody computes the same value.",
)
def objective(cases: pd.DataFrame) -> Finding:
    """One model whose AUK depends on which class is called positive refutes it."""
    row = only_row(cases, key="class_moves_auk")
    areas = [only_row(cases, key=f"auk_of_{name}_class")["value"] for name in ("one", "other")]
    evidence = f"one curve has {areas[0]:.3f}, and {areas[1]:.3f} with the other class positive"
    return Finding("fails" if row["value"] else "holds", evidence)


@claim(
    MEASURE,
    7,
    "the Kappa curve usually has a unique maximum that can be used to select the optimal model",
    "The largest kappa picks one threshold.",
)
def unique_maximum(cases: pd.DataFrame) -> Finding:
    """Usually is in more than half of the curves."""
    row = only_row(cases, key="unique_maximum")
    if not row["cases"]:
        raise MissingRowError("it has no curves")
    evidence = f"{percent(row, 'value')} of {row['cases']:,.0f} curves"
    return Finding(judge_effect(row, limit=0.5), evidence)
