"""One related paper: the table of its printed numbers beside ours, and its figures."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure


def compute_companion(
    *, companion: str, table: Path, figures: list[Path], **arguments: Any
) -> None:
    """Read the inputs (a csv each, or none), and write the table and each figure's files."""
    inputs = {
        name: pd.read_csv(value) if isinstance(value, Path) else value
        for name, value in arguments.items()
        if value != []
    }
    with house_style():
        found = import_module(f"study.companions.{companion}").study_source(**inputs)
        for name, figure in found.figures.items():
            save_figure(figure, [path for path in figures if path.stem == name])
    found.table.to_csv(table, index=False, float_format="%.6g", lineterminator="\n")


if __name__ == "__main__":
    run(compute_companion, snakemake)
