# in: results/data/features_{encoding}.csv
# out: results/replicates/measures.parquet, scores.parquet, summary.csv, auk_given_auc.csv;
# results/tables/rank_reversal.csv, certainty.csv
# Replicates of the paper's setting. Models that are too slow for so many form a group of their own.

GROUPS = replicate_groups(config)


rule replicate_part:
    input:
        features=f"results/data/features_{config['experiment']['encoding']}.csv",
        code=modules_used_by("run_replicates"),
    output:
        measures=temp("results/replicates/parts/{group}/{part}_measures.parquet"),
        scores=temp("results/replicates/parts/{group}/{part}_scores.parquet"),
    log:
        "results/logs/replicates/{group}/{part}.log",
    benchmark:
        "results/benchmarks/jobs/replicates/{group}/{part}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **replicate_job(config["replicates"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: GROUPS[wildcards.group].cell,
        first=lambda wildcards: GROUPS[wildcards.group].parts[int(wildcards.part)][0],
        last=lambda wildcards: GROUPS[wildcards.group].parts[int(wildcards.part)][1],
        keep_scores=config["replicates"]["keep_scores"],
    script:
        "../scripts/run_replicates.py"


rule replicates:
    input:
        parts=[
            f"results/replicates/parts/{group}/{part}_measures.parquet"
            for group in GROUPS
            for part in range(len(GROUPS[group].parts))
        ],
        score_parts=[
            f"results/replicates/parts/{group}/{part}_scores.parquet"
            for group in GROUPS
            for part in range(len(GROUPS[group].parts))
        ],
        code=modules_used_by("summarise_replicates"),
    output:
        measures="results/replicates/measures.parquet",
        scores="results/replicates/scores.parquet",
        summary="results/replicates/summary.csv",
        rank_reversal="results/tables/rank_reversal.csv",
        certainty="results/tables/certainty.csv",
        auk_given_auc="results/replicates/auk_given_auc.csv",
    log:
        "results/logs/replicates.log",
    benchmark:
        "results/benchmarks/jobs/replicates.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **gather_job(config["replicates"], config["models"]),
    params:
        expected={
            name: one.replicates
            for one in GROUPS.values()
            for name in one.cell["models"]
        },
    script:
        "../scripts/summarise_replicates.py"
