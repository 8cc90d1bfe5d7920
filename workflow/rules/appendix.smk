# in: tables and figures of all other parts; workflow/appendix (text, layouts, references)
# out: results/appendix/: one document as PDF, as LaTeX (with tables/ and figures/) and as Typst

APPENDIX_TEXTS = [
    *["question", "measures", "figure1", "settings", "tables", "curves", "reversal"],
    *["family", "sweep", "specification", "forensics"],
    *(["companions"] if STUDIES else []),
    *["answer", "all_settings", "rerun"],
]
APPENDIX_SOURCES = local(
    [
        *sorted(map(str, (ROOT / "workflow/report").rglob("*.rst"))),
        *sorted(map(str, (ROOT / "workflow/appendix").glob("*.*"))),
        *(f"{ROOT}/{name}" for name in ("config/config.yaml", "pyproject.toml", "CITATION.cff")),
        f"{ROOT}/src/study/many_data_sets/headline.csv",
        f"{ROOT}/src/study/many_data_sets/measures.csv",
    ]
)


rule appendix:
    input:
        texts=appendix_texts(APPENDIX_TEXTS),
        sources=APPENDIX_SOURCES,
        results=[
            rules.german_credit.output.provenance,
            expand(rules.split.output, cohort=COHORTS),
            rules.tables.output,
            rules.figures.output,
            rules.summarise_replicates.output,
            rules.profile_costs.output,
            rules.specification.output,
            rules.sweep.output,
            rules.replicate_figures.output,
            rules.forensics.output,
            rules.verdict.output,
            COMPANION_OUTPUTS,
        ],
    output:
        files=appendix_files(
            "results/appendix",
            caption="appendix",
            category="appendix",
            what="The run as one document (PDF)",
        ),
    params:
        title="Reproducing “AUK: a simple alternative to the AUC”",
        config=config,
    message:
        "Build the appendix as PDF, LaTeX and Typst"
    script:
        "../scripts/build_appendix.py"


# Two pages for those who read no more.
use rule appendix as supplement with:
    input:
        texts=appendix_texts(["question", "supplement", "rerun"]),
        sources=APPENDIX_SOURCES,
        results=[
            rules.german_credit.output.provenance,
            rules.replicate_figures.output,
            rules.forensics.output,
            rules.verdict.output,
        ],
    output:
        files=appendix_files(
            "results/supplement",
            caption="supplement",
            category="appendix",
            what="The answer on two pages (PDF)",
        ),
    params:
        title="Reproducing “AUK: a simple alternative to the AUC”: the answer",
        config=config,
    message:
        "Build the supplement of two pages"
