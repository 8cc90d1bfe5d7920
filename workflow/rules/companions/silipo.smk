# in: results/data/features_{encoding}.csv
# out: results/companions/silipo/


rule companion_silipo:
    input:
        features=f"results/data/features_{config['experiment']['encoding']}.csv",
        code=modules_used_by("study_silipo"),
    output:
        printed=[
            shown(
                "results/companions/silipo/printed.csv",
                "silipo_printed",
                "Silipo and Widmann",
                "Printed matrices",
            ),
            "results/companions/silipo/printed.md",
        ],
        replicates="results/companions/silipo/replicates.csv",
        summary=[
            shown(
                "results/companions/silipo/summary.csv",
                "silipo_summary",
                "Silipo and Widmann",
                "Printed and replicated",
            ),
            "results/companions/silipo/summary.md",
        ],
        leak=[
            shown(
                "results/companions/silipo/leak.csv",
                "silipo_leak",
                "Silipo and Widmann",
                "Leak of bootstrapped rows",
            ),
            "results/companions/silipo/leak.md",
        ],
        by_prevalence="results/companions/silipo/kappa_by_prevalence.csv",
        kappa_by_prevalence=[
            shown(
                "results/companions/silipo/kappa_by_prevalence.svg",
                "silipo_by_prevalence",
                "Silipo and Widmann",
                "Kappa against prevalence",
            ),
            "results/companions/silipo/kappa_by_prevalence.pdf",
            "results/companions/silipo/kappa_by_prevalence.png",
        ],
        checks=[
            "results/companions/silipo/checks.csv",
            "results/companions/silipo/checks.md",
        ],
    log:
        "results/logs/companion_silipo.log",
    conda:
        "../../../environment.yml"
    params:
        **settings_of("silipo"),
        seed=config["seed"],
    script:
        "../../scripts/study_silipo.py"
