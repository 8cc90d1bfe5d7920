# in: tables of the run, and those of the study of many data sets
# out: results/forensics/claims.*

JUDGED_TABLES = [
    *["tables/table4", "tables/table5", "tables/operating_point", "tables/rank_reversal"],
    *["sweep/rank_reversal", "forensics/prevalence", "paper/measures"],
    *(["companions/checks"] if STUDIES else []),
    *(["companions/silipo/grid"] if "silipo" in STUDIES else []),
]


rule claims:
    input:
        tables=expand("results/{table}.csv", table=JUDGED_TABLES),
        kept=[of_clone(f"src/study/many_data_sets/{name}.csv") for name in ("headline", "ratio")],
        code=modules_of("judge_claims"),
    output:
        claims=table("results/forensics/claims", "forensics", "Which claims hold"),
    log:
        "results/logs/claims.log",
    conda:
        "../../environment.yml"
    params:
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "Which of the papers' claims hold"
    script:
        "../scripts/judge_claims.py"
