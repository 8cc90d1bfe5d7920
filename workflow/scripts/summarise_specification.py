"""Where the eleven published numbers fall under every choice that the paper leaves open."""

from pathlib import Path

import pandas as pd

from _job import run
from study.analysis.summaries import specification_table
from study.pages.table_files import write_table
from study.published import labelled

SHOWN = ["encoding", "sampling", "network", "positive_class", "integration"]
SHOWN += ["replicates", "distance", "share_farther"]
SHOWN += [f"reversal_share_{curve}" for curve in ("raw", "hull", "both")]


def summarise_specification(*, parts: list[Path], table: list[Path]) -> None:
    """Write one row per combination, nearest first."""
    found = specification_table(map(pd.read_parquet, parts))
    write_table(
        found,
        table,
        title="Specifications: how far the published numbers lie from our replicates",
        shown=labelled(found[SHOWN]),
    )


if __name__ == "__main__":
    run(summarise_specification)
