# in: results/paper/scores.csv, results/replicates/scores.parquet; the page's parts in workflow/explorer
# out: results/explorer.html, which needs no network and no other file

PAGE = f"{ROOT}/workflow/explorer"


rule explorer:
    input:
        paper_scores="results/paper/scores.csv",
        replicate_scores=REPLICATE_SCORES,
        template=f"{PAGE}/page.html.jinja",
        parts=[
            f"{PAGE}/page.css",
            f"{PAGE}/measures.js",
            f"{PAGE}/plots.js",
            f"{PAGE}/show.js",
            f"{PAGE}/page.js",
        ],
        code=modules_used_by("build_explorer"),
    output:
        # Not in the report: browsers refuse so large a page inside another.
        page="results/explorer.html",
    log:
        "results/logs/explorer.log",
    benchmark:
        "results/benchmarks/jobs/explorer.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        models=config["figures"]["models"],
        skew=COHORTS["paper"]["prevalence"],
    script:
        "../scripts/build_explorer.py"
