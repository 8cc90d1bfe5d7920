# in: results/data, results/paper and results/original (scores)
# out: results/companions/{study}/, one rule per study; results/companions/checks.*
# A study that is switched off in the config makes nothing.

STUDIES = [study for study, own in config["companions"].items() if own["enabled"]]
MODELS = config["figures"]["models"]
BANK_DATA = config["companions"]["hand"]["bank_data"]


rule companion_ben_david:
    input:
        code=modules_used_by("study_paper"),
    output:
        examples=of_paper(table, "ben_david/examples", "Examples 1-6"),
        figure_points=of_paper(
            table, "ben_david/figure_points", "Figures 1-4 (points)", formats=["csv"]
        ),
        figures1_to_4=of_paper(figure, "ben_david/figures1_to_4", "Figures 1-4"),
        checks=checks_of("ben_david"),
    log:
        "results/logs/companion_ben_david.log",
    conda:
        "../../environment.yml"
    params:
        study="ben_david",
        settings={},
    message:
        "Recompute the examples and figures of Ben-David (2008)."
    script:
        "../scripts/study_paper.py"


use rule companion_ben_david as companion_kaymak with:
    input:
        original="results/original/scores.csv",
        paper="results/paper/scores.csv",
        code=modules_used_by("study_paper"),
    output:
        tables1_to_3=of_paper(table, "kaymak/tables1_to_3", "Tables 1-3"),
        gini=of_paper(table, "kaymak/gini", "AUK and Gini/2"),
        auk_by_prevalence=of_paper(
            figure, "kaymak/auk_by_prevalence", "AUK against prevalence"
        ),
        checks=checks_of("kaymak"),
    log:
        "results/logs/companion_kaymak.log",
    params:
        study="kaymak",
        settings={"models": MODELS},
    message:
        "Recompute Tables 1-3 of Kaymak et al. (2010), and AUK and Gini of our models."


use rule companion_ben_david as companion_hand with:
    input:
        **({"bank_data": local(BANK_DATA)} if BANK_DATA else {}),
        original="results/original/scores.csv",
        code=modules_used_by("study_paper"),
    output:
        **{
            f"six_panels_{model}": of_paper(
                figure,
                f"hand/six_panels_{model}",
                f"Six panels ({model})",
                "six_panels",
            )
            for model in MODELS
        },
        **(
            {
                "example3_curves": of_paper(
                    figure, "hand/example3_curves", "Example 3 (ROC curves)"
                )
            }
            if BANK_DATA
            else {}
        ),
        example3=of_paper(table, "hand/example3", "Example 3"),
        table1=of_paper(table, "hand/table1", "Table 1"),
        implied_weights=of_paper(
            table, "hand/implied_weights", "Figure 4 (cost weights)"
        ),
        special_costs=of_paper(
            table, "hand/special_costs", "Error rate and KS as costs"
        ),
        figures1_2=of_paper(figure, "hand/figures1_2", "Figures 1 and 2"),
        figure3=of_paper(figure, "hand/figure3", "Figure 3"),
        figure4=of_paper(figure, "hand/figure4", "Figure 4"),
        checks=checks_of("hand"),
    log:
        "results/logs/companion_hand.log",
    params:
        study="hand",
        settings={"models": MODELS},
    message:
        "Recompute Table 1 and the figures of Hand (2009)."


use rule companion_ben_david as companion_baker with:
    input:
        original="results/original/scores.csv",
        paper="results/paper/scores.csv",
        credit="results/data/german_credit.csv",
        code=modules_used_by("study_paper"),
    output:
        matrix=of_paper(table, "baker/matrix", "Worked example"),
        measures=of_paper(table, "baker/measures", "Our models"),
        auc_tests=of_paper(table, "baker/auc_tests", "Tests of the AUC"),
        sees_and_misses=of_paper(
            table, "baker/sees_and_misses", "What each measure sees and misses"
        ),
        precision_recall=of_paper(
            figure, "baker/precision_recall", "Precision and recall"
        ),
        checks=checks_of("baker"),
    log:
        "results/logs/companion_baker.log",
    params:
        study="baker",
        settings=settings_of("baker") | {"models": MODELS},
    message:
        "Recompute Baker's example, and measure and test our models as Baker does."


use rule companion_ben_david as companion_silipo with:
    input:
        features=f"results/data/features_{config['experiment']['encoding']}.csv",
        code=modules_used_by("study_paper"),
    output:
        printed=of_paper(table, "silipo/printed", "Printed matrices"),
        replicates=of_paper(
            table, "silipo/replicates", "All replicates", formats=["csv"]
        ),
        summary=of_paper(table, "silipo/summary", "Printed and replicated"),
        leak=of_paper(table, "silipo/leak", "Leak of bootstrapped rows"),
        by_prevalence=of_paper(
            table,
            "silipo/kappa_by_prevalence",
            "Kappa against prevalence (table)",
            "levels",
            formats=["csv"],
        ),
        kappa_by_prevalence=of_paper(
            figure, "silipo/kappa_by_prevalence", "Kappa against prevalence (figure)"
        ),
        checks=checks_of("silipo"),
    log:
        "results/logs/companion_silipo.log",
    params:
        study="silipo",
        settings=settings_of("silipo") | {"seed": config["seed"]},
    message:
        "Replicate the workflow of Silipo and Widmann."


rule companion_checks:
    input:
        of_studies=expand("results/companions/{study}/checks.csv", study=STUDIES),
        code=modules_used_by("collect_checks"),
    output:
        checks=table(
            "results/companions/checks",
            "companions/checks",
            "companions",
            "Checks",
            "All studies",
        ),
    log:
        "results/logs/companion_checks.log",
    conda:
        "../../environment.yml"
    message:
        "Collect the checks of all studies."
    script:
        "../scripts/collect_checks.py"


COMPANION_OUTPUTS = [
    *(getattr(rules, f"companion_{study}").output for study in STUDIES),
    *(rules.companion_checks.output if STUDIES else []),
]
