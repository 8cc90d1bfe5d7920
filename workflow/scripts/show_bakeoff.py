"""Readable pages and figures of the study of many data sets, from its tables."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve.plots.style import house_style, save_figure
from study.bakeoff.figures import figure_designs, figure_efficiency, figure_families, figure_matrix
from study.pages.table_files import write_table


@job
def show_bakeoff(*, tables: list[Path], titles: dict[str, str], **files: Any) -> None:
    """Write the pages of each table that has a title, and the four figures."""
    found = {path.stem: pd.read_csv(path) for path in tables}
    for name, title in titles.items():
        write_table(found[name], files[name], title=title)
    with house_style():
        for name, drawing in {
            "families": figure_families(found["by_family"], found["headline"]),
            "designs": figure_designs(
                found["by_design"], int(found["headline"]["n_positive"].iloc[0])
            ),
            "matrix": figure_matrix(found["matrix"]),
            "efficiency": figure_efficiency(found["efficiency"]),
        }.items():
            save_figure(drawing, files[f"figure_{name}"])
