"""Was the paper reproduced? In plain words, from the numbers of the run."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import hypergeom

from kappacurve.bounds.published_values import intervals_in_words
from study.analysis.forensics import (
    IMPLIED_PREVALENCE,
    JOINT,
    STATED_PREVALENCE,
    published_point,
    runs_in_words,
)
from study.papers.errata_kaymak import auc_of_a_hull_with_that_optimum
from study.papers.erratum import Evidence
from study.published import MEASURE_LABELS, MODEL_LABELS
from study.verdict.replicate_evidence import (
    high_given_auc,
    reversal_answer,
    reversal_section,
    simulation,
)
from study.verdict.results import (
    MODELS,
    NETWORKS,
    NOT_RUN,
    POSITIVE_CLASSES,
    Results,
)

__all__ = ["Results", "verdict_text"]

# Swapping the classes changes neither the AUC nor the kappa of any point.
CLASS_FREE = ("auc", "kappa_max")
# A difference that the paper's own rounding could explain.
PRINTED_UNIT = {"fpr": 0.005, "tpr": 0.0005, "kappa_max": 0.0005}


class _Sample(NamedTuple):
    rows: int
    bad: int
    test: int


SAMPLE = _Sample(786, 86, 286)  # all good rows kept at 11 % bad, 500 rows for training


def verdict_text(results: Results) -> str:
    """The verdict as Markdown, one section for each question.

    Parameters
    ----------
    results : Results

    Returns
    -------
    str
    """
    sections = {
        "Which class was positive?": _positive_class(results) + simulation(results),
        "Table 4 (convex hulls)": _table(results, results.table4, "hull"),
        "Table 5 (raw curves)": _table(results, results.table5, "raw"),
        "The operating point": _operating_point(results),
        "The rank reversal": reversal_section(results),
        "Exact integral or trapezoid rule?": _integration(results),
        "What stays unexplained": _unexplained(results),
    }
    body = "\n\n".join(f"## {title}\n\n{text}" for title, text in sections.items())
    return f"# Verdict: was the paper reproduced?\n\n{_short(results)}\n\n{body}\n"


def _short(results: Results) -> str:
    answers = [
        f"- Table 4: {_answer(results, results.table4, 'hull')}{high_given_auc(results, 'hull')}",
        f"- Table 5: {_answer(results, results.table5, 'raw')}{high_given_auc(results, 'raw')}",
        f"- Operating point: {_answer(results, results.operating_point, 'hull')}",
        f"- Rank reversal: {reversal_answer(results)}",
    ]
    return "\n".join(answers)


def _rows(results: Results, table: pd.DataFrame, curve: str) -> pd.DataFrame:
    """Published beside ours, with the spread over replicates if there is any."""
    rows = table[table["published"].notna()].copy()
    summary = results.replicate_summary
    if summary is None:
        return rows
    keys = ["model", "positive_class", "measure"]
    spread = summary[summary["curve"] == curve].set_index(keys)
    for index, row in rows.iterrows():
        key = tuple(row[keys])
        if pd.isna(row["mean"]) and key in spread.index:
            for name in ("mean", "sd", "low", "high", "percentile"):
                rows.loc[index, name] = float(spread.loc[key, name])
    return rows


def _main(rows: pd.DataFrame) -> pd.DataFrame:
    """The models that the paper has."""
    return rows[rows["model"].isin((*MODELS, *NETWORKS))]


def _fits(row: dict[Hashable, Any]) -> bool:
    """Whether the published value is an ordinary one: central 95 % of splits, or our digits."""
    if pd.notna(row["low"]):
        return bool(row["low"] <= row["published"] <= row["high"])
    unit = PRINTED_UNIT.get(row["measure"], 0.00005)
    return bool(abs(row["reproduced"] - row["published"]) <= unit)


def _score(rows: pd.DataFrame, positive_class: str) -> tuple[int, int]:
    own = rows[rows["positive_class"] == positive_class].to_dict("records")
    # The AUK counts once: as an exact integral.
    own = [row for row in own if row["measure"] != "auk_trapezoid"]
    return sum(map(_fits, own)), len(own)


class _Answer(NamedTuple):
    word: str
    counts: str


def _answer(results: Results, table: pd.DataFrame, curve: str) -> str:
    """Whether a table was reproduced, with either network of ours in the place of the paper's."""
    rows = _main(_rows(results, table, curve))
    networks = [name for name in NETWORKS if name in set(rows["model"])]
    if rows.empty:
        return NOT_RUN
    by_network = {
        name: _answer_of(rows[rows["model"].isin(("linear", name))]) for name in networks
    } or {"linear": _answer_of(rows)}
    if rows["low"].isna().all():
        how = "match to the printed digits in our one split"
    else:
        how = "lie in the central 95 % of our random splits"
    words = {one.word for one in by_network.values()}
    if len(words) == 1:
        word = words.pop()
    else:
        word = "; ".join(
            f"with {MODEL_LABELS[name]} {one.word}" for name, one in by_network.items()
        )
    return f"**{word}**; {_counts(by_network)} {how}.{_same_for_both(rows)}"


