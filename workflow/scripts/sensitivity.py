"""The experiment with one thing changed at a time: table and figure."""

from pathlib import Path
from typing import Any

from _job import job
from study.experiment.files import read_scenarios, write_table
from study.figures.replicates import figure_sensitivity
from study.figures.style import document_column, save_figures
from study.tables.sensitivity import sensitivity_table


def summarise_changes(
    *,
    chunks: list[str],
    changes: dict[str, dict[str, Any]],
    pair: list[str],
    positive_class: str,
    has_printed: bool,
    document: dict[str, Any],
    written: Any,
) -> None:
    """Write one row for the experiment and for each change of it, and draw them."""
    scenarios = read_scenarios(map(Path, chunks))
    table = sensitivity_table(scenarios, changes, pair, positive_class, has_printed=has_printed)
    write_table(table, Path(written.table))
    with document_column(document) as width:
        figures = {"sensitivity": figure_sensitivity(table, width=width)}
        save_figures(figures, [written.svg, written.pdf])


if __name__ == "__main__":
    with job(snakemake):
        summarise_changes(
            chunks=snakemake.input.measures,
            changes=snakemake.params.changes,
            pair=snakemake.params.pair,
            positive_class=snakemake.params.positive_class,
            has_printed=snakemake.params.has_printed,
            document=snakemake.params.document,
            written=snakemake.output,
        )
