# in: results/datasets/{dataset}/data/features.csv, provenance.json
# out: results/datasets/{dataset}/paper/sample.csv, scores.csv
# The single split, as paper.smk makes it of German Credit.


rule dataset_sample:
    input:
        features="results/datasets/{dataset}/data/features.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("undersample_rows"),
    output:
        sample="results/datasets/{dataset}/paper/sample.csv",
    log:
        "results/logs/datasets/{dataset}/sample.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/sample.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        skew=lambda wildcards: config["datasets"][wildcards.dataset]["skew"],
        column="positive",
    script:
        "../../scripts/undersample_rows.py"


rule dataset_train:
    input:
        features="results/datasets/{dataset}/data/features.csv",
        sample="results/datasets/{dataset}/paper/sample.csv",
        code=modules_used_by("train_models"),
    output:
        scores="results/datasets/{dataset}/paper/scores.csv",
    log:
        "results/logs/datasets/{dataset}/train.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/train.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        n_train=lambda wildcards: config["datasets"][wildcards.dataset]["n_train"],
        stratify=lambda wildcards: config["datasets"][wildcards.dataset]["stratify"],
        scaling=lambda wildcards: config["datasets"][wildcards.dataset]["scaling"],
        models=lambda wildcards: dataset_cell(config, wildcards.dataset)["models"],
        column="positive",
    script:
        "../../scripts/train_models.py"
