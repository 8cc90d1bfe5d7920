# in: results/data/features_{encoding}.csv
# out: results/specification/{encoding}/{sampling}/{network}.parquet; results/tables/specification.*
# Replicates at every combination of what the paper leaves open.


rule specification_cell:
    input:
        features="results/data/features_{encoding}.csv",
        code=modules_used_by("run_replicates"),
    output:
        measures="results/specification/{encoding}/{sampling}/{network}.parquet",
    log:
        "results/logs/specification/{encoding}/{sampling}/{network}.log",
    benchmark:
        "results/benchmarks/jobs/specification/{encoding}/{sampling}/{network}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **replicate_job(config["specification"]),
    params:
        seed=config["seed"],
        cell=lambda wildcards: specification_cell(config, **wildcards),
        first=0,
        last=config["specification"]["count"],
    script:
        "../scripts/run_replicates.py"


rule specification:
    input:
        parts=[
            f"results/specification/{cell['encoding']}/{cell['sampling']}/{cell['network']}.parquet"
            for cell in specification_levels(config)
        ],
        code=modules_used_by("summarise_specification"),
    output:
        table=[
            report(
                "results/tables/specification.html",
                caption="../report/specification.rst",
                category=CATEGORIES["replicates"],
                labels={"what": "Specifications (table)"},
            ),
            *expand(
                "results/tables/specification.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
    log:
        "results/logs/specification.log",
    benchmark:
        "results/benchmarks/jobs/specification.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **gather_job(
            config["specification"],
            ["linear", "one network"],
            len(specification_levels(config)),
        ),
    script:
        "../scripts/summarise_specification.py"
