# Data of the user's own, or of scikit-learn: the target is named in the config.
# in: a file, or scikit-learn's data set
# out: results/data
POSITIVE_CLASS = "minority"
# The user named the positive class; the other one is not drawn as such.
SIDES = [POSITIVE_CLASS]
FIGURES += expand("figure{number}_{side}", number=[2, 3], side=SIDES)
HAS_PRINTED = False
STUDY = []


rule prepare_data:
    input:
        file=local(config["data"]["path"]) if config["data"]["path"] else [],
    output:
        table="results/data/table.csv",
        provenance=PROVENANCE,
        features=[FEATURES.format(encoding="onehot")],
    log:
        "results/logs/prepare_data.log",
    # As of German Credit, where Snakemake was started.
    localrule: True
    conda:
        "../envs/kappacurve.yaml"
    params:
        data=DATA,
        split=config["experiment"]["split"],
        content=hash_of_data(),
        code=code_of("own_data"),
    message:
        "Reading the data set and encoding it"
    script:
        "../scripts/prepare_own_data.py"
