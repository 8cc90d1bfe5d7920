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
from study.papers.checks import Evidence
from study.papers.forensics import (
    IMPLIED_PREVALENCE,
    JOINT,
    STATED_PREVALENCE,
    contains,
    published_point,
    runs_in_words,
)
from study.papers.kaymak2010_experiment import auc_of_a_hull_with_that_optimum
from study.published import MEASURE_LABELS, MODEL_LABELS, PAPER_PAIR, PUBLISHED_MODEL
from study.verdict.reversals import reversal_facts

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
Facts = dict[str, Any]


class Results(NamedTuple):
    """The tables that the verdict rests on.

    table4, table5, operating_point: as from :func:`study.published.comparison`;
    prevalence, counts: as from :mod:`study.papers.forensics`; replicate_summary,
    rank_reversal and auk_given_auc: as in :class:`study.papers.checks.Evidence`;
    specification: as from :func:`study.analysis.summaries.specification_table`.
    """

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

    Parameters
    ----------
    results : Results

    Returns
    -------
    dict
        stated, implied (prevalences); table4, table5, operating_point (each published value, and
        whether it fits, or None if the run has no model of the paper); prevalence, simulation,
        auk_given_auc, reversal, integration, sample, unexplained.
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
        "reversal": reversal_facts(
            {"Table 4": results.table4, "Table 5": results.table5},
            results.rank_reversal,
            results.specification,
        ),
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
    return {
        "replicates": bool(main["low"].notna().any()),
        "networks": [
            {
                "label": MODEL_LABELS[name],
                **_score(counted[counted["model"].isin((PAPER_PAIR[0], name))]),
            }
            for name in present
        ],
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
    fits = {name: _where(rows, positive_class=name)["fits"] for name in POSITIVE_CLASSES}
    best = max(fits, key=lambda name: int(fits[name].sum()))
    return {
        "best": best,
        "alike": len({int(of_class.sum()) for of_class in fits.values()}) == 1,
        "fitting": int(fits[best].sum()),
        "all_fit": bool(fits[best].all()),
        "replicates": bool(rows["low"].notna().any()),
        "classes": [
            {"name": name, "fitting": int(of_class.sum()), "of": len(of_class)}
            for name, of_class in fits.items()
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
        "point": _in_words(point),
        "table4": _in_words(both),
        "joint": _in_words(joint),
        "holds_implied": contains(_intervals(joint), IMPLIED_PREVALENCE),
        "support": f"{support.recomputed}. {support.verdict}",
    }


def _intervals(rows: pd.DataFrame) -> list[list[float]]:
    intervals: list[list[float]] = rows[["low", "high"]].dropna().to_numpy().tolist()
    return intervals


def _in_words(rows: pd.DataFrame) -> str:
    return intervals_in_words(_intervals(rows), 3)


def _simulation(table: pd.DataFrame | None) -> Facts | None:
    """How far the eleven published numbers lie from ours, jointly, for either positive class."""
    if table is None:
        return None
    rows = {name: table[table["positive_class"] == name] for name in POSITIVE_CLASSES}
    return {
        "dimensions": len(ELEVEN),
        "typical": typical_distance(),
        "specifications": len(table) // len(POSITIVE_CLASSES),
        "classes": [
            {
                "name": name,
                "near": float(of_class["distance"].min()),
                "far": float(of_class["distance"].max()),
                "least_farther": float(of_class["share_farther"].min()),
                "most_farther": float(of_class["share_farther"].max()),
            }
            for name, of_class in rows.items()
        ],
    }


def _auk_given_auc(table: pd.DataFrame | None) -> Facts | None:
    """The published AUKs of Table 4 against replicates with the published AUC."""
    if table is None or _where(table, curve="hull", integration="exact").empty:
        return None
    by_rule = {
        rule: [
            {"name": name, "rows": _labelled(rows)}
            for name in POSITIVE_CLASSES
            if not (
                rows := _where(table, curve="hull", integration=rule, positive_class=name)
            ).empty
        ]
        for rule in ("exact", "trapezoid")
    }
    return {"window": AUC_WINDOW, **by_rule}


def _labelled(rows: pd.DataFrame) -> list[Facts]:
    return [
        {
            "label": MODEL_LABELS[row["model"]],
            "z": float(row["z"]),
            "near": int(row["near"]),
            "reaching": int(row["reaching"]),
        }
        for row in rows.to_dict("records")
    ]


def _unusual(table: pd.DataFrame | None, curve: str) -> list[Facts]:
    """Models whose published AUK is unusual for its AUC even with good positive."""
    if table is None:
        return []
    rows = _where(table, curve=curve, integration="exact", positive_class="good")
    return _labelled(rows[rows["z"].abs() > ORDINARY])


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
