# in: the experiment's tables, replicates and specifications; the kept tables of the study of many
# data sets
# out: results/original/{sample,scores,curves,measures}.csv (the untouched data); results/forensics
# (what the published numbers can be, errata, readings, claims); two figures
# What Kaymak, Ben-David & Potharst (2010) print, which is in src/study/published.csv: German Credit
# alone has it.

# The paper's setting with the other encodings.
OTHER_ENCODINGS = {
    name: cell["encoding"]
    for name, cell in SPECIFICATIONS.items()
    if cell["encoding"] != config["experiment"]["encoding"]
    and cell["sampling"] == config["experiment"]["sampling"]
}


rule split_original:
    input:
        features=FEATURES.format(**EXPERIMENT),
        code=modules_of("draw_split"),
    output:
        sample="results/original/sample.csv",
        scores="results/original/scores.csv",
        curves="results/original/curves.csv",
        measures="results/original/measures.csv",
    log:
        "results/logs/split_original.log",
    conda:
        "../../environment.yml"
    params:
        seed=config["seed"],
        cell=cells.original_cell(config),
    message:
        "Splitting the original rows once, training on them and measuring the scores"
    script:
        "../scripts/draw_split.py"


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
        # The errata are computed by functions of all sources.
        code=modules_of("examine_paper", *(source.module for source in SOURCES.values())),
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
    benchmark:
        "results/benchmarks/forensics.tsv"
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        **config["forensics"],
        encoding=config["experiment"]["encoding"],
        others=list(OTHER_ENCODINGS.values()),
        experiment=PAPER_SETTING,
    message:
        "What the published numbers can be, and errata"
    script:
        "../scripts/examine_paper.py"


JUDGED_TABLES = [
    *["tables/table4", "tables/table5", "tables/operating_point", "tables/rank_reversal"],
    *["sweep/rank_reversal", "forensics/prevalence", "forensics/simulation"],
]


rule claims:
    input:
        tables=expand("results/{table}.csv", table=JUDGED_TABLES),
        checks_of_studies=expand("results/companions/{study}/checks.csv", study=STUDIES),
        kept=[of_clone(f"{MANY_DATA_SETS}/{name}.csv") for name in ("results", "earlier_rounds")],
        code=modules_of("judge_claims"),
    output:
        checks=(
            table("results/companions/checks", "companions", "Checks", "All studies")
            if STUDIES
            else []
        ),
        claims=table("results/forensics/claims", "forensics", "Which claims hold"),
        cases=table("results/forensics/cases", "forensics", "Claims tried on random cases"),
        efficiency=table("results/forensics/efficiency", "forensics", "Efficiency of AUK"),
    log:
        "results/logs/claims.log",
    conda:
        "../../environment.yml"
    params:
        names=JUDGED_TABLES,
        experiment=PAPER_SETTING,
    message:
        "Which of the papers' claims hold"
    script:
        "../scripts/judge_claims.py"


SHOWN_OUTPUTS += [*rules.split_original.output, *rules.forensics.output, *rules.claims.output]
