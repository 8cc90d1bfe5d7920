# in: results/data/features_{encoding}.csv
# out: results/sweep/measures.parquet/ (a folder for each cell, with its parts), summary.csv,
# rank_reversal.csv, sizes.csv, skipped.csv; results/figures/sweep, reversal_by_skew
# A cell is one combination of the levels in the config's section sweep. One that the data can't give
# has parts without rows, and stands in skipped.csv.

SWEEP = cells.sweep_levels(config)
SWEEP_PARTS = cells.sweep_parts(config)
SWEEP_CELLS = expand(
    "results/sweep/measures.parquet/{cell}/part-{part}.parquet", cell=SWEEP, part=SWEEP_PARTS
)


use rule draw_replicates as sweep_cell with:
    input:
        features=lambda wildcards: FEATURES.format(**SWEEP[wildcards.cell]),
    output:
        measures="results/sweep/measures.parquet/{cell}/part-{part}.parquet",
    log:
        "results/logs/sweep_cell/{cell}/{part}.log",
    resources:
        **replicate_job(config["sweep"]["per_job"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: cells.with_models(
            SWEEP[wildcards.cell], SWEEP_PARTS[wildcards.part].models
        ),
        bounds=lambda wildcards: SWEEP_PARTS[wildcards.part].bounds,
        code=code_of("experiment"),
    message:
        "Drawing part {wildcards.part} of {wildcards.cell}"


rule sweep:
    input:
        parts=SWEEP_CELLS,
    output:
        rank_reversal=(
            table("results/sweep/rank_reversal.csv", "sweep", "Rank reversal (table)")
            if COMPARED_IN_SWEEP
            else []
        ),
        summary=table("results/sweep/summary.csv", "sweep", "Measures (table)"),
        sizes=table("results/sweep/sizes.csv", "sweep", "Rows at each share"),
        skipped="results/sweep/skipped.csv",
    log:
        "results/logs/sweep.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["sweep"]["count"]),
    params:
        cells=[cells.sweep_place(cell) for cell in SWEEP.values()],
        pair=COMPARED_IN_SWEEP,
        cost_ratio=COST_RATIO,
        of_the_paper=IS_GERMAN_CREDIT,
        code=code_of("tables"),
    message:
        "Summary of every cell of the sweep"
    script:
        "../scripts/summarise_sweep.py"


rule plot_sweep:
    input:
        sweep_tables="results/sweep/summary.csv",
        reversal_by_skew_tables="results/sweep/rank_reversal.csv" if COMPARED_IN_SWEEP else [],
        provenance=PROVENANCE,
    output:
        reversal_by_skew=(
            figure(
                "results/figures/reversal_by_skew",
                "sweep",
                "Rank reversal (figure)",
                caption="reversal_by_skew",
            )
            if COMPARED_IN_SWEEP
            else []
        ),
        sweep=figure("results/figures/sweep", "sweep", "Measures (figure)", caption="sweep"),
    log:
        "results/logs/plot_sweep.log",
    conda:
        "../../environment.yml"
    params:
        pair=COMPARED_IN_SWEEP,
        names=NAMES,
        document={key: config["document"][key] for key in ("width", "font")},
        code=code_of("figures"),
    message:
        "Figures of the sweep"
    script:
        "../scripts/plot_replicates.py"


SHOWN_OUTPUTS += [*rules.sweep.output, *rules.plot_sweep.output]
PARTS += SWEEP_CELLS
