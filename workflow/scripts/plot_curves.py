"""Figures 2 and 3 of the paper, of the split shown, with one class positive or either."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.data.classes import read_names
from study.figures.curves import curve_figures
from study.figures.style import document_column, save_figures


def plot_curves(
    *,
    curves: str,
    measures: str,
    provenance: str,
    names: dict[str, str] | None,
    document: dict[str, Any],
    files: list[str],
    **options: Any,
) -> None:
    """Write each figure; the options are those of curve_figures."""
    tables = pd.read_csv(curves), pd.read_csv(measures)
    classes = read_names(Path(provenance), names)
    with document_column(document) as width:
        save_figures(dict(curve_figures(*tables, classes, width=width, **options)), files)


if __name__ == "__main__":
    with job(snakemake):
        plot_curves(
            curves=snakemake.input.curves,
            measures=snakemake.input.measures,
            provenance=snakemake.input.provenance,
            names=snakemake.params.names,
            document=snakemake.params.document,
            files=snakemake.output,
            sides=snakemake.params.sides,
            models=snakemake.params.models,
            cost_ratio=snakemake.params.cost_ratio,
            has_printed=snakemake.params.has_printed,
        )
