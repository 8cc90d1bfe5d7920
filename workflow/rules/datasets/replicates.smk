# in: results/datasets/{dataset}/data/features.csv, provenance.json
# out: results/datasets/{dataset}/replicates/; tables/rank_reversal, certainty
# Of data sets that are trained on; given scores have one split only.


rule dataset_replicate_part:
    input:
        features="results/datasets/{dataset}/data/features.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("run_replicates"),
    output:
        measures=temp("results/datasets/{dataset}/replicates/part{part}.parquet"),
    log:
        "results/logs/datasets/{dataset}/part{part}.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/part{part}.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **replicate_job({"count": 10**6, "per_job": config["replicates"]["per_job"]}),
    params:
        seed=config["seed"],
        cell=lambda wildcards: dataset_cell(config, wildcards.dataset),
        first=lambda wildcards: dataset_parts(wildcards.dataset)[int(wildcards.part)][0],
        last=lambda wildcards: dataset_parts(wildcards.dataset)[int(wildcards.part)][1],
    script:
        "../../scripts/run_replicates.py"


rule dataset_replicates:
    input:
        parts=lambda wildcards: [
            f"results/datasets/{wildcards.dataset}/replicates/part{part}.parquet"
            for part in range(len(dataset_parts(wildcards.dataset)))
        ],
        code=modules_used_by("summarise_dataset"),
    output:
        measures="results/datasets/{dataset}/replicates/measures.parquet",
        summary=table_of_dataset("replicates/summary", "Measures over random splits"),
        rank_reversal=table_of_dataset("tables/rank_reversal", "Rank reversals"),
        certainty=table_of_dataset("tables/certainty", "Certainty of the ranking"),
    log:
        "results/logs/datasets/{dataset}/replicates.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/replicates.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **resources_for(dataset_gathering),
    params:
        expected=lambda wildcards: dict.fromkeys(
            config["datasets"][wildcards.dataset]["models"],
            config["datasets"][wildcards.dataset]["replicates"],
        ),
    script:
        "../../scripts/summarise_dataset.py"
