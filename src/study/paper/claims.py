"""Sixteen claims of Kaymak, Ben-David & Potharst (2010): one function each.

A function is given the csv files that its claim names, as tables, and returns one of six words with
the number that shows it:

holds    true in every case we tried, or shown, or usual in our splits
partly   some evidence for it, some against
only if  true under a condition that the paper does not state
rare     happens in fewer than 5 % of our splits; one rare split does not refute the paper
fails    a counterexample, or another number
open     our data cannot tell
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import pandas as pd

from study.paper.explanations import AS_STATED, GOOD_POSITIVE
from study.paper.printed_numbers import STATED, STATED_ROWS, TRAINING_ROWS
from study.published import UNUSUAL, published_pairs, published_point
from study.tables.shares import share_with_interval

Verdict = Literal["holds", "partly", "only if", "rare", "fails", "open", ""]
COLUMNS = ["number", "group", "key", "section", "quote", "claim"]
COLUMNS += ["verdict", "condition", "evidence", "source"]
ROUNDING = 1e-9
ENDS = ("estimate", "low", "high")
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
# Settings that the paper has, and what a sentence calls them. Its kappa is at the prevalence of the
# rows, or at the share that the text states.
PAPER: dict[str, Any] = {
    "skew": STATED,
    "n_minority": None,
    "sampling": "keep_majority",
    "n_train": TRAINING_ROWS,
    "hidden_units": 5,
    "prevalence": ("test", "nominal"),
    "cost_ratio": None,
}
SPLITS = ("skew", "n_minority", "n_train", "hidden_units")
AREAS = ("prevalence", "cost_ratio")
OTHER_SHARE = "89 % are positive"
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
    words: str
    files: Sequence[str]
    needs: Sequence[str]
    judge: Callable[..., Finding]


class MissingRowError(LookupError):
    """A table has no such row, or none with a number."""


CLAIMS: list[Claim] = []


def claim(
    group: str, section: int, quote: str, words: str, *files: str, needs: Sequence[str] = ()
) -> Callable[[Callable[..., Finding]], Callable[..., Finding]]:
    """Add the decorated function to the claims; its name is the claim's key."""

    def add(judge: Callable[..., Finding]) -> Callable[..., Finding]:
        CLAIMS.append(Claim(group, section, quote, words, files, needs, judge))
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
    rows = []
    for number, item in enumerate(CLAIMS, start=1):
        reason = difference_of_settings(settings, item.needs)
        finding = Finding("", reason)
        if not reason:
            try:
                finding = item.judge(*(tables[name] for name in item.files))
            except MissingRowError as error:
                finding = Finding("", f"This run has no numbers for it: {error}.")
        rows.append(
            {
                "number": number,
                "key": item.judge.__name__,
                "claim": item.words,
                "source": "; ".join(FILES[name] for name in item.files),
                **item._asdict(),
                **finding._asdict(),
            }
        )
    return pd.DataFrame(rows)[COLUMNS]


def difference_of_settings(settings: Mapping[str, Any], needs: Sequence[str]) -> str:
    """In what the settings of the run are not the paper's: a sentence, or nothing."""
    for name in needs:
        usual = PAPER[name] if isinstance(PAPER[name], tuple) else (PAPER[name],)
        if settings[name] not in usual:
            expected, found = (
                "none" if value is None else value for value in (usual[0], settings[name])
            )
            return f"Not judged: {name} is {found} in this run, and {expected} in the paper."
    return ""


def only_row(table: pd.DataFrame, **values: object) -> Any:
    """The row with these values, as a dict; MissingRowError if there is not exactly one."""
    rows = table
    for name, value in values.items():
        rows = rows[rows[name] == value]
    if len(rows) != 1:
        where = ", ".join(f"{name} {value}" for name, value in values.items())
        raise MissingRowError(f"{len(rows)} rows have {where}")
    return rows.iloc[0].to_dict()


def interval(value: float, low: float, high: float, *, unit: str = "") -> str:
    """Such as 0.9 % [0.5, 1.7]."""
    return f"{value:.1f}{unit} [{low:.1f}, {high:.1f}]"


def percent(row: Mapping[str, Any], n: str, what: str) -> str:
    """A share with its interval, and of how many it is: 0.9 % [0.5, 1.7] of 1000 splits."""
    ends = (100 * row[name] for name in ("share", "low", "high"))
    return f"{interval(*ends, unit=' %')} of {row[n]:.0f} {what}"


def judge_share(low: float, high: float) -> Verdict:
    """By the interval of a share of splits: rare is less than 5 %."""
    return "holds" if low >= UNUSUAL else "rare" if high < UNUSUAL else "open"


