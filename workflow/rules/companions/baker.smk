# in: results/original/scores.csv, results/paper/scores.csv, results/data/german_credit.csv
# out: results/companions/baker/


rule companion_baker:
    input:
        original="results/original/scores.csv",
        paper="results/paper/scores.csv",
        table="results/data/german_credit.csv",
        code=modules_used_by("study_baker"),
    output:
        matrix=[
            shown(
                "results/companions/baker/matrix.csv",
                "baker_matrix",
                "Baker",
                "Worked example",
            ),
            "results/companions/baker/matrix.md",
        ],
        measures=[
            shown(
                "results/companions/baker/measures.csv",
                "baker_measures",
                "Baker",
                "Our models",
            ),
            "results/companions/baker/measures.md",
        ],
        auc_tests=[
            shown(
                "results/companions/baker/auc_tests.csv",
                "baker_auc_tests",
                "Baker",
                "Tests of the AUC",
            ),
            "results/companions/baker/auc_tests.md",
        ],
        sees_and_misses=[
            shown(
                "results/companions/baker/sees_and_misses.csv",
                "baker_sees_and_misses",
                "Baker",
                "What each measure sees and misses",
            ),
            "results/companions/baker/sees_and_misses.md",
        ],
        precision_recall=[
            shown(
                "results/companions/baker/precision_recall.svg",
                "baker_precision_recall",
                "Baker",
                "Precision and recall",
            ),
            "results/companions/baker/precision_recall.pdf",
            "results/companions/baker/precision_recall.png",
        ],
        checks=[
            "results/companions/baker/checks.csv",
            "results/companions/baker/checks.md",
        ],
    log:
        "results/logs/companion_baker.log",
    conda:
        "../../../environment.yml"
    params:
        **settings_of("baker"),
        models=config["figures"]["models"],
    script:
        "../../scripts/study_baker.py"
