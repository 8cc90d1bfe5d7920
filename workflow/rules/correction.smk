# in: results/data/features_onehot.csv; South German Credit, if UCI may be asked
# out: results/correction/measures.*
# What the correction of the data changes.


rule correction:
    input:
        features=FEATURES.format(encoding="onehot"),
        code=modules_used_by("compare_correction"),
    output:
        correction=table(
            "results/correction/measures",
            "correction",
            "data",
            "What the correction of the data changes",
        ),
    log:
        "results/logs/correction.log",
    conda:
        "../../environment.yml"
    resources:
        **replicate_job(config["correction"]["replicates"]),
    params:
        cell=paper_cell(config, list(PAPER_PAIR), encoding="onehot"),
        seed=config["seed"],
        ask=config["data"]["source"] in ("auto", "uci"),
        uci=UCI,
        declaration=config["correction"],
    message:
        "What the correction of the data changes"
    script:
        "../scripts/compare_correction.py"
