# Related papers: the numbers that each prints beside ours, and its figures.
# in: scores of results/split, features of results/data, the loan file
# out: results/companions/{companion}/
LOAN_FILE = config["loan_file"]


rule companion_ben_david2008:
    output:
        table="results/companions/ben_david2008/printed.csv",
        svg=[
            report(
                "results/companions/ben_david2008/kappa_plane.svg",
                category="5 Related papers",
                caption="../report/companions/ben_david2008/kappa_plane.rst",
            ),
        ],
        pdf=["results/companions/ben_david2008/kappa_plane.pdf"],
    log:
        "results/logs/companion_ben_david2008.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        companion="ben_david2008",
        document=COLUMN,
        code=code_of("companions"),
    message:
        "Recomputing what Ben-David (2008) prints"
    script:
        "../scripts/compute_companion.py"


rule companion_hand2009:
    input:
        scores="results/split/original_scores.csv",
        loans=local(LOAN_FILE) if LOAN_FILE else [],
    output:
        table="results/companions/hand2009/printed.csv",
        svg=[
            report(
                "results/companions/hand2009/figures_3_and_4.svg",
                category="5 Related papers",
                caption="../report/companions/hand2009/figures_3_and_4.rst",
            ),
            report(
                "results/companions/hand2009/six_panels.svg",
                category="5 Related papers",
                caption="../report/companions/hand2009/six_panels.rst",
            ),
        ],
        pdf=[
            "results/companions/hand2009/figures_3_and_4.pdf",
            "results/companions/hand2009/six_panels.pdf",
        ],
    log:
        "results/logs/companion_hand2009.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        companion="hand2009",
        model=PAIR[0],
        document=COLUMN,
        code=code_of("companions"),
    message:
        "Recomputing what Hand (2009) prints"
    script:
        "../scripts/compute_companion.py"


rule companion_baker:
    input:
        original="results/split/original_scores.csv",
        paper="results/split/scores.csv",
    output:
        table="results/companions/baker/printed.csv",
        svg=[
            report(
                "results/companions/baker/precision_recall.svg",
                category="5 Related papers",
                caption="../report/companions/baker/precision_recall.rst",
            ),
        ],
        pdf=["results/companions/baker/precision_recall.pdf"],
    log:
        "results/logs/companion_baker.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        companion="baker",
        models=PAIR,
        document=COLUMN,
        code=code_of("companions"),
    message:
        "Recomputing what Baker prints"
    script:
        "../scripts/compute_companion.py"


rule companion_silipo_widmann:
    input:
        features="results/data/features_strathclyde.csv",
    output:
        table="results/companions/silipo_widmann/printed.csv",
        svg=[
            report(
                "results/companions/silipo_widmann/kappa_by_prevalence.svg",
                category="5 Related papers",
                caption="../report/companions/silipo_widmann/kappa_by_prevalence.rst",
            ),
            report(
                "results/companions/silipo_widmann/kappa_change_by_smote.svg",
                category="5 Related papers",
                caption="../report/companions/silipo_widmann/kappa_change_by_smote.rst",
            ),
        ],
        pdf=[
            "results/companions/silipo_widmann/kappa_by_prevalence.pdf",
            "results/companions/silipo_widmann/kappa_change_by_smote.pdf",
        ],
    log:
        "results/logs/companion_silipo_widmann.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        companion="silipo_widmann",
        seed=config["seed"],
        document=COLUMN,
        code=code_of("companions"),
    message:
        "Recomputing what Silipo and Widmann print"
    script:
        "../scripts/compute_companion.py"
