# in: results/data/features_{encoding}.csv
# out: results/{cohort}/sample.csv, scores.csv, curves.csv, measures.csv; results/tables, results/figures
# A cohort is the skewed sample of the paper's section 8, or the original 30 % data.

CURVE_OF_FIGURE = {"2": "hull", "3": "raw"}


rule undersample:
    input:
        features=f"results/data/features_{config['experiment']['encoding']}.csv",
        code=modules_used_by("undersample_rows"),
    output:
        sample="results/{cohort}/sample.csv",
    log:
        "results/logs/undersample_{cohort}.log",
    benchmark:
        "results/benchmarks/jobs/undersample_{cohort}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        skew=lambda wildcards: COHORTS[wildcards.cohort]["skew"],
        scheme=config["experiment"]["sampling"],
        total=config["experiment"]["total"],
        n_minority=config["experiment"]["n_minority"],
    script:
        "../scripts/undersample_rows.py"


rule train:
    input:
        features=f"results/data/features_{config['experiment']['encoding']}.csv",
        sample="results/{cohort}/sample.csv",
        code=modules_used_by("train_models"),
    output:
        scores="results/{cohort}/scores.csv",
    log:
        "results/logs/train_{cohort}.log",
    benchmark:
        "results/benchmarks/jobs/train_{cohort}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        n_train=lambda wildcards: COHORTS[wildcards.cohort]["n_train"],
        stratify=config["experiment"]["stratify"],
        scaling=config["experiment"]["scaling"],
        models=config["models"],
    script:
        "../scripts/train_models.py"


rule curves:
    input:
        scores="results/{cohort}/scores.csv",
        code=modules_used_by("compute_curves"),
    output:
        curves="results/{cohort}/curves.csv",
    log:
        "results/logs/curves_{cohort}.log",
    benchmark:
        "results/benchmarks/jobs/curves_{cohort}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        skew=lambda wildcards: COHORTS[wildcards.cohort]["evaluated_at"],
    script:
        "../scripts/compute_curves.py"


rule measures:
    input:
        scores="results/{cohort}/scores.csv",
        code=modules_used_by("compute_measures"),
    output:
        measures="results/{cohort}/measures.csv",
    log:
        "results/logs/measures_{cohort}.log",
    benchmark:
        "results/benchmarks/jobs/measures_{cohort}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        skew=lambda wildcards: COHORTS[wildcards.cohort]["evaluated_at"],
    script:
        "../scripts/compute_measures.py"


rule tables:
    input:
        paper="results/paper/measures.csv",
        original="results/original/measures.csv",
        summary="results/replicates/summary.csv",
        code=modules_used_by("make_tables"),
    output:
        table4=[
            report(
                "results/tables/table4.html",
                caption="../report/table4.rst",
                category=CATEGORIES["paper"],
                labels={"what": "Table 4 (hull)"},
            ),
            *expand("results/tables/table4.{format}", format=["csv", "md", "tex"]),
        ],
        table5=[
            report(
                "results/tables/table5.html",
                caption="../report/table5.rst",
                category=CATEGORIES["paper"],
                labels={"what": "Table 5 (raw)"},
            ),
            *expand("results/tables/table5.{format}", format=["csv", "md", "tex"]),
        ],
        operating_point=[
            report(
                "results/tables/operating_point.html",
                caption="../report/operating_point.rst",
                category=CATEGORIES["paper"],
                labels={"what": "Section 8, operating point"},
            ),
            *expand(
                "results/tables/operating_point.{format}", format=["csv", "md", "tex"]
            ),
        ],
        original_tables=[
            report(
                "results/tables/original.html",
                caption="../report/original.rst",
                category=CATEGORIES["paper"],
                labels={"what": "Section 8, original data"},
            ),
            *expand("results/tables/original.{format}", format=["csv", "md", "tex"]),
        ],
    log:
        "results/logs/tables.log",
    benchmark:
        "results/benchmarks/jobs/tables.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../scripts/make_tables.py"


rule figure1:
    input:
        code=modules_used_by("draw_figure1"),
    output:
        figure=[
            report(
                "results/figures/figure1.svg",
                caption="../report/figure1.rst",
                category=CATEGORIES["paper"],
                labels={"what": "Figure 1 (dominance)"},
            ),
            "results/figures/figure1.pdf",
            "results/figures/figure1.png",
        ],
    log:
        "results/logs/figure1.log",
    benchmark:
        "results/benchmarks/jobs/figure1.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        **config["figures"]["figure1"],
    script:
        "../scripts/draw_figure1.py"


rule figure_curves:
    input:
        curves="results/paper/curves.csv",
        measures="results/paper/measures.csv",
        code=modules_used_by("draw_curves"),
    output:
        figure=[
            report(
                "results/figures/figure{number}_{positive_class}.svg",
                caption="../report/figure_curves.rst",
                category=CATEGORIES["paper"],
                labels={"what": "Figure {number} ({positive_class} positive)"},
            ),
            "results/figures/figure{number}_{positive_class}.pdf",
            "results/figures/figure{number}_{positive_class}.png",
        ],
    log:
        "results/logs/figure{number}_{positive_class}.log",
    benchmark:
        "results/benchmarks/jobs/figure{number}_{positive_class}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        models=config["figures"]["models"],
        positive_class="{positive_class}",
        curve=lambda wildcards: CURVE_OF_FIGURE[wildcards.number],
    script:
        "../scripts/draw_curves.py"
