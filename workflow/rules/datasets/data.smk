# in: what the config declares under datasets and scores
# out: results/datasets/{dataset}/data/features.csv, provenance.json; for given scores provenance.json
# and paper/scores.csv
# A data set is trained on; scores are taken as they are.


rule dataset:
    input:
        own=lambda wildcards: config["datasets"][wildcards.dataset]["path"] or [],
        code=modules_used_by("prepare_dataset"),
    output:
        features="results/datasets/{dataset}/data/features.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
    log:
        "results/logs/datasets/{dataset}/dataset.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/dataset.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        name="{dataset}",
        declaration=lambda wildcards: config["datasets"][wildcards.dataset],
        uci_url=config["data"]["uci_url"],
        timeout_seconds=config["data"]["timeout_seconds"],
    script:
        "../../scripts/prepare_dataset.py"


rule given_scores:
    input:
        own=lambda wildcards: config["scores"][wildcards.dataset]["path"],
        code=modules_used_by("take_scores"),
    output:
        scores="results/datasets/{dataset}/paper/scores.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
    log:
        "results/logs/datasets/{dataset}/scores.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/scores.tsv"
    wildcard_constraints:
        dataset=one_of(GIVEN),
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        name="{dataset}",
        label=lambda wildcards: config["scores"][wildcards.dataset]["label"],
        models=lambda wildcards: config["scores"][wildcards.dataset]["models"],
        positive=lambda wildcards: config["scores"][wildcards.dataset]["positive"],
    script:
        "../../scripts/take_scores.py"
