"""A model of the user's fitted once, before its replicates are drawn."""

import pandas as pd

from _job import job
from study.experiment.replicates import fit_once

if __name__ == "__main__":
    with job(snakemake):
        fit_once(
            pd.read_csv(snakemake.input.features),
            snakemake.params.setting,
            seed=snakemake.params.seed,
        )
