"""A readable page of each table that is written as csv alone, of the verdict and the provenance."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.analysis.auk_given_auc import AUC_WINDOW
from study.analysis.certainty import CERTAINTY
from study.pages.document import prose_page
from study.pages.table_files import write_table
from study.settings.cells import SWEPT

THRESHOLD = "Thresholds are on the score; good is predicted at or below them, bad at or above."
WILSON = "low, high: 95 % Wilson interval of the chance of the split, given these 1000 rows."
SPREAD = (
    "low, high: central 95 % of the replicates; undefined: replicates in which a class is missing."
)
# Folder and name of the file: title, and what a reader has to know.
TITLES = {
    "forensics/prevalence": (
        "Prevalences at which the published numbers are possible",
        "One row per interval, from low to high. lower, upper: the values possible at 0.11, the "
        "prevalence of the paper's text; possible: whether the published one is among them.",
    ),
    "forensics/counts": (
        "Test sets whose whole counts give the published operating point",
        "aucs possible: whether such a test set can give all four published AUCs, too.",
    ),
    "forensics/readings": (
        "Readings of the published numbers, and the evidence on each",
        "A question is answered with no where none of its pieces is compatible or undecided.",
    ),
    "forensics/simulation": (
        "Readings in simulation",
        "joint: eleven numbers; areas only: eight; AUK given AUC: four given four. distance: "
        "Mahalanobis; typical: the median replicate; count: replicates farther out, or that show "
        "it. Cells share their splits.",
    ),
    "forensics/errata": (
        "Errata of the sources, recomputed",
        "function: what computes the number, in the Python package.",
    ),
    "paper/measures": ("All measures of the split shown", THRESHOLD),
    "original/measures": ("All measures on the original data (30 % bad)", THRESHOLD),
    "replicates/summary": ("Measures over the replicates of the paper's setting", SPREAD),
    "tables/rank_reversal": (
        "How often two measures order the linear model and the network differently",
        "any: either order; published: the first measure prefers the linear model, the second the "
        "network, as the paper prints; as large: the same, with both gaps at least as large as "
        f"printed. both: on hull and raw curve at once. {WILSON}",
    ),
    "replicates/auk_given_auc": (
        "The published AUKs beside replicates of the published AUC",
        "auc, auk: published; expected, SD: the replicates' regression line of AUK on AUC there, "
        "and their standard deviation around it; z: how many of these the published AUK lies above "
        f"the line; near: replicates with an AUC within {AUC_WINDOW:g} of the published one; "
        "reaching: those of them with at least the published AUK.",
    ),
    "tables/certainty": (
        "How reliably each measure ranks the linear model and the network",
        CERTAINTY,
    ),
    "sweep/summary": ("Measures over the replicates, by share of bad rows", SPREAD),
    "sweep/rank_reversal": ("Rank reversals by share of bad rows", WILSON),
    "sweep/certainty": ("How reliably each measure ranks, by share of bad rows", CERTAINTY),
    "sweep/agreement": (
        "Agreement of the measures by share of bad rows",
        "tau: Kendall's tau between the rankings of the models by two measures, averaged over "
        "replicates.",
    ),
    "sweep/sizes": (
        "Rows at each share of bad rows",
        "good, bad: rows kept; test: of these; bad in test: on average; drawn: replicates; left "
        "out: those whose training or test rows hold one class only.",
    ),
    "sweep/skipped": ("Cells of the sweep that the data can't give", ""),
}


def make_pages(
    *,
    tables: list[Path],
    verdict: Path,
    provenance: Path,
    pages: list[Path],
    verdict_page: Path,
    provenance_page: Path,
) -> None:
    """Write the page of each table, in the same order, of the verdict and of the provenance."""
    for table, page in zip(tables, pages, strict=True):
        title, note = TITLES[f"{table.parent.name}/{table.stem}"]
        shown, same = _without_constants(pd.read_csv(table))
        write_table(shown, [page], title=title, note=f"{note} {same}".strip())
    html = prose_page(verdict.read_text(encoding="utf-8"))
    verdict_page.write_text(html, encoding="utf-8", newline="\n")
    record = json.loads(provenance.read_text(encoding="utf-8"))
    items = [(name.replace("_", " "), _in_words(value)) for name, value in record.items()]
    shown = pd.DataFrame(items, columns=["item", "value"])
    write_table(shown, [provenance_page], title="Where the data came from")


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{count} {name}" for name, count in value.items())
    return str(value)


def _without_constants(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The table without swept settings that have one level, and a sentence that names them."""
    same = [name for name in SWEPT[1:] if name in table and len(set(table[name])) == 1]
    levels = ", ".join(f"{name.replace('_', ' ')} {table[name].iloc[0]}" for name in same)
    return table.drop(columns=same), f"In all rows: {levels}." if same else ""


if __name__ == "__main__":
    run(make_pages)
