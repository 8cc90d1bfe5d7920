# in: results/data/features_{encoding}.csv
# out: results/sweep/measures.parquet, summary.csv, rank_reversal.csv, agreement.csv, skipped.csv
# A cell is one combination of the levels in the config's section sweep, kept in a folder of its own.

import pandas as pd
from snakemake.utils import Paramspace

SWEEP = sweep_levels(config)
SPACE = Paramspace(pd.DataFrame(SWEEP.levels))
SWEEP_PARTS = part_bounds(config["sweep"])


rule sweep_cell:
    input:
        features="results/data/features_{encoding}.csv",
        code=modules_used_by("run_replicates"),
    output:
        measures=f"results/sweep/cells/{SPACE.wildcard_pattern}/part{{part}}.parquet",
    log:
        f"results/logs/sweep/{SPACE.wildcard_pattern}/part{{part}}.log",
    conda:
        "../../environment.yml"
    params:
        seed=config["seed"],
        cell=lambda wildcards: sweep_cell(config, wildcards),
        first=lambda wildcards: SWEEP_PARTS[int(wildcards.part)][0],
        last=lambda wildcards: SWEEP_PARTS[int(wildcards.part)][1],
    script:
        "../scripts/run_replicates.py"


rule sweep:
    input:
        parts=expand(
            "results/sweep/cells/{cell}/part{part}.parquet",
            cell=SPACE.instance_patterns,
            part=range(len(SWEEP_PARTS)),
        ),
        code=modules_used_by("summarise_sweep"),
    output:
        measures="results/sweep/measures.parquet",
        summary="results/sweep/summary.csv",
        rank_reversal="results/sweep/rank_reversal.csv",
        agreement_table="results/sweep/agreement.csv",
        skipped="results/sweep/skipped.csv",
    log:
        "results/logs/sweep.log",
    conda:
        "../../environment.yml"
    params:
        expected={name: config["sweep"]["count"] for name in config["sweep"]["models"]},
        pair=config["replicates"]["pair"],
        cells_skipped=SWEEP.skipped,
    script:
        "../scripts/summarise_sweep.py"
