# in: tables and figures of all other parts; workflow/appendix (text, templates, references)
# out: results/appendix/: one document as PDF, as LaTeX (with tables/ and figures/) and as Typst

APPENDIX = f"{workflow.basedir}/workflow/appendix"
CAPTIONS = sorted(map(str, Path(workflow.basedir, "workflow/report").rglob("*.rst")))
APPENDIX_PARTS = [
    "question",
    "measures",
    "figure1",
    "settings",
    "tables",
    "curves",
    "reversal",
    "sweep",
    "specification",
    "forensics",
    *(["companions"] if STUDIES else []),
    "answer",
    "rerun",
]


rule appendix:
    input:
        texts=local([f"{APPENDIX}/text/{part}.rst" for part in APPENDIX_PARTS]),
        latex_template=local(f"{APPENDIX}/template.tex"),
        typst_template=local(f"{APPENDIX}/template.typ"),
        captions=local(CAPTIONS),
        references=local(f"{APPENDIX}/references.yaml"),
        default_config=local(f"{workflow.basedir}/config/config.yaml"),
        project=local(f"{workflow.basedir}/pyproject.toml"),
        data=[
            "results/paper/sample.csv",
            "results/paper/measures.csv",
            *expand(
                "results/tables/{table}.csv",
                table=[
                    "table4",
                    "table5",
                    "operating_point",
                    "original",
                    "rank_reversal",
                    "certainty",
                    "specification",
                ],
            ),
            "results/replicates/auk_given_auc.csv",
            "results/sweep/sizes.csv",
            "results/sweep/certainty.csv",
            "results/forensics/prevalence.csv",
            "results/forensics/errata.csv",
            *(["results/companions/checks.csv"] if STUDIES else []),
            *of_studies(
                ben_david=["examples.csv"],
                hand=["table1.csv", "disagreements.csv"],
                baker=["auc_tests.csv"],
                silipo=["leak.csv", "summary.csv"],
            ),
        ],
        drawings=[
            *expand(
                "results/figures/{figure}.pdf",
                figure=[
                    "figure1",
                    "figure2_good",
                    "figure2_bad",
                    "figure3_good",
                    "figure3_bad",
                    "rank_reversal",
                    "sweep",
                    "reversal_by_skew",
                    "certainty",
                    "agreement",
                    "specification",
                    "forensics_prevalence",
                ],
            ),
            *of_studies(
                kaymak=["auk_by_prevalence.pdf"], silipo=["kappa_by_prevalence.pdf"]
            ),
        ],
        verdict="results/forensics/verdict.md",
        provenance="results/data/provenance.json",
        code=modules_used_by("build_appendix"),
    output:
        document=report(
            "results/appendix/appendix.pdf",
            caption="../report/appendix.rst",
            category=CATEGORIES["appendix"],
            labels={"what": "The run as one document (PDF)"},
        ),
        latex="results/appendix/appendix.tex",
        latex_body="results/appendix/body.tex",
        typst="results/appendix/appendix.typ",
        tables=directory("results/appendix/tables"),
        figures=directory("results/appendix/figures"),
    log:
        "results/logs/appendix.log",
    benchmark:
        "results/benchmarks/jobs/appendix.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        title="Reproducing “AUK: a simple alternative to the AUC”",
        config=config,
    script:
        "../scripts/build_appendix.py"
