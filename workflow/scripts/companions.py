"""Related papers: the numbers that each prints beside ours, its figures, and a page on all."""

import logging
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.companions.printed import Inputs
from study.experiment.replicates import draw_replicates
from study.figures.style import document_column, save_figures
from study.text.documents import write_companions


def score_original(*, features: str, setting: dict[str, Any], seed: int, scores: str) -> None:
    """Write the scores of replicate 0 of the untouched data."""
    drawn = draw_replicates(pd.read_csv(features), setting, [0], seed=seed)
    drawn.drop(columns="replicate").to_csv(scores, index=False)


def study_companions(
    *,
    names: list[str],
    tables: dict[str, str],
    models: list[str],
    seed: int,
    document: dict[str, Any],
    page: str,
    files: list[str],
) -> None:
    """Write table and figures of each paper in its folder, and then the page; tables are csv."""
    frames: Any = {name: pd.read_csv(path) for name, path in tables.items() if path}
    with document_column(document) as width:
        inputs = Inputs(**frames, models=models, seed=seed, width=width)
        for name in names:
            try:
                found = import_module(f"study.companions.{name}").study_source(inputs)
            except Exception:
                logging.error(
                    "%s failed: remove it from the config key companions to get the others.", name
                )
                raise
            places = [path for path in files if Path(path).parent.name == name]
            (table,) = (path for path in places if path.endswith(".csv"))
            found.table.to_csv(table, index=False, float_format="%.6g", lineterminator="\n")
            save_figures(found.figures, places)
    write_companions([Path(path) for path in files if path.endswith("printed.csv")], Path(page))


if __name__ == "__main__":
    with job(snakemake):
        score_original(
            features=snakemake.input.encoded,
            setting=snakemake.params.setting,
            seed=snakemake.params.seed,
            scores=snakemake.output.original,
        )
        study_companions(
            names=snakemake.params.companions,
            tables={
                "paper": snakemake.input.paper,
                "original": snakemake.output.original,
                "features": snakemake.input.features,
                "loans": snakemake.input.loans,
            },
            models=snakemake.params.models,
            seed=snakemake.params.seed,
            document=snakemake.params.document,
            page=snakemake.output.page,
            files=snakemake.output,
        )
