# in: results/data/features_{encoding}.csv
# out: results/sweep/measures.parquet/, ranks.parquet/ (a folder for each cell, with its parts),
# summary.csv, rank_reversal.csv, rarity.csv, agreement.csv, sizes.csv, skipped.csv;
# results/figures/sweep, reversal_by_skew, rarity, agreement
# A cell is one combination of the levels in the config's section sweep. One that the data can't give
# has parts without rows, and stands in skipped.csv.

SWEEP = cells.sweep_levels(config)
SWEEP_PARTS = cells.sweep_parts(config)
SWEEP_CELLS = expand(
    "results/sweep/measures.parquet/{cell}/part-{part}.parquet", cell=SWEEP, part=SWEEP_PARTS
)
RANKS = "results/sweep/ranks.parquet/{cell}/part-{part}.parquet"
SWEEP_RANKS = expand(RANKS, cell=SWEEP, part=SWEEP_PARTS) if SWEPT_PAIR else []


use rule draw_replicates as sweep_cell with:
    input:
        features=lambda wildcards: FEATURES.format(**SWEEP[wildcards.cell]),
        code=modules_of("draw_replicates"),
    output:
        **({"ranks": RANKS} if SWEPT_PAIR else {}),
        measures="results/sweep/measures.parquet/{cell}/part-{part}.parquet",
    log:
        "results/logs/sweep_cell/{cell}/{part}.log",
    benchmark:
        "results/benchmarks/sweep_cell/{cell}/{part}.tsv"
    resources:
        **replicate_job(config["sweep"]["per_job"]),
    params:
        cell=lambda wildcards: cells.with_models(
            SWEEP[wildcards.cell], SWEEP_PARTS[wildcards.part].models
        ),
        bounds=lambda wildcards: SWEEP_PARTS[wildcards.part].bounds,
    message:
        "Drawing part {wildcards.part} of {wildcards.cell}"


rule sweep:
    input:
        parts=SWEEP_CELLS,
        ranks=SWEEP_RANKS,
        code=modules_of("summarise_sweep"),
    output:
        rank_reversal=SWEPT_PAIR
        and table("results/sweep/rank_reversal", "sweep", "Rank reversal (table)"),
        rarity=SWEPT_PAIR and table("results/sweep/rarity", "sweep", "What rarity does (table)"),
        summary=table("results/sweep/summary", "sweep", "Measures (table)"),
        agreement_table=SWEPT_PAIR
        and table("results/sweep/agreement", "sweep", "Agreement of the measures (table)"),
        sizes=table("results/sweep/sizes", "sweep", "Rows at each share"),
        skipped="results/sweep/skipped.csv",
    log:
        "results/logs/sweep.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["sweep"]["count"], config["sweep"]["per_job"]),
    params:
        cells=[cells.sweep_place(cell) for cell in SWEEP.values()],
        pair=SWEPT_PAIR,
        prevalence=config["experiment"]["prevalence"],
        cost_ratio=COST_RATIO,
        of_the_paper=OF_THE_PAPER,
    message:
        "Summary of every cell of the sweep"
    script:
        "../scripts/summarise_sweep.py"


rule plot_sweep:
    input:
        sweep_tables=["results/sweep/summary.csv"],
        agreement_tables=["results/sweep/agreement.csv"] if SWEPT_PAIR else [],
        reversal_by_skew_tables=["results/sweep/rank_reversal.csv"] if SWEPT_PAIR else [],
        rarity_tables=["results/sweep/rarity.csv"] if SWEPT_PAIR else [],
        provenance=PROVENANCE,
        code=modules_of("plot_replicates"),
    output:
        narrow=SWEPT_PAIR and ["results/figures/narrow/reversal_by_skew.svg"],
        reversal_by_skew=SWEPT_PAIR
        and figure("results/figures/reversal_by_skew", "sweep", "Rank reversal (figure)"),
        rarity=SWEPT_PAIR and figure("results/figures/rarity", "sweep", "What rarity does (figure)"),
        sweep=figure("results/figures/sweep", "sweep", "Measures (figure)"),
        agreement=SWEPT_PAIR
        and figure("results/figures/agreement", "sweep", "Agreement of the measures (figure)"),
    log:
        "results/logs/plot_sweep.log",
    conda:
        "../../environment.yml"
    params:
        pair=SWEPT_PAIR,
        names=NAMES,
    message:
        "Figures of the sweep"
    script:
        "../scripts/plot_replicates.py"


SHOWN_OUTPUTS += [*rules.sweep.output, *rules.plot_sweep.output]
PARTS += [*SWEEP_CELLS, *SWEEP_RANKS]
