# in: results/original/scores.csv, results/paper/scores.csv
# out: results/companions/kaymak/


rule companion_kaymak:
    input:
        original="results/original/scores.csv",
        paper="results/paper/scores.csv",
        code=modules_used_by("study_kaymak"),
    output:
        tables1_to_3=[
            shown(
                "results/companions/kaymak/tables1_to_3.html",
                "kaymak_tables",
                "Kaymak et al. 2010",
                "Tables 1-3",
            ),
            *expand(
                "results/companions/kaymak/tables1_to_3.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        gini=[
            shown(
                "results/companions/kaymak/gini.html",
                "kaymak_gini",
                "Kaymak et al. 2010",
                "AUK and Gini/2",
            ),
            *expand(
                "results/companions/kaymak/gini.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        auk_by_prevalence=[
            shown(
                "results/companions/kaymak/auk_by_prevalence.svg",
                "kaymak_by_prevalence",
                "Kaymak et al. 2010",
                "AUK against prevalence",
            ),
            "results/companions/kaymak/auk_by_prevalence.pdf",
            "results/companions/kaymak/auk_by_prevalence.png",
        ],
        checks=expand(
            "results/companions/kaymak/checks.{format}",
            format=["csv", "md", "tex", "html"],
        ),
    log:
        "results/logs/companion_kaymak.log",
    benchmark:
        "results/benchmarks/jobs/companion_kaymak.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        models=config["figures"]["models"],
    script:
        "../../scripts/study_kaymak.py"
