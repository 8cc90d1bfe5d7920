"""Which of the papers' claims hold: one row per claim, by rules on the tables of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd
import yaml

from study.analysis.shares import share_with_interval
from study.papers.kaymak2010_experiment import (
    STATED_PREVALENCE,
    STATED_SAMPLES,
    TRAINING_ROWS,
    point_if_published,
)
from study.published import PAPER_PAIR, STUDY_LABELS, UNUSUAL

ABOUT = Path(__file__).with_suffix(".yaml")
Verdict = Literal["holds", "does not hold", "undecided"]
Tables = Mapping[str, pd.DataFrame]
CHECKS = "companions/checks"
HEADLINE, RATIO = "bakeoff/headline", "bakeoff/ratio"


class Claim(NamedTuple):
    """A claim, where it stands, whether it holds, and the one number that shows it.

    The number's interval is 95 % (of a share of splits Wilson's), or the replicates' central 95 %.
    A claim whose words end in "share of ..." has a share as its number.
    """

    claim: str
    paper: str
    section: str
    verdict: Verdict
    value: float
    low: float
    high: float
    file: str


def judged_claims(tables: Tables) -> Iterator[tuple[Claim, bool]]:
    """The claims that the run's tables can judge, in order, and whether README shows them."""
    for row in about():
        if "checks" in row:
            found = from_checks(tables, row["paper"], row["checks"], row.get("number", "found"))
        else:
            found = RULES[row["rule"]](tables)
        if found is not None:
            verdict, number, file, words = found
            text, paper = row["claim"].format(**_printed(), **words), STUDY_LABELS[row["paper"]]
            claim = Claim(text, paper, str(row["section"]), verdict, *number, f"{file}.csv")
            yield claim, row.get("front", False)


def _printed() -> dict[str, Any]:
    """What the paper's text says of its experiment, for the words of any claim."""
    point = point_if_published()
    names = ("f", "t", "kappa")
    texts = (
        dict.fromkeys(names, "?")
        if point is None
        else {name: number.text for name, number in zip(names, point, strict=True)}
    )
    skew = f"{100 * STATED_PREVALENCE:g} %"
    return {**texts, "p": STATED_PREVALENCE, "skew": skew, "samples": STATED_SAMPLES}


@cache
def about() -> list[dict[str, Any]]:
    """The words of every claim, and the checks or the rule that judges it."""
    rows: list[dict[str, Any]] = yaml.safe_load(ABOUT.read_text(encoding="utf-8"))
    return rows


Number = tuple[float, float, float]
Judged = tuple[Verdict, Number, str, dict[str, Any]] | None
NONE = float("nan")


def from_checks(tables: Tables, paper: str, names: list[str], column: str) -> Judged:
    """A claim holds if all checks whose names begin so do; its number is that of the worst."""
    if (checks := tables.get(CHECKS)) is None:
        return None
    rows = checks[(checks["study"] == paper) & checks["check"].str.startswith(tuple(names))]
    if rows.empty:
        return None
    answers = rows["holds"].map({True: 2, False: 0, "True": 2, "False": 0}).fillna(1)
    worst = rows.loc[answers == answers.min()]
    # The largest difference; of equal ones the first with an interval.
    order = worst.assign(size=worst["difference"].abs().fillna(0), bare=worst["low"].isna())
    row: Any = order.sort_values(["size", "bare"], ascending=[False, True], kind="stable").iloc[0]
    verdict: Verdict = ("does not hold", "undecided", "holds")[int(answers.min())]
    number = (abs(float(row[column])) if column == "difference" else float(row[column]),)
    ends = (float(row["low"]), float(row["high"]))
    return verdict, (*number, *ends), f"companions/{paper}/checks", {}


def at_least(number: Number, least: float) -> Verdict:
    """Whether a number reaches a limit, given its interval."""
    _, low, high = number
    return "holds" if low >= least else "does not hold" if high < least else "undecided"


def _share(k: int, n: int) -> Number:
    found = share_with_interval(k, n)
    return found["share"], found["low"], found["high"]


def _reversals(table: pd.DataFrame, **where: Any) -> pd.DataFrame:
    where = {"pair": "auc-auk", "positive_class": "good", **where}
    for name, level in where.items():
        table = table[table[name] == level]
    return table


def differ(tables: Tables) -> Judged:
    """AUC and AUK order the two models differently on the raw curves at the paper's setting."""
    file = "tables/rank_reversal"
    rows = _reversals(tables[file], curve="raw", pattern="any")
    if rows.empty or not rows["replicates"].iloc[0]:
        return None
    row: Any = rows.iloc[0]
    number = float(row["share"]), float(row["low"]), float(row["high"])
    return ("holds" if row["low"] > 0 else "undecided"), number, file, {}


def differ_more_if_rare(tables: Tables) -> Judged:
    """The same at the rarest class and at the least rare one below one half."""
    file = "sweep/rank_reversal"
    rows = _reversals(tables[file], curve="raw", pattern="any")
    rows = rows[(rows["skew"] < 0.5) & (rows["replicates"] > 0)].sort_values("skew")
    if rows["skew"].nunique() < 2:
        return None
    rare: Any = rows.iloc[0]
    common: Any = rows.iloc[-1]
    verdict: Verdict = (
        "holds"
        if rare["low"] > common["high"]
        else "does not hold"
        if rare["high"] < common["low"]
        else "undecided"
    )
    words = {name: f"{100 * value:g} %" for name, value in (("rare", rare["skew"]),)}
    words |= {"common": f"{100 * common['skew']:g} %", "then": f"{100 * common['share']:.1f} %"}
    number = float(rare["share"]), float(rare["low"]), float(rare["high"])
    return verdict, number, file, words


