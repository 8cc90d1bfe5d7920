# Related papers: the numbers that each prints beside the ones computed here, and its figures.
# in: scores of results/original and results/paper, features of results/data, the loan file
# out: results/companions/{companion}/, for each of config["companions"]


rule companion_ben_david2008:
    input:
        code=modules_of("compute_companion", "ben_david2008"),
    output:
        table="results/companions/ben_david2008/printed.csv",
        figures=figure(
            "results/companions/ben_david2008/kappa_plane",
            "companions",
            "Figures 1 to 4",
            "Ben-David 2008",
        ),
    log:
        "results/logs/companion_ben_david2008.log",
    benchmark:
        "results/benchmarks/companion_ben_david2008.tsv"
    conda:
        "../../environment.yml"
    params:
        companion="ben_david2008",
    message:
        "Recompute what Ben-David (2008) prints."
    script:
        "../scripts/compute_companion.py"


rule companion_hand2009:
    input:
        scores="results/original/scores.csv",
        loans=local(config["loan_file"]) if config["loan_file"] else [],
        code=modules_of("compute_companion", "hand2009"),
    output:
        table="results/companions/hand2009/printed.csv",
        figures=[
            *figure(
                "results/companions/hand2009/figures_3_and_4",
                "companions",
                "Figures 3 and 4",
                "Hand 2009",
            ),
            *figure(
                "results/companions/hand2009/six_panels",
                "companions",
                "Six panels of a model",
                "Hand 2009",
            ),
        ],
    log:
        "results/logs/companion_hand2009.log",
    benchmark:
        "results/benchmarks/companion_hand2009.tsv"
    conda:
        "../../environment.yml"
    params:
        companion="hand2009",
        model=config["compare"][0],
    message:
        "Recompute what Hand (2009) prints."
    script:
        "../scripts/compute_companion.py"


rule companion_baker:
    input:
        original="results/original/scores.csv",
        paper="results/paper/scores.csv",
        code=modules_of("compute_companion", "baker"),
    output:
        table="results/companions/baker/printed.csv",
        figures=figure(
            "results/companions/baker/precision_recall",
            "companions",
            "Precision and recall",
            "Baker",
        ),
    log:
        "results/logs/companion_baker.log",
    benchmark:
        "results/benchmarks/companion_baker.tsv"
    conda:
        "../../environment.yml"
    params:
        companion="baker",
        models=config["compare"],
    message:
        "Recompute what Baker prints."
    script:
        "../scripts/compute_companion.py"


rule companion_silipo_widmann:
    input:
        features="results/data/features_strathclyde.csv",
        code=modules_of("compute_companion", "silipo_widmann"),
    output:
        table="results/companions/silipo_widmann/printed.csv",
        figures=[
            *figure(
                "results/companions/silipo_widmann/kappa_by_prevalence",
                "companions",
                "Kappa against prevalence",
                "Silipo & Widmann",
            ),
            *figure(
                "results/companions/silipo_widmann/kappa_change_by_smote",
                "companions",
                "Change of kappa by SMOTE",
                "Silipo & Widmann",
            ),
        ],
    log:
        "results/logs/companion_silipo_widmann.log",
    benchmark:
        "results/benchmarks/companion_silipo_widmann.tsv"
    conda:
        "../../environment.yml"
    params:
        companion="silipo_widmann",
        seed=config["seed"],
    message:
        "Recompute what Silipo and Widmann print."
    script:
        "../scripts/compute_companion.py"


for companion in config["companions"]:
    SHOWN_OUTPUTS += getattr(rules, f"companion_{companion}").output
