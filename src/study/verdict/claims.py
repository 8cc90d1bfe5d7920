"""Which of the papers' claims hold: one row per claim, by rules on the tables of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nan
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

# The words of every claim, and the checks or the rule that judges it.
ABOUT = Path(__file__).with_name("claims_before.yaml")
COLUMNS = ["claim", "paper", "section", "verdict", "value", "low", "high", "file"]
REVERSAL = {"pair": "auc-auk", "positive_class": "majority"}
SHARE, GAIN = ("share", "low", "high"), ("difference", "low", "high")
BALANCED = {"ratio": 1, "n_positive": 25, "prevalence": 0.05}
TABLE_4 = {"rule": "exact", "curve": "hull", "model": PAPER_PAIR[1]}
Verdict = Literal["holds", "does not hold", "undecided"]
Tables = Mapping[str, pd.DataFrame]
# A number and the ends of its interval: Wilson's of a share of splits, or their central 95 %.
Number = tuple[float, ...]
# The number's table, and what the words of the claim need.
Judged = tuple[Verdict, Number, str, dict[str, Any]] | None


def judged_claims(tables: Tables) -> pd.DataFrame:
    """The claims that the run's tables can judge, in order: COLUMNS, and front (shown in README).

    value is the one number that shows it, with its 95 % interval; a claim whose words end in
    "share of ..." has a share as its number.
    """
    rows = []
    for row in yaml.safe_load(ABOUT.read_text(encoding="utf-8")):
        if "checks" in row:
            checked = from_checks(tables, row["paper"], row["checks"], row.get("number", "found"))
        else:
            checked = RULES[row["rule"]](tables)
        if checked is not None:
            verdict, number, file, words = checked
            text, paper = row["claim"].format(**{**words, **_printed()}), STUDY_LABELS[row["paper"]]
            told = text, paper, str(row["section"]), verdict, *number, f"{file}.csv"
            rows.append((*told, row.get("front", False)))
    return pd.DataFrame(rows, columns=[*COLUMNS, "front"])


def _printed() -> dict[str, Any]:
    """What the paper's text says of its experiment, for the words of any claim."""
    names, point = ("f", "t", "kappa"), point_if_published()
    texts = [number.text for number in point] if point else ["?"] * 3
    skew = f"{100 * STATED_PREVALENCE:g} %"
    own = {"p": STATED_PREVALENCE, "skew": skew, "samples": STATED_SAMPLES}
    return own | dict(zip(names, texts, strict=True))


def from_checks(tables: Tables, paper: str, names: list[str], column: str) -> Judged:
    """A claim holds if all checks whose names begin so do; its number is that of the worst."""
    if (checks := tables.get("companions/checks")) is None:
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
    value = abs(float(row[column])) if column == "difference" else float(row[column])
    number = value, float(row["low"]), float(row["high"])
    return verdict, number, f"companions/{paper}/checks", {}


def above(limit: float, low: float, high: float) -> Verdict:
    """Whether a number lies above a limit, by its interval."""
    return "holds" if low > limit else "does not hold" if high < limit else "undecided"


class RowRule(NamedTuple):
    """The rule that looks at one row of a table, the last round's if there are several.

    The columns hold the number and its interval, if it has one; the claim's words may use any.
    """

    file: str
    where: Mapping[str, Any]
    columns: tuple[str, ...]
    verdict: Callable[[Any], Verdict]

    def judge(self, tables: Tables) -> Judged:
        """What the row says, if there is one and it has a number."""
        rows = _where(tables[self.file], **self.where)
        rows = rows.sort_values("round") if "round" in rows else rows
        if rows.empty or pd.isna(rows[self.columns[0]].iloc[-1]):
            return None
        row: Any = rows.iloc[-1].to_dict()
        number = [float(row[name]) for name in self.columns]
        place = f"src/study/{self.file}" if "round" in rows else self.file
        return self.verdict(row), (*number, nan, nan)[:3], place, row


def _where(table: pd.DataFrame, **where: Any) -> pd.DataFrame:
    for name, level in where.items():
        table = table[table[name] == level]
    return table


def differ_more_if_rare(tables: Tables) -> Judged:
    """AUC and AUK order the models differently: the rarest class, and the least rare below 1/2."""
    file = "sweep/rank_reversal"
    rows = _where(tables[file], **REVERSAL, curve="raw", pattern="any")
    rows = rows[(rows["skew"] < 0.5) & (rows["replicates"] > 0)].sort_values("skew")
    if rows["skew"].nunique() < 2:
        return None
    rare, common = rows.iloc[[0, -1]].to_dict("records")
    verdict: Verdict = "undecided"
    if rare["low"] > common["high"] or rare["high"] < common["low"]:
        verdict = "holds" if rare["share"] > common["share"] else "does not hold"
    words = {"rare": rare["skew"], "common": common["skew"], "then": common["share"]}
    words = {name: 100 * share for name, share in words.items()}
    return verdict, (rare["share"], rare["low"], rare["high"]), file, words


