# in: results/data/features_{encoding}.csv
# out: results/sweep/measures.parquet, summary.csv, rank_reversal.csv, certainty.csv, agreement.csv,
# sizes.csv, skipped.csv;
# results/figures/rank_reversal, sweep, reversal_by_skew, certainty, agreement, specification
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
    benchmark:
        f"results/benchmarks/jobs/sweep/{SPACE.wildcard_pattern}/part{{part}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **replicate_job(config["sweep"]),
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
        certainty="results/sweep/certainty.csv",
        agreement_table="results/sweep/agreement.csv",
        sizes="results/sweep/sizes.csv",
        skipped="results/sweep/skipped.csv",
    log:
        "results/logs/sweep.log",
    benchmark:
        "results/benchmarks/jobs/sweep.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **gather_job(config["sweep"], config["sweep"]["models"], len(SWEEP.levels)),
    params:
        expected={name: config["sweep"]["count"] for name in config["sweep"]["models"]},
        cell_sizes=sweep_sizes(config),
        cells_skipped=SWEEP.skipped,
    script:
        "../scripts/summarise_sweep.py"


rule replicate_figures:
    input:
        rank_reversal_table="results/tables/rank_reversal.csv",
        sweep_table="results/sweep/summary.csv",
        reversal_by_skew_table="results/sweep/rank_reversal.csv",
        certainty_table="results/sweep/certainty.csv",
        agreement_table="results/sweep/agreement.csv",
        specification_table="results/tables/specification.csv",
        code=modules_used_by("draw_replicates"),
    output:
        rank_reversal=[
            report(
                "results/figures/rank_reversal.svg",
                caption="../report/figure_rank_reversal.rst",
                category=CATEGORIES["replicates"],
                labels={"what": "Rank reversal (figure)"},
            ),
            "results/figures/rank_reversal.pdf",
            "results/figures/rank_reversal.png",
        ],
        sweep=[
            report(
                "results/figures/sweep.svg",
                caption="../report/figure_sweep.rst",
                category=CATEGORIES["sweep"],
                labels={"what": "Measures (figure)"},
            ),
            "results/figures/sweep.pdf",
            "results/figures/sweep.png",
        ],
        reversal_by_skew=[
            report(
                "results/figures/reversal_by_skew.svg",
                caption="../report/figure_reversal_by_skew.rst",
                category=CATEGORIES["sweep"],
                labels={"what": "Rank reversal (figure)"},
            ),
            "results/figures/reversal_by_skew.pdf",
            "results/figures/reversal_by_skew.png",
        ],
        certainty=[
            report(
                "results/figures/certainty.svg",
                caption="../report/figure_certainty.rst",
                category=CATEGORIES["sweep"],
                labels={"what": "Certainty of the ranking (figure)"},
            ),
            "results/figures/certainty.pdf",
            "results/figures/certainty.png",
        ],
        agreement=[
            report(
                "results/figures/agreement.svg",
                caption="../report/figure_agreement.rst",
                category=CATEGORIES["sweep"],
                labels={"what": "Agreement of the measures (figure)"},
            ),
            "results/figures/agreement.pdf",
            "results/figures/agreement.png",
        ],
        specification=[
            report(
                "results/figures/specification.svg",
                caption="../report/figure_specification.rst",
                category=CATEGORIES["replicates"],
                labels={"what": "Specifications (figure)"},
            ),
            "results/figures/specification.pdf",
            "results/figures/specification.png",
        ],
    log:
        "results/logs/replicate_figures.log",
    benchmark:
        "results/benchmarks/jobs/replicate_figures.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../scripts/draw_replicates.py"
