# in: the user's own data sets, as declared under datasets in the config
# out: results/datasets/{dataset}/, with the same names inside as the reproduction's

DATASETS = list(config["datasets"])
# A file of test rows or a column of time leaves one split, and none to draw at random.
DRAWN = [name for name, own in config["datasets"].items() if not is_one_split(own)]
OWN = "results/datasets/{dataset}/"
PROVENANCE = f"{OWN}data/provenance.json"
DATASET_TABLES = {
    "intervals": "Measures with intervals",
    "ranks": "Measures and ranks",
    "tests": "Paired tests",
    "thresholds": "Thresholds",
    "bounds": "What each AUC allows",
}
DATASET_FIGURES = {
    "roc_and_kappa": "ROC and kappa curves",
    "auk_by_prevalence": "AUK by prevalence",
}


rule dataset:
    input:
        own=lambda wildcards: [
            path for key in ("path", "test_path") if (path := declared(key)(wildcards))
        ],
    output:
        features=f"{OWN}data/features.csv",
        provenance=PROVENANCE,
    params:
        name="{dataset}",
        declaration=lambda wildcards: config["datasets"][wildcards.dataset],
        uci=UCI,
    message:
        "Reading the data set {wildcards.dataset}"
    script:
        "../scripts/prepare_dataset.py"


use rule split as dataset_split with:
    input:
        features=rules.dataset.output.features,
        provenance=PROVENANCE,
    output:
        sample=f"{OWN}paper/sample.csv",
        scores=f"{OWN}paper/scores.csv",
        curves=f"{OWN}paper/curves.csv",
        measures=f"{OWN}paper/measures.csv",
    params:
        seed=config["seed"],
        cell=lambda wildcards: dataset_cell(config, wildcards.dataset),
    message:
        "Splitting {wildcards.dataset} once, training on it and measuring the scores"


rule dataset_tables:
    input:
        scores=rules.dataset_split.output.scores,
        measures=rules.dataset_split.output.measures,
        sample=rules.dataset_split.output.sample,
        features=rules.dataset.output.features,
        provenance=PROVENANCE,
    output:
        **{name: dataset_table(f"tables/{name}", what) for name, what in DATASET_TABLES.items()},
        answer=f"{OWN}tables/answer.csv",
    params:
        seed=config["seed"],
        prevalence=declared("prevalence"),
        cost_ratio=declared("cost_ratio"),
        models=lambda wildcards: dataset_models(wildcards.dataset),
        grouped=lambda wildcards: declared("split")(wildcards)["by"] == "group",
    message:
        "Intervals, ranks, tests, thresholds and bounds of {wildcards.dataset}"
    script:
        "../scripts/compare_models.py"


use rule figures as dataset_figures with:
    input:
        curves=rules.dataset_split.output.curves,
        measures=rules.dataset_split.output.measures,
        provenance=PROVENANCE,
    output:
        **{
            name: figure(f"{OWN}figures/{name}", "datasets", what, "{dataset}", f"dataset_{name}")
            for name, what in DATASET_FIGURES.items()
        },
    params:
        models=None,
        cost_ratio=declared("cost_ratio"),
    message:
        "Figures of {wildcards.dataset}"


use rule draw_replicates as dataset_part with:
    input:
        features=rules.dataset.output.features,
        provenance=PROVENANCE,
    output:
        measures=f"{OWN}replicates/measures.parquet/part-{{part}}.parquet",
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
        parts=lambda wildcards: parts_of_dataset(wildcards.dataset),
        provenance=PROVENANCE,
    output:
        summary=dataset_table("replicates/summary", "Measures over random splits"),
        wins=dataset_table("replicates/wins", "Which model is ahead in how many splits"),
        answer=f"{OWN}replicates/answer.csv",
    resources:
        mem_mb=lambda wildcards: 1000 + declared("replicates")(wildcards) // 100,
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
                *rules.dataset_split.output,
                *(rules.dataset_replicates.output if wildcards.dataset in DRAWN else []),
            ],
            dataset=wildcards.dataset,
        ),
    output:
        files=appendix_files(
            f"{OWN}appendix",
            caption="dataset_appendix",
            category="datasets",
            subcategory="{dataset}",
            what="As one document (PDF)",
        ),
    params:
        title=lambda wildcards: f"Models on {wildcards.dataset}",
        dataset="{dataset}",
        config=lambda wildcards: {
            "seed": config["seed"],
            "companions": {},
            "models": dataset_models(wildcards.dataset),
            "datasets": {wildcards.dataset: config["datasets"][wildcards.dataset]},
        },
    message:
        "Build the appendix of {wildcards.dataset} as PDF, LaTeX and Typst"


DATASET_OUTPUTS = expand(
    [
        *rules.dataset.output,
        *rules.dataset_split.output,
        *rules.dataset_tables.output,
        *rules.dataset_figures.output,
        *rules.dataset_appendix.output,
    ],
    dataset=DATASETS,
)
DATASET_OUTPUTS += expand(rules.dataset_replicates.output, dataset=DRAWN)
DATASET_PARTS = [part for name in DRAWN for part in parts_of_dataset(name)]


rule own_manifest:
    input:
        made=DATASET_OUTPUTS,
        provenance=expand(PROVENANCE, dataset=DATASETS),
        project=ROOT / "pyproject.toml",
    output:
        manifest="results/datasets/manifest.json",
    params:
        config={"seed": config["seed"], "declared": config["datasets"]},
    message:
        "Checksums of every table and figure of your own data"
    script:
        "../scripts/write_manifest.py"


rule own_data:
    input:
        DATASET_OUTPUTS,
        DATASET_PARTS,
        rules.own_manifest.output if DATASETS else [],
    message:
        "All data sets of your own"
