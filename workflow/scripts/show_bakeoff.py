"""Readable pages and figures of the study of many data sets, from its tables."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.bakeoff.figures import figure_families, figure_map, figure_measures, figure_ratio
from study.bakeoff.measures import MEASURES
from study.pages.table_files import write_table


def _in_words(name: str) -> str:
    return MEASURES.get(name, name.replace("_", " "))


def show_bakeoff(
    *, tables: list[Path], titles: dict[str, str], n_positive: int, **files: Any
) -> None:
    """Write the pages of each table that has a title, and the four figures."""
    found = {path.stem: pd.read_csv(path) for path in tables}
    for name, title in titles.items():
        named = [key for key in ("measure", "goal", "model") if key in found[name]]
        words = {key: found[name][key].map(_in_words, na_action="ignore") for key in named}
        write_table(found[name], files[name], title=title, shown=found[name].assign(**words))
    with house_style():
        families = found["by_family"]
        for name, drawing in {
            "measures": figure_measures(found["headline"]),
            "families": figure_families(families),
            "ratio": figure_ratio(found["ratio"], families, n_positive),
            "map": figure_map(found["break_even"], found["break_even_simulated"], families),
        }.items():
            save_figure(drawing, files[f"figure_{name}"])


if __name__ == "__main__":
    run(show_bakeoff, snakemake)
