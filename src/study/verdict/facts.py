"""Was the paper reproduced? The facts, from the tables of the run."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import hypergeom

from kappacurve.bounds.published_values import intervals_in_words
from study.analysis.auk_given_auc import AUC_WINDOW, ORDINARY
from study.analysis.summaries import ELEVEN, typical_distance
from study.papers.errata import Evidence
from study.papers.forensics import (
    IMPLIED_PREVALENCE,
    JOINT,
    STATED_PREVALENCE,
    contains,
    published_point,
    runs_in_words,
)
from study.papers.kaymak2010_experiment import auc_of_a_hull_with_that_optimum
from study.published import AUC_AND_AUK, MEASURE_LABELS, MODEL_LABELS, PAPER_PAIR, PUBLISHED_MODEL

POSITIVE_CLASSES = ("good", "bad")
# Our models that stand for the paper's network.
NETWORKS = tuple(ours for ours, theirs in PUBLISHED_MODEL.items() if theirs == "neural_net")
# Swapping the classes changes neither the AUC nor the kappa of any point.
CLASS_FREE = ("auc", "kappa_max")
# Half of the last printed digit: a difference that rounding could explain.
PRINTED_UNIT = {"fpr": 0.005, "tpr": 0.0005, "kappa_max": 0.0005}
AREA_UNIT = 0.00005
# All good rows kept at 11 % bad, 500 rows for training.
SAMPLE = {"rows": 786, "bad": 86, "test": 286}
COUNTED = ["curve", "positive_class", "auk", "reversals", "replicates", "share", "low", "high"]
COMMON = 0.2  # share of the splits from which on a reversal is called common
Facts = dict[str, Any]


class Results(NamedTuple):
    """The tables that the verdict rests on, by the names of their files."""

    table4: pd.DataFrame
    table5: pd.DataFrame
    operating_point: pd.DataFrame
    prevalence: pd.DataFrame
    counts: pd.DataFrame
    replicate_summary: pd.DataFrame | None = None
    rank_reversal: pd.DataFrame | None = None
    specification: pd.DataFrame | None = None
    auk_given_auc: pd.DataFrame | None = None


def verdict_facts(results: Results) -> Facts:
    """What the run says about the paper, as plain values that JSON can hold.

    Among them table4, table5 and operating_point: each published value, and whether it fits, or
    None if the run has no model of the paper.
    """
    compared = {
        "table4": _compared(results, results.table4, "hull"),
        "table5": _compared(results, results.table5, "raw"),
        "operating_point": _compared(results, results.operating_point, "hull"),
    }
    return {
        "stated": STATED_PREVALENCE,
        "implied": IMPLIED_PREVALENCE,
        **compared,
        "prevalence": _prevalence(results.prevalence),
        "simulation": _simulation(results.specification),
        "auk_given_auc": _auk_given_auc(results.auk_given_auc),
        "reversal": _reversal(results),
        "integration": _integration(results),
        "sample": SAMPLE | {"needed": _test_shares(results.prevalence)},
        "unexplained": _counts(results.counts) | {"outside": _outside(compared)},
    }


def _compared(results: Results, table: pd.DataFrame, curve: str) -> Facts | None:
    """Each published value beside ours, and what they say with either network of ours."""
    rows = _rows(results, table, curve)
    main = rows[rows["model"].isin((PAPER_PAIR[0], *NETWORKS))]
    if main.empty:
        return None
    present = [name for name in NETWORKS if name in set(main["model"])] or [PAPER_PAIR[0]]
    # The AUK counts once, as an exact integral, and so does each model of the paper.
    counted = main[main["measure"] != "auk_trapezoid"]
    theirs = counted.assign(model=counted["model"].map(PUBLISHED_MODEL))
    values = theirs[["model", "measure"]].drop_duplicates()["measure"]
    free = values[values.isin(CLASS_FREE)]
    by_network = [(name, counted[counted["model"].isin((PAPER_PAIR[0], name))]) for name in present]
    return {
        "replicates": bool(main["low"].notna().any()),
        "networks": [{"label": MODEL_LABELS[name], **_score(of)} for name, of in by_network],
        "class_free": sorted({MEASURE_LABELS[measure] for measure in free}),
        "telling": len(values) - len(free),
        "n_values": len(values),
        "rows": {
            name: [_line(row) for row in rows[rows["positive_class"] == name].to_dict("records")]
            for name in POSITIVE_CLASSES
        },
        "unusual": _unusual(results.auk_given_auc, curve),
    }


def _rows(results: Results, table: pd.DataFrame, curve: str) -> pd.DataFrame:
    """Published beside ours, with the spread over replicates if any, and whether it fits."""
    rows = table[table["published"].notna()].copy()
    keys = ["model", "positive_class", "measure"]
    names = ["mean", "sd", "low", "high", "percentile"]
    if results.replicate_summary is not None:
        summary = _where(results.replicate_summary, curve=curve).set_index(keys)[names]
        spread = summary.reindex(pd.MultiIndex.from_frame(rows[keys])).set_index(rows.index)
        absent = rows["mean"].isna()
        rows.loc[absent, names] = spread.loc[absent].astype("float64")
    rows["fits"] = [_fits(row) for row in rows.to_dict("records")]
    return rows


def _where(table: pd.DataFrame, **values: str) -> pd.DataFrame:
    """The rows that have these values."""
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def _fits(row: dict[Hashable, Any]) -> bool:
    """Whether the published value is an ordinary one: central 95 % of splits, or our digits."""
    if pd.notna(row["low"]):
        return bool(row["low"] <= row["published"] <= row["high"])
    unit = PRINTED_UNIT.get(row["measure"], AREA_UNIT)
    return bool(abs(row["reproduced"] - row["published"]) <= unit)


def _score(rows: pd.DataFrame) -> Facts:
    """How many values fit for either class, and the class for which most do."""
    fits = {name: _where(rows, positive_class=name)["fits"].tolist() for name in POSITIVE_CLASSES}
    best = max(fits, key=lambda name: sum(fits[name]))
    return {
        "best": best,
        "alike": len(set(map(sum, fits.values()))) == 1,
        "fitting": sum(fits[best]),
        "all_fit": all(fits[best]),
        "replicates": bool(rows["low"].notna().any()),
        "classes": [
            {"name": name, "fitting": sum(own), "of": len(own)} for name, own in fits.items()
        ],
    }


def _line(row: dict[Hashable, Any]) -> Facts:
    numbers = ("published", "reproduced", "mean", "low", "high", "percentile")
    return {
        "model": row["model"],
        "name": f"{MODEL_LABELS[row['model']]}, {MEASURE_LABELS[row['measure']]}",
        "fits": row["fits"],
        **{name: None if pd.isna(row[name]) else float(row[name]) for name in numbers},
    }


def _prevalence(table: pd.DataFrame) -> Facts:
    """Prevalences that the printed numbers need."""
    point = table[table["rule"] == "kappa"]
    joint = table[table["place"] == JOINT]
    both = _where(table, place="Table 4", model="all")
    support = auc_of_a_hull_with_that_optimum(Evidence())
    return {
        "kappa": float(point["lower"].iloc[0]),
        "printed_kappa": float(point["value"].iloc[0]),
        "point": intervals_in_words(_intervals(point), 3),
        "table4": intervals_in_words(_intervals(both), 3),
        "joint": intervals_in_words(_intervals(joint), 3),
        "holds_implied": contains(_intervals(joint), IMPLIED_PREVALENCE),
        "support": f"{support.recomputed}. {support.verdict}",
    }


def _intervals(rows: pd.DataFrame) -> list[list[float]]:
    intervals: list[list[float]] = rows[["low", "high"]].dropna().to_numpy().tolist()
    return intervals


def _simulation(table: pd.DataFrame | None) -> Facts | None:
    """How far the eleven published numbers lie from ours, jointly, for either positive class."""
    if table is None:
        return None
    of = table.groupby("positive_class")[["distance", "share_farther"]].agg(["min", "max"])
    names = ("near", "far", "least_farther", "most_farther")
    return {
        "dimensions": len(ELEVEN),
        "typical": typical_distance(),
        "specifications": len(table) // len(POSITIVE_CLASSES),
        "classes": [
            {"name": name, **dict(zip(names, of.loc[[name]].to_numpy()[0].tolist(), strict=True))}
            for name in POSITIVE_CLASSES
        ],
    }


def _auk_given_auc(table: pd.DataFrame | None) -> Facts | None:
    """The published AUKs of Table 4 against replicates with the published AUC."""
    if table is None or _where(table, curve="hull", integration="exact").empty:
        return None
    hulls = _where(table, curve="hull")
    by_rule = {
        rule: [
            {"name": name, "rows": rows}
            for name in POSITIVE_CLASSES
            if (rows := _labelled(_where(hulls, integration=rule, positive_class=name)))
        ]
        for rule in ("exact", "trapezoid")
    }
    return {"window": AUC_WINDOW, **by_rule}


def _labelled(rows: pd.DataFrame) -> list[dict[Hashable, Any]]:
    shown = rows.assign(label=rows["model"].map(MODEL_LABELS))
    types = {"z": float, "near": int, "reaching": int}
    return shown.astype(types)[["label", *types]].to_dict("records")


def _unusual(table: pd.DataFrame | None, curve: str) -> list[dict[Hashable, Any]]:
    """Models whose published AUK is unusual for its AUC even with good positive."""
    if table is None:
        return []
    rows = _where(table, curve=curve, integration="exact", positive_class="good")
    return _labelled(rows[rows["z"].abs() > ORDINARY])


def _reversal(results: Results) -> Facts:
    """The published rank reversal in the split shown, and how often random splits show it."""
    counted, specification = results.rank_reversal, results.specification
    split = [*_split("Table 4", results.table4), *_split("Table 5", results.table5)]
    shown = {"split": split, "shown": [row["place"] for row in split if row["reversed"]]}
    if counted is None:
        return shown | {"replicates": False, "known": bool(split)}
    readings = _every_reading(counted, specification)
    on_both = readings["curve"] == "both"
    return shown | {
        "replicates": True,
        "known": True,
        "common": bool(readings["share"].max() >= COMMON),
        "both": _range(readings.loc[on_both, "share"]),
        "one": _range(readings.loc[~on_both, "share"]),
        "specifications": (
            None if specification is None else int(specification["replicates"].max())
        ),
        **_as_large(readings.dropna(subset=["as_large"])),
        "counted": _pattern(counted, "published")
        .assign(auk=lambda rows: rows["pair"].map(AUC_AND_AUK))
        .astype(dict.fromkeys(("reversals", "replicates"), int))[COUNTED]
        .to_dict("records"),
    }


def _split(place: str, table: pd.DataFrame) -> list[Facts]:
    """By positive class: does AUC prefer the linear model, and AUK the network?"""
    if not set(PAPER_PAIR) <= set(table["model"]):  # a model was switched off
        return []
    ours = table.set_index(["model", "positive_class", "measure"])["reproduced"]
    lead = ours[PAPER_PAIR[0]] - ours[PAPER_PAIR[1]]
    return [
        {
            "place": f"{place}, {name} positive",
            "reversed": bool(lead[name, "auc"] > 0 > lead[name, "auk"]),
        }
        for name in POSITIVE_CLASSES
    ]


def _range(shares: pd.Series) -> Facts | None:
    return None if shares.empty else {"least": float(shares.min()), "most": float(shares.max())}


def _every_reading(counted: pd.DataFrame, specification: pd.DataFrame | None) -> pd.DataFrame:
    """Counts of the published pattern in the paper's setting and under every specification."""
    place = ["pair", "curve", "positive_class"]
    large = _pattern(counted, "as_large").set_index(place)["reversals"]
    main = _pattern(counted, "published").join(large.rename("as_large"), on=place)
    main["integration"] = main["pair"].map(AUC_AND_AUK).str.split().str[0]
    names = ["curve", "integration", "replicates", "share", "as_large"]
    readings = [main[names]]
    if specification is not None:
        for curve in ("raw", "hull", "both"):
            columns = {f"reversal_share_{curve}": "share", f"as_large_{curve}": "as_large"}
            readings.append(specification.rename(columns=columns).assign(curve=curve)[names])
    return pd.concat(readings, ignore_index=True)


