# in: results/data/features_{encoding}.csv
# out: results/replicates/measures.parquet/, scores.parquet/ (folders of parts), summary.csv,
# auk_given_auc.csv; results/tables/rank_reversal.csv, cost_profile.csv, cost_ties.csv
# Replicates of the paper's setting. Models that are too slow for so many, and the user's own, have
# parts of their own.

REPLICATE_PARTS = replicate_parts(config)
REPLICATE_MEASURES = expand(
    "results/replicates/measures.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)
REPLICATE_SCORES = expand(
    "results/replicates/scores.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)
# The two models whose AUK is shown over the cost; the paper's pair stands in for a lacking one.
PROFILED = [*dict.fromkeys([*config["figures"]["models"], *PAPER_PAIR])][:2]


rule draw_replicates:
    input:
        features=FEATURES.format(**COHORTS["paper"]),
        code=modules_of("run_replicates"),
    output:
        measures="results/replicates/measures.parquet/part-{part}.parquet",
        scores="results/replicates/scores.parquet/part-{part}.parquet",
    log:
        "results/logs/draw_replicates/{part}.log",
    conda:
        "../../environment.yml"
    resources:
        **replicate_job(config["replicates"]["per_job"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: paper_cell(config, REPLICATE_PARTS[wildcards.part].models),
        bounds=lambda wildcards: REPLICATE_PARTS[wildcards.part].bounds,
    message:
        "Drawing part {wildcards.part} of the replicates"
    script:
        "../scripts/run_replicates.py"


rule summarise_replicates:
    input:
        parts=REPLICATE_MEASURES,
        code=modules_of("summarise_replicates"),
    output:
        summary=table("results/replicates/summary", "replicates", "Summary of the replicates"),
        rank_reversal=table("results/tables/rank_reversal", "replicates", "Rank reversal (table)"),
        auk_given_auc=table(
            "results/replicates/auk_given_auc", "replicates", "AUK given the published AUC"
        ),
    log:
        "results/logs/summarise_replicates.log",
    conda:
        "../../environment.yml"
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
        code=modules_of("profile_costs"),
    output:
        profile=table("results/tables/cost_profile", "family", "AUK by cost (table)"),
        ties=table("results/tables/cost_ties", "family", "Costs of ties (table)"),
    log:
        "results/logs/profile_costs.log",
    conda:
        "../../environment.yml"
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


rule replicate_figures:
    input:
        rank_reversal_tables=["results/tables/rank_reversal.csv"],
        cost_profile_tables=["results/tables/cost_profile.csv"],
        code=modules_of("plot_figures"),
    output:
        rank_reversal=figure(
            "results/figures/rank_reversal", "replicates", "Rank reversal (figure)"
        ),
        cost_profile=figure("results/figures/cost_profile", "family", "AUK by cost (figure)"),
    log:
        "results/logs/replicate_figures.log",
    conda:
        "../../environment.yml"
    message:
        "Plot the rank reversals and the AUK at every cost"
    script:
        "../scripts/plot_figures.py"
