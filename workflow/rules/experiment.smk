# in: results/data/features_{encoding}.csv, provenance.json
# out: results/paper/{sample,scores,curves,measures}.csv (the split that is shown, replicate 0);
# results/replicates (folders of parts, summary.csv); results/tables/{table4,table5,operating_point,
# intervals,tests,thresholds,bounds,wins,operating_points,answer,rank_reversal,cost_profile,
# cost_ties}.*;
# results/figures/{figure2,figure3}_{majority,minority}, auk_by_prevalence, rank_reversal, cost_profile
# The experiment once, and over random splits. Models that are too slow for so many, and the user's
# own, have parts of their own.

CLASS_NAMES = NAMES or {"minority": "minority", "majority": "majority"}
REPLICATE_PARTS = {} if ONE_SPLIT else cells.replicate_parts(config)
REPLICATE_MEASURES = expand(
    "results/replicates/measures.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)
REPLICATE_SCORES = expand(
    "results/replicates/scores.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)
TABLE_4 = table("results/tables/table4", "paper", "Table 4 (hull)")
TABLE_5 = table("results/tables/table5", "paper", "Table 5 (raw)")
AT = config["experiment"]["at"]
ORDERED = bool(PAIR) and not ONE_SPLIT
# Cost ratios that are marked: German Credit comes with one.
RATIOS = [ratio for ratio in (COST_RATIO, COST_OF_GERMAN_CREDIT if OF_THE_PAPER else None) if ratio]


rule split:
    input:
        features=FEATURES.format(**EXPERIMENT),
        code=modules_of("draw_split"),
    output:
        sample="results/paper/sample.csv",
        scores="results/paper/scores.csv",
        curves="results/paper/curves.csv",
        measures="results/paper/measures.csv",
    log:
        "results/logs/split.log",
    priority: 1  # the tables and figures wait for it
    conda:
        "../../environment.yml"
    params:
        seed=config["seed"],
        cell=EXPERIMENT,
    message:
        "Splitting the rows once, training on them and measuring the scores"
    script:
        "../scripts/draw_split.py"


rule draw_replicates:
    input:
        features=FEATURES.format(**EXPERIMENT),
        code=modules_of("draw_replicates"),
    output:
        measures="results/replicates/measures.parquet/part-{part}.parquet",
        scores="results/replicates/scores.parquet/part-{part}.parquet",
    log:
        "results/logs/draw_replicates/{part}.log",
    benchmark:
        "results/benchmarks/draw_replicates/{part}.tsv"
    conda:
        "../../environment.yml"
    resources:
        **replicate_job(config["replicates"]["per_job"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: cells.cell_of(config, REPLICATE_PARTS[wildcards.part].models),
        bounds=lambda wildcards: REPLICATE_PARTS[wildcards.part].bounds,
    message:
        "Drawing part {wildcards.part} of the replicates"
    script:
        "../scripts/draw_replicates.py"


rule tables:
    input:
        measures="results/paper/measures.csv",
        original=["results/original/measures.csv"] if OF_THE_PAPER else [],
        parts=REPLICATE_MEASURES,
        code=modules_of("make_tables"),
    output:
        summary=(
            []
            if ONE_SPLIT
            else table("results/replicates/summary", "replicates", "Summary of the replicates")
        ),
        rank_reversal=(
            table("results/tables/rank_reversal", "replicates", "Rank reversal (table)")
            if ORDERED
            else []
        ),
        auk_given_auc=(
            table("results/replicates/auk_given_auc", "replicates", "AUK given the published AUC")
            if OF_THE_PAPER
            else []
        ),
        table4=[] if ONE_SPLIT else TABLE_4,
        table5=[] if ONE_SPLIT else TABLE_5,
        operating_point=table("results/tables/operating_point", "paper", "Operating point"),
        original_tables=(
            table("results/tables/original", "paper", "Section 8, original data")
            if OF_THE_PAPER
            else []
        ),
    log:
        "results/logs/tables.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        cost_ratio=COST_RATIO,
        pair=PAIR,
        of_the_paper=OF_THE_PAPER,
    message:
        "Summary and rank reversals of all replicates, and the split's tables beside them"
    script:
        "../scripts/make_tables.py"


rule compare_models:
    input:
        scores="results/paper/scores.csv",
        measures="results/paper/measures.csv",
        sample="results/paper/sample.csv",
        features=FEATURES.format(**EXPERIMENT),
        provenance=PROVENANCE,
        parts=REPLICATE_MEASURES,
        part_scores=REPLICATE_SCORES,
        code=modules_of("compare_models"),
    output:
        intervals=table("results/tables/intervals", "answer", "Measures with intervals"),
        tests=table("results/tables/tests", "answer", "Paired tests"),
        thresholds=table("results/tables/thresholds", "answer", "Thresholds"),
        bounds=table("results/tables/bounds", "answer", "What each AUC allows"),
        wins=(
            []
            if ONE_SPLIT
            else table("results/tables/wins", "answer", "Which model is ahead in how many splits")
        ),
        points=(
            table("results/tables/operating_points", "answer", "Models under constraints")
            if AT
            else []
        ),
        # With the tests, where there is no other split.
        table4=TABLE_4 if ONE_SPLIT else [],
        table5=TABLE_5 if ONE_SPLIT else [],
        answer="results/tables/answer.csv",
    log:
        "results/logs/compare_models.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        seed=config["seed"],
        prevalence=EXPERIMENT["prevalence"],
        cost_ratio=COST_RATIO,
        models=EXPERIMENT["models"],
        at=AT,
        pair=PAIR,
        names=NAMES,
        grouped=EXPERIMENT["split"] == "group",
        skewed=EXPERIMENT["skew"] is not None,
    message:
        "All models compared: intervals, tests, thresholds, and the answer"
    script:
        "../scripts/compare_models.py"


if ORDERED:

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
            pair=PAIR,
            prevalence=EXPERIMENT["prevalence"],
            ratios=RATIOS,
            of_the_paper=OF_THE_PAPER,
        message:
            "AUK of {params.pair} at every cost"
        script:
            "../scripts/profile_costs.py"


rule plot_curves:
    input:
        curves="results/paper/curves.csv",
        measures="results/paper/measures.csv",
        tests="results/tables/tests.csv",
        provenance=PROVENANCE,
        code=modules_of("plot_curves"),
    output:
        **{
            f"figure{number}_{side}": figure(
                f"results/figures/figure{number}_{side}",
                "paper",
                f"Figure {number} ({CLASS_NAMES[side]} positive)",
                caption=f"figures/figure{number}",
            )
            for number in (2, 3)
            for side in ("majority", "minority")
        },
        narrow=expand(
            "results/figures/narrow/figure{number}_{side}.svg",
            number=(2, 3),
            side=("majority", "minority"),
        ),
        auk_by_prevalence=figure("results/figures/auk_by_prevalence", "answer", "AUK by prevalence"),
        figure1=(
            figure("results/figures/figure1", "paper", "Figure 1 (dominance)")
            if OF_THE_PAPER
            else []
        ),
    log:
        "results/logs/plot_curves.log",
    conda:
        "../../environment.yml"
    params:
        dominating=config["figures"]["figure1"],
        models=config["figures"]["models"],
        names=NAMES,
        cost_ratio=COST_RATIO,
        of_the_paper=OF_THE_PAPER,
    message:
        "Figures of the curves"
    script:
        "../scripts/plot_curves.py"


rule plot_replicates:
    input:
        rank_reversal_tables=["results/tables/rank_reversal.csv"],
        cost_profile_tables=["results/tables/cost_profile.csv"],
        published_tables=["results/tables/table4.csv", "results/tables/table5.csv"],
        provenance=PROVENANCE,
        code=modules_of("plot_replicates"),
    output:
        narrow=["results/figures/narrow/published.svg"] if OF_THE_PAPER else [],
        published=(
            figure("results/figures/published", "paper", "Published values beside the replicates")
            if OF_THE_PAPER
            else []
        ),
        rank_reversal=figure(
            "results/figures/rank_reversal", "replicates", "Rank reversal (figure)"
        ),
        cost_profile=figure("results/figures/cost_profile", "family", "AUK by cost (figure)"),
    log:
        "results/logs/plot_replicates.log",
    conda:
        "../../environment.yml"
    params:
        pair=PAIR,
        names=NAMES,
    message:
        "Figures of the replicates"
    script:
        "../scripts/plot_replicates.py"


SHOWN_OUTPUTS += [
    *rules.split.output,
    *rules.tables.output,
    *rules.compare_models.output,
    *rules.plot_curves.output,
    *([*rules.profile_costs.output, *rules.plot_replicates.output] if ORDERED else []),
]
PARTS += [*rules.prepare_data.output, *REPLICATE_MEASURES, *REPLICATE_SCORES]
