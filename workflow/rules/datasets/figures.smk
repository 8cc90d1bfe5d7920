# in: results/datasets/{dataset}/paper/curves.csv, measures.csv; data/provenance.json
# out: results/datasets/{dataset}/figures/


rule dataset_figure:
    input:
        curves="results/datasets/{dataset}/paper/curves.csv",
        measures="results/datasets/{dataset}/paper/measures.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("draw_dataset"),
    output:
        figure=[
            report(
                "results/datasets/{dataset}/figures/figure{number}_{side}.svg",
                caption="../../report/dataset_curves.rst",
                category=CATEGORIES["datasets"],
                subcategory="{dataset}",
                labels={"what": "Figure {number}, {side} class as the positive one"},
            ),
            "results/datasets/{dataset}/figures/figure{number}_{side}.pdf",
            "results/datasets/{dataset}/figures/figure{number}_{side}.png",
        ],
    log:
        "results/logs/datasets/{dataset}/figure{number}_{side}.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/figure{number}_{side}.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        side="{side}",
        curve=lambda wildcards: CURVE_OF_FIGURE[wildcards.number],
    script:
        "../../scripts/draw_dataset.py"


rule dataset_prevalence:
    input:
        curves="results/datasets/{dataset}/paper/curves.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("draw_dataset_prevalence"),
    output:
        figure=[
            report(
                "results/datasets/{dataset}/figures/auk_by_prevalence.svg",
                caption="../../report/dataset_prevalence.rst",
                category=CATEGORIES["datasets"],
                subcategory="{dataset}",
                labels={"what": "AUK by prevalence"},
            ),
            "results/datasets/{dataset}/figures/auk_by_prevalence.pdf",
            "results/datasets/{dataset}/figures/auk_by_prevalence.png",
        ],
    log:
        "results/logs/datasets/{dataset}/auk_by_prevalence.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/auk_by_prevalence.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../../scripts/draw_dataset_prevalence.py"
