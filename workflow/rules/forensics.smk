# in: tables of the single split, the replicates and the specifications
# out: results/forensics (what the published numbers can be, errata, readings); two figures
# The published numbers themselves stand in src/study/published.csv.

# The paper's setting with the other encodings.
OTHER_ENCODINGS = {
    name: specification_place(cell)
    for name, cell in SPECIFICATIONS.items()
    if cell["encoding"] != config["experiment"]["encoding"]
    and cell["sampling"] == config["experiment"]["sampling"]
}


rule forensics:
    input:
        measures="results/paper/measures.csv",
        replicate_summary="results/replicates/summary.csv",
        rank_reversal="results/tables/rank_reversal.csv",
        specification="results/tables/specification.csv",
        auk_given_auc="results/replicates/auk_given_auc.csv",
        silipo_grid=(
            ["results/companions/silipo/grid.csv"]
            if config["companions"]["silipo"]["enabled"]
            else []
        ),
        scores=REPLICATE_SCORES,
        other_scores=expand("results/specification/{cell}.parquet", cell=OTHER_ENCODINGS),
        code=modules_of("examine_paper"),
    output:
        readings=table("results/forensics/readings", "forensics", "Readings (table)"),
        prevalence=table(
            "results/forensics/prevalence", "forensics", "Possible prevalences (table)"
        ),
        counts=table("results/forensics/counts", "forensics", "Possible test sets"),
        simulation=table("results/forensics/simulation", "forensics", "Readings in simulation"),
        errata=table("results/forensics/errata", "forensics", "Errata of the sources"),
        facts="results/forensics/readings.json",
        forensics_prevalence=figure(
            "results/figures/forensics_prevalence", "forensics", "Possible prevalences (figure)"
        ),
        readings_figure=figure("results/figures/readings", "forensics", "Readings (figure)"),
    log:
        "results/logs/forensics.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        **config["forensics"],
        encoding=config["experiment"]["encoding"],
        others=list(OTHER_ENCODINGS.values()),
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "What the published numbers can be, and errata"
    script:
        "../scripts/examine_paper.py"
