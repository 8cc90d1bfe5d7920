# in: tables and figures of all other parts; workflow/appendix (text, layouts, references)
# out: results/appendix/: one document as PDF, as LaTeX (with tables/ and figures/) and as Typst

APPENDIX_TEXTS = [
    *["question", "measures", "figure1", "settings", "tables", "curves", "reversal"],
    *["sweep", "specification", "forensics"],
    *(["companions"] if STUDIES else []),
    *["answer", "rerun"],
]
APPENDIX_SOURCES = local(
    [
        *sorted(map(str, (ROOT / "workflow/report").rglob("*.rst"))),
        *sorted(map(str, (ROOT / "workflow/appendix").glob("*.*"))),
        *(f"{ROOT}/{name}" for name in ("config/config.yaml", "pyproject.toml")),
    ]
)


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
                kaymak=["auk_by_prevalence.pdf", "reversing_split.pdf"],
                ben_david=["examples.csv"],
                hand=["table1.csv", "example3.csv"],
                baker=["auc_tests.csv"],
                silipo=["leak.csv", "summary.csv", "change.csv"]
                + ["kappa_by_prevalence.pdf"],
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
