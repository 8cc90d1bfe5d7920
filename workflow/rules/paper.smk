# in: results/data/features_{encoding}.csv
# out: results/{cohort}/sample.csv, scores.csv, curves.csv, measures.csv; results/tables, results/figures
# One split of a cohort, which is replicate 0: of the paper's skewed sample, or of the original data.


rule split:
    input:
        features=lambda wildcards: FEATURES.format(**COHORTS[wildcards.cohort]),
        code=modules_of("draw_split"),
    output:
        sample="results/{cohort}/sample.csv",
        scores="results/{cohort}/scores.csv",
        curves="results/{cohort}/curves.csv",
        measures="results/{cohort}/measures.csv",
    log:
        "results/logs/split/{cohort}.log",
    priority: 1  # the tables and figures wait for it
    conda:
        "../../environment.yml"
    params:
        seed=config["seed"],
        cell=lambda wildcards: COHORTS[wildcards.cohort],
    message:
        "Splitting the {wildcards.cohort} rows once, training on them and measuring the scores"
    script:
        "../scripts/draw_split.py"


rule tables:
    input:
        paper="results/paper/measures.csv",
        original="results/original/measures.csv",
        summary="results/replicates/summary.csv",
        code=modules_of("make_tables"),
    output:
        table4=table("results/tables/table4", "paper", "Table 4 (hull)"),
        table5=table("results/tables/table5", "paper", "Table 5 (raw)"),
        operating_point=table(
            "results/tables/operating_point", "paper", "Section 8, operating point"
        ),
        original_tables=table("results/tables/original", "paper", "Section 8, original data"),
    log:
        "results/logs/tables.log",
    conda:
        "../../environment.yml"
    params:
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "Tables 4 and 5, the operating point and the original data"
    script:
        "../scripts/make_tables.py"


rule figures:
    input:
        curves="results/paper/curves.csv",
        measures="results/paper/measures.csv",
        code=modules_of("draw_curves"),
    output:
        **{
            f"figure{number}_{positive_class}": figure(
                f"results/figures/figure{number}_{positive_class}",
                "paper",
                f"Figure {number} ({positive_class} positive)",
                caption="figure_curves",
            )
            for number in (2, 3)
            for positive_class in ("good", "bad")
        },
        figure1=figure("results/figures/figure1", "paper", "Figure 1 (dominance)"),
    log:
        "results/logs/figures.log",
    conda:
        "../../environment.yml"
    params:
        dominating=config["figures"]["figure1"],
        models=config["figures"]["models"],
        cost_ratio=config["experiment"]["cost_ratio"],
    message:
        "Figures 1 to 3"
    script:
        "../scripts/draw_curves.py"
