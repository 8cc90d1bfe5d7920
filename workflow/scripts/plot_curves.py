"""Figures 2 and 3 of the paper, of the split shown, with either class as the positive one."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve.plots.style import save_figure
from study.data.classes import read_names
from study.figures.curves import curve_figures
from study.figures.style import document_style, to_inches


def plot_curves(
    *,
    curves: str,
    measures: str,
    provenance: str,
    names: dict[str, str] | None,
    document: dict[str, Any],
    files: list[Path],
    **options: Any,
) -> None:
    """Write each figure; the options are those of curve_figures."""
    with document_style(document["font"]):
        for name, figure in curve_figures(
            pd.read_csv(curves),
            pd.read_csv(measures),
            read_names(Path(provenance), names),
            width=to_inches(document["width"]),
            **options,
        ):
            save_figure(figure, [path for path in files if path.stem == name])


if __name__ == "__main__":
    with job(snakemake):
        plot_curves(
            curves=snakemake.input.curves,
            measures=snakemake.input.measures,
            provenance=snakemake.input.provenance,
            names=snakemake.params.names,
            document=snakemake.params.document,
            files=[Path(path) for path in snakemake.output],
            models=snakemake.params.models,
            cost_ratio=snakemake.params.cost_ratio,
            has_published=snakemake.params.is_german_credit,
        )
