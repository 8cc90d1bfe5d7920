# in: results/data/features_{encoding}.csv
# out: results/specification/{encoding}/{sampling}/{network}.parquet (scores);
# results/tables/specification.*
# Replicates at every combination of what the paper leaves open.

from study.settings.cells import specification_place

SPECIFICATIONS = specification_levels(config)


use rule draw_replicates as specification_cell with:
    input:
        features=lambda wildcards: FEATURES.format(**SPECIFICATIONS[wildcards.cell]),
    output:
        scores="results/specification/{cell}.parquet",
    resources:
        **replicate_job(config["specification"]["count"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: SPECIFICATIONS[wildcards.cell],
        bounds=(0, config["specification"]["count"]),
    message:
        "Drawing replicates of {wildcards.cell}"


rule specification:
    input:
        scores=expand(rules.specification_cell.output.scores, cell=SPECIFICATIONS),
    output:
        table=table("results/tables/specification", "replicates", "Specifications (table)"),
    resources:
        **summary_job(config["specification"]["count"]),
    params:
        cells=[specification_place(cell) for cell in SPECIFICATIONS.values()],
    message:
        "Where the published numbers fall in every specification"
    script:
        "../scripts/summarise_specification.py"
