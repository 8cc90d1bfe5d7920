"""The report of ``kappacurve measure`` as a table for people, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from kappacurve._labels import shown
from kappacurve.measures import MEASURES

# The order of the table; gini goes with auc, to which it is bound, and ranks no models.
REPORTED = ("auc", "auch", "gini", "ks", "auk", "auk_hull", "h", "kappa_max")
METHODS = {"delong": "DeLong", "influence": "influence function", "bootstrap": "bootstrap"}
COMMON = ("prevalence", "n_positive", "n_negative")
COLUMNS_OF_CSV = ["kind", "model", "compared_with", "measure"]
COLUMNS_OF_CSV += ["estimate", "standard_error", "low", "high", "statistic", "p_value", "p_holm"]
COLUMNS_OF_CSV += ["method", "scale", *COMMON]
WIDTH = 100


def as_json(report: Mapping[str, Any]) -> str:
    """All of the report, with full precision."""
    return json.dumps(report, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def as_csv(report: Mapping[str, Any]) -> str:
    """Tidy rows: one a model and measure, one a test; an estimate is a difference in a test.

    Where measures disagree about two models, a row for each says which it ranks above the other."""
    rows: list[dict[str, Any]] = []
    models = report["models"]
    for model, found in models.items():
        for name, values in found.items():
            if name != "operating_point":
                rows.append({"kind": "measure", "model": model, "measure": name, **values})
        for name, value in found["operating_point"].items():
            row = {"kind": "operating_point", "model": model, "measure": name, "estimate": value}
            rows.append(row)
    for test in report["tests"]:
        names = {"model": test["first"], "compared_with": test["second"]}
        rows.append({"kind": "test", **test, **names, "estimate": test["difference"]})
    for pair in report["disagreements"]:
        for side, other in (("first", "second"), ("second", "first")):
            names = {"model": pair[side], "compared_with": pair[other]}
            for name in pair[f"{side}_preferred_by"]:
                above, below = (models[one][name]["estimate"] for one in names.values())
                row = {"kind": "disagreement", **names, "measure": name, "estimate": above - below}
                rows.append(row)
    common = {key: report[key] for key in COMMON}
    table = pd.DataFrame([row | common for row in rows], columns=COLUMNS_OF_CSV)
    return table.to_csv(index=False, lineterminator="\n")


def as_table(report: Mapping[str, Any]) -> str:
    """What a reader wants to see first."""
    notes = [f"Note: {note}" for note in report["notes"]]
    parts = (_heading(report), _measures(report), _tests(report), _ranks(report), notes)
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


WRITERS = {"table": as_table, "json": as_json, "csv": as_csv}


def _heading(report: Mapping[str, Any]) -> list[str]:
    label = shown(report["label"])
    counts = (
        f"{report['n']} rows, {report['n_positive']} positive "
        f"({label} = {shown(report['positive'])}), {report['n_negative']} negative "
        f"({label} = {shown(report['negative'])})"
    )
    given = "as given" if report["prevalence_is_given"] else "the share of positives"
    lines = [f"{report['file']}: {counts}", f"Prevalence {report['prevalence']:.6g}, {given}"]
    if report["cost_ratio"] is not None:
        lines.append(
            f"Kappa and AUK where a missed positive costs {report['cost_ratio']:g} false alarms"
        )
    level = f"{100 * report['confidence']:g} % intervals"
    models = report["models"].values()
    methods = {one.get("method") for model in models for one in model.values()} - {None, "none"}
    ratio = "fixed" if report["sampling"] == "stratified" else "random"
    if "delong" in methods:
        lines.append(
            f"{level}, logit scale: AUC and Gini by DeLong, AUK by influence function; "
            f"class ratio {ratio}"
        )
    elif methods:
        drawn = report["bootstrap"]
        kind = "BCa" if drawn["method"] == "bca" else drawn["method"]
        lines += [
            f"{level}: bootstrap, {drawn['resamples']} resamples, seed {drawn['seed']}; "
            f"class ratio {ratio}",
            f"  AUC, Gini and AUK {kind}, hulls and maxima less their bias",
        ]
    return lines


def _measures(report: Mapping[str, Any]) -> list[str]:
    """A line a measure and a column a model; models that do not fit go into further blocks."""
    first = ["", *(MEASURES[name].label for name in REPORTED), "  at threshold", "  fpr, tpr there"]
    blocks: list[list[list[str]]] = []
    for name, found in report["models"].items():
        column = [shown(name), *_cells(found)]
        tried = [first, *(blocks[-1] if blocks else []), column]
        if not blocks or sum(max(map(len, each)) + 2 for each in tried) > WIDTH:
            blocks.append([])
        blocks[-1].append(column)
    lines: list[str] = []
    for block in blocks:
        lines += [""] * bool(lines) + _aligned(list(zip(first, *block, strict=True)))
    return lines


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ((c.ljust(width) for c, width in zip(row, widths, strict=True)) for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]


def _cells(found: Mapping[str, Any]) -> list[str]:
    cells = []
    for values in (found[name] for name in REPORTED):
        interval = "" if values["low"] is None else " ({low:.4f} to {high:.4f})".format(**values)
        cells.append(f"{values['estimate']:.4f}{interval}")
    point = found["operating_point"]
    threshold = point["threshold"]
    cells.append("none: predict no positives" if threshold is None else f"{threshold:.6g}")
    return [*cells, "{fpr:.4f}, {tpr:.4f}".format(**point)]


def _tests(report: Mapping[str, Any]) -> list[str]:
    pairs = {(test["first"], test["second"]) for test in report["tests"]}
    if not pairs:
        return []
    title = "Paired tests on the same rows, two-sided p, "
    if len(pairs) > 1:
        title += f"and adjusted for the {len(pairs)} pairs (Holm)"
    else:
        title += "not adjusted for the number of tests"
    rows = [_test(test, several=len(pairs) > 1) for test in report["tests"]]
    return [title, *(f"  {line}" for line in _aligned(rows))]


def _test(test: Mapping[str, Any], *, several: bool) -> list[str]:
    """Cells of a test: the difference alone if there is no error to test it by."""
    pair = f"{shown(test['first'])} - {shown(test['second'])}"
    difference, found = f"{test['difference']:+.4f}", ["no test", "", ""]
    if test["p_value"] is not None:
        difference += " ({low:+.4f} to {high:+.4f})".format(**test)
        p, holm = (f"{test[name]:.2g}" for name in ("p_value", "p_holm"))
        found = [f"p = {p}", f"Holm {holm}", METHODS[test["method"]]]
    return [pair, MEASURES[test["measure"]].label, difference, *found[:: 1 if several else 2]]


def _ranks(report: Mapping[str, Any]) -> list[str]:
    if not report["disagreements"]:
        return ["All measures rank the models alike."] * (len(report["models"]) > 1)
    lines = ["THE MEASURES RANK THESE MODELS DIFFERENTLY"]
    for pair in report["disagreements"]:
        for side, other in (("first", "second"), ("second", "first")):
            names = measure_names(pair[f"{side}_preferred_by"])
            lines.append(f"  {shown(pair[side])} above {shown(pair[other])}: {names}")
    return lines


def measure_names(measures: Sequence[str]) -> str:
    """Measures as they are called in a line of text."""
    return ", ".join(MEASURES[measure].label for measure in measures)