def judge_effect(low: float, high: float, limit: float = 0.0) -> Verdict:
    """By the interval of an effect: above the limit it holds, below it fails."""
    return "holds" if low > limit else "fails" if high < limit else "open"


def weigh(verdicts: Sequence[Verdict]) -> Verdict:
    """One word of several: what holds speaks for the claim, what fails against it."""
    for word in ("holds", "fails"):
        if set(verdicts) == {word}:
            return word
    return "partly" if {"holds", "fails"} <= set(verdicts) else "open"


def under_conditions(conditions: Mapping[str, bool], evidence: str) -> Finding:
    """A printed number that the text does not give: under which conditions it is possible."""
    allowed = [words for words, is_possible in conditions.items() if is_possible]
    if not allowed:
        return Finding("fails", evidence)
    return Finding("only if", evidence, ", or ".join(allowed))


# ---- The conclusion ----


@claim(
    CONCLUSION,
    9,
    "Therefore it seems that AUK is a better measure of a model's performance",
    "AUK is a better measure than AUC when one class is rare.",
    "results",
    "earlier_rounds",
)
def better_measure(results: pd.DataFrame, earlier_rounds: pd.DataFrame) -> Finding:
    """By the gain of the model that AUK chooses, on two collections of data sets."""
    main = only_row(results, key="choice_25_at_5")
    others = only_row(earlier_rounds, key="choice_25_at_5_new")
    verdict = weigh([judge_effect(row["low"], row["high"]) for row in (main, others)])
    evidence = f"its choice gained {interval(*(main[name] for name in ENDS), unit=' points')} on "
    evidence += f"{main['data_sets']:.0f} data sets, {interval(*(others[name] for name in ENDS))} "
    return Finding(verdict, f"{evidence}on {others['data_sets']:.0f} others")


@claim(
    CONCLUSION,
    5,
    "the AUK is expected to be a more powerful index than the AUC",
    "The model that AUK picks is better in use than the one AUC picks.",
    "results",
)
def more_powerful_choice(results: pd.DataFrame) -> Finding:
    """By the gain of AUK's choice at the data's own class ratios."""
    row = only_row(results, key="choice")
    gain = interval(*(row[name] for name in ENDS), unit=" points")
    evidence = f"{gain}; 0 is a random choice, 100 the best model"
    return Finding(judge_effect(row["low"], row["high"]), evidence)


@claim(
    CONCLUSION,
    5,
    "the AUK is expected to be a more powerful index than the AUC",
    "A test with AUK finds the better model more often than a test with AUC.",
    "results",
)
def more_powerful_test(results: pd.DataFrame) -> Finding:
    """By the power of paired tests, and by how often they call the worse model better."""
    keys = ("power_5", "power_own_cost", "power_four_costs")
    power_5, *others = rows = [only_row(results, key=key) for key in keys]
    error = only_row(results, key="false_direction")
    wrong = [only_row(results, key=f"false_direction_{name}") for name in ("auk", "auc")]
    verdicts = [judge_effect(row["low"], row["high"]) for row in rows]
    errs_more = error["low"] > 0
    unit = " percentage points more often"
    evidence = f"{interval(*(power_5[name] for name in ENDS), unit=unit)} at 5 % positives"
    evidence += ", as registered, " if isinstance(power_5["registered"], str) else ", "
    evidence += f"{interval(*(others[-1][name] for name in ENDS))} at the data's own ratios; "
    of_auk, of_auc = (f"{row['estimate']:.1f} %" for row in wrong)
    evidence += (
        f"but it calls the worse model better in {of_auk} where AUC's does in {of_auc}"
        if errs_more
        else f"it calls the worse model better as rarely as AUC's ({of_auk} and {of_auc})"
    )
    return Finding(weigh([*verdicts, "fails"] if errs_more else verdicts), evidence)


@claim(
    CONCLUSION,
    2,
    "one which solves the AUC's key problem without resorting to prior explicit assumptions about "
    "loss function distributions",
    "AUK needs no assumption about what errors cost.",
    "cases",
)
def solves_key_problem(cases: pd.DataFrame) -> Finding:
    """AUK has one cost for all models; how much it counts depends on the model, as with AUC."""
    gap = only_row(cases, key="one_cost")["value"]
    weights = only_row(cases, key="equal_costs")["value"]
    verdicts: list[Verdict] = ["holds" if abs(of) <= ROUNDING else "fails" for of in (gap, weights)]
    cost = (
        "one cost for every model, that of equal errors"
        if verdicts[0] == "holds"
        else "no one cost"
    )
    evidence = f"it takes {cost}; but how much that cost counts depends on the model: "
    evidence += f"by {weights:.3f} more for one of two examples"
    return Finding(weigh(verdicts), evidence)


