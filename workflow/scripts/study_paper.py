"""What one source prints, recomputed: its tables, figures and checks."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.parquet import read_parquet
from study.text.tables import write_table


def study_paper(*, module: str, settings: dict[str, Any], **files: Path | list[Path]) -> None:
    """Read each input (one path, or parts), and write the table or figure of each output."""
    inputs = {}
    outputs = {}
    for name, paths in files.items():
        if isinstance(paths, Path):
            inputs[name] = pd.read_csv(paths)
        elif paths[0].suffix == ".parquet":
            inputs[name] = read_parquet(paths)
        else:
            outputs[name] = paths
    with house_style():
        tables, figures = import_module(f"study.companions.{module}").study(**inputs, **settings)
        for output, paths in outputs.items():
            kind, name = output.split("_", 1)
            if kind == "figure":
                save_figure(figures[name], paths)
            else:
                write_table(tables[name], paths)


if __name__ == "__main__":
    run(study_paper, snakemake)