def _as_large(known: pd.DataFrame) -> Facts:
    """How often the two gaps are as large as the printed ones, or larger."""
    if known.empty:
        return {"as_large": []}
    share = known["as_large"] / known["replicates"]
    on_both = known["curve"] == "both"
    largest = {"both": share[on_both].max()}
    largest |= share[~on_both].groupby(known["integration"], sort=False).max()
    return {
        "as_large": [{"on": on, "most": float(most)} for on, most in largest.items()],
        "splits": sorted(set(known["replicates"].astype(int).tolist()), reverse=True),
    }


def _pattern(counted: pd.DataFrame, pattern: str) -> pd.DataFrame:
    return counted[(counted["pattern"] == pattern) & counted["pair"].isin(AUC_AND_AUK)]


def _integration(results: Results) -> Facts:
    """Whether the pairs of Table 4 are possible by either rule, and how far the rules differ."""
    table = results.prevalence.query("place == 'Table 4' and model != 'all'")
    possible = table.groupby("rule")["possible"].all()
    first = table.groupby(["rule", "model"], sort=False)[["value", "upper"]].first()
    exact, trapezoid = first.loc["concave"], first.loc["trapezoid"]
    ours = results.table4[results.table4["model"].isin(PAPER_PAIR)]
    auk, by_rule = (
        ours.loc[ours["measure"] == name, "reproduced"].to_numpy()
        for name in ("auk", "auk_trapezoid")
    )
    return {
        "exact": bool(possible["concave"]),
        "trapezoid": bool(possible["trapezoid"]),
        "reach": _by_label(trapezoid["upper"]),
        "apart": float(abs(auk - by_rule).max()) if len(auk) else None,
        "needed": _by_label(exact["value"] - exact["upper"]),
    }


