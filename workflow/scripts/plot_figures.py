"""Figures of the replicates, the sweep and the specifications, by their names."""

from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.replicate_figures import FIGURES


def plot_figures(**files: Any) -> None:
    """Write each figure, from its tables, in every format asked for."""
    with house_style():
        for name in FIGURES.keys() & files.keys():
            tables = [pd.read_csv(path).assign(table=path.stem) for path in files[f"{name}_tables"]]
            save_figure(FIGURES[name](pd.concat(tables)), files[name])


if __name__ == "__main__":
    run(plot_figures, snakemake)
