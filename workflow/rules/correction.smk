# in: results/data/features_onehot.csv; South German Credit, if UCI may be asked
# out: results/correction/measures.*
# What the correction of the data changes.


rule correction:
    input:
        features="results/data/features_onehot.csv",
        code=modules_used_by("compare_correction"),
    output:
        correction=[
            "results/correction/measures.csv",
            "results/correction/measures.md",
            "results/correction/measures.tex",
            report(
                "results/correction/measures.html",
                caption="../report/correction.rst",
                category=CATEGORIES["data"],
                labels={"what": "What the correction of the data changes"},
            ),
        ],
    log:
        "results/logs/correction.log",
    benchmark:
        "results/benchmarks/jobs/correction.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **replicate_job({"count": config["correction"]["replicates"]}),
    params:
        cell=paper_cell(config, list(PAPER_PAIR), encoding="onehot"),
        seed=config["seed"],
        ask=config["data"]["source"] in ("auto", "uci"),
        uci_url=config["data"]["uci_url"],
        timeout_seconds=config["data"]["timeout_seconds"],
        declaration=config["correction"],
    script:
        "../scripts/compare_correction.py"
