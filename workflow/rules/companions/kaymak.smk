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
                "results/companions/kaymak/tables1_to_3.csv",
                "kaymak_tables",
                "Kaymak et al. 2010",
                "Tables 1-3",
            ),
            "results/companions/kaymak/tables1_to_3.md",
        ],
        gini=[
            shown(
                "results/companions/kaymak/gini.csv",
                "kaymak_gini",
                "Kaymak et al. 2010",
                "AUK and Gini/2",
            ),
            "results/companions/kaymak/gini.md",
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
        checks=[
            "results/companions/kaymak/checks.csv",
            "results/companions/kaymak/checks.md",
        ],
    log:
        "results/logs/companion_kaymak.log",
    conda:
        "../../../environment.yml"
    params:
        models=config["figures"]["models"],
    script:
        "../../scripts/study_kaymak.py"
