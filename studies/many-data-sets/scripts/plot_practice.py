"""Plot the figure of round 3 from its tables."""

from pathlib import Path

import pandas as pd

from _running import job
from kappacurve.plots.style import house_style, save_figure
from many_data_sets.figures_practice import figure_practice


def plot_practice(choice: Path, power: Path, n_positive: int, paths: list[Path]) -> None:
    """Write it in every format."""
    with house_style():
        figure = figure_practice(pd.read_csv(choice), pd.read_csv(power), n_positive)
        save_figure(figure, paths)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        plot_practice(
            Path(snakemake.input.choice),
            Path(snakemake.input.power),
            snakemake.params.n_positive,
            [Path(path) for path in snakemake.output],
        )
