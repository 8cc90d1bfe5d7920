# in: the user's own data sets and scores, as declared under datasets and scores in the config
# out: results/datasets/{dataset}/, with the same names inside as the reproduction's
# A data set is trained on, scores are given; what follows is the same for both.

TRAINED = list(config["datasets"])
GIVEN = list(config["scores"])
DATASET_FIGURES = [
    "figure2_positive",
    "figure2_negative",
    "figure3_positive",
    "figure3_negative",
    "auk_by_prevalence",
]
DATASET_TABLES = ["intervals", "ranks", "tests", "bounds"]
DATASET_OUTPUTS = [
    *expand(
        "results/datasets/{dataset}/tables/{table}.csv",
        dataset=[*TRAINED, *GIVEN],
        table=DATASET_TABLES,
    ),
    *expand(
        "results/datasets/{dataset}/figures/{figure}.svg",
        dataset=[*TRAINED, *GIVEN],
        figure=DATASET_FIGURES,
    ),
    *expand("results/datasets/{dataset}/replicates/summary.csv", dataset=TRAINED),
    *expand(
        "results/datasets/{dataset}/appendix/appendix.pdf", dataset=[*TRAINED, *GIVEN]
    ),
]


rule dataset:
    input:
        own=lambda wildcards: config["datasets"][wildcards.dataset]["path"] or [],
        code=modules_used_by("prepare_dataset"),
    output:
        features="results/datasets/{dataset}/data/features.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
    log:
        "results/logs/datasets/{dataset}/dataset.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/dataset.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        name="{dataset}",
        declaration=lambda wildcards: config["datasets"][wildcards.dataset],
        uci_url=config["data"]["uci_url"],
        timeout_seconds=config["data"]["timeout_seconds"],
    script:
        "../scripts/prepare_dataset.py"


rule dataset_sample:
    input:
        features="results/datasets/{dataset}/data/features.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("undersample_rows"),
    output:
        sample="results/datasets/{dataset}/paper/sample.csv",
    log:
        "results/logs/datasets/{dataset}/sample.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/sample.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        skew=lambda wildcards: config["datasets"][wildcards.dataset]["skew"],
        column="positive",
    script:
        "../scripts/undersample_rows.py"


rule dataset_train:
    input:
        features="results/datasets/{dataset}/data/features.csv",
        sample="results/datasets/{dataset}/paper/sample.csv",
        code=modules_used_by("train_models"),
    output:
        scores="results/datasets/{dataset}/paper/scores.csv",
    log:
        "results/logs/datasets/{dataset}/train.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/train.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        n_train=lambda wildcards: config["datasets"][wildcards.dataset]["n_train"],
        stratify=lambda wildcards: config["datasets"][wildcards.dataset]["stratify"],
        scaling=lambda wildcards: config["datasets"][wildcards.dataset]["scaling"],
        models=lambda wildcards: dataset_cell(config, wildcards.dataset)["models"],
        column="positive",
    script:
        "../scripts/train_models.py"


rule given_scores:
    input:
        own=lambda wildcards: config["scores"][wildcards.dataset]["path"],
        code=modules_used_by("take_scores"),
    output:
        scores="results/datasets/{dataset}/paper/scores.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
    log:
        "results/logs/datasets/{dataset}/scores.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/scores.tsv"
    wildcard_constraints:
        dataset=one_of(GIVEN),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        name="{dataset}",
        label=lambda wildcards: config["scores"][wildcards.dataset]["label"],
        models=lambda wildcards: config["scores"][wildcards.dataset]["models"],
        positive=lambda wildcards: config["scores"][wildcards.dataset]["positive"],
    script:
        "../scripts/take_scores.py"


rule dataset_curves:
    input:
        scores="results/datasets/{dataset}/paper/scores.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("compute_curves"),
    output:
        curves="results/datasets/{dataset}/paper/curves.csv",
    log:
        "results/logs/datasets/{dataset}/curves.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/curves.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        skew=lambda wildcards: declared(wildcards.dataset)["prevalence"],
    script:
        "../scripts/compute_curves.py"


rule dataset_measures:
    input:
        scores="results/datasets/{dataset}/paper/scores.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("compute_measures"),
    output:
        measures="results/datasets/{dataset}/paper/measures.csv",
    log:
        "results/logs/datasets/{dataset}/measures.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/measures.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        skew=lambda wildcards: declared(wildcards.dataset)["prevalence"],
    script:
        "../scripts/compute_measures.py"


