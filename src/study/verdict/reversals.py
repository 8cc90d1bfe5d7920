"""How often random splits show the published rank reversal, under every reading of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from study.published import AUC_AND_AUK, PAPER_PAIR

Facts = dict[str, Any]
COMMON = 0.2  # share of the splits from which on a reversal is called common


def reversal_facts(
    tables: Mapping[str, pd.DataFrame],
    counted: pd.DataFrame | None,
    specification: pd.DataFrame | None,
) -> Facts:
    """The reversal in the split shown, and how often it was counted.

    Parameters
    ----------
    tables : mapping
        Table 4 and Table 5, as from :func:`study.published.comparison`.
    counted, specification : DataFrame, optional
        rank_reversal and specification of :class:`study.verdict.facts.Results`.
    """
    split = _split_reversals(tables)
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
        "counted": [
            {
                "curve": row["curve"],
                "positive_class": row["positive_class"],
                "auk": AUC_AND_AUK[row["pair"]],
                "reversals": int(row["reversals"]),
                "replicates": int(row["replicates"]),
                **{name: float(row[name]) for name in ("share", "low", "high")},
            }
            for row in _pattern(counted, "published").to_dict("records")
        ],
    }


def _split_reversals(tables: Mapping[str, pd.DataFrame]) -> list[Facts]:
    """By table and positive class: does AUC prefer the linear model, and AUK the network?"""
    split = []
    for name, table in tables.items():
        if not set(PAPER_PAIR) <= set(table["model"]):  # a model was switched off
            continue
        ours = table.set_index(["positive_class", "measure", "model"])["reproduced"]
        for positive_class in ("good", "bad"):
            auc, auk = (
                ours[positive_class, measure, PAPER_PAIR[0]]
                - ours[positive_class, measure, PAPER_PAIR[1]]
                for measure in ("auc", "auk")
            )
            place = f"{name}, {positive_class} positive"
            split.append({"place": place, "reversed": bool(auc > 0 > auk)})
    return split


def _range(shares: pd.Series) -> Facts | None:
    if shares.empty:
        return None
    return {"least": float(shares.min()), "most": float(shares.max())}


def _every_reading(counted: pd.DataFrame, specification: pd.DataFrame | None) -> pd.DataFrame:
    """The published pattern: curve, integration, replicates, share and as_large (their number).

    Of the paper's setting as the run has it, and of every specification.
    """
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
