# in: the user's own data sets and scores, as declared under datasets and scores in the config
# out: results/datasets/{dataset}/, with the same names inside as the reproduction's
# A data set is trained on, scores are taken as they are; what follows is the same for both.


TRAINED = list(config["datasets"])
DRAWN = [name for name, own in config["datasets"].items() if not is_one_split(own)]
GIVEN = list(config["scores"])
OWN = "results/datasets/{dataset}/"
PROVENANCE = f"{OWN}data/provenance.json"
DECLARED = {**config["datasets"], **config["scores"]}
DATASET_TABLES = {
    "intervals": "Measures with intervals",
    "ranks": "Measures and ranks",
    "tests": "Paired tests",
    "thresholds": "Thresholds",
    "bounds": "What each AUC allows",
}
DATASET_FIGURES = {
    **{
        f"figure{number}_{side}": f"Figure {number}, {side} class as the positive one"
        for number in (2, 3)
        for side in ("positive", "negative")
    },
    "auk_by_prevalence": "AUK by prevalence",
}
REPLICATE_TABLES = {
    "replicates/summary": "Measures over random splits",
    "tables/rank_reversal": "Rank reversals",
}


rule dataset:
    input:
        own=lambda wildcards: [
            own for key in ("path", "test_path") if (own := DECLARED[wildcards.dataset][key])
        ],
        code=modules_used_by("prepare_dataset"),
    output:
        features=f"{OWN}data/features.csv",
        provenance=PROVENANCE,
    log:
        "results/logs/datasets/{dataset}/dataset.log",
    wildcard_constraints:
        dataset=one_of(TRAINED),
    conda:
        "../../environment.yml"
    params:
        name="{dataset}",
        declaration=lambda wildcards: DECLARED[wildcards.dataset],
        uci_url=config["data"]["uci_url"],
        timeout_seconds=config["data"]["timeout_seconds"],
    message:
        "Reading the data set {wildcards.dataset}"
    script:
        "../scripts/prepare_dataset.py"


rule given_scores:
    input:
        own=declared("path"),
        code=modules_used_by("take_scores"),
    output:
        scores=f"{OWN}paper/scores.csv",
        curves=f"{OWN}paper/curves.csv",
        measures=f"{OWN}paper/measures.csv",
        provenance=PROVENANCE,
    log:
        "results/logs/datasets/{dataset}/scores.log",
    wildcard_constraints:
        dataset=one_of(GIVEN),
    conda:
        "../../environment.yml"
    params:
        name="{dataset}",
        declaration=lambda wildcards: DECLARED[wildcards.dataset],
    message:
        "Reading and measuring the scores {wildcards.dataset}"
    script:
        "../scripts/take_scores.py"


use rule split as dataset_split with:
    input:
        features=rules.dataset.output.features,
        provenance=PROVENANCE,
        code=modules_used_by("draw_split"),
    output:
        sample=f"{OWN}paper/sample.csv",
        scores=f"{OWN}paper/scores.csv",
        curves=f"{OWN}paper/curves.csv",
        measures=f"{OWN}paper/measures.csv",
    log:
        "results/logs/datasets/{dataset}/split.log",
    wildcard_constraints:
        dataset=one_of(TRAINED),
    params:
        seed=config["seed"],
        cell=lambda wildcards: dataset_cell(config, wildcards.dataset),
    message:
        "Splitting {wildcards.dataset} once, training on it and measuring the scores"


rule dataset_tables:
    input:
        scores=f"{OWN}paper/scores.csv",
        measures=f"{OWN}paper/measures.csv",
        provenance=PROVENANCE,
        sample=lambda wildcards: expand(
            f"{OWN}paper/sample.csv", dataset=[wildcards.dataset] * (wildcards.dataset in TRAINED)
        ),
        code=modules_used_by("compare_models"),
    output:
        **{name: dataset_table(f"tables/{name}", what) for name, what in DATASET_TABLES.items()},
        answer=f"{OWN}tables/answer.csv",
    log:
        "results/logs/datasets/{dataset}/tables.log",
    conda:
        "../../environment.yml"
    params:
        seed=config["seed"],
        prevalence=declared("prevalence"),
        cost_ratio=declared("cost_ratio"),
        models=lambda wildcards: dataset_models(wildcards.dataset),
    message:
        "Intervals, ranks, tests, thresholds and bounds of {wildcards.dataset}"
    script:
        "../scripts/compare_models.py"


