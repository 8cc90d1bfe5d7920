"""What the replicates add to the verdict: distances, AUK given AUC, rank reversals."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd

from study.analysis.auk_given_auc import AUC_WINDOW, ORDINARY
from study.analysis.summaries import ELEVEN, typical_distance
from study.published import AUC_AND_AUK, MODEL_LABELS
from study.verdict.results import NOT_RUN, POSITIVE_CLASSES, Results


def simulation(results: Results) -> str:
    """How far the published numbers lie from ours, jointly and given their AUC."""
    return _specifications(results) + _given_auc(results)


def _specifications(results: Results) -> str:
    """How far the eleven published numbers lie from ours, jointly, for either positive class."""
    table = results.specification
    if table is None:
        return ""
    n = len(table) // len(POSITIVE_CLASSES)
    parts = []
    for name in POSITIVE_CLASSES:
        own = table[table["positive_class"] == name]
        near, far = own["distance"].min(), own["distance"].max()
        low, high = own["share_farther"].min(), own["share_farther"].max()
        share = f"{low:.1%} to {high:.1%}" if high > 0 else "none"
        parts.append(
            f"with {name} positive they lie {near:.1f} to {far:.1f} standard units from the mean "
            f"of our replicates, and {share} of these lie farther out"
        )
    return (
        "\n\nSimulation, all eleven published numbers taken together (Mahalanobis distance; in "
        f"{len(ELEVEN)} dimensions a typical replicate lies {typical_distance():.1f} away), "
        f"under each of {n} combinations of encoding, number of rows, network and way to "
        f"integrate: {'; '.join(parts)}."
    )


def _given_auc(results: Results) -> str:
    """The published AUKs of Table 4 against replicates with the published AUC."""
    rows = _pairs(results, "hull", "exact")
    if rows.empty:
        return ""
    parts = [
        f"with {name} positive " + ", ".join(map(_one_model, own.to_dict("records")))
        for name, own in rows.groupby("positive_class", sort=False)
    ]
    by_rule = [
        f"{', '.join(f'{z:.1f}' for z in own['z'])} with {name} positive"
        for name, own in _pairs(results, "hull", "trapezoid").groupby("positive_class", sort=False)
    ]
    return (
        "\n\nSimulation, the AUKs of Table 4 given their AUCs (exact integrals; z: standard "
        "deviations of our replicates around their regression line of AUK on AUC; in brackets, how "
        f"many of the replicates with an AUC within {AUC_WINDOW:g} of the published one reach the "
        f"published AUK): {'; '.join(parts)}. By the trapezoid rule z is {' and '.join(by_rule)}."
    )


def _one_model(row: dict[Hashable, Any]) -> str:
    return (
        f"{MODEL_LABELS[str(row['model'])]} z {row['z']:.1f} ({row['reaching']} of {row['near']})"
    )


def high_given_auc(results: Results, curve: str) -> str:
    """A sentence if a published AUK is unusual for its AUC even with good positive."""
    rows = _pairs(results, curve, "exact")
    rows = rows[(rows["positive_class"] == "good") & (rows["z"].abs() > ORDINARY)]
    if rows.empty:
        return ""
    found = ", ".join(map(_one_model, rows.to_dict("records")))
    return (
        " For its AUC the published AUK is unusual even with good positive, in standard deviations "
        f"(and replicates near that AUC that reach it): {found}."
    )


def _pairs(results: Results, curve: str, integration: str) -> pd.DataFrame:
    table = results.auk_given_auc
    if table is None:
        return pd.DataFrame(columns=["positive_class", "z"])
    rows = table[(table["curve"] == curve) & (table["integration"] == integration)]
    return rows.sort_values("positive_class", ascending=False, kind="stable")


def reversal_answer(results: Results) -> str:
    """How often random splits show the published reversal, under every reading of the paper."""
    if results.rank_reversal is None:
        split = _split_reversals(results)
        if not split:
            return NOT_RUN
        shown = [text for text, found in split.items() if found]
        where = f"in our one split: {', '.join(shown)}" if shown else "not in our one split"
        return f"**{'partly' if shown else 'no'}**; AUC for linear and AUK for the network {where}."
    readings = _every_reading(results)
    both = readings.loc[readings["curve"] == "both", "share"]
    one = readings.loc[readings["curve"] != "both", "share"]
    word = "rare" if readings["share"].max() < 0.2 else "common"
    return (
        f"**{word}**; AUC for linear and AUK for the network in {_range(both)} of random splits on "
        f"hull and raw curve both, as printed, and in {_range(one)} on one of the two, by positive "
        f"class, way to integrate{_and_specifications(results)}.{_size(readings)}"
    )


def _range(shares: pd.Series) -> str:
    if shares.empty:
        return "an unknown share"
    return f"{shares.min():.1%} to {shares.max():.1%}"


def _and_specifications(results: Results) -> str:
    table = results.specification
    if table is None:
        return ""
    return f" and specification ({int(table['replicates'].max())} splits in each of these)"


def _every_reading(results: Results) -> pd.DataFrame:
    """The published pattern: curve, integration, replicates, share and as_large (their number).

    Of the paper's setting as the run has it, and of every specification.
    """
    rows = _pattern(results, "published")
    place = ["pair", "curve", "positive_class"]
    large = _pattern(results, "as_large").set_index(place)["reversals"]
    main = rows.join(large.rename("as_large"), on=place)
    main["integration"] = main["pair"].map(AUC_AND_AUK).str.split().str[0]
    names = ["curve", "integration", "replicates", "share", "as_large"]
    found = [main[names]]
    if results.specification is not None:
        for curve in ("raw", "hull", "both"):
            columns = {
                f"reversal_share_{curve}": "share",
                f"as_large_{curve}": "as_large",
            }
            one = results.specification.rename(columns=columns).assign(curve=curve)
            found.append(one[names])
    return pd.concat(found, ignore_index=True)


def _size(readings: pd.DataFrame) -> str:
    """How often the two gaps are as large as the printed ones, or larger."""
    known = readings.dropna(subset=["as_large"])
    if known.empty:
        return ""
    on_one = known[known["curve"] != "both"]
    parts = [_at_most("on both curves", known[known["curve"] == "both"])]
    parts += [
        _at_most(f"on one curve with the {name} AUK", own)
        for name, own in on_one.groupby("integration", sort=False)
    ]
    counts = sorted(set(known["replicates"].astype(int)), reverse=True)
    splits = " and ".join(map(str, counts))
    return f" With both gaps as large as printed (in {splits} splits): {'; '.join(parts)}."


def _at_most(where: str, own: pd.DataFrame) -> str:
    most = (own["as_large"] / own["replicates"]).max()
    return f"{where} {'never' if most == 0 else f'in up to {most:.1%}'}"


def _pattern(results: Results, pattern: str) -> pd.DataFrame:
    table = results.rank_reversal
    if table is None:
        raise ValueError("there are no replicates to count rank reversals in")
    return table[(table["pattern"] == pattern) & table["pair"].isin(AUC_AND_AUK)]


def _split_reversals(results: Results) -> dict[str, bool]:
    """By table and positive class: does AUC prefer linear, and AUK the network?"""
    found = {}
    for name, table in (("Table 4", results.table4), ("Table 5", results.table5)):
        ours = table.set_index(["positive_class", "model", "measure"])["reproduced"]
        for positive_class in POSITIVE_CLASSES:
            try:
                ahead = [
                    ours[positive_class, "linear", measure]
                    - ours[positive_class, "neural_net", measure]
                    for measure in ("auc", "auk")
                ]
            except KeyError:  # a model was switched off
                continue
            found[f"{name}, {positive_class} positive"] = ahead[0] > 0 > ahead[1]
    return found


def reversal_section(results: Results) -> str:
    """The reversal in the split shown, and how often it was counted."""
    lines = [
        f"- {text}: {'reversal as published' if found else 'no reversal'}"
        for text, found in _split_reversals(results).items()
    ]
    text = reversal_answer(results) + "\n\nIn the split shown:\n\n" + "\n".join(lines)
    if results.rank_reversal is None:
        return text + "\n\nHow often random splits show it needs replicates."
    counted = [
        f"- {row['curve']}, {row['positive_class']} positive, {AUC_AND_AUK[row['pair']]}: "
        f"{int(row['reversals'])} of {int(row['replicates'])}, {row['share']:.1%} "
        f"(95 % interval {row['low']:.1%} to {row['high']:.1%})"
        for row in _pattern(results, "published").to_dict("records")
    ]
    heading = "Over random splits of the paper's setting:"
    return f"{text}\n\n{heading}\n\n" + "\n".join(counted)
