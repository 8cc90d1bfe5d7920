"""The page of every table, in the words of the run."""

from pathlib import Path

import pandas as pd

from _job import run
from study.data.classes import read_names
from study.settings.cells import SWEPT
from study.text.tables import read_table, write_page

# Tables of one split beside the replicates, whose number stands on the page: by their curve.
CURVES = {"table4": "hull", "table5": "raw", "operating_point": "hull"}
SPECIFICATION = ["encoding", "sampling", "scaling", "early_stopping", "network", "prevalence"]
SPECIFICATION += ["positive_class", "integration", "replicates", "distance", "typical"]
SPECIFICATION += ["share_farther", *(f"reversal_share_{on}" for on in ("raw", "hull", "both"))]


def write_table_pages(
    *,
    tables: list[Path],
    summary: list[Path],
    provenance: Path,
    pages: list[Path],
    titles: list[str],
    names: dict[str, str] | None,
) -> None:
    """Write the page of each table; its title is that of tables.yaml, if there is one.

    `summary` is that of the replicates, if there are any.
    """
    words = read_names(provenance, names)
    spread = pd.concat(map(pd.read_csv, summary)) if summary else None
    for path, page, title in zip(tables, pages, titles, strict=True):
        table = read_table(path)
        write_page(table, page, shown=_shown(table, path, spread), title=title, words=words)


def _shown(table: pd.DataFrame, path: Path, spread: pd.DataFrame | None) -> pd.DataFrame:
    """What people read of a table."""
    if path.stem in CURVES and spread is not None:
        counted = ["positive_class", "model", "measure", "replicates"]
        return table.merge(spread.loc[spread["curve"] == CURVES[path.stem], counted], how="left")
    if path.parent.name == "sweep":
        return table.drop(columns=[name for name in SWEPT[1:] if len(set(table[name])) == 1])
    return table[SPECIFICATION] if path.stem == "specification" else table


if __name__ == "__main__":
    run(write_table_pages, snakemake)
