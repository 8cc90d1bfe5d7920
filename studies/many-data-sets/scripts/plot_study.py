"""Plot the figures of the study from its tables."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from _running import job
from kappacurve.plots.style import house_style, save_figure
from many_data_sets.figures import figure_families, figure_map, figure_measures, figure_ratio


def plot_study(tables: Iterable[Path], n_positive: int, paths: list[Path]) -> None:
    """Write every figure in every format."""
    found = {path.stem: pd.read_csv(path) for path in tables}
    families = found["by_family"]
    with house_style():
        for name, figure in {
            "measures": figure_measures(found["headline"]),
            "families": figure_families(families),
            "ratio": figure_ratio(found["ratio"], families, n_positive),
            "map": figure_map(found["break_even"], found["break_even_simulated"], families),
        }.items():
            save_figure(figure, [path for path in paths if path.stem == name])


if __name__ == "__main__":
    with job(snakemake.log[0]):
        plot_study(
            map(Path, snakemake.input.tables),
            snakemake.params.n_positive,
            [Path(path) for path in snakemake.output],
        )