# ---- The example ----


@claim(
    EXAMPLE,
    8,
    "according to AUC, the linear model is preferable to the neural network. However, AUK shows "
    "the reverse ranking",
    "At 11 % bad, AUC prefers the linear model and AUK the network.",
    "rank_reversal",
    needs=(*SPLITS, *AREAS),
)
def reversal(rank_reversal: pd.DataFrame) -> Finding:
    """In how many splits, on curve and hull both."""
    kind = {"scenario": "paper", "pair": "auc-auk", "curve": "both", "pattern": "published"}
    good = only_row(rank_reversal, positive_class="majority", **kind)
    bad = only_row(rank_reversal, positive_class="minority", **kind)
    share = percent(good, "replicates", "splits")
    ends = interval(*(100 * bad[name] for name in ("share", "low", "high")), unit=" %")
    verdict = judge_share(good["low"], good["high"])
    return Finding(verdict, f"{share}, good positive; {ends} bad positive")


@claim(
    EXAMPLE,
    8,
    "for the original Statlog German Credit data set (with 30 percent minority class) the rankings "
    "by AUK and AUC were identical",
    "With 30 % bad, as in the original data, AUC and AUK agree.",
    "original_reversal",
    needs=("hidden_units", *AREAS),
)
def alike_on_original(original_reversal: pd.DataFrame) -> Finding:
    """In how many splits, on curve or hull, where it is fewer."""
    kind = {
        "scenario": "original",
        "pair": "auc-auk",
        "positive_class": "majority",
        "pattern": "any",
    }
    rows = [only_row(original_reversal, curve=curve, **kind) for curve in ("raw", "hull")]
    row = max(rows, key=lambda row: row["share"])
    ends = {"share": 1 - row["share"], "low": 1 - row["high"], "high": 1 - row["low"]}
    share = percent(row | ends, "replicates", "splits")
    return Finding(judge_share(ends["low"], ends["high"]), share)


@claim(
    EXAMPLE,
    8,
    "The results are shown in Table 4",
    "Each AUC and AUK of Table 4 belong to one curve at 11 % positives.",
    "prevalences",
)
def table4(prevalences: pd.DataFrame) -> Finding:
    """By the AUKs that hulls of the printed AUCs can have."""
    trapezoid = is_possible(prevalences, "Table 4", "trapezoid")
    more = {"the area is a coarse trapezoid sum": trapezoid["possible"]}
    return judge_table(prevalences, "Table 4", after=more)


@claim(
    EXAMPLE,
    8,
    "The corresponding values of AUC and AUK are shown in Table 5",
    "Each AUC and AUK of Table 5 belong to one curve at 11 % positives.",
    "prevalences",
)
def table5(prevalences: pd.DataFrame) -> Finding:
    """By the AUKs that curves of the printed AUCs can have."""
    exact = is_possible(prevalences, "Table 5", "exact")
    more = {"the share is a little above 11 %": exact["possible_test_rows"]}
    return judge_table(prevalences, "Table 5", before=more)


def judge_table(
    prevalences: pd.DataFrame,
    place: str,
    before: Mapping[str, bool] | None = None,
    after: Mapping[str, bool] | None = None,
) -> Finding:
    """Whether both models' printed pairs are possible; else under which conditions."""
    rows = table_rows(prevalences, place, "exact")
    exact = is_possible(prevalences, place, "exact")
    worst = rows.iloc[int(rows["possible"].argmin())]
    (printed,) = (
        pair for pair in published_pairs() if (pair.place, pair.model) == (place, worst["model"])
    )
    evidence = f"at an AUC of {printed.auc.text} the AUK is at most {worst['upper']:.3f}; "
    evidence += f"{printed.auk.text} is printed"
    if exact["possible"]:
        return Finding("holds", evidence)
    conditions = {**(before or {}), OTHER_SHARE: exact["possible_other"], **(after or {})}
    return under_conditions(conditions, evidence)


def table_rows(prevalences: pd.DataFrame, place: str, rule: str) -> pd.DataFrame:
    """Rows of the printed pairs of a table; MissingRowError if a model has none."""
    is_used = (prevalences["place"] == place) & (prevalences["rule"] == rule)
    rows = prevalences[is_used & (prevalences["model"] != "all")]
    if rows["model"].nunique() != 2:
        raise MissingRowError(f"prevalences of both models of {place} ({rule})")
    return rows


def is_possible(prevalences: pd.DataFrame, place: str, rule: str) -> dict[str, bool]:
    """Whether both models' pairs are possible: at 11 %, at 89 %, at shares of test rows."""
    rows = table_rows(prevalences, place, rule)
    return {
        name: bool(rows[name].all())
        for name in ("possible", "possible_other", "possible_test_rows")
    }


