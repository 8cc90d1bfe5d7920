from snakemake.utils import min_version

min_version("9.10")


configfile: f"{workflow.basedir}/config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/paper.smk"
include: "workflow/rules/replicates.smk"
include: "workflow/rules/specification.smk"
include: "workflow/rules/correction.smk"
include: "workflow/rules/sweep.smk"
include: "workflow/rules/forensics.smk"
include: "workflow/rules/papers.smk"
include: "workflow/rules/appendix.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/pages.smk"
include: "workflow/rules/explorer.smk"
include: "workflow/rules/manifest.smk"


rule all:
    default_target: True
    input:
        "results/data/german_credit.csv",
        "results/data/provenance.json",
        "results/paper/scores.csv",
        "results/paper/curves.csv",
        "results/paper/measures.csv",
        expand(
            "results/tables/{table}.{format}",
            table=["table4", "table5", "operating_point", "original"],
            format=["csv", "md", "tex", "html"],
        ),
        "results/replicates/measures.parquet",
        "results/replicates/summary.csv",
        "results/replicates/auk_given_auc.csv",
        "results/tables/rank_reversal.csv",
        "results/tables/certainty.csv",
        expand(
            "results/tables/specification.{format}",
            format=["csv", "md", "tex", "html"],
        ),
        "results/sweep/measures.parquet",
        "results/sweep/summary.csv",
        expand(
            "results/figures/{figure}.{format}",
            figure=[
                "rank_reversal",
                "sweep",
                "reversal_by_skew",
                "certainty",
                "agreement",
                "specification",
            ],
            format=["pdf", "svg", "png"],
        ),
        expand("results/figures/figure1.{format}", format=["pdf", "svg", "png"]),
        expand(
            "results/figures/figure{number}_{positive_class}.{format}",
            number=[2, 3],
            positive_class=["good", "bad"],
            format=["pdf", "svg", "png"],
        ),
        "results/forensics/prevalence.csv",
        "results/forensics/counts.csv",
        "results/forensics/errata.csv",
        "results/forensics/verdict.md",
        expand(
            "results/figures/forensics_prevalence.{format}",
            format=["pdf", "svg", "png"],
        ),
        rules.correction.output,
        COMPANION_OUTPUTS,
        rules.appendix.output,
        DATASET_OUTPUTS,
        rules.pages.output,
        "results/explorer.html",
        "results/manifest.json",
