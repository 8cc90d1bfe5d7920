# in: results/tables/{table4,table5,operating_point,rank_reversal,specification}.csv, results/paper/measures.csv,
# results/replicates/{summary,auk_given_auc}.csv
# out: results/forensics (what the published numbers can be, errata, verdict); one figure
# The published numbers themselves stand in the package.


rule forensics:
    input:
        table4="results/tables/table4.csv",
        table5="results/tables/table5.csv",
        operating_point="results/tables/operating_point.csv",
        measures="results/paper/measures.csv",
        replicate_summary="results/replicates/summary.csv",
        rank_reversal="results/tables/rank_reversal.csv",
        specification="results/tables/specification.csv",
        auk_given_auc="results/replicates/auk_given_auc.csv",
        code=modules_used_by("examine_paper"),
    output:
        prevalence="results/forensics/prevalence.csv",
        counts="results/forensics/counts.csv",
        errata="results/forensics/errata.csv",
        facts="results/forensics/verdict.json",
        verdict="results/forensics/verdict.md",
    log:
        "results/logs/forensics.log",
    benchmark:
        "results/benchmarks/jobs/forensics.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        **config["forensics"],
    script:
        "../scripts/examine_paper.py"


rule figure_forensics:
    input:
        code=modules_used_by("draw_forensics"),
    output:
        figure=[
            report(
                "results/figures/forensics_prevalence.svg",
                caption="../report/forensics_prevalence.rst",
                category=CATEGORIES["forensics"],
                labels={"what": "Possible prevalences (figure)"},
            ),
            "results/figures/forensics_prevalence.pdf",
            "results/figures/forensics_prevalence.png",
        ],
    log:
        "results/logs/figure_forensics.log",
    benchmark:
        "results/benchmarks/jobs/figure_forensics.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../scripts/draw_forensics.py"
