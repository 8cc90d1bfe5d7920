"""A readable page of each table that is written as csv alone, of the verdict and the provenance."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.analysis.auk_given_auc import AUC_WINDOW
from study.analysis.certainty import CERTAINTY
from study.analysis.summaries import SWEPT
from study.pages.html_page import prose_page
from study.pages.table_files import write_table
from study.pages.typography import typeset
from study.published import MEASURE_LABELS, labelled

THRESHOLD = "Thresholds are on the score; good is predicted at or below them, bad at or above."
WILSON = "low, high: 95 % Wilson interval of the share."
SPREAD = (
    "low, high: central 95 % of the replicates; undefined: replicates in which a class is missing."
)
PROSE = {"printed", "recomputed", "verdict"}  # of the errata
# Name of the file in the rule: title, and what a reader has to know.
TITLES = {
    "prevalence": (
        "Prevalences at which the published numbers are possible",
        "One row per interval, from low to high. lower, upper: the values possible at 0.11, the "
        "prevalence of the paper's text; possible: whether the published one is among them.",
    ),
    "counts": (
        "Test sets whose whole counts give the published operating point",
        "aucs possible: whether such a test set can give all four published AUCs, too.",
    ),
    "errata": (
        "Errata of the sources, recomputed",
        "function: what computes the number, in the Python package.",
    ),
    "measures": ("All measures of the split shown", THRESHOLD),
    "original_measures": ("All measures on the original data (30 % bad)", THRESHOLD),
    "summary": ("Measures over the replicates of the paper's setting", SPREAD),
    "rank_reversal": (
        "How often two measures order the linear model and the network differently",
        "any: either order; published: the first measure prefers the linear model, the second the "
        "network, as the paper prints; as large: the same, with both gaps at least as large as "
        f"printed. both: on hull and raw curve at once. {WILSON}",
    ),
    "auk_given_auc": (
        "The published AUKs beside replicates of the published AUC",
        "auc, auk: published; expected, sd: the replicates' regression line of AUK on AUC there, "
        "and their standard deviation around it; z: how many of these the published AUK lies above "
        f"the line; near: replicates with an AUC within {AUC_WINDOW:g} of the published one; "
        "reaching: those of them with at least the published AUK.",
    ),
    "certainty": ("How surely each measure ranks the linear model and the network", CERTAINTY),
    "sweep_summary": ("Measures over the replicates, by share of bad rows", SPREAD),
    "sweep_reversal": ("Rank reversals by share of bad rows", WILSON),
    "sweep_certainty": ("How surely each measure ranks, by share of bad rows", CERTAINTY),
    "agreement": (
        "Agreement of the measures by share of bad rows",
        "tau: Kendall's tau between the rankings of the models by two measures, averaged over "
        "replicates.",
    ),
    "sizes": (
        "Rows at each share of bad rows",
        "good, bad: rows kept; test: of these; bad in test: on average; drawn: replicates; left "
        "out: those whose training or test rows hold one class only.",
    ),
    "skipped": ("Cells of the sweep that the data can't give", ""),
}


def make_pages(**files: Path) -> None:
    """Write the page ``<name>_page`` of every file ``<name>``."""
    for name, (title, note) in TITLES.items():
        table = pd.read_csv(files[name])
        shown, same = _without_constants(_in_words(table))
        paths, note = [files[f"{name}_page"]], f"{note} {same}".strip()
        write_table(table, paths, title=title, note=note, shown=labelled(shown))
    verdict = files["verdict"].read_text(encoding="utf-8")
    files["verdict_page"].write_text(prose_page(verdict), encoding="utf-8", newline="\n")
    record = json.loads(files["provenance"].read_text(encoding="utf-8"))
    write_table(_items(record), [files["provenance_page"]], title="Where the data came from")


def _in_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table with pairs of measures by their names, and prose as it is printed."""
    shown = table.copy()
    for name in PROSE & set(shown):
        shown[name] = shown[name].map(typeset)
    for name in {"measure_a", "measure_b"} & set(shown):
        shown[name] = shown[name].replace(MEASURE_LABELS)
    if "pattern" in shown:
        shown["pattern"] = shown["pattern"].str.replace("_", " ")
    if "pair" in shown:
        shown["pair"] = [_pair(one) for one in shown["pair"]]
    return shown


def _without_constants(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The table without swept settings that have one level, and a sentence that names them."""
    same = [name for name in SWEPT[1:] if name in table and len(set(table[name])) == 1]
    levels = ", ".join(f"{name.replace('_', ' ')} {table[name].iloc[0]}" for name in same)
    return table.drop(columns=same), f"In all rows: {levels}." if same else ""


def _pair(name: str) -> str:
    return " / ".join(MEASURE_LABELS[one] for one in name.split("-"))


def _items(record: Mapping[str, Any]) -> pd.DataFrame:
    """The record as a table of names and values; what is nested comes as text."""
    rows = {
        name: ", ".join(f"{value} {key}" for key, value in one.items())
        if isinstance(one, Mapping)
        else str(one)
        for name, one in record.items()
    }
    return pd.DataFrame({"item": [name.replace("_", " ") for name in rows], "value": rows.values()})


if __name__ == "__main__":
    run(make_pages)
