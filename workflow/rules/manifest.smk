# in: every table and figure that rule all names
# out: results/manifest.json: their checksums, the config, versions, seed, checksum of the data
# Runs last. What depends on time or network (provenance, logs, the report) and the
# parts of the replicates, which depend on per_job, stay outside.

OUTPUTS = [
    rules.prepare_data.output.table,
    EXPERIMENT_OUTPUTS,
    SWEEP_OUTPUTS,
    PAPER_OUTPUTS,
    rules.pages.output,
    rules.explorer.output,
]
# Named so that one that was deleted is made again.
PARTS = [
    rules.prepare_data.output,
    REPLICATE_MEASURES,
    REPLICATE_SCORES,
    [] if ONE_SPLIT else SWEEP_CELLS,
    PAPER_PARTS,
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
