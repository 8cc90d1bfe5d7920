# in: results/data/features_{encoding}.csv
# out: results/replicates/measures.parquet/, scores.parquet/ (folders of parts), summary.csv,
# auk_given_auc.csv; results/tables/rank_reversal.csv, cost_profile.csv, cost_ties.csv
# Replicates of the paper's setting. Models that are too slow for so many have parts of their own.

REPLICATE_PARTS = {f"{number:05d}": part for number, part in enumerate(replicate_parts(config))}
REPLICATE_SCORES = expand(
    "results/replicates/scores.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)
# The two models whose AUK is shown over the cost; the paper's pair stands in for a lacking one.
PROFILED = [*dict.fromkeys([*config["figures"]["models"], *PAPER_PAIR])][:2]


rule draw_replicates:
    input:
        features=FEATURES.format(**COHORTS["paper"]),
    output:
        measures="results/replicates/measures.parquet/part-{part}.parquet",
        scores="results/replicates/scores.parquet/part-{part}.parquet",
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
            "results/replicates/measures.parquet/part-{part}.parquet", part=REPLICATE_PARTS
        ),
        scores=REPLICATE_SCORES,
    output:
        summary="results/replicates/summary.csv",
        rank_reversal="results/tables/rank_reversal.csv",
        auk_given_auc="results/replicates/auk_given_auc.csv",
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        expected=replicates_expected(config),
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "Summary and rank reversals of all replicates"
    script:
        "../scripts/summarise_replicates.py"


rule profile_costs:
    input:
        scores=REPLICATE_SCORES,
    output:
        profile="results/tables/cost_profile.csv",
        ties="results/tables/cost_ties.csv",
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        pair=PROFILED,
        prevalence=COHORTS["paper"]["prevalence"],
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "AUK of {params.pair} at every cost"
    script:
        "../scripts/profile_costs.py"
