# Of German Credit alone: what Kaymak, Ben-David & Potharst (2010) print, in src/study/published.csv.
# in: replicates and tables of the experiment, results of the study of many data sets
# out: results/split/original_scores.csv, results/tables/{original_reversal,prevalences,explanations,
# printed,cases,claims}.csv, results/figures/{figure1,published,prevalences,reversing_split}

# What the verdict rests on: only at the paper's setting are all claims judged.
SETTING = {
    key: config["experiment"][key]
    for key in ("skew", "n_minority", "sampling", "n_train", "prevalence", "cost_ratio")
}
SETTING["hidden_units"] = config["models"].get("neural_net", {}).get("hidden_units")


rule split_original:
    input:
        features=FEATURES.format(**SCENARIOS[BASE]),
    output:
        scores="results/split/original_scores.csv",
    log:
        "results/logs/split_original.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        setting=split_setting("original"),
        seed=config["seed"],
        code=code_of("experiment"),
    message:
        "Replicate 0 of the untouched data"
    script:
        "../scripts/split_original.py"


rule claims:
    input:
        scores=list_parts([BASE], "scores.parquet"),
        original=list_parts(["original"]) if IS_GERMAN_CREDIT else [],
        rank_reversal="results/tables/rank_reversal.csv",
        sample="results/split/sample.csv",
        results=clone_file("studies/many-data-sets/results.csv"),
        earlier_rounds=clone_file("studies/many-data-sets/earlier_rounds.csv"),
    output:
        original_reversal="results/tables/original_reversal.csv",
        prevalences="results/tables/prevalences.csv",
        explanations="results/tables/explanations.csv",
        printed="results/tables/printed.csv",
        cases="results/tables/cases.csv",
        claims="results/tables/claims.csv",
    log:
        "results/logs/claims.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        setting=SETTING,
        code=code_of("paper"),
    message:
        "What the printed numbers can be, and which of the paper's claims hold"
    script:
        "../scripts/claims.py"


rule plot_paper:
    input:
        tables=["results/tables/table4.csv", "results/tables/table5.csv"],
        prevalences="results/tables/prevalences.csv",
        measures=list_parts([BASE]),
        scores=list_parts([BASE], "scores.parquet"),
        provenance=PROVENANCE,
    output:
        report(
            expand(
                "results/figures/{name}.svg",
                name=["published", "figure1", "prevalences", "reversing_split"],
            ),
            category="1 The paper's numbers",
            caption="../report/paper.rst",
        ),
        expand(
            "results/figures/{name}.pdf",
            name=["published", "figure1", "prevalences", "reversing_split"],
        ),
    log:
        "results/logs/plot_paper.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        figure1=config["figures"]["figure1"],
        names=config["data"]["names"],
        document=COLUMN,
        code=code_of("figures"),
    message:
        "Figures of the paper's numbers"
    script:
        "../scripts/plot_paper.py"
