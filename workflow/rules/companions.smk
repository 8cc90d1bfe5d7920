# Related papers: the numbers that each prints beside ours, and its figures.
# in: scores of results/split, features of results/data, the loan file
# out: results/companions/{companion}/, results/split/original_scores.csv
LOAN_FILE = config["loan_file"]
# Of each figure there is a caption.
CAPTIONS = sorted((ROOT / "workflow/report/companions").glob("*/*.rst"))
DRAWN = [
    f"{path.parent.name}/{path.stem}"
    for path in CAPTIONS
    if path.parent.name in config["companions"]
]


rule companions:
    input:
        paper="results/split/scores.csv",
        features="results/data/features_strathclyde.csv",
        encoded=FEATURES.format(**SCENARIOS["original"]),
        loans=local(LOAN_FILE) if LOAN_FILE else [],
    output:
        PRINTED,
        [
            report(
                f"results/companions/{figure}.svg",
                category="5 Related papers",
                caption=f"../report/companions/{figure}.rst",
            )
            for figure in DRAWN
        ],
        expand("results/companions/{figure}.pdf", figure=DRAWN),
        original="results/split/original_scores.csv",
        page="results/companions/index.html",
    log:
        "results/logs/companions.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        companions=config["companions"],
        models=PAIR,
        setting=split_setting("original"),
        seed=config["seed"],
        document=COLUMN,
        code=code_of("all"),
    message:
        "Recomputing what related papers print"
    script:
        "../scripts/companions.py"
