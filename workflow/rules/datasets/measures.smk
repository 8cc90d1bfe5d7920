# in: results/datasets/{dataset}/paper/scores.csv, data/provenance.json
# out: results/datasets/{dataset}/paper/curves.csv, measures.csv; tables/ (intervals, ranks, tests, bounds)
# The same whether the scores were trained or given.


rule dataset_curves:
    input:
        scores="results/datasets/{dataset}/paper/scores.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("compute_curves"),
    output:
        curves="results/datasets/{dataset}/paper/curves.csv",
    log:
        "results/logs/datasets/{dataset}/curves.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/curves.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        skew=lambda wildcards: declared(wildcards.dataset)["prevalence"],
    script:
        "../../scripts/compute_curves.py"


rule dataset_measures:
    input:
        scores="results/datasets/{dataset}/paper/scores.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("compute_measures"),
    output:
        measures="results/datasets/{dataset}/paper/measures.csv",
    log:
        "results/logs/datasets/{dataset}/measures.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/measures.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        skew=lambda wildcards: declared(wildcards.dataset)["prevalence"],
    script:
        "../../scripts/compute_measures.py"


rule dataset_tables:
    input:
        scores="results/datasets/{dataset}/paper/scores.csv",
        measures="results/datasets/{dataset}/paper/measures.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("compare_models"),
    output:
        intervals=table_of_dataset("tables/intervals", "Measures with intervals"),
        ranks=table_of_dataset("tables/ranks", "Measures and ranks"),
        tests=table_of_dataset("tables/tests", "Paired tests"),
        bounds=table_of_dataset("tables/bounds", "What each AUC allows"),
    log:
        "results/logs/datasets/{dataset}/tables.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/tables.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        prevalence=lambda wildcards: declared(wildcards.dataset)["prevalence"],
        n_resamples=2000,
    script:
        "../../scripts/compare_models.py"
