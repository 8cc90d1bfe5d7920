"""Which of the papers' claims hold: one rule per kind of claim, on tables of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from study.companions.kaymak2010_experiment import difference_of_settings
from study.labels import WITHHELD
from study.paper.cases import SLACK
from study.published import UNUSUAL
from study.sources import STUDY_LABELS
from study.tables.shares import share_with_interval, t_interval
from study.text.numbers import Fact

# The words of every claim, where its numbers stand, and what claims have in common.
ABOUT = Path(__file__).with_suffix(".yaml")
COLUMNS = ["claim", "paper", "section", "verdict", "value", "low", "high", "unit", "front", "file"]
COLUMNS += ["key", "kind", "quote", "number", "limit", "rule", "cause", "caveat", "why", "in_brief"]
COLUMNS += ["n"]
# What a rule holds an interval against; of an effect unless the claim says otherwise.
LIMITS = {"typical": 0.5, "observation": UNUSUAL, "effect": 0.0}
FEW_UNITS = 10  # data sets or models, of which a bootstrap's interval is too short
Tables = Mapping[str, pd.DataFrame]
Claim = Mapping[str, Any]


class Judged(NamedTuple):
    """A verdict, the number that shows it with its interval, and what else belongs to it.

    n: of how many splits or runs a share is.
    """

    verdict: str
    value: float = nan
    low: float = nan
    high: float = nan
    why: str = ""
    n: float = nan
    in_brief: str = ""


def judged_claims(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Every claim in its order, judged or withheld: COLUMNS.

    value is the number that shows it, with its 95 % interval, number says what it is; why is
    the counterexample, the comparison, or what was missing, in_brief what of an expectation's
    evidence stands in README; front: shown there.
    settings: those of the run's experiment.
    """
    about = yaml.safe_load(ABOUT.read_text(encoding="utf-8"))
    rows = []
    for stated in about["claims"]:
        limit = LIMITS.get(stated["kind"], nan)
        claim = {"front": False, "limit": limit, **about["kinds"][stated["kind"]], **stated}
        judged = judge({"columns": about["columns"], **claim}, tables, settings)
        rows.append(
            {
                **claim,
                **judged._asdict(),
                "paper": STUDY_LABELS[claim["paper"]],
                "section": str(claim["section"]),
                "file": "; ".join(dict.fromkeys(map(place_of, _files(claim)))),
                "rule": claim["rule"].format(limit=limit),
                "cause": about["causes"].get(claim.get("cause"), ""),
            }
        )
    table = pd.DataFrame(rows).reindex(columns=COLUMNS)
    return table.fillna(dict.fromkeys(("cause", "caveat", "why", "in_brief"), ""))


def _files(claim: Claim) -> list[str]:
    return [claim["file"]] if "file" in claim else [part["file"] for part in claim["evidence"]]


def place_of(table: str) -> str:
    """Where a table stands: of the run, or what the repository keeps of the other study."""
    folder, _, name = table.partition("/")
    return f"studies/many-data-sets/{name}.csv" if folder == "many_data_sets" else f"{table}.csv"


def judge(claim: Claim, tables: Tables, settings: Mapping[str, Any]) -> Judged:
    """By the rule of the claim's kind; or withheld, with the reason."""
    if differs := difference_of_settings(settings, claim.get("needs", ())):
        return Judged(WITHHELD, why=differs)
    rows = pd.concat([_rows(part, claim, tables) for part in claim.get("evidence", [claim])])
    if rows.empty:
        files = ", ".join(dict.fromkeys(map(place_of, _files(claim))))
        return Judged(WITHHELD, why=f"This run has no numbers for it in {files}.")
    judged = KINDS[claim["kind"]](rows)
    if claim["kind"] == "printed value" and judged.verdict == "does not hold":
        allowed = [
            part["words"]
            for part in claim.get("if", ())
            if all(_as_printed(_rows(part, claim, tables)))
        ]
        if allowed:
            judged = judged._replace(verdict=f"holds if {', or if '.join(allowed)}")
    if judged.verdict == WITHHELD:
        return judged
    beside = [_rows(part, claim, tables) for part in claim.get("beside", ())]
    texts = [_in_words(part, "{}: {}") for part in beside if len(part)]
    return judged._replace(why="; ".join(filter(None, [judged.why, *texts])))


