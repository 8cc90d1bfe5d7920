# in: what the published numbers can be, tables of the run, checks of the companion studies, and the
# kept tables of the study of many data sets
# out: results/forensics/claims.*, claims_short.csv (which the report opens with),
# verdict.json, verdict.md

JUDGED_TABLES = [
    *["tables/table4", "tables/table5", "tables/operating_point", "tables/rank_reversal"],
    *["sweep/rank_reversal", "forensics/prevalence", "paper/measures"],
    *(["companions/checks"] if STUDIES else []),
    *(["companions/silipo/grid"] if "silipo" in STUDIES else []),
]


rule verdict:
    input:
        readings="results/forensics/readings.json",
        tables=expand("results/{table}.csv", table=JUDGED_TABLES),
        kept=[of_clone(f"tests/reference/bakeoff/{name}.csv") for name in ("headline", "ratio")],
        code=modules_of("judge_claims"),
    output:
        claims=table("results/forensics/claims", "forensics", "Which claims hold"),
        short="results/forensics/claims_short.csv",
        facts="results/forensics/verdict.json",
        verdict="results/forensics/verdict.md",
    log:
        "results/logs/verdict.log",
    conda:
        "../../environment.yml"
    params:
        names=JUDGED_TABLES,
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "Which of the papers' claims hold"
    script:
        "../scripts/judge_claims.py"
