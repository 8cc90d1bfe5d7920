# in: tables and figures of all other parts; templates; of German Credit the study of many data sets
# out: results/explorer.html, results/index.html (the page to open first), results/verdict.md (its
# text), results/appendix/ (PDF, web page and LaTeX, with its tables, figures and references)
import textwrap

STUDY_TABLES = ["results", "earlier_rounds"] if IS_GERMAN_CREDIT else []
CAPTIONS = ROOT / "workflow/report/companions"
TABLES = [path for path in SHOWN_OUTPUTS if path.startswith("results/tables/")]
TABLES = [path for path in TABLES if path.endswith(".csv")]
PRINTED = [path for path in SHOWN_OUTPUTS if path.startswith("results/companions/")]


rule explorer:
    input:
        paper_scores="results/paper/scores.csv",
        replicate_scores=REPLICATE_SCORES,
        replicate_measures=REPLICATE_MEASURES,
        provenance=PROVENANCE,
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
        ratios=[COST_RATIO] if COST_RATIO else [],
        names=NAMES,
        of_the_paper=IS_GERMAN_CREDIT,
        code=code_of("text"),
    message:
        "Build the explorer page"
    script:
        "../scripts/build_explorer.py"


rule documents:
    input:
        sample="results/paper/sample.csv",
        provenance=PROVENANCE,
        tables=TABLES,
        printed=[path for path in PRINTED if path.endswith("printed.csv")],
        comparison="results/tables/comparison.txt",
        figures=[path for path in SHOWN_OUTPUTS if path.endswith((".pdf", ".svg"))],
        study=[local(of_clone(f"{STUDY}/{name}.csv")) for name in STUDY_TABLES],
        explorer=rules.explorer.output.page,
        captions=[local(of_clone(path)) for path in sorted(CAPTIONS.glob("*/*.rst"))],
        defaults=local(of_clone("config/config.yaml")),
    output:
        # Not in the report, which they link to.
        index="results/index.html",
        verdict="results/verdict.md",
        appendix=report(
            "results/appendix/appendix.pdf",
            caption="../report/appendix.rst",
            category=CATEGORIES["appendix"],
            labels={"what": "The run as one document (PDF)"},
        ),
        other_forms=multiext("results/appendix/appendix", ".html", ".tex"),
        readme="results/appendix/README.md",
        references="results/appendix/references.bib",
        tables_of_appendix=directory("results/appendix/tables"),
        figures_of_appendix=directory("results/appendix/figures"),
    log:
        "results/logs/documents.log",
    conda:
        "../../environment.yml"
    params:
        config=REPORTED,
        is_german_credit=IS_GERMAN_CREDIT,
        code=code_of("text"),
    message:
        "Write the page to open first, the verdict and the appendix"
    script:
        "../scripts/write_documents.py"


SHOWN_OUTPUTS += [*rules.explorer.output, *rules.documents.output]


onsuccess:
    verdict = Path("results/verdict.md")
    if verdict.is_file() and verdict.stat().st_mtime >= STARTED:
        lines = verdict.read_text(encoding="utf-8").splitlines()
        answers = " ".join(line[2:] for line in lines if line.startswith("> "))
        print(textwrap.fill(answers.replace("*", ""), 92), file=sys.stderr)
        print("To read: results/index.html", file=sys.stderr)