def _counts(by_network: dict[str, _Answer]) -> str:
    counts = {one.counts for one in by_network.values()}
    if len(by_network) == 1:
        return counts.pop()
    if len(counts) == 1:
        return f"with either network {counts.pop()}"
    return ", ".join(f"with {MODEL_LABELS[name]} {one.counts}" for name, one in by_network.items())


def _answer_of(rows: pd.DataFrame) -> _Answer:
    """The same with one network."""
    by_class = {name: _score(rows, name) for name in POSITIVE_CLASSES}
    parts = [f"{k} of {n} values with {name} positive" for name, (k, n) in by_class.items()]
    best = max(by_class, key=lambda name: by_class[name][0])
    count, all_of_them = by_class[best]
    alike = len({k for k, _ in by_class.values()}) == 1
    which = "with either class as" if alike else f"if the {best} class is"
    word = "no" if count == 0 else "in part"
    if count == all_of_them:
        word = "yes"
    if count == all_of_them and rows["low"].notna().any():
        word += f", value by value, {which} the positive one"
    if rows["low"].isna().all() and count < all_of_them:
        word = "not digit for digit"
    return _Answer(word, " and ".join(parts))


def _same_for_both(rows: pd.DataFrame) -> str:
    """Which values say nothing about the class, and how many are left that can."""
    # The AUK counts once, and each model of the paper, whichever network stands for it.
    values = {
        ("linear" if row["model"] == "linear" else "network", row["measure"])
        for row in rows.to_dict("records")
        if row["measure"] != "auk_trapezoid"
    }
    free = {value for value in values if value[1] in CLASS_FREE}
    if not free:
        return ""
    names = " and ".join(sorted({MEASURE_LABELS[measure] for _, measure in free}))
    verb = "is" if len({measure for _, measure in free}) == 1 else "are"
    return (
        f" {names[0].upper()}{names[1:]} {verb} the same for both classes: only "
        f"{len(values) - len(free)} of the {len(values)} values can tell them apart."
    )


def _line(row: dict[Hashable, Any]) -> str:
    name = f"{MODEL_LABELS[row['model']]}, {MEASURE_LABELS[row['measure']]}"
    text = f"- {name}: published {row['published']:.4g}, ours {row['reproduced']:.4f}"
    if pd.notna(row["low"]):
        text += f"; over random splits {row['mean']:.4f}, 95 % in {row['low']:.4f} to "
        text += f"{row['high']:.4f}; the published value is "
        text += "inside" if _fits(row) else "outside"
        if pd.notna(row["percentile"]):
            text += f" (percentile {row['percentile']:.1f})"
    return text


def _table(results: Results, table: pd.DataFrame, curve: str) -> str:
    rows = _rows(results, table, curve)
    if _main(rows).empty:
        return NOT_RUN
    parts = [_answer(results, table, curve)]
    for name in POSITIVE_CLASSES:
        own = rows[rows["positive_class"] == name].to_dict("records")
        parts.append(f"With **{name}** positive:\n\n" + "\n".join(map(_line, own)))
    return "\n\n".join(parts)


def _operating_point(results: Results) -> str:
    return _table(results, results.operating_point, "hull")


def _intervals(table: pd.DataFrame, place: str, model: str, rule: str) -> str:
    rows = table[(table["place"] == place) & (table["model"] == model) & (table["rule"] == rule)]
    return intervals_in_words(rows[["low", "high"]].dropna().to_numpy().tolist(), 3)


def _possible(table: pd.DataFrame, place: str, rule: str) -> bool:
    rows = table[(table["place"] == place) & (table["rule"] == rule)]
    return bool(rows["possible"].all())


def _positive_class(results: Results) -> str:
    table = results.prevalence
    point = _intervals(table, "Section 8", "neural_net", "kappa")
    at_stated = float(table.loc[table["rule"] == "kappa", "lower"].iloc[0])
    published = float(table.loc[table["rule"] == "kappa", "value"].iloc[0])
    joint = _intervals(table, JOINT, "all", "concave")
    rows = table[(table["place"] == JOINT)][["low", "high"]].dropna().to_numpy()
    implied = any(low <= IMPLIED_PREVALENCE <= high for low, high in rows)
    conclusion = (
        f"That holds {IMPLIED_PREVALENCE:g}: the majority class (good) was the positive one, "
        "against the paper's text."
        if implied
        else f"That does not hold {IMPLIED_PREVALENCE:g}, so swapped classes alone explain nothing."
    )
    both = _intervals(table, "Table 4", "all", "concave")
    support = auc_of_a_hull_with_that_optimum(Evidence())
    return (
        f"The text says minority, p = {STATED_PREVALENCE:g}. There the operating point has kappa "
        f"{at_stated:.3f}, not {published:g}; its printed digits need p in {point}. Both pairs of "
        f"Table 4, read as exact integrals, need p in {both}; together with the operating point "
        f"that leaves {joint}. {conclusion}\n\nThe place of the optimum says the same: a hull on "
        f"which kappa is largest there has an AUC of {support.recomputed}. {support.verdict}"
    )


