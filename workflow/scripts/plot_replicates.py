"""Figures of the replicates and of the sweep."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.data.classes import read_names
from study.figures.curves import figure_reversing_split, reversing_splits
from study.figures.replicates import FIGURES, Words
from study.parquet import read_parquet


def plot_replicates(
    *,
    provenance: Path,
    pair: list[str],
    names: dict[str, str] | None,
    measures: list[Path] | None = None,
    scores: list[Path] | None = None,
    side: str = "majority",
    reversing_split: list[Path] | None = None,
    **files: Any,
) -> None:
    """Write every figure from its tables; the reversing split, of a positive class, from scores."""
    words = Words(read_names(provenance, names), pair)
    with house_style():
        for name, plot in FIGURES.items():
            if files.get(name):
                tables = files[f"{name}_tables"]
                paths = tables if isinstance(tables, list) else [tables]
                read = [pd.read_csv(path).assign(table=path.stem) for path in paths]
                save_figure(plot(pd.concat(read), words), files[name])
        if measures and scores and reversing_split:
            drawn = read_parquet(measures)
            reversing = reversing_splits(drawn, pair, side)
            shown = [("replicate", "in", [0, *map(int, reversing[:1])])]
            splits = read_parquet(scores, filters=shown)
            count = drawn["replicate"].nunique()
            figure = figure_reversing_split(splits, reversing, count, pair, side, words.names)
            save_figure(figure, reversing_split)


if __name__ == "__main__":
    run(plot_replicates, snakemake)
