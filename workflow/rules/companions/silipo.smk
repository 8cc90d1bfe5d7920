# in: results/data/features_{encoding}.csv
# out: results/companions/silipo/


rule companion_silipo:
    input:
        features=f"results/data/features_{config['experiment']['encoding']}.csv",
        code=modules_used_by("study_silipo"),
    output:
        printed=[
            shown(
                "results/companions/silipo/printed.html",
                "silipo_printed",
                "Silipo and Widmann",
                "Printed matrices",
            ),
            *expand(
                "results/companions/silipo/printed.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        replicates=[
            shown(
                "results/companions/silipo/replicates.html",
                "silipo_replicates",
                "Silipo and Widmann",
                "All replicates",
            ),
            "results/companions/silipo/replicates.csv",
        ],
        summary=[
            shown(
                "results/companions/silipo/summary.html",
                "silipo_summary",
                "Silipo and Widmann",
                "Printed and replicated",
            ),
            *expand(
                "results/companions/silipo/summary.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        leak=[
            shown(
                "results/companions/silipo/leak.html",
                "silipo_leak",
                "Silipo and Widmann",
                "Leak of bootstrapped rows",
            ),
            *expand(
                "results/companions/silipo/leak.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        by_prevalence=[
            shown(
                "results/companions/silipo/kappa_by_prevalence.html",
                "silipo_by_prevalence_table",
                "Silipo and Widmann",
                "Kappa against prevalence (table)",
            ),
            "results/companions/silipo/kappa_by_prevalence.csv",
        ],
        kappa_by_prevalence=[
            shown(
                "results/companions/silipo/kappa_by_prevalence.svg",
                "silipo_by_prevalence",
                "Silipo and Widmann",
                "Kappa against prevalence (figure)",
            ),
            "results/companions/silipo/kappa_by_prevalence.pdf",
            "results/companions/silipo/kappa_by_prevalence.png",
        ],
        checks=expand(
            "results/companions/silipo/checks.{format}",
            format=["csv", "md", "tex", "html"],
        ),
    log:
        "results/logs/companion_silipo.log",
    benchmark:
        "results/benchmarks/jobs/companion_silipo.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        **settings_of("silipo"),
        seed=config["seed"],
    script:
        "../../scripts/study_silipo.py"
