"""Where the eleven published numbers fall under every choice that the paper leaves open."""

from pathlib import Path

from _job import run
from study.analysis.parts import read_cell
from study.analysis.summaries import specification_table
from study.pages.table_files import write_table

SHOWN = ["encoding", "sampling", "network", "positive_class", "integration"]
SHOWN += ["replicates", "distance", "share_farther"]
SHOWN += [f"reversal_share_{curve}" for curve in ("raw", "hull", "both")]


def summarise_specification(*, parts: list[Path], table: list[Path], expected: int) -> None:
    """Write one row per combination, nearest first."""
    # A cell's file is named by its network.
    cells = (read_cell([part], dict.fromkeys(("linear", part.stem), expected)) for part in parts)
    found = specification_table(cells)
    write_table(
        found,
        table,
        title="Specifications: how far the published numbers lie from our replicates",
        shown=found[SHOWN],
    )


if __name__ == "__main__":
    run(summarise_specification)
