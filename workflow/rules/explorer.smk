# in: results/paper/scores.csv, results/replicates/scores.parquet
# out: results/explorer.html, which needs no network and no other file


rule explorer:
    input:
        paper_scores="results/paper/scores.csv",
        replicate_scores=REPLICATE_SCORES,
        provenance=PROVENANCE,
        code=modules_of("build_explorer"),
    output:
        # Not in the report: browsers refuse so large a page inside another.
        page="results/explorer.html",
    log:
        "results/logs/explorer.log",
    conda:
        "../../environment.yml"
    params:
        models=config["figures"]["models"],
        prevalence=EXPERIMENT["prevalence"],
        ratios=RATIOS,
        of_the_paper=OF_THE_PAPER,
    message:
        "Build the explorer page"
    script:
        "../scripts/build_explorer.py"
