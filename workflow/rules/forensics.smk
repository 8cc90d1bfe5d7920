# in: tables of the single split, the replicates and the specifications
# out: results/forensics (what the published numbers can be, errata, verdict); one figure
# The published numbers themselves stand in src/study/published.csv.


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
        figure=figure(
            "results/figures/forensics_prevalence",
            "forensics_prevalence",
            "forensics",
            "Possible prevalences (figure)",
        ),
    log:
        "results/logs/forensics.log",
    conda:
        "../../environment.yml"
    params:
        **config["forensics"],
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "What the published numbers can be, errata and verdict"
    script:
        "../scripts/examine_paper.py"
