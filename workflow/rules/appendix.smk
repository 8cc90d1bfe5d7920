# in: tables and figures of all other parts; workflow/appendix (text, layouts, references)
# out: results/appendix/: one document as PDF, as LaTeX (with tables/ and figures/) and as Typst

APPENDIX_TEXTS = [
    *["question", "measures", "figure1", "settings", "tables", "curves", "reversal"],
    *["sweep", "specification", "forensics"],
    *(["companions"] if STUDIES else []),
    *["answer", "rerun"],
]
APPENDIX_SOURCES = local(
    sorted(map(str, Path(workflow.basedir, "workflow/report").rglob("*.rst")))
    + sorted(map(str, Path(workflow.basedir, "workflow/appendix").glob("*.*")))
    + [f"{workflow.basedir}/config/config.yaml", f"{workflow.basedir}/pyproject.toml"]
)


def appendix_texts(names):
    """The document's parts, in order."""
    return local(
        [f"{workflow.basedir}/workflow/appendix/text/{name}.rst" for name in names]
    )


def appendix_files(folder, **in_report):
    """The files of a document, as build_appendix.py writes them; the report shows the PDF."""
    return [
        shown_in_report(f"{folder}/appendix.pdf", **in_report),
        f"{folder}/appendix.tex",
        f"{folder}/body.tex",
        f"{folder}/appendix.typ",
        directory(f"{folder}/tables"),
        directory(f"{folder}/figures"),
    ]


rule appendix:
    input:
        texts=appendix_texts(APPENDIX_TEXTS),
        sources=APPENDIX_SOURCES,
        results=[
            "results/data/provenance.json",
            "results/forensics/verdict.md",
            "results/paper/sample.csv",
            "results/paper/measures.csv",
            *expand(
                "results/tables/{name}.csv",
                name=["table4", "table5", "operating_point", "original"]
                + ["rank_reversal", "certainty", "specification"],
            ),
            "results/replicates/auk_given_auc.csv",
            "results/sweep/sizes.csv",
            "results/sweep/certainty.csv",
            "results/forensics/prevalence.csv",
            "results/forensics/errata.csv",
            *(["results/companions/checks.csv"] if STUDIES else []),
            *of_studies(
                kaymak=["auk_by_prevalence.pdf"],
                ben_david=["examples.csv"],
                hand=["table1.csv", "disagreements.csv"],
                baker=["auc_tests.csv"],
                silipo=["leak.csv", "summary.csv", "kappa_by_prevalence.pdf"],
            ),
            *expand(
                "results/figures/{name}.pdf",
                name=["figure1", "figure2_good", "figure2_bad", "figure3_good"]
                + ["figure3_bad", "rank_reversal", "sweep", "reversal_by_skew"]
                + ["certainty", "agreement", "specification", "forensics_prevalence"],
            ),
        ],
        code=modules_used_by("build_appendix"),
    output:
        files=appendix_files(
            "results/appendix",
            caption="appendix",
            category="appendix",
            what="The run as one document (PDF)",
        ),
    log:
        "results/logs/appendix.log",
    conda:
        "../../environment.yml"
    params:
        title="Reproducing “AUK: a simple alternative to the AUC”",
        config=config,
    message:
        "Build the appendix as PDF, LaTeX and Typst"
    script:
        "../scripts/build_appendix.py"
