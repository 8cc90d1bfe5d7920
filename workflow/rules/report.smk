# in: tables and figures of all other parts; templates, captions, the default config
# out: the page of every table; results/explorer.html, results/index.html (the page to open first),
# results/appendix/ (PDF, web page, LaTeX with its tables/ and figures/, kit/ for a paper), all of the
# facts in results/facts.json, and of German Credit results/forensics/verdict.md;
# results/manifest.json: checksums of all these, the config, versions, seed, checksum of the data
import textwrap

APPENDIX = ["appendix.html", "appendix.tex", "body.tex", "references.bib"]


rule pages:
    input:
        tables=list(PAGES),
        summary=[] if ONE_SPLIT else ["results/replicates/summary.csv"],
        provenance=PROVENANCE,
        code=modules_of("write_table_pages"),
    output:
        pages=list(PAGES.values()),
    log:
        "results/logs/pages.log",
    conda:
        "../../environment.yml"
    params:
        titles=TITLES,
        names=NAMES,
    message:
        "The page of every table"
    script:
        "../scripts/write_table_pages.py"


SHOWN_OUTPUTS += rules.pages.output


rule explorer:
    input:
        paper_scores="results/paper/scores.csv",
        replicate_scores=REPLICATE_SCORES,
        replicate_measures=REPLICATE_MEASURES if REPLICATE_SCORES else [],
        provenance=PROVENANCE,
        code=modules_of("build_explorer"),
    output:
        # Not in the report: browsers refuse so large a page inside another.
        page="results/explorer.html",
    log:
        "results/logs/explorer.log",
    benchmark:
        "results/benchmarks/explorer.tsv"
    conda:
        "../../environment.yml"
    params:
        models=config["figures"]["models"],
        prevalence=EXPERIMENT["prevalence"],
        ratios=RATIOS,
        names=NAMES,
        of_the_paper=OF_THE_PAPER,
    message:
        "Build the explorer page"
    script:
        "../scripts/build_explorer.py"


rule documents:
    input:
        results=SHOWN_OUTPUTS,
        provenance=PROVENANCE,
        readings=["results/forensics/readings.json"] if OF_THE_PAPER else [],
        study_results=of_clone(f"{MANY_DATA_SETS}/results.csv"),
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
        verdict=["results/forensics/verdict.md"] if OF_THE_PAPER else [],
        appendix=[
            shown_in_report(
                "results/appendix/appendix.pdf",
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


rule kit:
    input:
        curves="results/paper/curves.csv",
        measures="results/paper/measures.csv",
        tests="results/tables/tests.csv",
        tables=["results/tables/table4.csv", "results/tables/table5.csv"],
        rank_reversal=["results/tables/rank_reversal.csv"] if ORDERED else [],
        reversal_by_skew=["results/sweep/rank_reversal.csv"] if ORDERED and SWEPT_PAIR else [],
        captions=[of_clone(f"workflow/report/tables/{name}.rst") for name in ("table4", "table5")],
        provenance=PROVENANCE,
        citation=of_clone("CITATION.cff"),
        licence=of_clone("LICENSE"),
        code=[
            *modules_of("make_kit"),
            *map(of_clone, sorted((ROOT / "src/study/text/templates").glob("kit_*"))),
            of_clone("src/study/text/templates/references.bib"),
        ],
    output:
        folder=directory("results/appendix/kit"),
    log:
        "results/logs/kit.log",
    conda:
        "../../environment.yml"
    params:
        config=REPORTED,
        kit=config["document"]["kit"],
        models=config["figures"]["models"],
        pair=PAIR,
        names=NAMES,
        of_the_paper=OF_THE_PAPER,
    message:
        "The kit for a LaTeX paper, {params.kit[width]} wide"
    script:
        "../scripts/make_kit.py"


# Of `make kit`, which asks for another width or font than the config.
use rule kit as another_kit with:
    output:
        folder=directory("results/kit"),
    log:
        "results/logs/another_kit.log",


MADE = [
    rules.prepare_data.output.table,
    SHOWN_OUTPUTS,
    rules.documents.output,
    rules.explorer.output,
]


# Runs last. What depends on time or network (provenance, logs, the report) and the parts of the
# replicates, which depend on per_job, stay outside.
rule manifest:
    input:
        made=MADE,
        provenance=PROVENANCE,
        project=of_clone("pyproject.toml"),
        code=modules_of("write_manifest"),
    output:
        manifest="results/manifest.json",
    log:
        "results/logs/manifest.log",
    conda:
        "../../environment.yml"
    params:
        config=REPORTED,
    message:
        "Checksums of every table and figure"
    script:
        "../scripts/write_manifest.py"


onsuccess:
    for answer in ("results/forensics/verdict.md", "results/tables/answer.csv"):
        for line in sentences_of(answer):
            print(textwrap.fill(line, 92), file=sys.stderr)
    print("To read: results/index.html", file=sys.stderr)
