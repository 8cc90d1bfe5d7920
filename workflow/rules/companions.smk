# Related papers: the numbers that each prints beside the ones computed here, and its figures.
# in: scores of results/original and results/paper, features of results/data, the loan file
# out: results/companions/{companion}/, for each of config["companions"]


rule companion_ben_david2008:
    output:
        table=table(
            "results/companions/ben_david2008/printed.csv",
            "companions",
            "Ben-David 2008: printed and computed",
        ),
        figures=figure(
            "results/companions/ben_david2008/kappa_plane",
            "companions",
            "Ben-David 2008: Figures 1 to 4",
            caption="companions/ben_david2008/kappa_plane",
        ),
    log:
        "results/logs/companion_ben_david2008.log",
    conda:
        "../../environment.yml"
    params:
        companion="ben_david2008",
        code=code_of("companions"),
    message:
        "Recompute what Ben-David (2008) prints."
    script:
        "../scripts/compute_companion.py"


rule companion_hand2009:
    input:
        scores="results/original/scores.csv",
        loans=local(config["loan_file"]) if config["loan_file"] else [],
    output:
        table=table(
            "results/companions/hand2009/printed.csv",
            "companions",
            "Hand 2009: printed and computed",
        ),
        figures=[
            *figure(
                "results/companions/hand2009/figures_3_and_4",
                "companions",
                "Hand 2009: Figures 3 and 4",
                caption="companions/hand2009/figures_3_and_4",
            ),
            *figure(
                "results/companions/hand2009/six_panels",
                "companions",
                "Hand 2009: Six panels of a model",
                caption="companions/hand2009/six_panels",
            ),
        ],
    log:
        "results/logs/companion_hand2009.log",
    conda:
        "../../environment.yml"
    params:
        companion="hand2009",
        code=code_of("companions"),
        model=config["compare"][0],
    message:
        "Recompute what Hand (2009) prints."
    script:
        "../scripts/compute_companion.py"


rule companion_baker:
    input:
        original="results/original/scores.csv",
        paper="results/paper/scores.csv",
    output:
        table=table(
            "results/companions/baker/printed.csv", "companions", "Baker: printed and computed"
        ),
        figures=figure(
            "results/companions/baker/precision_recall",
            "companions",
            "Baker: Precision and recall",
            caption="companions/baker/precision_recall",
        ),
    log:
        "results/logs/companion_baker.log",
    conda:
        "../../environment.yml"
    params:
        companion="baker",
        code=code_of("companions"),
        models=config["compare"],
    message:
        "Recompute what Baker prints."
    script:
        "../scripts/compute_companion.py"


rule companion_silipo_widmann:
    input:
        features="results/data/features_strathclyde.csv",
    output:
        table=table(
            "results/companions/silipo_widmann/printed.csv",
            "companions",
            "Silipo & Widmann: printed and computed",
        ),
        figures=[
            *figure(
                "results/companions/silipo_widmann/kappa_by_prevalence",
                "companions",
                "Silipo & Widmann: Kappa against prevalence",
                caption="companions/silipo_widmann/kappa_by_prevalence",
            ),
            *figure(
                "results/companions/silipo_widmann/kappa_change_by_smote",
                "companions",
                "Silipo & Widmann: Change of kappa by SMOTE",
                caption="companions/silipo_widmann/kappa_change_by_smote",
            ),
        ],
    log:
        "results/logs/companion_silipo_widmann.log",
    conda:
        "../../environment.yml"
    params:
        companion="silipo_widmann",
        code=code_of("companions"),
        seed=config["seed"],
    message:
        "Recompute what Silipo and Widmann print."
    script:
        "../scripts/compute_companion.py"


for companion in config["companions"]:
    SHOWN_OUTPUTS += getattr(rules, f"companion_{companion}").output
