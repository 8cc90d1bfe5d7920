# in: every table and figure that rule all names
# out: results/manifest.json: their checksums, the config, versions, seed, checksum of the data
# Runs last. What depends on time or network (provenance, logs, the report) and the
# parts of the replicates, which depend on per_job, stay outside.

OUTPUTS = [
    "results/data/german_credit.csv",
    *expand(
        "results/{cohort}/{table}.csv",
        cohort=COHORTS,
        table=["sample", "scores", "curves", "measures"],
    ),
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
    rules.appendix.output,
    rules.pages.output,
    rules.explorer.output,
    rules.landing.output,
    rules.kept_bakeoff.output,
]
# Named so that one that was deleted is made again.
PARTS = [
    rules.german_credit.output,
    REPLICATE_MEASURES,
    REPLICATE_SCORES,
    SPECIFICATION_SCORES,
    SWEEP_CELLS,
]


rule manifest:
    input:
        made=OUTPUTS,
        provenance="results/data/provenance.json",
        project=of_clone("pyproject.toml"),
        code=modules_of("write_manifest"),
    output:
        manifest="results/manifest.json",
    log:
        "results/logs/manifest.log",
    conda:
        "../../environment.yml"
    params:
        config=REPORTED,
    message:
        "Checksums of every table and figure"
    script:
        "../scripts/write_manifest.py"
