# in: UCI, the bundled german.data or the user's own copy
# out: results/data/german_credit.csv (the canonical table), provenance.json, features_{encoding}.csv


# On a cluster, where Snakemake was started: other nodes may have no network.
localrules:
    download,


rule download:
    input:
        bundled=local(str(BUNDLED_FILE)),
        own=local(config["data"]["path"]) if config["data"]["path"] else [],
        code=modules_used_by("download_german_credit"),
    output:
        table="results/data/german_credit.csv",
        provenance="results/data/provenance.json",
    log:
        "results/logs/download.log",
    benchmark:
        "results/benchmarks/jobs/download.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        source=config["data"]["source"],
        uci_url=config["data"]["uci_url"],
        timeout_seconds=config["data"]["timeout_seconds"],
    script:
        "../scripts/download_german_credit.py"


rule encode:
    input:
        table="results/data/german_credit.csv",
        code=modules_used_by("encode_features"),
    output:
        features="results/data/features_{encoding}.csv",
    log:
        "results/logs/encode_{encoding}.log",
    benchmark:
        "results/benchmarks/jobs/encode_{encoding}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        encoding="{encoding}",
    script:
        "../scripts/encode_features.py"
