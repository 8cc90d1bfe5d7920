# in: every table and figure that rule all names, and those behind a data set's
# out: results/manifest.json: their checksums, the config, versions, seed, checksum of the data
# Runs last. Provenance (which has the time), what depends on the network (the correction), logs,
# benchmarks and the report stay outside.


rule manifest:
    input:
        # A function, because rule all, which names the manifest too, comes later.
        made=lambda wildcards: [
            # Whether the corrected data could be had is no property of the code or the config.
            *(
                path
                for path in rules.all.input
                if path != "results/manifest.json" and "/correction/" not in path
            ),
            *rules.sweep.output,
            *rules.replicates.output,
            *expand(
                "results/{cohort}/{table}.csv",
                cohort=COHORTS,
                table=["sample", "scores", "measures"],
            ),
            *expand(
                "results/datasets/{dataset}/{table}",
                dataset=[*TRAINED, *GIVEN],
                table=["paper/scores.csv", "paper/curves.csv", "paper/measures.csv"],
            ),
            *expand(
                "results/datasets/{dataset}/{table}",
                dataset=TRAINED,
                table=[
                    "data/features.csv",
                    "tables/rank_reversal.csv",
                    "tables/certainty.csv",
                ],
            ),
        ],
        provenance="results/data/provenance.json",
        project=f"{workflow.basedir}/pyproject.toml",
        code=modules_used_by("write_manifest"),
    output:
        manifest="results/manifest.json",
    log:
        "results/logs/manifest.log",
    benchmark:
        "results/benchmarks/jobs/manifest.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        config=config,
    script:
        "../scripts/write_manifest.py"