def _integration(results: Results) -> str:
    table = results.prevalence
    exact, rule = _possible(table, "Table 4", "concave"), _possible(table, "Table 4", "trapezoid")
    top = table[(table["place"] == "Table 4") & (table["rule"] == "trapezoid")]
    reach = ", ".join(
        f"{MODEL_LABELS[str(model)]} up to {value:.3f}"
        for model, value in top.groupby("model", sort=False)["upper"].first().items()
    )
    first = (
        f"As exact integrals the pairs of Table 4 are {'possible' if exact else 'impossible'} at "
        f"p = {STATED_PREVALENCE:g}."
    )
    second = (
        f"As trapezoids over a hull with a single corner they are not excluded ({reach}), so the "
        "bounds alone do not prove which class was positive."
        if rule
        else f"Not even a trapezoid over a hull with a single corner reaches them ({reach})."
    )
    third = (
        "The argument from the operating point uses equation 19 at one point and no integral; it "
        "holds for either rule."
    )
    return f"{first} {second} {third} {_rules_apart(results)}\n\n{_test_share(table)}"


def _rules_apart(results: Results) -> str:
    """Largest difference between the two rules in our own hulls."""
    ours = results.table4[results.table4["model"].isin(MODELS)]
    if ours.empty:
        return NOT_RUN
    by_rule = {
        name: ours[ours["measure"] == name]["reproduced"].to_numpy()
        for name in ("auk", "auk_trapezoid")
    }
    apart = float(abs(by_rule["auk"] - by_rule["auk_trapezoid"]).max())
    top = results.prevalence.query("place == 'Table 4' and rule == 'concave' and model != 'all'")
    needed = (top["value"] - top["upper"]).groupby(top["model"]).first()
    return (
        f"On the hulls of our own split the two rules differ by at most {apart:.4f}; to explain "
        f"Table 4 at p = {STATED_PREVALENCE:g} they would have to differ by at least "
        + " and ".join(
            f"{amount:.4f} ({MODEL_LABELS[str(model)]})" for model, amount in needed.items()
        )
        + "."
    )


def _test_share(table: pd.DataFrame) -> str:
    """How often a random test set has the share of bad rows that a pair needs."""
    parts = []
    for place, rule in (("Table 4", "concave"), ("Table 5", "monotone")):
        rows = table[(table["place"] == place) & (table["rule"] == rule)]
        own = rows[rows["model"] == "neural_net"]
        least = float(own["low"].min())
        bad_rows = math.ceil(least * SAMPLE.test)
        chance = float(hypergeom(SAMPLE.rows, SAMPLE.bad, SAMPLE.test).sf(bad_rows - 1))
        parts.append(f"{place}'s network needs a share of at least {least:.4f} ({chance:.2g})")
    return (
        "A random test set need not hold exactly that share of bad rows. In brackets, the "
        f"probability that {SAMPLE.test} of {SAMPLE.rows} rows with {SAMPLE.bad} bad hold so many: "
        + "; ".join(parts)
        + "."
    )


def _unexplained(results: Results) -> str:
    counts = results.counts[results.counts["compositions"] > 0]
    printed = published_point().kappa.value
    best = counts.sort_values("kappa", key=lambda k: (k - printed).abs(), kind="stable").head(1)
    parts = [
        "- The number of samples: the text's deletion does not give 768.",
        "- The test set: "
        + (
            "no looked-at size gives the three printed values of the operating point."
            if best.empty
            else "of the sizes looked at, only "
            f"{runs_in_words(counts['n_test'])} rows give the three printed values of the "
            f"operating point (nearest: {int(best['n_test'].iloc[0])} rows, "
            f"{int(best['n_bad'].iloc[0])} bad)."
        ),
        "- The random split, the trainer's settings, the coding of the attributes and the rule of "
        "integration are not published, so equal digits can't be expected.",
    ]
    rows = pd.concat(
        [
            _rows(results, results.table4, "hull").assign(where="Table 4"),
            _rows(results, results.table5, "raw").assign(where="Table 5"),
            _rows(results, results.operating_point, "hull").assign(where="Operating point"),
        ]
    )
    outside = _main(rows[rows["low"].notna() & (rows["positive_class"] == "good")])
    for row in outside.to_dict("records"):
        if not _fits(row):
            name = f"{MODEL_LABELS[row['model']]}, {MEASURE_LABELS[row['measure']]}"
            parts.append(
                f"- {row['where']}, {name}: {row['published']:.4g} lies outside the central 95 % "
                "of our splits even with good positive."
            )
    return "\n".join(parts)
