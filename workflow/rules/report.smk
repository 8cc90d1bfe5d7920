# in: tables and figures of all other parts; templates, captions, the default config
# out: results/index.html (the page to open first), results/forensics/verdict.md, results/appendix/
# (PDF, web page, LaTeX with its tables/ and figures/), all of the facts in results/facts.json

DOCUMENTED = [
    expand("results/paper/{table}.csv", table=["sample", "measures"]),
    rules.tables.output,
    rules.figures.output,
    rules.published_figure.output,
    rules.summarise_replicates.output,
    rules.profile_costs.output,
    rules.replicate_figures.output,
    rules.specification.output,
    rules.specification_figure.output,
    rules.sweep.output,
    rules.sweep_figures.output,
    rules.forensics.output,
    rules.claims.output,
    COMPANION_OUTPUTS,
]
APPENDIX = ["appendix.html", "appendix.tex", "body.tex", "references.bib"]


rule documents:
    input:
        results=DOCUMENTED,
        provenance="results/data/provenance.json",
        readings=["results/forensics/readings.json"],
        kept=[of_clone(f"src/study/many_data_sets/{name}.csv") for name in ("headline", "measures")],
        captions=[of_clone(path) for path in sorted((ROOT / "workflow/report").rglob("*.rst"))],
        defaults=of_clone("config/config.yaml"),
        project=of_clone("pyproject.toml"),
        code=[
            *modules_of("write_documents"),
            *map(of_clone, sorted((ROOT / "src/study/text/templates").iterdir())),
        ],
    output:
        facts="results/facts.json",
        # Not in the report, which it links to.
        index="results/index.html",
        verdict=["results/forensics/verdict.md"],
        appendix=[
            shown_in_report(
                "results/appendix/appendix.pdf",
                "appendix/appendix",
                "appendix",
                "The run as one document (PDF)",
            ),
            *(f"results/appendix/{name}" for name in APPENDIX),
            directory("results/appendix/tables"),
            directory("results/appendix/figures"),
        ],
    log:
        "results/logs/documents.log",
    conda:
        "../../environment.yml"
    params:
        config=REPORTED,
    message:
        "Write the page to open first, the verdict and the appendix"
    script:
        "../scripts/write_documents.py"
