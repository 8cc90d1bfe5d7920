from snakemake.utils import min_version

min_version("9.10")


configfile: f"{workflow.basedir}/config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/paper.smk"
include: "workflow/rules/companions.smk"


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
            format=["csv", "md", "tex"],
        ),
        expand("results/figures/figure1.{format}", format=["pdf", "svg", "png"]),
        expand(
            "results/figures/figure{number}_{positive_class}.{format}",
            number=[2, 3],
            positive_class=["good", "bad"],
            format=["pdf", "svg", "png"],
        ),
        COMPANION_OUTPUTS,
