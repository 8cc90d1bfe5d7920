"""Figures of the replicates, the sweep and the specifications."""

from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.replicate_figures import FIGURES


def draw_replicates(**files: Any) -> None:
    """Write every figure, from the table of its name, in every format asked for."""
    with house_style():
        for name, draw in FIGURES.items():
            save_figure(draw(pd.read_csv(files[f"{name}_table"])), files[name])


if __name__ == "__main__":
    run(draw_replicates)
