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
include: "datasets/document.smk"


rule own_data:
    input:
        DATASET_OUTPUTS,
