# in: results/data/features_{encoding}.csv, provenance.json
# out: results/paper/{sample,scores,curves,measures}.csv (the split that is shown, replicate 0);
# results/replicates (folders of parts, summary.csv); results/tables/{table4,table5,operating_point,
# leads,rank_reversal,intervals,tests}.csv, comparison.txt; results/figures/{figure2,figure3}_{majority,
# minority}, figure1, published, rank_reversal
# The experiment once, and over random splits. Models that are too slow for so many, and the user's
# own, have parts of their own.

CLASS_NAMES = NAMES or {"minority": "minority", "majority": "majority"}
REPLICATE_PARTS = cells.replicate_parts(config)
REPLICATE_MEASURES = expand(
    "results/replicates/measures.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)
REPLICATE_SCORES = expand(
    "results/replicates/scores.parquet/part-{part}.parquet", part=REPLICATE_PARTS
)

# Of the same rule for the untouched data; a module may take the rules one at a time.
ORIGINAL = expand("results/original/{table}.csv", table=["sample", "scores", "curves", "measures"])


rule split:
    input:
        features=FEATURES.format(**EXPERIMENT),
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
        code=code_of("experiment"),
    message:
        "Splitting the rows once, training on them and measuring the scores"
    script:
        "../scripts/draw_split.py"


if IS_GERMAN_CREDIT:

    # The untouched data, of which the paper ranks the models, too.
    use rule split as split_original with:
        output:
            sample="results/original/sample.csv",
            scores="results/original/scores.csv",
            curves="results/original/curves.csv",
            measures="results/original/measures.csv",
        log:
            "results/logs/split_original.log",
        params:
            seed=config["seed"],
            cell=cells.original_cell(config),
            code=code_of("experiment"),
        message:
            "Splitting the original rows once, training on them and measuring the scores"


rule draw_replicates:
    input:
        features=FEATURES.format(**EXPERIMENT),
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
        cell=lambda wildcards: cells.cell_of(config, REPLICATE_PARTS[wildcards.part].models),
        bounds=lambda wildcards: REPLICATE_PARTS[wildcards.part].bounds,
        code=code_of("experiment"),
    message:
        "Drawing part {wildcards.part} of the replicates"
    script:
        "../scripts/draw_replicates.py"


rule tables:
    input:
        measures="results/paper/measures.csv",
        original="results/original/measures.csv" if IS_GERMAN_CREDIT else [],
        parts=REPLICATE_MEASURES,
        scores=REPLICATE_SCORES,
    output:
        summary=table("results/replicates/summary.csv", "replicates", "All measures"),
        rank_reversal=(
            table("results/tables/rank_reversal.csv", "replicates", "Rank reversal (table)")
            if COMPARED
            else []
        ),
        leads=table("results/tables/leads.csv", "answer", "Who leads in how many splits"),
        table4=table("results/tables/table4.csv", "paper", "Table 4 (hull)"),
        table5=table("results/tables/table5.csv", "paper", "Table 5 (raw)"),
        operating_point=table("results/tables/operating_point.csv", "paper", "Operating point"),
        original_table=(
            table("results/tables/original.csv", "paper", "Section 8, original data")
            if IS_GERMAN_CREDIT
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
        pair=COMPARED,
        of_the_paper=IS_GERMAN_CREDIT,
        code=code_of("tables"),
    message:
        "Summary and rank reversals of all replicates, and the split's tables beside them"
    script:
        "../scripts/make_tables.py"


rule compare_models:
    input:
        scores="results/paper/scores.csv",
        sample="results/paper/sample.csv",
        features=FEATURES.format(**EXPERIMENT),
    output:
        intervals=table("results/tables/intervals.csv", "answer", "Measures with intervals"),
        tests=table("results/tables/tests.csv", "answer", "Paired tests"),
        report="results/tables/comparison.txt",
    log:
        "results/logs/compare_models.log",
    conda:
        "../../environment.yml"
    params:
        seed=config["seed"],
        prevalence=EXPERIMENT["prevalence"],
        cost_ratio=COST_RATIO,
        models=EXPERIMENT["models"],
        at=config["experiment"]["at"],
        grouped=EXPERIMENT["split"] == "group",
        code=code_of("tables"),
    message:
        "All models compared on the test rows of the split shown"
    script:
        "../scripts/compare_models.py"


rule plot_curves:
    input:
        curves="results/paper/curves.csv",
        measures="results/paper/measures.csv",
    output:
        **{
            f"figure{number}_{side}": figure(
                f"results/figures/figure{number}_{side}",
                "paper",
                f"Figure {number} ({CLASS_NAMES[side]} positive)",
                caption="curves",
            )
            for number in (2, 3)
            for side in ("majority", "minority")
        },
        figure1=(
            figure("results/figures/figure1", "paper", "Figure 1 (dominance)", caption="figure1")
            if IS_GERMAN_CREDIT
            else []
        ),
    log:
        "results/logs/plot_curves.log",
    conda:
        "../../environment.yml"
    params:
        dominating=config["figures"]["figure1"],
        models=config["figures"]["models"],
        cost_ratio=COST_RATIO,
        of_the_paper=IS_GERMAN_CREDIT,
        document={key: config["document"][key] for key in ("width", "font")},
        code=code_of("figures"),
    message:
        "Figures of the curves"
    script:
        "../scripts/plot_curves.py"


rule plot_replicates:
    input:
        rank_reversal_tables="results/tables/rank_reversal.csv",
        published_tables=["results/tables/table4.csv", "results/tables/table5.csv"],
        provenance=PROVENANCE,
    output:
        published=(
            figure(
                "results/figures/published",
                "paper",
                "Published values beside the splits",
                caption="published",
            )
            if IS_GERMAN_CREDIT
            else []
        ),
        rank_reversal=figure(
            "results/figures/rank_reversal",
            "replicates",
            "Rank reversal (figure)",
            caption="rank_reversal",
        ),
    log:
        "results/logs/plot_replicates.log",
    conda:
        "../../environment.yml"
    params:
        pair=COMPARED,
        names=NAMES,
        document={key: config["document"][key] for key in ("width", "font")},
        code=code_of("figures"),
    message:
        "Figures of the replicates"
    script:
        "../scripts/plot_replicates.py"


SHOWN_OUTPUTS += [
    *rules.split.output,
    *(ORIGINAL if IS_GERMAN_CREDIT else []),
    *rules.tables.output,
    *rules.compare_models.output,
    *rules.plot_curves.output,
    *(rules.plot_replicates.output if COMPARED else []),
]
PARTS += [*rules.prepare_data.output, *REPLICATE_MEASURES, *REPLICATE_SCORES]
