# in: tables and figures of all other parts; workflow/appendix (text, layouts, references)
# out: results/appendix/: one document as PDF, as LaTeX (with tables/ and figures/) and as Typst

APPENDIX_TEXTS = [
    *["question", "measures", "figure1", "settings", "tables", "curves", "reversal"],
    *["family", "sweep", "specification", "forensics"],
    *(["companions"] if STUDIES else []),
    *["answer", "all_settings", "rerun"],
]
APPENDIX_SOURCES = [
    of_clone(path)
    for path in [
        *sorted((ROOT / "workflow/report").rglob("*.rst")),
        *sorted((ROOT / "workflow/appendix").glob("*.*")),
        *("config/config.yaml", "pyproject.toml", "CITATION.cff"),
        "src/study/many_data_sets/headline.csv",
        "src/study/many_data_sets/measures.csv",
    ]
]


rule appendix:
    input:
        texts=appendix_texts(APPENDIX_TEXTS),
        sources=APPENDIX_SOURCES,
        results=[
            PROVENANCE,
            EXPERIMENT_OUTPUTS,
            SWEEP_OUTPUTS,
            PAPER_OUTPUTS,
        ],
        code=modules_of("build_appendix"),
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
        config=REPORTED,
    message:
        "Build the appendix as PDF, LaTeX and Typst"
    script:
        "../scripts/build_appendix.py"


PAPER_OUTPUTS += rules.appendix.output