def _rows(part: Claim, claim: Claim, tables: Tables) -> pd.DataFrame:
    """The rows of a table that a claim, or a part of it, names: with value, low, high and n."""
    file = part.get("file", claim.get("file"))
    table = tables.get(str(file), pd.DataFrame())
    for name, level in (part["row"] if len(table) else {}).items():
        levels = level if isinstance(level, list) else [level]
        table = table[table[name].isin(levels)]
        table = table.sort_values(name, key=lambda own: own.map(levels.index), kind="stable")
    if "round" in table:
        table = table[table["round"] == table["round"].max()]
    names = {**claim["columns"].get(file, {}), **part.get("use", claim.get("use", {}))}
    table = table.assign(**{ours: table[theirs] for ours, theirs in names.items() if len(table)})
    table = table.reindex(columns=list(dict.fromkeys([*table, "value", "low", "high", "n"])))
    if part.get("complement"):
        ends = {"low": 1 - table["high"], "high": 1 - table["low"]}
        table = table.assign(value=1 - table["value"], **ends)
    of_part = {"limit": 0.0, "words": "", "in_brief": "", "speaks": "for"}
    of_part |= {"unit": claim.get("unit", "number")}
    return table.assign(**{name: part.get(name, of_part[name]) for name in of_part}).dropna(
        subset="value"
    )


def _in_words(rows: pd.DataFrame, form: str) -> str:
    """What rows are and their numbers with intervals; of no unit, as short as they can be read."""
    texts = []
    for row in rows.to_dict("records"):
        low, high = _ends(row)
        ends = () if low == high else (low, high)
        if row["unit"] in ("share", "points", "measure", "difference"):
            texts.append(str(Fact(row["value"], row["unit"], *ends)))
        else:
            digits = [f"{value:.3g}" for value in (row["value"], *ends)]
            texts.append(digits[0] + (f" [{', '.join(digits[1:])}]" if ends else ""))
    return form.format(rows["words"].iloc[0], ", ".join(dict.fromkeys(texts)))


def _yes(values: pd.Series[Any]) -> pd.Series[bool]:
    return values.astype(str) == "True"  # as in memory and as in a file


def _shown(row: Any) -> str:
    return "" if pd.isna(row.get("shown", nan)) else str(row["shown"])


def equation(rows: pd.DataFrame) -> Judged:
    """The largest difference."""
    gaps = rows["difference" if "difference" in rows else "value"].astype(float).abs()
    worst: Any = rows.iloc[int(gaps.argmax())].to_dict()
    holds = bool(gaps.max() <= SLACK)
    return Judged("holds" if holds else "does not hold", float(gaps.max()), why=_shown(worst))


def _as_printed(rows: pd.DataFrame) -> list[bool]:
    """Whether each number is possible, or is the printed one: rounded or truncated."""
    if "possible" in rows:
        return list(_yes(rows["possible"])) or [False]
    equal = _yes(rows["holds"])
    if "tolerance" in rows:
        beyond = rows["value"] - rows["expected"]
        cut = beyond * rows["expected"].apply(lambda value: -1 if value < 0 else 1)
        digits = rows["relation"].eq("=") & cut.between(0, 2 * rows["tolerance"], inclusive="left")
        equal |= digits
    return list(equal) or [False]


def printed_value(rows: pd.DataFrame) -> Judged:
    """Every printed number; shown is the first that does not come out."""
    equal = _as_printed(rows)
    row: Any = rows.iloc[0 if all(equal) else equal.index(False)].to_dict()
    verdict = "holds" if all(equal) else "does not hold"
    return Judged(verdict, float(row["value"]), why=_shown(row))


def always(rows: pd.DataFrame) -> Judged:
    """One counterexample refutes."""
    holds, n = _yes(rows["holds"]), int(rows["n"].sum())
    row: Any = rows.iloc[0 if holds.all() else list(holds).index(False)].to_dict()
    verdict = f"holds in {n:,} cases" if holds.all() else "does not hold"
    ends = float(row["low"]), float(row["high"])
    return Judged(verdict, float(row["value"]), *ends, why=_shown(row))


