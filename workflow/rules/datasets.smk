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


include: "datasets/data.smk"
include: "datasets/training.smk"
include: "datasets/measures.smk"
include: "datasets/figures.smk"
include: "datasets/replicates.smk"


rule own_data:
    input:
        DATASET_OUTPUTS,


use rule appendix as dataset_appendix with:
    input:
        texts=lambda wildcards: appendix_texts(
            ["own_question", "measures", "own_tables", "own_curves"]
            + ["own_replicates"] * (wildcards.dataset in TRAINED)
            + ["rerun"]
        ),
        sources=APPENDIX_SOURCES,
        results=lambda wildcards: expand(
            "results/datasets/{dataset}/{name}",
            dataset=wildcards.dataset,
            name=[
                "data/provenance.json",
                *(f"tables/{name}.csv" for name in DATASET_TABLES),
                *(f"figures/{name}.pdf" for name in DATASET_FIGURES),
                *[
                    "replicates/summary.csv",
                    "tables/rank_reversal.csv",
                    "tables/certainty.csv",
                ]
                * (wildcards.dataset in TRAINED),
            ],
        ),
        code=modules_used_by("build_appendix"),
    output:
        files=appendix_files(
            "results/datasets/{dataset}/appendix",
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
            **{
                kind: {
                    name: own
                    for name, own in config[kind].items()
                    if name == wildcards.dataset
                }
                for kind in ("datasets", "scores")
            },
        },
    message:
        "Build the appendix of {wildcards.dataset} as PDF, LaTeX and Typst"
