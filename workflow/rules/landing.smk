# in: the facts of the verdict, the figure of published numbers and ours
# out: results/index.html, the page to open first; it needs no network and no other file


rule landing:
    input:
        facts="results/forensics/verdict.json",
        published="results/figures/published.svg",
        code=modules_of("build_landing"),
    output:
        # Not in the report, which it links to.
        page="results/index.html",
    log:
        "results/logs/landing.log",
    conda:
        "../../environment.yml"
    message:
        "Build the page to open first"
    script:
        "../scripts/build_landing.py"


PAPER_OUTPUTS += rules.landing.output
