# in: results/data/features_{encoding}.csv
# out: results/specification/{encoding}/{sampling}.parquet (scores);
# results/tables/specification.*, results/figures/specification.*
# Replicates at every combination of what the paper leaves open.

SPECIFICATIONS = cells.specification_levels(config)
SPECIFICATION_SCORES = expand("results/specification/{cell}.parquet", cell=SPECIFICATIONS)


use rule draw_replicates as specification_cell with:
    input:
        features=lambda wildcards: FEATURES.format(**SPECIFICATIONS[wildcards.cell]),
        code=modules_of("draw_replicates"),
    output:
        scores="results/specification/{cell}.parquet",
    log:
        "results/logs/specification_cell/{cell}.log",
    benchmark:
        "results/benchmarks/specification_cell/{cell}.tsv"
    resources:
        **replicate_job(config["specification"]["count"]),
    params:
        cell=lambda wildcards: SPECIFICATIONS[wildcards.cell],
        bounds=(0, config["specification"]["count"]),
    message:
        "Drawing replicates of {wildcards.cell}"


rule specification:
    input:
        scores=SPECIFICATION_SCORES,
        code=modules_of("summarise_specification"),
    output:
        table=table("results/tables/specification", "replicates", "Specifications (table)"),
    log:
        "results/logs/specification.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["specification"]["count"]),
    params:
        cells=[cells.specification_places(cell) for cell in SPECIFICATIONS.values()],
    message:
        "Where the published numbers fall in every specification"
    script:
        "../scripts/summarise_specification.py"


rule plot_specification:
    input:
        specification_tables=["results/tables/specification.csv"],
        provenance=PROVENANCE,
        code=modules_of("plot_replicates"),
    output:
        specification=figure(
            "results/figures/specification", "replicates", "Specifications (figure)"
        ),
    log:
        "results/logs/plot_specification.log",
    conda:
        "../../environment.yml"
    params:
        pair=PAIR,
        names=NAMES,
    message:
        "Figure of the specifications"
    script:
        "../scripts/plot_replicates.py"


SHOWN_OUTPUTS += [*rules.specification.output, *rules.plot_specification.output]
PARTS += SPECIFICATION_SCORES
