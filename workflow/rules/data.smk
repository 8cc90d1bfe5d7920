# in: UCI, the bundled german.data, scikit-learn or files of the user's own
# out: results/data/table.csv (the canonical table), provenance.json, features_{encoding}.csv

from study.data.german_credit import BUNDLED_FILE, ENCODINGS

FEATURES = "results/data/features_{encoding}.csv"
PROVENANCE = "results/data/provenance.json"
FILES = [path for path in (config["data"]["path"], config["experiment"]["test_path"]) if path]


# On a cluster, where Snakemake was started: other nodes may have no network.
localrules:
    prepare_data,


rule prepare_data:
    input:
        files=local(FILES),
        bundled=of_clone(BUNDLED_FILE),
        code=modules_of("prepare_data"),
    output:
        table="results/data/table.csv",
        provenance=PROVENANCE,
        features=expand(FEATURES, encoding=list(ENCODINGS) if OF_THE_PAPER else ["onehot"]),
    log:
        "results/logs/prepare_data.log",
    conda:
        "../../environment.yml"
    params:
        data={name: value for name, value in REPORTED["data"].items() if name != "names"},
        # Rows are divided here only where they have a time.
        experiment={
            "split": config["experiment"]["split"],
            "n_train": (
                config["experiment"]["n_train"]
                if config["experiment"]["split"]["by"] == "time"
                else None
            ),
        },
    message:
        "Reading the data set and encoding it"
    script:
        "../scripts/prepare_data.py"
