"""Every model fitted once, before replicates are drawn."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.experiment.replicates import fit_once


def fit_models(
    *, features: str, setting: dict[str, Any], models: dict[str, Any], seed: int, fitted: Path
) -> None:
    """Write the names of the models, or say which of them can't be fitted."""
    fit_once(pd.read_csv(features), setting, models, seed=seed)
    fitted.write_text("\n".join(["model", *models, ""]), encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake):
        fit_models(
            features=snakemake.input.features,
            setting=snakemake.params.setting,
            models=snakemake.params.models,
            seed=snakemake.params.seed,
            fitted=Path(snakemake.output[0]),
        )
