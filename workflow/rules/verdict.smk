# in: what the published numbers can be, tables of the run, checks of the companion studies, and the
# tables of the study of many data sets
# out: results/forensics/claims.*, claims_short.csv (which the report opens with),
# verdict.json, verdict.md


rule verdict:
    input:
        readings="results/forensics/readings.json",
        tables=[
            *expand("results/tables/{table}.csv", table=["table4", "table5", "operating_point"]),
            "results/tables/rank_reversal.csv",
            "results/sweep/rank_reversal.csv",
            "results/forensics/prevalence.csv",
            "results/paper/measures.csv",
            *(["results/companions/checks.csv"] if STUDIES else []),
            *(["results/companions/silipo/grid.csv"] if "silipo" in STUDIES else []),
        ],
        kept=local(
            expand(f"{ROOT}/src/study/many_data_sets/{{table}}.csv", table=["headline", "ratio"])
        ),
    output:
        claims=table("results/forensics/claims", "forensics", "Which claims hold"),
        short="results/forensics/claims_short.csv",
        facts="results/forensics/verdict.json",
        verdict="results/forensics/verdict.md",
    params:
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "Which of the papers' claims hold"
    script:
        "../scripts/judge_claims.py"
