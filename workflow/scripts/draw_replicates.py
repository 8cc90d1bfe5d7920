"""Figures of the replicates, the sweep and the specifications."""

from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.replicate_figures import FIGURES


def draw_replicates(**files: Any) -> None:
    """Write every figure, from its tables, in every format asked for."""
    with house_style():
        for name, draw in FIGURES.items():
            tables = [pd.read_csv(path).assign(table=path.stem) for path in files[f"{name}_tables"]]
            save_figure(draw(pd.concat(tables)), files[name])


if __name__ == "__main__":
    run(draw_replicates, snakemake)
