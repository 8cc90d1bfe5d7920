"""docs/verdict.md, which needs no run, has the numbers and the words of the run's tables."""

import re
from pathlib import Path

import pandas as pd
from write_verdict import write_verdict

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/verdict.md").read_text(encoding="utf-8")
TABLES = ROOT / "tests/expected/tables"


def plain(text):
    """A text without hard spaces and printers' marks."""
    marks = str.maketrans({"\N{RIGHT SINGLE QUOTATION MARK}": "'", "\N{MINUS SIGN}": "-"})
    return " ".join(text.translate(marks).split())


def read_rows(n_cells):
    """Rows of the page's tables with so many cells, without heads."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in rows if len(row) == n_cells]


def test_claims_and_verdicts_are_those_of_the_run():
    claims = pd.read_csv(TABLES / "claims.csv", keep_default_na=False)
    judged = (claims["verdict"] + " " + claims["condition"]).str.strip()
    shown = [[plain(cell) for cell in row] for row in read_rows(3)]
    for row in zip(claims["claim"], judged, claims["evidence"], strict=True):
        assert [plain(cell) for cell in row] in shown
    counts = claims["verdict"].value_counts()
    assert all(f"{word} {count}" in PAGE.lower() for word, count in counts.items())


def test_areas_and_gaps_are_those_of_the_run():
    areas = {row[0]: row[1:] for row in read_rows(5)}
    for place, table in (("Table 4", "table4"), ("Table 5", "table5")):
        ours = pd.read_csv(TABLES / f"{table}.csv").query("positive_class == 'majority'")
        for row in ours[ours["measure"].isin(["auc", "auk"])].itertuples():
            column = {"linear": 0, "neural_net": 2}.get(row.model)
            if column is not None:
                cells = f"{row.printed:.4f}", f"{row.mean:.3f} ({row.low:.3f} to {row.high:.3f})"
                assert (*areas[f"{place}, {row.measure.upper()}"][column : column + 2],) == cells
    shown = [int(row[2]) for row in read_rows(3) if re.fullmatch(r"\d+", row[2])]
    gaps = pd.read_csv(TABLES / "reversal_by_gap.csv")
    assert shown and set(shown) <= set(gaps["reversals"])


def test_the_cheaper_model_is_that_of_the_run():
    shares = pd.read_csv(TABLES / "cases.csv").set_index("key")["value"]
    linear, network = (round(1000 * shares[f"cheaper_{m}"]) for m in ("linear", "neural_net"))
    text = plain(PAGE.replace("\n> ", " "))
    assert f"loses least in {linear} of 1000 splits, the network in {network}," in text
    assert f"and they tie in {1000 - linear - network}." in text
    losses = shares["loss_linear":"loss_without_model"].round().astype(int)
    assert "cost {} false alarms, the network's {}, using no model {};".format(*losses) in text


def test_links_lead_to_tables_of_the_clone_and_others_are_left_out():
    text = (
        "![A figure](figures/prevalences.svg) and [all](tables/claims.csv), [the page](index.html);"
        " [a paper](https://example.org).\n\n**Which measure?** If you\n\nknow.\n\n## Claims\n\n"
        "## Take it further\n\n[Explorer](explorer.html)\n"
    )
    page = write_verdict(text)
    assert page.startswith(
        "![A figure](prevalences.svg) and [all](../tests/expected/tables/claims.csv), the page;"
        " [a paper](https://example.org).\n\n"
        "**Which measure?** [It depends on what you know](choose.md).\n\n## Claims\n"
    )
    assert "xplorer" not in page