def _share(rows: pd.DataFrame) -> tuple[float, float, float, int]:
    """The least of the shares, its interval, and of how many splits it is."""
    row: Any = rows.iloc[int(rows["value"].argmin())].to_dict()
    return float(row["value"]), float(row["low"]), float(row["high"]), int(row["n"])


def typical(rows: pd.DataFrame) -> Judged:
    """The interval of the share against one half."""
    value, low, high, n = _share(rows)
    if share_with_interval(0, n)["high"] >= LIMITS["typical"]:
        return _too_few(n)
    return Judged(above(LIMITS["typical"], low, high), value, low, high, n=n)


def possible(rows: pd.DataFrame) -> Judged:
    """An example; its share is information."""
    row: Any = rows.iloc[0].to_dict()
    if row["value"] == 0 and row["high"] >= UNUSUAL:
        return _too_few(int(row["n"]))
    verdict = "shown" if row["value"] > 0 else "not shown here"
    value, low, high, n = (float(row[name]) for name in ("value", "low", "high", "n"))
    return Judged(verdict, value, low, high, n=n)


def observation(rows: pd.DataFrame) -> Judged:
    """How often our splits show as much."""
    value, low, high, n = _share(rows)
    if share_with_interval(0, n)["high"] >= UNUSUAL:
        return _too_few(n)
    seen = "rare" if value > 0 else f"not seen in {n:,}"
    return Judged("usual" if high >= UNUSUAL else seen, value, low, high, n=n)


def effect(rows: pd.DataFrame) -> Judged:
    """An estimate against no effect; of several, their mean and what holds all their intervals."""
    ends = [_ends(row) for row in rows.to_dict("records")]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    verdict = above(float(rows["limit"].iloc[0]), low, high)
    return Judged(verdict, float(rows["value"].mean()), low, high)


def _ends(row: Mapping[Any, Any]) -> tuple[float, float]:
    """The interval of an effect: Student's t of few units; the value itself if it has none."""
    if row["n"] <= FEW_UNITS and row.get("sd", nan) > 0:
        return t_interval(row["value"], row["sd"], int(row["n"]))
    return (row["value"], row["value"]) if isnan(row["low"]) else (row["low"], row["high"])


def expectation(rows: pd.DataFrame) -> Judged:
    """What speaks for it and what against, each with its number."""
    sides: dict[str, list[tuple[str, str]]] = {"for": [], "against": [], "open": []}
    others = {"for": "against", "against": "for"}
    evidence = [part for _, part in rows.groupby("words", sort=False)]
    for part in evidence:
        side = part["speaks"].iloc[0]
        verdict = effect(part).verdict
        side = {"holds": side, "does not hold": others[side]}.get(verdict, "open")
        full = _in_words(part, "{} ({})")
        sides[side].append((full, part["in_brief"].iloc[0] or full))
    all_of = {"for": "supported", "against": "not supported"}
    verdict = next((all_of[side] for side in all_of if len(sides[side]) == len(evidence)), "mixed")
    texts_of = [(side, zip(*texts, strict=True)) for side, texts in sides.items() if texts]
    parts = [[f"{side}: {', '.join(words)}" for words in both] for side, both in texts_of]
    why, in_brief = map("; ".join, zip(*parts, strict=True))
    return Judged(verdict, why=why, in_brief=in_brief)


def above(limit: float, low: float, high: float) -> str:
    """Whether a number lies above a limit, by its interval."""
    return "holds" if low > limit else "does not hold" if high < limit else "undecided"


def _too_few(n: int) -> Judged:
    return Judged(WITHHELD, why=f"{n} splits are too few: whatever they show, the rule is open.")


# The rule of each kind, whose words stand in claims.yaml.
KINDS: dict[str, Callable[[pd.DataFrame], Judged]] = {
    "equation": equation,
    "printed value": printed_value,
    "always": always,
    "typical": typical,
    "possible": possible,
    "observation": observation,
    "effect": effect,
    "expectation": expectation,
}
