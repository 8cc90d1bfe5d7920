"""Figures of the replicates and of the sweep."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.data.classes import read_names
from study.figures.marks import set_letters
from study.figures.replicates import FIGURES, Words
from study.settings.config import inches


def plot_replicates(
    *,
    provenance: Path,
    pair: list[str],
    names: dict[str, str] | None,
    document: dict[str, str],
    **files: Any,
) -> None:
    """Write every figure from its tables."""
    words = Words(read_names(provenance, names), pair)
    width = inches(document["width"])
    with house_style():
        for name, plot in FIGURES.items():
            if files.get(name):
                tables = files[f"{name}_tables"]
                paths = tables if isinstance(tables, list) else [tables]
                read = [pd.read_csv(path).assign(table=path.stem) for path in paths]
                save_figure(
                    set_letters(plot(pd.concat(read), words, width), document["font"]), files[name]
                )


if __name__ == "__main__":
    run(plot_replicates, snakemake)
