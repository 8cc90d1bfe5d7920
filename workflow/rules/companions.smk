# in: results/data; scores of results/paper, results/original and results/replicates
# out: results/companions/{study}/, one rule per study
# A study that is switched off in the config makes nothing.

from study.published import STUDY_LABELS
from study.settings.config import another_bank_file

MODELS = config["figures"]["models"]

if warning := another_bank_file(config["companions"]["hand"]["bank_data"]):
    logger.warning(warning)
    config["companions"]["hand"]["bank_data"] = None
BANK_DATA = config["companions"]["hand"]["bank_data"]
ORIGINAL = {"original": "results/original/scores.csv"}
REPLICATES = {"replicates": REPLICATE_SCORES}
BOTH_COHORTS = ORIGINAL | {"paper": "results/paper/scores.csv"}
# The encoding that the paper's setting does not have: Silipo & Widmann name none.
OTHER_ENCODING = next(one for one in ENCODINGS if one != config["experiment"]["encoding"])
INPUTS = {
    "ben_david": ORIGINAL | REPLICATES,
    "kaymak": BOTH_COHORTS | REPLICATES | {"summary": "results/replicates/summary.csv"},
    "hand": ORIGINAL | ({"bank_data": local(BANK_DATA)} if BANK_DATA else {}),
    "baker": BOTH_COHORTS | {"credit": "results/data/table.csv"},
    "silipo": {
        "features": FEATURES.format(**config["experiment"]),
        "other_features": FEATURES.format(encoding=OTHER_ENCODING),
    },
}
# What claims about the paper's experiment rest on. Kappa at the rows' own prevalence, or at the share
# that the text states, is the paper's.
PAPER_SETTING = {
    **{
        key: config["experiment"][key]
        for key in ("skew", "n_minority", "n_train", "cost_ratio", "prevalence")
    },
    "hidden_units": config["models"]["neural_net"]["hidden_units"],
}
if PAPER_SETTING["prevalence"] in ("test", "nominal"):
    PAPER_SETTING["prevalence"] = None
# In one order, whatever that of the config's keys.
STUDIES = [study for study in INPUTS if config["companions"][study]["enabled"]]
# What a study takes besides its settings in the config.
SHARED = {
    "kaymak": {"models": MODELS, "experiment": PAPER_SETTING},
    "hand": {"models": MODELS},
    "baker": {"models": MODELS},
    "silipo": {
        "seed": config["seed"],
        "encoding": config["experiment"]["encoding"],
        "other_encoding": OTHER_ENCODING,
    },
}
# Name of the file, what the report calls it, and the caption if it has another name.
SHOWN = {
    "ben_david": [
        ("table", "examples", "Examples 1-6"),
        ("table", "figure_points", "Figures 1-4 (points)"),
        ("figure", "figures1_to_4", "Figures 1-4"),
    ],
    "kaymak": [
        ("table", "tables1_to_3", "Tables 1-3"),
        ("table", "gini", "AUK and Gini/2"),
        ("figure", "auk_by_prevalence", "AUK against prevalence"),
        ("figure", "reversing_split", "A split that reverses the ranking"),
        ("figure", "average_kappa", "Average kappa curves"),
    ],
    "hand": [
        *(("figure", f"six_panels_{one}", f"Six panels ({one})", "six_panels") for one in MODELS),
        *(
            [
                ("figure", "figure5", "Figure 5 (first classifier of Example 3)"),
                ("figure", "figure6", "Figure 6 (second classifier of Example 3)"),
                ("figure", "figure7", "Figure 7 (both ROC curves)"),
            ]
            if BANK_DATA
            else []
        ),
        ("table", "example3", "Example 3"),
        ("table", "table1", "Table 1"),
        ("table", "implied_weights", "Figure 4 (cost weights)"),
        ("table", "special_costs", "Error rate and KS as costs"),
        ("table", "h_by_weight", "H by the weight on the cost"),
        ("figure", "figures1_2", "Figures 1 and 2"),
        ("figure", "figure3", "Figure 3"),
        ("figure", "figure4", "Figure 4"),
    ],
    "baker": [
        ("table", "matrix", "Worked example"),
        ("table", "measures", "Our models"),
        ("table", "auc_tests", "Tests of the AUC"),
        ("table", "sees_and_misses", "What each measure sees and misses"),
        ("figure", "precision_recall", "Precision and recall"),
    ],
    "silipo": [
        ("table", "printed", "Printed matrices"),
        ("table", "replicates", "All replicates"),
        ("table", "summary", "Printed and replicated"),
        ("table", "leak", "Leak of bootstrapped rows"),
        ("table", "change", "What SMOTE changes"),
        ("table", "grid", "What SMOTE changes, by setting"),
        ("table", "kappa_by_prevalence", "Kappa against prevalence (table)", "levels"),
        ("figure", "kappa_by_prevalence", "Kappa against prevalence (figure)"),
    ],
}


def of_paper(study, kind, name, what, caption=None):
    """A table or figure, which the report shows under its source."""
    write = {"figure": figure, "table": table}[kind]
    folder = f"companions/{study}"
    shown = "companions", what, STUDY_LABELS[study], f"{folder}/{caption or name}"
    return write(f"results/{folder}/{name}", *shown)


def settings_of(study):
    """In one order, without the switch and what is an input."""
    own = config["companions"][study]
    names = sorted(own.keys() - {"enabled", "bank_data"})
    return {name: own[name] for name in names} | SHARED.get(study, {})


for study in STUDIES:

    rule:
        name:
            f"companion_{study}"
        input:
            **INPUTS[study],
            code=modules_of("study_paper"),
        output:
            **{
                f"{kind}_{name}": of_paper(study, kind, name, *about)
                for kind, name, *about in SHOWN[study]
            },
            # The report shows those of all studies in one table, which rule claims makes.
            table_checks=[f"results/companions/{study}/checks.csv"],
        log:
            f"results/logs/companion_{study}.log",
        benchmark:
            f"results/benchmarks/companion_{study}.tsv"
        conda:
            "../../environment.yml"
        params:
            study=study,
            settings=settings_of(study),
        message:
            f"Recompute what {STUDY_LABELS[study]} prints, and compare it."
        script:
            "../scripts/study_paper.py"


for study in STUDIES:
    SHOWN_OUTPUTS += getattr(rules, f"companion_{study}").output
