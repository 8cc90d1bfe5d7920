# in: results/data/features_{encoding}.csv
# out: results/sweep/measures.parquet/ (a folder for each cell, with its parts), summary.csv,
# rank_reversal.csv, agreement.csv, sizes.csv, skipped.csv
# results/figures/rank_reversal, cost_profile, sweep, reversal_by_skew, agreement, specification
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
        summary="results/sweep/summary.csv",
        rank_reversal="results/sweep/rank_reversal.csv",
        agreement_table="results/sweep/agreement.csv",
        sizes="results/sweep/sizes.csv",
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


# A figure of the replicates, the sweep or the specifications: its tables, and its category and
# name in the report.
REPLICATE_FIGURES = {
    "published": (
        ["tables/table4", "tables/table5"],
        "paper",
        "Published values beside the replicates",
    ),
    "rank_reversal": (["tables/rank_reversal"], "replicates", "Rank reversal (figure)"),
    "cost_profile": (["tables/cost_profile"], "family", "AUK by cost (figure)"),
    "sweep": (["sweep/summary"], "sweep", "Measures (figure)"),
    "reversal_by_skew": (["sweep/rank_reversal"], "sweep", "Rank reversal (figure)"),
    "agreement": (["sweep/agreement"], "sweep", "Agreement of the measures (figure)"),
    "specification": (["tables/specification"], "replicates", "Specifications (figure)"),
}


rule replicate_figures:
    input:
        **{
            f"{name}_tables": expand("results/{table}.csv", table=own[0])
            for name, own in REPLICATE_FIGURES.items()
        },
        code=modules_of("draw_replicates"),
    output:
        **{
            name: figure(f"results/figures/{name}", *own[1:], caption=f"figure_{name}")
            for name, own in REPLICATE_FIGURES.items()
        },
    log:
        "results/logs/replicate_figures.log",
    conda:
        "../../environment.yml"
    message:
        "Figures of the replicates, the sweep and the specifications"
    script:
        "../scripts/draw_replicates.py"