def alike_on_original(tables: Tables) -> Judged:
    """AUC and AUK order the models alike at the share of bad rows of the original data."""
    file = "sweep/rank_reversal"
    rows = tables[file]
    share = 0.3
    rows = rows[(rows["skew"] == share) & (rows["pair"] == "auc-auk") & (rows["pattern"] == "any")]
    rows = rows[rows["curve"].isin(["raw", "hull"])]
    if rows.empty or not rows["replicates"].min():
        return None
    n, k = int(rows["replicates"].min()), int(rows["reversals"].max())
    number = _share(n - k, n)
    return at_least(number, 1 - UNUSUAL), number, file, {"n": n}


def areas_inside(tables: Tables, positive_class: str) -> Judged:
    """How many published areas of Tables 4 and 5 lie inside our central 95 %."""
    both = pd.concat([tables["tables/table4"], tables["tables/table5"]])
    rows = both.dropna(subset=["published", "low"])
    rows = rows[rows["measure"].isin(["auc", "auk"])]
    rows = rows[(rows["positive_class"] == positive_class) & rows["model"].isin(PAPER_PAIR)]
    if rows.empty:
        return None
    inside = int(rows["published"].between(rows["low"], rows["high"]).sum())
    verdict: Verdict = "holds" if inside == len(rows) else "does not hold"
    return verdict, (float(inside), NONE, NONE), "tables/table4", {"n": len(rows)}


def operating_point(tables: Tables) -> Judged:
    """Kappa at the printed point by equation 19 at the stated prevalence."""
    file = "forensics/prevalence"
    rows = tables[file]
    rows = rows[rows["rule"] == "kappa"]
    if rows.empty:
        return None
    row: Any = rows.iloc[0]
    verdict: Verdict = "holds" if row["possible"] else "does not hold"
    number = float(row["lower"]), NONE, NONE
    return verdict, number, file, {}


def table4_possible(tables: Tables) -> Judged:
    """The largest AUK that the network's AUC allows at the stated prevalence."""
    file = "forensics/prevalence"
    rows = tables[file]
    rows = rows[
        (rows["rule"] == "exact") & (rows["curve"] == "hull") & (rows["model"] == PAPER_PAIR[1])
    ]
    if rows.empty:
        return None
    row: Any = rows.iloc[0]
    verdict: Verdict = "holds" if row["possible"] else "does not hold"
    number = float(row["upper"]), NONE, NONE
    return verdict, number, file, {"printed": row["value"]}


def printed_reversal(tables: Tables) -> Judged:
    """The printed reversal, on hull and raw curve both, with good positive: one split can show it.

    What one split shows cannot be contradicted by others; if it is usual, it is reproduced.
    """
    file = "tables/rank_reversal"
    rows = _reversals(tables[file], curve="both", pattern="published")
    if rows.empty or not rows["replicates"].iloc[0]:
        return None
    row: Any = rows.iloc[0]
    number = float(row["share"]), float(row["low"]), float(row["high"])
    return ("holds" if row["low"] >= UNUSUAL else "undecided"), number, file, {}


def number_of_samples(tables: Tables) -> Judged:
    """Rows that are left when all good rows are kept."""
    file = "paper/measures"
    rows = tables[file][["n_positive", "n_negative"]].iloc[0].sum() + TRAINING_ROWS
    verdict: Verdict = "holds" if abs(rows - STATED_SAMPLES) <= 1 else "does not hold"
    return verdict, (float(rows), NONE, NONE), file, {}


def more_powerful(tables: Tables) -> Judged:
    """AUK's share of the attainable gain less that of AUC, in the last round: its own sources."""
    rows = tables[HEADLINE]
    rows = rows[(rows["goal"] == "mean") & (rows["measure"] == "auk")]
    return _gain(rows, HEADLINE)


def more_powerful_balanced(tables: Tables) -> Judged:
    """The same with as many negatives as positives in the sample, 25 of each."""
    rows = tables[RATIO]
    rows = rows[(rows["measure"] == "auk") & (rows["ratio"] == 1) & (rows["n_positive"] == 25)]
    return _gain(rows[rows["prevalence"] == 0.05], RATIO)


def _gain(rows: pd.DataFrame, file: str) -> Judged:
    if rows.empty:
        return None
    row: Any = rows.sort_values("round").iloc[-1]
    number = float(row["difference"]), float(row["low"]), float(row["high"])
    verdict: Verdict = (
        "holds" if row["low"] > 0 else "does not hold" if row["high"] < 0 else "undecided"
    )
    return verdict, number, f"tests/reference/{file}", {"families": f"{row['families']:.0f}"}


def smote(tables: Tables) -> Judged:
    """By how much SMOTE lifts kappa on average, in the setting where it does most."""
    file = "companions/silipo/grid"
    if (rows := tables.get(file)) is None or rows.empty:
        return None
    row: Any = rows.iloc[int(rows["kappa"].argmax())]
    number = float(row["kappa"]), float(row["low"]), float(row["high"])
    rise, often = float(row["printed"]), f"{100 * rows['share'].max():.0f} %"
    words = {"cells": len(rows), "rise": rise, "often": often}
    return at_least(number, rise), number, file, words


RULES: dict[str, Callable[[Tables], Judged]] = {
    "differ": differ,
    "differ_more_if_rare": differ_more_if_rare,
    "alike_on_original": alike_on_original,
    "areas_inside_good": lambda tables: areas_inside(tables, "good"),
    "areas_inside_bad": lambda tables: areas_inside(tables, "bad"),
    "operating_point": operating_point,
    "table4_possible": table4_possible,
    "printed_reversal": printed_reversal,
    "number_of_samples": number_of_samples,
    "smote": smote,
    "more_powerful": more_powerful,
    "more_powerful_balanced": more_powerful_balanced,
}
