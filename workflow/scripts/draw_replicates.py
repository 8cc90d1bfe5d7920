"""Figures of the replicates, the sweep and the specifications."""

from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.replicate_figures import FIGURES


def draw_replicates(
    *,
    rank_reversal_table: Path,
    sweep_table: Path,
    reversal_by_skew_table: Path,
    certainty_table: Path,
    agreement_table: Path,
    specification_table: Path,
    **figures: list[Path],
) -> None:
    """Write every figure, from the table of its name, in every format asked for."""
    tables = {
        "rank_reversal": rank_reversal_table,
        "sweep": sweep_table,
        "reversal_by_skew": reversal_by_skew_table,
        "certainty": certainty_table,
        "agreement": agreement_table,
        "specification": specification_table,
    }
    with house_style():
        for name, paths in figures.items():
            save_figure(FIGURES[name](pd.read_csv(tables[name])), paths)


if __name__ == "__main__":
    run(draw_replicates)
