# in: UCI, the bundled german.data or the user's own copy
# out: results/data/german_credit.csv (the canonical table), provenance.json, features_{encoding}.csv

from study.data.german_credit import BUNDLED_FILE, ENCODINGS

FEATURES = "results/data/features_{encoding}.csv"


# On a cluster, where Snakemake was started: other nodes may have no network.
localrules:
    german_credit,


rule german_credit:
    input:
        bundled=of_clone(BUNDLED_FILE),
        own=local(config["data"]["path"]) if config["data"]["path"] else [],
        code=modules_of("download_german_credit"),
    output:
        table="results/data/german_credit.csv",
        provenance="results/data/provenance.json",
        features=expand(FEATURES, encoding=ENCODINGS),
    log:
        "results/logs/german_credit.log",
    conda:
        "../../environment.yml"
    params:
        source=config["data"]["source"],
        encodings=list(ENCODINGS),
    message:
        "Fetching German Credit and encoding it"
    script:
        "../scripts/download_german_credit.py"
