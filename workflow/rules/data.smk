# in: UCI, the bundled german.data, scikit-learn or a file of the user's own
# out: results/data/table.csv (the canonical table), provenance.json, features_{encoding}.csv

from study.data.german_credit import ENCODINGS

FEATURES = "results/data/features_{encoding}.csv"
PROVENANCE = "results/data/provenance.json"
OWN_FILE = config["data"]["path"]
# How UCI is asked is no reason to run anything again; names are for people.
NETWORK = ("uci_url", "timeout_seconds")
DATA = {name: value for name, value in config["data"].items() if name not in NETWORK}
REPORTED = config | {"data": DATA}


# On a cluster, where Snakemake was started: other nodes may have no network.
localrules:
    prepare_data,


rule prepare_data:
    input:
        file=local(OWN_FILE) if OWN_FILE else [],
    output:
        table="results/data/table.csv",
        provenance=PROVENANCE,
        features=expand(FEATURES, encoding=list(ENCODINGS) if IS_GERMAN_CREDIT else ["onehot"]),
    log:
        "results/logs/prepare_data.log",
    conda:
        "../../environment.yml"
    params:
        data={name: value for name, value in DATA.items() if name != "names"},
        group=config["experiment"]["split"]["column"],
        content=hash_of(OWN_FILE),
        code=code_of("data"),
    message:
        "Reading the data set and encoding it"
    script:
        "../scripts/prepare_data.py"
