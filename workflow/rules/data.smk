# in: UCI, the bundled german.data or the user's own copy
# out: results/data/german_credit.csv (the canonical table), provenance.json, features_{encoding}.csv

from study.data.german_credit import BUNDLED_FILE, ENCODINGS

FEATURES = "results/data/features_{encoding}.csv"
# How UCI is asked, by the names that fetch_uci has.
UCI = {
    "base_url": config["data"]["uci_url"],
    "timeout_seconds": config["data"]["timeout_seconds"],
}


# On a cluster, where Snakemake was started: other nodes may have no network.
localrules:
    german_credit,


rule german_credit:
    input:
        bundled=local(str(BUNDLED_FILE)),
        own=local(config["data"]["path"]) if config["data"]["path"] else [],
    output:
        table="results/data/german_credit.csv",
        provenance="results/data/provenance.json",
        features=expand(FEATURES, encoding=ENCODINGS),
    params:
        source=config["data"]["source"],
        uci=UCI,
        encodings=list(ENCODINGS),
    message:
        "Fetching German Credit and encoding it"
    script:
        "../scripts/download_german_credit.py"
