"""Figures of the replicates, the sweep and the specifications."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import ONE_COLUMN, house_style, save_figure
from study.data.classes import read_names
from study.figures.replicate_figures import FIGURES, Words


def plot_replicates(
    *,
    provenance: Path,
    pair: list[str],
    names: dict[str, str] | None,
    narrow: Sequence[Path] = (),
    **files: Any,
) -> None:
    """Write every figure, from its tables, in every format asked for.

    `narrow` are those that a phone shows.
    """
    words = Words(read_names(provenance, names), pair)
    with house_style():
        for name, plot in FIGURES.items():
            if files.get(name):
                tables = files[f"{name}_tables"]
                read = [pd.read_csv(path).assign(table=path.stem) for path in tables]
                table = pd.concat(read)
                save_figure(plot(table, words), files[name])
                for path in narrow:
                    if path.stem == name:
                        save_figure(plot(table, words, ONE_COLUMN), [path])


if __name__ == "__main__":
    run(plot_replicates, snakemake)
