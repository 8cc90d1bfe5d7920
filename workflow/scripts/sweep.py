"""Measures and rank reversals by the share of the minority, and figures of both."""

from pathlib import Path
from typing import Any

from _job import job
from study.data.classes import read_names
from study.experiment.files import read_scenarios, write_table
from study.figures.replicates import figure_measures_by_skew, figure_reversal_by_skew
from study.figures.style import document_column, save_figures
from study.tables.sweep import sweep_tables


def summarise_sweep(
    *,
    chunks: list[str],
    provenance: str,
    levels: dict[float, str],
    pair: list[str],
    sides: list[str],
    names: dict[str, str] | None,
    document: dict[str, Any],
    written: Any,
) -> None:
    """Write and draw the tables of all shares, and the rows of each or why the data lack it."""
    tables = sweep_tables(read_scenarios(map(Path, chunks)), levels, pair)
    write_table(tables.measures, Path(written.measures))
    write_table(tables.reversals, Path(written.reversals))
    write_table(tables.levels, Path(written.sizes))
    classes = read_names(Path(provenance), names)
    with document_column(document) as width:
        look: Any = {"sides": sides, "width": width}
        figures = {
            "measures_by_skew": figure_measures_by_skew(tables.measures, classes, **look),
            "reversal_by_skew": figure_reversal_by_skew(tables.reversals, classes, **look),
        }
        save_figures(figures, [*written.svg, *written.pdf])


if __name__ == "__main__":
    with job(snakemake):
        summarise_sweep(
            chunks=snakemake.input.measures,
            provenance=snakemake.input.provenance,
            levels=snakemake.params.levels,
            pair=snakemake.params.pair,
            sides=snakemake.params.sides,
            names=snakemake.params.names,
            document=snakemake.params.document,
            written=snakemake.output,
        )