@claim(
    EXAMPLE,
    8,
    "The optimal false positive rate that maximizes Kappa is 0.60. This corresponds to a maximum "
    "Kappa value of 0.328",
    "The network's best threshold has rates 0.60 and 0.928 and kappa 0.328.",
    "prevalences",
)
def operating_point(prevalences: pd.DataFrame) -> Finding:
    """By kappa at these rates with 11 % positives (equation 19)."""
    rows = prevalences[prevalences["rule"] == "kappa"]
    if rows.empty:
        raise MissingRowError("prevalences of the operating point")
    row = rows.iloc[0]
    evidence = f"at 11 % positives kappa is {row['upper']:.3f}"
    if row["possible"]:
        return Finding("holds", evidence)
    point = published_point()
    text = f"{point.kappa.text} is no kappa but {point.tpr.text} - {point.fpr.text}"
    is_difference = point.kappa.is_of(point.tpr.value - point.fpr.value)
    return under_conditions({OTHER_SHARE: row["possible_other"], text: is_difference}, evidence)


@claim(
    EXAMPLE,
    8,
    "AUC and AUK corresponding to curves shown in Figure 2",
    "The eight areas are such as one random split gives.",
    "explanations",
    needs=SPLITS,
)
def tables_in_our_splits(explanations: pd.DataFrame) -> Finding:
    """By how many splits lie farther from the mean of the others."""
    rows = [only_row(explanations, explanation=name) for name in (AS_STATED, GOOD_POSITIVE)]
    if not all(row["distance"] >= 0 for row in rows):
        raise MissingRowError("it has too few splits")
    verdicts = []
    for row in rows:
        share = share_with_interval(int(row["splits_farther"]), int(row["splits"]))
        verdicts.append(judge_share(share["low"], share["high"]))
    n, farther = f"{rows[0]['splits']:.0f}", [f"{row['splits_farther']:.0f}" for row in rows]
    farther = ["none" if count == "0" else count for count in farther]
    evidence = f"with bad positive {farther[0]} of {n} splits "
    evidence += f"{'lie' if rows[0]['splits_farther'] > 1 else 'lies'} farther out than the paper, "
    evidence += f"with good {farther[1]}"
    if verdicts[0] == "rare" and verdicts[1] == "holds":
        return Finding("only if", evidence, "good is the positive class")
    return Finding(verdicts[0], evidence)


@claim(
    EXAMPLE,
    8,
    "The data set contains 768 samples",
    "Deleting bad customers down to 11 % leaves 768.",
    "sample",
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
    "rank_reversal",
    needs=AREAS,
)
def rankings_differ(rank_reversal: pd.DataFrame) -> Finding:
    """One split is an example; without one the data cannot tell."""
    kind = {"scenario": "paper", "pair": "auc-auk", "curve": "raw", "pattern": "any"}
    row = only_row(rank_reversal, positive_class="majority", **kind)
    verdict: Verdict = "holds" if row["share"] > 0 else "open"
    return Finding(verdict, percent(row, "replicates", "splits"))


@claim(
    MEASURE,
    9,
    "AUK accounts for class skewness in the data, while AUC does not",
    "AUK reacts to the class shares, AUC does not.",
    "cases",
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
    "cases",
    needs=SPLITS,
)
def function_of_auc(cases: pd.DataFrame) -> Finding:
    """Over splits both rise together; yet curves of one AUC have different AUKs."""
    models = ("linear", "neural_net")
    rows = [only_row(cases, key=f"correlation_{model}") for model in models]
    width = only_row(cases, key="auk_range")["value"]
    verdicts = [judge_effect(row["low"], row["high"]) for row in rows]
    verdicts.append("holds" if width <= ROUNDING else "fails")
    r = " and ".join(f"{row['value']:.2f}" for row in rows)
    evidence = f"correlation {r} over splits; at one AUC the AUK can differ by {width:.3f} "
    return Finding(weigh(verdicts), f"{evidence}at {STATED:.0%} positives".replace("%", " %"))


@claim(
    MEASURE,
    1,
    "the AUK is also objective in the sense mentioned earlier",
    "AUK is objective: everybody computes the same value.",
    "cases",
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
    "cases",
)
def unique_maximum(cases: pd.DataFrame) -> Finding:
    """Usually is in more than half of the curves."""
    row = only_row(cases, key="unique_maximum")
    if not row["cases"]:
        raise MissingRowError("it has no curves")
    ends = interval(*(100 * row[name] for name in ("value", "low", "high")), unit=" %")
    verdict = judge_effect(row["low"], row["high"], limit=0.5)
    return Finding(verdict, f"{ends} of {row['cases']:,.0f} curves")