use rule figures as dataset_figures with:
    input:
        curves=f"{OWN}paper/curves.csv",
        measures=f"{OWN}paper/measures.csv",
        provenance=PROVENANCE,
        code=modules_used_by("draw_curves"),
    output:
        **{
            name: figure(
                f"{OWN}figures/{name}",
                "dataset_curves" if "figure" in name else "dataset_prevalence",
                "datasets",
                what,
                "{dataset}",
            )
            for name, what in DATASET_FIGURES.items()
        },
    log:
        "results/logs/datasets/{dataset}/figures.log",
    params:
        models=None,
        cost_ratio=declared("cost_ratio"),
    message:
        "Figures of {wildcards.dataset}"


use rule draw_replicates as dataset_part with:
    input:
        features=rules.dataset.output.features,
        provenance=PROVENANCE,
        code=modules_used_by("run_replicates"),
    output:
        measures=f"{OWN}replicates/measures.parquet/part-{{part}}.parquet",
    log:
        "results/logs/datasets/{dataset}/{part}.log",
    wildcard_constraints:
        dataset=one_of(DRAWN),
    params:
        seed=config["seed"],
        cell=lambda wildcards: dataset_part_of(wildcards).cell,
        bounds=lambda wildcards: dataset_part_of(wildcards)[1:],
    message:
        "Drawing part {wildcards.part} of the replicates of {wildcards.dataset}"


rule dataset_replicates:
    input:
        parts=lambda wildcards: expand(
            rules.dataset_part.output.measures,
            dataset=wildcards.dataset,
            part=[f"{n:05d}" for n in range(len(dataset_parts(config, wildcards.dataset)))],
        ),
        code=modules_used_by("summarise_dataset"),
    output:
        **{path.split("/")[1]: dataset_table(path, what) for path, what in REPLICATE_TABLES.items()},
    log:
        "results/logs/datasets/{dataset}/replicates.log",
    wildcard_constraints:
        dataset=one_of(DRAWN),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda wildcards: 1000 + DECLARED[wildcards.dataset]["replicates"] // 100,
    params:
        expected=lambda wildcards: dataset_expected(config, wildcards.dataset),
    message:
        "Summary of the replicates of {wildcards.dataset}"
    script:
        "../scripts/summarise_dataset.py"


use rule appendix as dataset_appendix with:
    input:
        texts=lambda wildcards: appendix_texts(
            ["own_answer", "own_question", "own_tables", "own_curves"]
            + ["own_replicates"] * (wildcards.dataset in DRAWN)
            + ["measures", "rerun"]
        ),
        sources=APPENDIX_SOURCES,
        results=lambda wildcards: expand(
            [
                PROVENANCE,
                *rules.dataset_tables.output,
                *rules.dataset_figures.output,
                *(rules.dataset_split.output if wildcards.dataset in TRAINED else []),
                *(rules.dataset_replicates.output if wildcards.dataset in DRAWN else []),
            ],
            dataset=wildcards.dataset,
        ),
        code=modules_used_by("build_appendix"),
    output:
        files=appendix_files(
            f"{OWN}appendix",
            caption="dataset_appendix",
            category="datasets",
            subcategory="{dataset}",
            what="As one document (PDF)",
        ),
    log:
        "results/logs/datasets/{dataset}/appendix.log",
    params:
        title=lambda wildcards: f"Models on {wildcards.dataset}",
        dataset="{dataset}",
        config=lambda wildcards: {
            "seed": config["seed"],
            "companions": {},
            "models": dataset_models(wildcards.dataset),
            **{
                kind: {
                    name: own for name, own in config[kind].items() if name == wildcards.dataset
                }
                for kind in ("datasets", "scores")
            },
        },
    message:
        "Build the appendix of {wildcards.dataset} as PDF, LaTeX and Typst"


DATASET_OUTPUTS = expand(
    [
        *rules.given_scores.output,
        *rules.dataset_tables.output,
        *rules.dataset_figures.output,
        *rules.dataset_appendix.output,
    ],
    dataset=DECLARED,
)
DATASET_OUTPUTS += expand([*rules.dataset.output, *rules.dataset_split.output], dataset=TRAINED)
DATASET_OUTPUTS += expand(rules.dataset_replicates.output, dataset=DRAWN)


rule own_manifest:
    input:
        made=DATASET_OUTPUTS,
        provenance=expand(PROVENANCE, dataset=DECLARED),
        project=ROOT / "pyproject.toml",
        code=modules_used_by("write_manifest"),
    output:
        manifest="results/datasets/manifest.json",
    log:
        "results/logs/datasets/manifest.log",
    conda:
        "../../environment.yml"
    params:
        config={"seed": config["seed"], "declared": DECLARED},
    message:
        "Checksums of every table and figure of your own data"
    script:
        "../scripts/write_manifest.py"


rule own_data:
    input:
        DATASET_OUTPUTS,
        rules.own_manifest.output if DECLARED else [],
    message:
        "All data sets and scores of your own"