rule dataset_tables:
    input:
        scores="results/datasets/{dataset}/paper/scores.csv",
        measures="results/datasets/{dataset}/paper/measures.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("compare_models"),
    output:
        intervals=table_of_dataset("tables/intervals", "Measures with intervals"),
        ranks=table_of_dataset("tables/ranks", "Measures and ranks"),
        tests=table_of_dataset("tables/tests", "Paired tests"),
        bounds=table_of_dataset("tables/bounds", "What each AUC allows"),
    log:
        "results/logs/datasets/{dataset}/tables.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/tables.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        prevalence=lambda wildcards: declared(wildcards.dataset)["prevalence"],
        n_resamples=2000,
    script:
        "../scripts/compare_models.py"


rule dataset_figure:
    input:
        curves="results/datasets/{dataset}/paper/curves.csv",
        measures="results/datasets/{dataset}/paper/measures.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("draw_dataset"),
    output:
        figure=[
            report(
                "results/datasets/{dataset}/figures/figure{number}_{side}.svg",
                caption="../report/dataset_curves.rst",
                category=CATEGORIES["datasets"],
                subcategory="{dataset}",
                labels={"what": "Figure {number}, {side} class as the positive one"},
            ),
            "results/datasets/{dataset}/figures/figure{number}_{side}.pdf",
            "results/datasets/{dataset}/figures/figure{number}_{side}.png",
        ],
    log:
        "results/logs/datasets/{dataset}/figure{number}_{side}.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/figure{number}_{side}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        side="{side}",
        curve=lambda wildcards: CURVE_OF_FIGURE[wildcards.number],
    script:
        "../scripts/draw_dataset.py"


rule dataset_prevalence:
    input:
        curves="results/datasets/{dataset}/paper/curves.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("draw_dataset_prevalence"),
    output:
        figure=[
            report(
                "results/datasets/{dataset}/figures/auk_by_prevalence.svg",
                caption="../report/dataset_prevalence.rst",
                category=CATEGORIES["datasets"],
                subcategory="{dataset}",
                labels={"what": "AUK by prevalence"},
            ),
            "results/datasets/{dataset}/figures/auk_by_prevalence.pdf",
            "results/datasets/{dataset}/figures/auk_by_prevalence.png",
        ],
    log:
        "results/logs/datasets/{dataset}/auk_by_prevalence.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/auk_by_prevalence.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../scripts/draw_dataset_prevalence.py"


rule dataset_replicate_part:
    input:
        features="results/datasets/{dataset}/data/features.csv",
        provenance="results/datasets/{dataset}/data/provenance.json",
        code=modules_used_by("run_replicates"),
    output:
        measures=temp("results/datasets/{dataset}/replicates/part{part}.parquet"),
    log:
        "results/logs/datasets/{dataset}/part{part}.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/part{part}.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **replicate_job({"count": 10**6, "per_job": config["replicates"]["per_job"]}),
    params:
        seed=config["seed"],
        cell=lambda wildcards: dataset_cell(config, wildcards.dataset),
        first=lambda wildcards: dataset_parts(wildcards.dataset)[int(wildcards.part)][0],
        last=lambda wildcards: dataset_parts(wildcards.dataset)[int(wildcards.part)][1],
    script:
        "../scripts/run_replicates.py"


rule dataset_replicates:
    input:
        parts=lambda wildcards: [
            f"results/datasets/{wildcards.dataset}/replicates/part{part}.parquet"
            for part in range(len(dataset_parts(wildcards.dataset)))
        ],
        code=modules_used_by("summarise_dataset"),
    output:
        measures="results/datasets/{dataset}/replicates/measures.parquet",
        summary=table_of_dataset("replicates/summary", "Measures over random splits"),
        rank_reversal=table_of_dataset("tables/rank_reversal", "Rank reversals"),
    log:
        "results/logs/datasets/{dataset}/replicates.log",
    benchmark:
        "results/benchmarks/jobs/datasets/{dataset}/replicates.tsv"
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **resources_for(dataset_gathering),
    params:
        expected=lambda wildcards: dict.fromkeys(
            config["datasets"][wildcards.dataset]["models"],
            config["datasets"][wildcards.dataset]["replicates"],
        ),
    script:
        "../scripts/summarise_dataset.py"


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
        data=lambda wildcards: expand(
            "results/datasets/{dataset}/{table}.csv",
            dataset=wildcards.dataset,
            table=[
                *(f"tables/{name}" for name in DATASET_TABLES),
                *(
                    ["replicates/summary", "tables/rank_reversal"]
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
            caption="../report/dataset_appendix.rst",
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
        "../../environment.yml"
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
        "../scripts/build_appendix.py"


rule own_data:
    input:
        DATASET_OUTPUTS,
