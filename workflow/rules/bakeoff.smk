# in: config/bakeoff.yaml, archives of other packages
# out: results/bakeoff: tables, figures, manifest.json; results/data/archives (the wheels)
# No part of rule all. `make bakeoff`, or name a file: results/bakeoff/outcomes/german.parquet

ARCHIVES = "results/data/archives"
BAKEOFF_TABLES = {
    "families": "Families of data, and those that are missing",
    "hypotheses": "What became of the registered hypotheses",
    "headline": "Each measure against AUC, in points of attainable gain",
    "sensitivity": "The same at other prevalences, sizes, menus and truths",
    "ratio": "AUK and log loss against AUC by negatives per positive",
    "by_family": "AUK and log loss against AUC by family",
    "left_out": "Without each model and source: the extremes",
    "costs": "Along the goal's cost",
    "matrix": "Measure by goal: gain, reliability, validity (per cent)",
    "controls": "Controls",
    "accuracy": "Accuracy and kappa: hits by chance, pairs ordered the other way (per cent)",
    "break_even": "Break-even ratios by influence functions",
    "break_even_simulated": "Twelve break-even ratios simulated; share of Fisher information",
}
# Of the whole study with the settings as they stand, kept in the repository.
KEPT = [name for name in BAKEOFF_TABLES if name != "families"]
BAKEOFF_FIGURES = {
    "measures": "Each measure against AUC (figure)",
    "families": "AUK and log loss against AUC by family (figure)",
    "ratio": "AUK against AUC by negatives per positive (figure)",
    "map": "How many negatives per positive AUK needs (figure)",
}

# How UCI is asked, by the names that fetch_uci has.
UCI = {
    "base_url": config["data"]["uci_url"],
    "timeout_seconds": config["data"]["timeout_seconds"],
}


rule bakeoff_archive:
    input:
        code=modules_of("fetch_archive"),
    output:
        record=f"{ARCHIVES}/{{archive}}.json",
    log:
        "results/logs/bakeoff_archive/{archive}.log",
    wildcard_constraints:
        archive="[A-Za-z0-9_.-]+",
    conda:
        "../../environment.yml"
    params:
        archive=lambda wildcards: BAKEOFF()["archives"][wildcards.archive],
    message:
        "Fetching the archive {wildcards.archive}"
    script:
        "../scripts/fetch_archive.py"


rule bakeoff_scores:
    input:
        archive=lambda wildcards: archive_of(BAKEOFF(), wildcards.family),
        own=lambda wildcards: file_of(BAKEOFF(), wildcards.family),
        code=modules_of("score_family"),
    output:
        scores="results/bakeoff/scores/{family}.parquet",
        status="results/bakeoff/scores/{family}.json",
    log:
        "results/logs/bakeoff_scores/{family}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        name="{family}",
        settings=lambda wildcards: training_of(BAKEOFF(), wildcards.family),
        uci=UCI,
    message:
        "Training every model on {wildcards.family}"
    script:
        "../scripts/score_family.py"


rule bakeoff_draws:
    input:
        scores=rules.bakeoff_scores.output.scores,
        code=modules_of("draw_family"),
    output:
        outcomes="results/bakeoff/outcomes/{family}.parquet",
    log:
        "results/logs/bakeoff_draws/{family}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        name="{family}",
        levels=lambda wildcards: levels_of(BAKEOFF()),
    message:
        "Drawing samples of {wildcards.family}"
    script:
        "../scripts/draw_family.py"


rule bakeoff_tables:
    input:
        status=lambda wildcards: expand(
            rules.bakeoff_scores.output.status, family=BAKEOFF()["families"]
        ),
        outcomes=lambda wildcards: expand(rules.bakeoff_draws.output, family=BAKEOFF()["families"]),
        code=modules_of("summarise_bakeoff"),
    output:
        **{name: f"results/bakeoff/{name}.csv" for name in [*BAKEOFF_TABLES, "differences"]},
    log:
        "results/logs/bakeoff_tables.log",
    conda:
        "../../environment.yml"
    params:
        settings=lambda wildcards: levels_of(BAKEOFF()),
    message:
        "Tables of the study of many data sets"
    script:
        "../scripts/summarise_bakeoff.py"


rule bakeoff_pages:
    input:
        tables=expand("results/bakeoff/{name}.csv", name=BAKEOFF_TABLES),
        code=modules_of("show_bakeoff"),
    output:
        **bakeoff_pages("results/bakeoff", BAKEOFF_TABLES),
    log:
        "results/logs/bakeoff_pages.log",
    conda:
        "../../environment.yml"
    params:
        titles=BAKEOFF_TABLES,
        n_positive=lambda wildcards: BAKEOFF()["headline"]["n_positive"],
    message:
        "Pages and figures of the study of many data sets"
    script:
        "../scripts/show_bakeoff.py"


# The report of every run shows the study that is kept, whether or not it was run here.
rule kept_bakeoff:
    input:
        tables=[of_clone(f"tests/reference/bakeoff/{name}.csv") for name in KEPT],
        code=modules_of("show_bakeoff"),
    output:
        **bakeoff_pages("results/many_data_sets", KEPT),
    log:
        "results/logs/kept_bakeoff.log",
    conda:
        "../../environment.yml"
    params:
        titles={name: BAKEOFF_TABLES[name] for name in KEPT},
        n_positive=25,
    message:
        "Pages and figures of the study of many data sets, from the repository's copy"
    script:
        "../scripts/show_bakeoff.py"


rule bakeoff:
    input:
        made=[rules.bakeoff_tables.output, rules.bakeoff_pages.output],
        project=of_clone("pyproject.toml"),
        code=modules_of("write_manifest"),
    output:
        manifest="results/bakeoff/manifest.json",
    log:
        "results/logs/bakeoff.log",
    conda:
        "../../environment.yml"
    params:
        config=lambda wildcards: BAKEOFF(),
    message:
        "Checksums of the study of many data sets"
    script:
        "../scripts/write_manifest.py"


PAPER_OUTPUTS += rules.kept_bakeoff.output
