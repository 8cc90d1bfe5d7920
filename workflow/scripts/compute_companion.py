"""A related paper: the table of its printed numbers beside ours, and its figures."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from kappacurve.plots.style import save_figure
from study.figures.style import document_style, to_inches

SETTINGS = ("model", "models", "seed")  # of the rules' params, what a companion takes


def compute_companion(
    *,
    companion: str,
    inputs: dict[str, str],
    settings: dict[str, Any],
    document: dict[str, Any],
    table: str,
    files: list[str],
) -> None:
    """Read the inputs, a csv each, and write the table and each figure's files."""
    frames = {name: pd.read_csv(path) for name, path in inputs.items() if path}
    module = import_module(f"study.companions.{companion}")
    with document_style(document["font"]):
        found = module.study_source(**frames, **settings, width=to_inches(document["width"]))
        for name, figure in found.figures.items():
            save_figure(figure, [Path(path) for path in files if Path(path).stem == name])
    found.table.to_csv(table, index=False, float_format="%.6g", lineterminator="\n")


if __name__ == "__main__":
    with job(snakemake):
        compute_companion(
            companion=snakemake.params.companion,
            inputs=dict(snakemake.input.items()),
            settings={k: v for k, v in snakemake.params.items() if k in SETTINGS},
            document=snakemake.params.document,
            table=snakemake.output.table,
            files=[*snakemake.output.svg, *snakemake.output.pdf],
        )
