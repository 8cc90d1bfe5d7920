"""Where the eleven published numbers fall under every choice that the paper leaves open."""

from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.experiment.summaries import specification_table
from kappacurve.experiment.tables import to_latex, to_markdown

SHOWN = ["encoding", "sampling", "network", "positive_class", "integration"]
SHOWN += ["replicates", "distance", "share_farther"]


def summarise_specification(*, parts: list[Path], table: list[Path]) -> None:
    """Write one row per combination, nearest first."""
    csv, md, tex = table
    found = specification_table(map(pd.read_parquet, parts))
    found.to_csv(csv, index=False, float_format="%.6f")
    title = "Specifications: how far the published numbers lie from our replicates"
    md.write_text(to_markdown(found[SHOWN], title), encoding="utf-8")
    tex.write_text(to_latex(found[SHOWN]), encoding="utf-8")


if __name__ == "__main__":
    run(summarise_specification)
