# in: results/data/features_{encoding}.csv
# out: results/sweep/measures.parquet/ (a folder for each cell, with its parts), summary.csv,
# rank_reversal.csv, agreement.csv, sizes.csv, skipped.csv
# results/figures/sweep, reversal_by_skew, agreement
# A cell is one combination of the levels in the config's section sweep.

SWEEP = sweep_levels(config)
SWEEP_PARTS = sweep_parts(config)
SWEEP_CELLS = expand(
    "results/sweep/measures.parquet/{cell}/part-{part}.parquet",
    cell=SWEEP.levels,
    part=SWEEP_PARTS,
)


rule sweep_cell:
    input:
        features=lambda wildcards: FEATURES.format(**SWEEP.levels[wildcards.cell]),
        code=modules_of("run_replicates"),
    output:
        measures="results/sweep/measures.parquet/{cell}/part-{part}.parquet",
    log:
        "results/logs/sweep_cell/{cell}/{part}.log",
    conda:
        "../../environment.yml"
    resources:
        **replicate_job(config["sweep"]["per_job"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: with_models(
            SWEEP.levels[wildcards.cell], SWEEP_PARTS[wildcards.part].models
        ),
        bounds=lambda wildcards: SWEEP_PARTS[wildcards.part].bounds,
    message:
        "Drawing part {wildcards.part} of {wildcards.cell}"
    script:
        "../scripts/run_replicates.py"


rule sweep:
    input:
        parts=SWEEP_CELLS,
        code=modules_of("summarise_sweep"),
    output:
        summary=table("results/sweep/summary", "sweep", "Measures (table)"),
        rank_reversal=table("results/sweep/rank_reversal", "sweep", "Rank reversal (table)"),
        agreement_table=table(
            "results/sweep/agreement", "sweep", "Agreement of the measures (table)"
        ),
        sizes=table("results/sweep/sizes", "sweep", "Rows at each share"),
        skipped="results/sweep/skipped.csv",
    log:
        "results/logs/sweep.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["sweep"]["count"]),
    params:
        expected={name: config["sweep"]["count"] for name in config["sweep"]["models"]},
        cell_sizes=SWEEP.sizes,
        cells_skipped=SWEEP.skipped,
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "Summary of every cell of the sweep"
    script:
        "../scripts/summarise_sweep.py"


rule sweep_figures:
    input:
        sweep_tables=["results/sweep/summary.csv"],
        reversal_by_skew_tables=["results/sweep/rank_reversal.csv"],
        agreement_tables=["results/sweep/agreement.csv"],
        code=modules_of("plot_figures"),
    output:
        sweep=figure("results/figures/sweep", "sweep", "Measures (figure)"),
        reversal_by_skew=figure(
            "results/figures/reversal_by_skew", "sweep", "Rank reversal (figure)"
        ),
        agreement=figure("results/figures/agreement", "sweep", "Agreement of the measures (figure)"),
    log:
        "results/logs/sweep_figures.log",
    conda:
        "../../environment.yml"
    message:
        "Plot the sweep"
    script:
        "../scripts/plot_figures.py"
