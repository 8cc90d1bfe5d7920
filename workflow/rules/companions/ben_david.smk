# in: nothing; the printed examples and formulas are in the package
# out: results/companions/ben_david/


rule companion_ben_david:
    input:
        code=modules_used_by("study_ben_david"),
    output:
        examples=[
            shown(
                "results/companions/ben_david/examples.html",
                "ben_david_examples",
                "Ben-David 2008",
                "Examples 1-6",
            ),
            *expand(
                "results/companions/ben_david/examples.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        points=[
            shown(
                "results/companions/ben_david/figure_points.html",
                "ben_david_points",
                "Ben-David 2008",
                "Figures 1-4 (points)",
            ),
            "results/companions/ben_david/figure_points.csv",
        ],
        figures1_to_4=[
            shown(
                "results/companions/ben_david/figures1_to_4.svg",
                "ben_david_figures",
                "Ben-David 2008",
                "Figures 1-4",
            ),
            "results/companions/ben_david/figures1_to_4.pdf",
            "results/companions/ben_david/figures1_to_4.png",
        ],
        checks=expand(
            "results/companions/ben_david/checks.{format}",
            format=["csv", "md", "tex", "html"],
        ),
    log:
        "results/logs/companion_ben_david.log",
    benchmark:
        "results/benchmarks/jobs/companion_ben_david.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../../scripts/study_ben_david.py"