def alike_on_original(tables: Tables) -> Judged:
    """AUC and AUK order the models alike at the share of bad rows of the original data."""
    file = "sweep/rank_reversal"
    rows = _where(tables[file], skew=0.3, pair="auc-auk", pattern="any")
    rows = rows[rows["curve"].isin(["raw", "hull"])]
    if rows.empty or not rows["replicates"].min():
        return None
    n, k = int(rows["replicates"].min()), int(rows["reversals"].max())
    alike = share_with_interval(n - k, n)
    number = alike["share"], alike["low"], alike["high"]
    return above(1 - UNUSUAL, *number[1:]), number, file, {"n": n}


def areas_inside(tables: Tables, positive_class: str) -> Judged:
    """How many published areas of Tables 4 and 5 lie inside our central 95 %."""
    both = pd.concat([tables["tables/table4"], tables["tables/table5"]])
    rows = _where(both.dropna(subset=["published", "low"]), positive_class=positive_class)
    rows = rows[rows["measure"].isin(["auc", "auk"]) & rows["model"].isin(PAPER_PAIR)]
    if rows.empty:
        return None
    inside = int(rows["published"].between(rows["low"], rows["high"]).sum())
    verdict: Verdict = "holds" if inside == len(rows) else "does not hold"
    return verdict, (float(inside), nan, nan), "tables/table4", {"n": len(rows)}


def number_of_samples(tables: Tables) -> Judged:
    """Rows that are left when all good rows are kept."""
    file = "paper/measures"
    rows = tables[file][["n_positive", "n_negative"]].iloc[0].sum() + TRAINING_ROWS
    verdict: Verdict = "holds" if abs(rows - STATED_SAMPLES) <= 1 else "does not hold"
    return verdict, (float(rows), nan, nan), file, {}


def smote(tables: Tables) -> Judged:
    """By how much SMOTE lifts kappa on average, in the setting where it does most."""
    file = "companions/silipo/grid"
    if (rows := tables.get(file)) is None or rows.empty:
        return None
    row: Any = rows.iloc[int(rows["kappa"].argmax())]
    number = float(row["kappa"]), float(row["low"]), float(row["high"])
    words = {"cells": len(rows), "rise": float(row["printed"]), "often": 100 * rows["share"].max()}
    return above(words["rise"], *number[1:]), number, file, words


def _positive(row: Any) -> Verdict:
    return above(0, row["low"], row["high"])


def _possible(row: Any) -> Verdict:
    return "holds" if row["possible"] else "does not hold"


def _usual(row: Any) -> Verdict:
    """What one split shows cannot be contradicted by others; if it is usual, it is reproduced."""
    return "holds" if row["low"] >= UNUSUAL else "undecided"


RULES: dict[str, Callable[[Tables], Judged]] = {
    # AUC and AUK order the two models differently at the paper's setting.
    "differ": RowRule(
        "tables/rank_reversal", REVERSAL | {"curve": "raw", "pattern": "any"}, SHARE, _positive
    ).judge,
    "differ_more_if_rare": differ_more_if_rare,
    "alike_on_original": alike_on_original,
    "areas_inside_majority": lambda tables: areas_inside(tables, "majority"),
    "areas_inside_minority": lambda tables: areas_inside(tables, "minority"),
    # Kappa at the printed point by equation 19, and the largest AUK that the network's AUC allows,
    # both at the stated prevalence.
    "operating_point": RowRule(
        "forensics/prevalence", {"rule": "kappa"}, ("lower",), _possible
    ).judge,
    "table4_possible": RowRule("forensics/prevalence", TABLE_4, ("upper",), _possible).judge,
    "printed_reversal": RowRule(
        "tables/rank_reversal", REVERSAL | {"curve": "both", "pattern": "published"}, SHARE, _usual
    ).judge,
    "number_of_samples": number_of_samples,
    "smote": smote,
    # AUK's share of the attainable gain less that of AUC, in the last round: its own sources.
    "more_powerful": RowRule(
        "many_data_sets/headline", {"goal": "mean", "measure": "auk"}, GAIN, _positive
    ).judge,
    # The same with as many negatives as positives in the sample.
    "more_powerful_balanced": RowRule(
        "many_data_sets/ratio", BALANCED | {"measure": "auk"}, GAIN, _positive
    ).judge,
}