def _by_label(values: pd.Series) -> list[Facts]:
    return [{"label": MODEL_LABELS[str(name)], "value": value} for name, value in values.items()]


def _test_shares(table: pd.DataFrame) -> list[Facts]:
    """How often a random test set has the share of bad rows that a pair needs."""
    shares = []
    for place, rule in (("Table 4", "concave"), ("Table 5", "monotone")):
        rows = _where(table, place=place, rule=rule, model="neural_net")
        share = float(rows["low"].min())
        bad_rows = math.ceil(share * SAMPLE["test"])
        drawn = hypergeom(SAMPLE["rows"], SAMPLE["bad"], SAMPLE["test"])
        shares.append({"place": place, "share": share, "chance": float(drawn.sf(bad_rows - 1))})
    return shares


def _counts(table: pd.DataFrame) -> Facts:
    """Sizes of the test set that give the printed operating point."""
    fits = table[table["compositions"] > 0]
    if fits.empty:
        return {"sizes": None}
    nearest = fits.iloc[(fits["kappa"] - published_point().kappa.value).abs().argmin()]
    return {
        "sizes": runs_in_words(fits["n_test"]),
        "nearest": int(nearest["n_test"]),
        "nearest_bad": int(nearest["n_bad"]),
    }


def _outside(compared: dict[str, Facts | None]) -> list[Facts]:
    """Published values outside the central 95 % of our splits even with good positive."""
    places = {"table4": "Table 4", "table5": "Table 5", "operating_point": "Operating point"}
    return [
        {"where": places[name], **row}
        for name, table in compared.items()
        if table
        for row in table["rows"]["good"]
        if row["model"] in (PAPER_PAIR[0], *NETWORKS) and row["low"] is not None and not row["fits"]
    ]
