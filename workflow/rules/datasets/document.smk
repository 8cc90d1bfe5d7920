# in: all tables and figures of results/datasets/{dataset}, data/provenance.json
# out: results/datasets/{dataset}/appendix/


rule dataset_appendix:
    input:
        texts=lambda wildcards: [
            local(f"{APPENDIX}/text/{part}.rst")
            for part in [
                "own_question",
                "measures",
                "own_tables",
                "own_curves",
                *(["own_replicates"] if wildcards.dataset in TRAINED else []),
                "rerun",
            ]
        ],
        latex_template=local(f"{APPENDIX}/template.tex"),
        typst_template=local(f"{APPENDIX}/template.typ"),
        captions=local(CAPTIONS),
        references=local(f"{APPENDIX}/references.yaml"),
        default_config=local(f"{workflow.basedir}/config/config.yaml"),
        project=local(f"{workflow.basedir}/pyproject.toml"),
        data=lambda wildcards: expand(
            "results/datasets/{dataset}/{table}.csv",
            dataset=wildcards.dataset,
            table=[
                *(f"tables/{name}" for name in DATASET_TABLES),
                *(
                    ["replicates/summary", "tables/rank_reversal", "tables/certainty"]
                    if wildcards.dataset in TRAINED
                    else []
                ),
            ],
        ),
        drawings=expand(
            "results/datasets/{{dataset}}/figures/{figure}.pdf",
            figure=DATASET_FIGURES,
        ),
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("build_appendix"),
    output:
        document=report(
            "results/datasets/{dataset}/appendix/appendix.pdf",
            caption="../../report/dataset_appendix.rst",
            category=CATEGORIES["datasets"],
            subcategory="{dataset}",
            labels={"what": "As one document (PDF)"},
        ),
        latex="results/datasets/{dataset}/appendix/appendix.tex",
        latex_body="results/datasets/{dataset}/appendix/body.tex",
        typst="results/datasets/{dataset}/appendix/appendix.typ",
        tables=directory("results/datasets/{dataset}/appendix/tables"),
        figures=directory("results/datasets/{dataset}/appendix/figures"),
    log:
        "results/logs/datasets/{dataset}/appendix.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/appendix.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        title=lambda wildcards: f"Models on {wildcards.dataset}",
        dataset="{dataset}",
        config=lambda wildcards: {
            "seed": config["seed"],
            "companions": {},
            "datasets": {
                name: own
                for name, own in config["datasets"].items()
                if name == wildcards.dataset
            },
            "scores": {
                name: own
                for name, own in config["scores"].items()
                if name == wildcards.dataset
            },
        },
    script:
        "../../scripts/build_appendix.py"
