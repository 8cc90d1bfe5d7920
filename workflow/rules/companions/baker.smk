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
                "results/companions/baker/matrix.html",
                "baker_matrix",
                "Baker",
                "Worked example",
            ),
            *expand(
                "results/companions/baker/matrix.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        measures=[
            shown(
                "results/companions/baker/measures.html",
                "baker_measures",
                "Baker",
                "Our models",
            ),
            *expand(
                "results/companions/baker/measures.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        auc_tests=[
            shown(
                "results/companions/baker/auc_tests.html",
                "baker_auc_tests",
                "Baker",
                "Tests of the AUC",
            ),
            *expand(
                "results/companions/baker/auc_tests.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        sees_and_misses=[
            shown(
                "results/companions/baker/sees_and_misses.html",
                "baker_sees_and_misses",
                "Baker",
                "What each measure sees and misses",
            ),
            *expand(
                "results/companions/baker/sees_and_misses.{format}",
                format=["csv", "md", "tex"],
            ),
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
        checks=expand(
            "results/companions/baker/checks.{format}",
            format=["csv", "md", "tex", "html"],
        ),
    log:
        "results/logs/companion_baker.log",
    benchmark:
        "results/benchmarks/jobs/companion_baker.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        **settings_of("baker"),
        models=config["figures"]["models"],
    script:
        "../../scripts/study_baker.py"
