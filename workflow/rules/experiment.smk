# The experiment on any data, and what it says of the models.
# in: results/data/features_{encoding}.csv
# out: results/replicates/{scenario}/{models}-{chunk}.parquet, results/split, results/tables,
# results/figures


# A model of the user's that can't be fitted at all ends here, before its replicates are drawn.
rule fit_once:
    input:
        features=FEATURES.format(**SCENARIOS[BASE]),
    output:
        touch(FITTED),
    log:
        "results/logs/fit_once/{models}.log",
    # Before draws, which may take hours.
    priority: 1
    conda:
        "../envs/kappacurve.yaml"
    resources:
        mem_mb=lambda wildcards, input, attempt: attempt
        * (600 + count_cells(input.features) * 310 // 10**6),
    params:
        setting=fit_setting,
        seed=config["seed"],
        code=code_of("draws"),
    message:
        "Fitting {wildcards.models} once"
    script:
        "../scripts/fit_once.py"


# The experiment itself keeps its scores: the split shown and the explanations need them.
rule draw_replicates:
    input:
        features=find_features,
        fitted=list_fitted,
    output:
        measures=f"results/replicates/{BASE}/{{models}}-{{chunk}}.parquet",
        scores=f"results/replicates/{BASE}/{{models}}-{{chunk}}.scores.parquet",
    log:
        f"results/logs/draw_replicates/{BASE}/{{models}}-{{chunk}}.log",
    benchmark:
        f"results/logs/draw_replicates/{BASE}/{{models}}-{{chunk}}.tsv"
    conda:
        "../envs/kappacurve.yaml"
    resources:
        # Measured in docs/cluster.md: 340 MB, a quarter for each split, 310 bytes for each cell; and
        # 200 MB for Snakemake, which starts the script on a node.
        mem_mb=lambda wildcards, input, attempt: attempt
        * (600 + config["experiment"]["per_job"] // 4 + count_cells(input.features) * 310 // 10**6),
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        setting=chunk_setting,
        code=code_of("draws"),
    message:
        f"Drawing {{wildcards.models}}-{{wildcards.chunk}} of {BASE}"
    script:
        "../scripts/draw_replicates.py"


use rule draw_replicates as draw_scenario with:
    output:
        measures="results/replicates/{scenario}/{models}-{chunk}.parquet",
    log:
        "results/logs/draw_replicates/{scenario}/{models}-{chunk}.log",
    benchmark:
        "results/logs/draw_replicates/{scenario}/{models}-{chunk}.tsv"
    message:
        "Drawing {wildcards.models}-{wildcards.chunk} of {wildcards.scenario}"


rule split:
    input:
        features=FEATURES.format(**SCENARIOS[BASE]),
        scores=[path for path in list_chunks([BASE], "scores.parquet") if "-0000." in path],
    output:
        sample="results/split/sample.csv",
        scores="results/split/scores.csv",
        curves="results/split/curves.csv",
        measures="results/split/measures.csv",
    log:
        "results/logs/split.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        setting=split_setting(BASE),
        seed=config["seed"],
        code=code_of("draws"),
    message:
        "Curves and measures of replicate 0, the split that is shown"
    script:
        "../scripts/split.py"


rule tables:
    input:
        measures=list_chunks([BASE]),
    output:
        table4="results/tables/table4.csv",
        table5="results/tables/table5.csv",
        operating_point="results/tables/operating_point.csv",
        rank_reversal="results/tables/rank_reversal.csv",
        reversal_by_gap="results/tables/reversal_by_gap.csv",
        leads="results/tables/leads.csv",
    log:
        "results/logs/tables.log",
    benchmark:
        "results/logs/tables.tsv"
    conda:
        "../envs/kappacurve.yaml"
    resources:
        mem_mb=gather_mb,
    params:
        pair=PAIR,
        cost_ratio=config["experiment"]["cost_ratio"],
        has_printed=HAS_PRINTED,
        at_tolerance=config["experiment"]["at_tolerance"],
        code=code_of("all"),
    message:
        "Tables 4 and 5, the operating point, rank reversals, and who leads"
    script:
        "../scripts/tables.py"


rule failed_fits:
    input:
        measures=list_chunks(SCENARIOS),
    output:
        table="results/tables/failed_fits.csv",
    log:
        "results/logs/failed_fits.log",
    conda:
        "../envs/kappacurve.yaml"
    resources:
        mem_mb=gather_mb,
    params:
        code=code_of("all"),
    message:
        "How often a model could not be fitted"
    script:
        "../scripts/failed_fits.py"


rule sweep:
    input:
        measures=list_chunks(SWEEP.values()),
        provenance=PROVENANCE,
    output:
        measures="results/tables/sweep.csv",
        reversals="results/tables/sweep_reversal.csv",
        sizes="results/tables/sweep_sizes.csv",
        svg=report(
            ["results/figures/measures_by_skew.svg", "results/figures/reversal_by_skew.svg"],
            category="3 Sweep over the class ratio",
            caption="../report/sweep.rst",
        ),
        pdf=["results/figures/measures_by_skew.pdf", "results/figures/reversal_by_skew.pdf"],
    log:
        "results/logs/sweep.log",
    benchmark:
        "results/logs/sweep.tsv"
    conda:
        "../envs/kappacurve.yaml"
    resources:
        mem_mb=gather_mb,
    params:
        levels=SWEEP,
        pair=PAIR,
        sides=SIDES,
        names=config["data"]["names"],
        document=COLUMN,
        code=code_of("all"),
    message:
        "Measures and rank reversals by the share of the minority"
    script:
        "../scripts/sweep.py"


rule sensitivity:
    input:
        measures=list_chunks([BASE, *CHANGES]),
    output:
        table="results/tables/sensitivity.csv",
        svg=report(
            "results/figures/sensitivity.svg",
            category="4 One thing changed at a time",
            caption="../report/sensitivity.rst",
        ),
        pdf="results/figures/sensitivity.pdf",
    log:
        "results/logs/sensitivity.log",
    benchmark:
        "results/logs/sensitivity.tsv"
    conda:
        "../envs/kappacurve.yaml"
    resources:
        mem_mb=gather_mb,
    params:
        changes=config["sensitivity"]["changes"],
        pair=PAIR,
        positive_class=POSITIVE_CLASS,
        has_printed=HAS_PRINTED and config["experiment"]["cost_ratio"] is None,
        document=COLUMN,
        code=code_of("all"),
    message:
        "The experiment with one thing changed at a time"
    script:
        "../scripts/sensitivity.py"


rule compare_models:
    input:
        scores="results/split/scores.csv",
        sample="results/split/sample.csv",
        features=FEATURES.format(**SCENARIOS[BASE]),
    output:
        intervals="results/tables/intervals.csv",
        tests="results/tables/tests.csv",
        report="results/tables/comparison.txt",
    log:
        "results/logs/compare_models.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        setting=split_setting(BASE),
        at=config["experiment"]["at"],
        seed=config["seed"],
        code=code_of("all"),
    message:
        "All models compared on the test rows of the split shown"
    script:
        "../scripts/compare_models.py"


rule plot_curves:
    input:
        curves="results/split/curves.csv",
        measures="results/split/measures.csv",
        provenance=PROVENANCE,
    output:
        report(
            expand("results/figures/figure{number}_{side}.svg", number=[2, 3], side=SIDES),
            category="2 Curves of one split",
            caption="../report/curves.rst",
        ),
        expand("results/figures/figure{number}_{side}.pdf", number=[2, 3], side=SIDES),
    log:
        "results/logs/plot_curves.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        sides=SIDES,
        models=config["figures"]["models"],
        cost_ratio=config["experiment"]["cost_ratio"],
        has_printed=HAS_PRINTED,
        names=config["data"]["names"],
        document=COLUMN,
        code=code_of("all"),
    message:
        "ROC and kappa curves of the split shown"
    script:
        "../scripts/plot_curves.py"
