# German Credit, and what Kaymak, Ben-David & Potharst (2010) print of it (src/study/printed.csv).
# in: UCI or the bundled german.data, replicates, the study of many data sets
# out: results/data, results/tables/{original_reversal,prevalences,counts,explanations,printed,cases,
# claims}.csv, results/figures/{figure1,printed,prevalences,reversing_split}
TABLES += ["original_reversal", "prevalences", "counts", "explanations", "printed"]
TABLES += ["cases", "claims"]
# Which class is drawn as the positive one.
SIDES = ["majority", "minority"]
FIGURES += expand("figure{number}_{side}", number=[2, 3], side=SIDES)
FIGURES += ["figure1", "printed", "prevalences", "reversing_split"]
# Good customers are the positive class that fits the printed numbers.
POSITIVE_CLASS = "majority"
HAS_PRINTED = True
STUDY = [clone_file(f"studies/many-data-sets/{name}.csv") for name in ("results", "earlier_rounds")]
PRINTED = expand("results/companions/{name}/printed.csv", name=config["companions"])

# What the verdict rests on: only at the paper's setting are all claims judged.
SETTING = {
    key: config["experiment"][key]
    for key in ("skew", "sampling", "n_train", "prevalence", "cost_ratio")
}
SETTING["hidden_units"] = config["models"].get("neural_net", {}).get("hidden_units")


rule prepare_data:
    input:
        file=local(config["data"]["path"]) if config["data"]["path"] else [],
    output:
        table="results/data/table.csv",
        provenance=PROVENANCE,
        features=expand(FEATURES, encoding=["strathclyde", "onehot"]),
    log:
        "results/logs/prepare_data.log",
    # On a cluster, where Snakemake was started: other nodes may have no network.
    localrule: True
    conda:
        "../envs/kappacurve.yaml"
    params:
        content=hash_of_data(),
        code=code_of("german_credit"),
    message:
        "Fetching or reading German Credit, and encoding it"
    script:
        "../scripts/prepare_german_credit.py"


rule claims:
    input:
        scores=[path for path in list_chunks([BASE], "scores.parquet") if "built_in-" in path],
        original=list_chunks(["original"]),
        others=[
            "results/tables/rank_reversal.csv",
            "results/tables/reversal_by_gap.csv",
            "results/split/sample.csv",
            *STUDY,
        ],
    output:
        original_reversal="results/tables/original_reversal.csv",
        prevalences="results/tables/prevalences.csv",
        counts="results/tables/counts.csv",
        explanations="results/tables/explanations.csv",
        printed="results/tables/printed.csv",
        cases="results/tables/cases.csv",
        claims="results/tables/claims.csv",
    log:
        "results/logs/claims.log",
    benchmark:
        "results/logs/claims.tsv"
    conda:
        "../envs/kappacurve.yaml"
    resources:
        # Measured in docs/cluster.md: the scores of one chunk at a time, and the measures of all.
        mem_mb=lambda wildcards, input, attempt: attempt
        * (600 + config["experiment"]["per_job"] // 2 + int(input.size_mb)),
        runtime=lambda wildcards, input, attempt: attempt * (10 + int(input.size_mb) // 20),
    params:
        setting=SETTING,
        code=code_of("all"),
    message:
        "What the printed numbers can be, and which of the paper's claims hold"
    script:
        "../scripts/claims.py"


rule plot_paper:
    input:
        tables=["results/tables/table4.csv", "results/tables/table5.csv"],
        prevalences="results/tables/prevalences.csv",
        measures=list_chunks([BASE]),
        scores=list_chunks([BASE], "scores.parquet"),
        provenance=PROVENANCE,
    output:
        report(
            expand(
                "results/figures/{name}.svg",
                name=["printed", "figure1", "prevalences", "reversing_split"],
            ),
            category="1 The paper's numbers",
            caption="../report/paper.rst",
        ),
        expand(
            "results/figures/{name}.pdf",
            name=["printed", "figure1", "prevalences", "reversing_split"],
        ),
    log:
        "results/logs/plot_paper.log",
    benchmark:
        "results/logs/plot_paper.tsv"
    conda:
        "../envs/kappacurve.yaml"
    resources:
        # Two splits of the scores, and the measures of all.
        mem_mb=lambda wildcards, input, attempt: attempt * (800 + int(input.size_mb)),
    params:
        figure1=config["figures"]["figure1"],
        names=config["data"]["names"],
        prevalence=SCENARIOS[BASE]["prevalence"],
        cost_ratio=SCENARIOS[BASE]["cost_ratio"],
        document=COLUMN,
        code=code_of("all"),
    message:
        "Figures of the paper's numbers"
    script:
        "../scripts/plot_paper.py"
