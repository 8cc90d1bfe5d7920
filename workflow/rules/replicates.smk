# in: results/data/features_{encoding}.csv
# out: results/replicates/measures.parquet/, scores.parquet/ (folders of parts), summary.csv,
# auk_given_auc.csv; results/tables/rank_reversal.csv, certainty.csv
# Replicates of the paper's setting. Models that are too slow for so many have parts of their own.

REPLICATE_PARTS = {f"{number:05d}": part for number, part in enumerate(replicate_parts(config))}
REPLICATE_SCORES = expand(
    "results/replicates/scores.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)


rule draw_replicates:
    input:
        features=FEATURES.format(**COHORTS["paper"]),
        code=modules_used_by("run_replicates"),
    output:
        measures="results/replicates/measures.parquet/part-{part}.parquet",
        scores="results/replicates/scores.parquet/part-{part}.parquet",
    log:
        "results/logs/replicates/{part}.log",
    conda:
        "../../environment.yml"
    resources:
        **replicate_job(config["replicates"]["per_job"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: REPLICATE_PARTS[wildcards.part].cell,
        bounds=lambda wildcards: REPLICATE_PARTS[wildcards.part][1:],
    message:
        "Drawing part {wildcards.part} of the replicates"
    script:
        "../scripts/run_replicates.py"


rule summarise_replicates:
    input:
        parts=expand(
            "results/replicates/measures.parquet/part-{part}.parquet",
            part=REPLICATE_PARTS,
        ),
        scores=REPLICATE_SCORES,
        code=modules_used_by("summarise_replicates"),
    output:
        summary="results/replicates/summary.csv",
        rank_reversal="results/tables/rank_reversal.csv",
        certainty="results/tables/certainty.csv",
        auk_given_auc="results/replicates/auk_given_auc.csv",
    log:
        "results/logs/replicates.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        expected=replicates_expected(config),
    message:
        "Summary, rank reversals and certainty of all replicates"
    script:
        "../scripts/summarise_replicates.py"
