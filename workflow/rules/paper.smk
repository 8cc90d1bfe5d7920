# in: the experiment's tables and replicates; the results of the study of many data sets
# out: results/original/{sample,scores,curves,measures}.csv (the untouched data); results/tables
# (prevalences, explanations, printed, cases, claims); results/figures/{prevalences,reversing_split}
# What Kaymak, Ben-David & Potharst (2010) print, which is in src/study/published.csv: German Credit
# alone has it.


rule split_original:
    input:
        features=FEATURES.format(**EXPERIMENT),
        code=modules_of("draw_split"),
    output:
        sample="results/original/sample.csv",
        scores="results/original/scores.csv",
        curves="results/original/curves.csv",
        measures="results/original/measures.csv",
    log:
        "results/logs/split_original.log",
    conda:
        "../../environment.yml"
    params:
        seed=config["seed"],
        cell=cells.original_cell(config),
    message:
        "Splitting the original rows once, training on them and measuring the scores"
    script:
        "../scripts/draw_split.py"


rule printed_numbers:
    input:
        scores=REPLICATE_SCORES,
        code=modules_of("printed_numbers"),
    output:
        prevalences="results/tables/prevalences.csv",
        explanations="results/tables/explanations.csv",
        printed="results/tables/printed.csv",
        cases="results/tables/cases.csv",
    log:
        "results/logs/printed_numbers.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    message:
        "What the printed numbers can be"
    script:
        "../scripts/printed_numbers.py"


rule claims:
    input:
        rank_reversal="results/tables/rank_reversal.csv",
        sweep="results/sweep/rank_reversal.csv",
        sample="results/paper/sample.csv",
        prevalences="results/tables/prevalences.csv",
        explanations="results/tables/explanations.csv",
        cases="results/tables/cases.csv",
        results=of_clone("studies/many-data-sets/results.csv"),
        earlier_rounds=of_clone("studies/many-data-sets/earlier_rounds.csv"),
        code=modules_of("claims"),
    output:
        verdicts="results/tables/claims.csv",
    log:
        "results/logs/claims.log",
    conda:
        "../../environment.yml"
    params:
        settings={
            **{
                key: config["experiment"][key]
                for key in (
                    "skew",
                    "n_minority",
                    "sampling",
                    "n_train",
                    "prevalence",
                    "cost_ratio",
                )
            },
            "hidden_units": config["models"]["neural_net"]["hidden_units"],
        },
    message:
        "Which of the paper's claims hold"
    script:
        "../scripts/claims.py"


rule plot_paper:
    input:
        prevalences="results/tables/prevalences.csv",
        measures=REPLICATE_MEASURES,
        scores=REPLICATE_SCORES,
        code=modules_of("plot_paper"),
    output:
        prevalences_figure=figure(
            "results/figures/prevalences", "forensics", "Possible prevalences"
        ),
        reversing_split=figure(
            "results/figures/reversing_split", "forensics", "A split that reverses the ranking"
        ),
    log:
        "results/logs/plot_paper.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    message:
        "Figures of the verdict"
    script:
        "../scripts/plot_paper.py"


SHOWN_OUTPUTS += [
    *rules.split_original.output,
    *rules.printed_numbers.output,
    *rules.claims.output,
    *rules.plot_paper.output,
]
