# in: UCI, the bundled german.data, scikit-learn or a file of the user's own
# out: results/data/{table.csv,provenance.json,features_{encoding}.csv}
FEATURES = "results/data/features_{encoding}.csv"
PROVENANCE = "results/data/provenance.json"
OWN_FILE = config["data"]["path"]


# On a cluster, where Snakemake was started: other nodes may have no network.
localrules:
    prepare_data,


rule prepare_data:
    input:
        file=local(OWN_FILE) if OWN_FILE else [],
    output:
        table="results/data/table.csv",
        provenance=PROVENANCE,
        features=expand(FEATURES, encoding=["strathclyde"] * IS_GERMAN_CREDIT + ["onehot"]),
    log:
        "results/logs/prepare_data.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        # How UCI is asked is no reason to fetch the data again, and to run all else.
        data={
            k: v
            for k, v in config["data"].items()
            if k not in ("uci_url", "timeout_seconds", "names")
        },
        group=config["experiment"]["split"]["column"],
        # It may be replaced by one of an older date.
        content=OWN_FILE and hashlib.sha256(Path(OWN_FILE).read_bytes()).hexdigest(),
        code=code_of("data"),
    message:
        "Reading the data set and encoding it"
    script:
        "../scripts/prepare_data.py"
