"""Figures of the sweep over the class ratio."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve.plots.style import save_figure
from study.data.classes import read_names
from study.figures.replicates import figure_measures_by_skew, figure_reversal_by_skew
from study.figures.style import document_style, to_inches


def plot_sweep(
    *,
    measures: str,
    reversals: str,
    provenance: str,
    names: dict[str, str] | None,
    document: dict[str, Any],
    files: list[Path],
) -> None:
    """Write measures_by_skew and reversal_by_skew."""
    width, shown = to_inches(document["width"]), read_names(Path(provenance), names)
    with document_style(document["font"]):
        figures = {
            "measures_by_skew": figure_measures_by_skew(pd.read_csv(measures), shown, width=width),
            "reversal_by_skew": figure_reversal_by_skew(pd.read_csv(reversals), shown, width=width),
        }
        for name, figure in figures.items():
            save_figure(figure, [path for path in files if path.stem == name])


if __name__ == "__main__":
    with job(snakemake):
        plot_sweep(
            measures=snakemake.input.measures,
            reversals=snakemake.input.reversals,
            provenance=snakemake.input.provenance,
            names=snakemake.params.names,
            document=snakemake.params.document,
            files=[Path(path) for path in snakemake.output],
        )
