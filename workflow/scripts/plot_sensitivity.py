"""The figure of the changes, one at a time."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve.plots.style import save_figure
from study.figures.replicates import figure_sensitivity
from study.figures.style import document_style, to_inches


def plot_sensitivity(*, sensitivity: str, document: dict[str, Any], files: list[Path]) -> None:
    """Write the figure."""
    with document_style(document["font"]):
        width = to_inches(document["width"])
        save_figure(figure_sensitivity(pd.read_csv(sensitivity), width=width), files)


if __name__ == "__main__":
    with job(snakemake):
        plot_sensitivity(
            sensitivity=snakemake.input[0],
            document=snakemake.params.document,
            files=[Path(path) for path in snakemake.output],
        )
