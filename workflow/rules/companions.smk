# in: results/data; scores of results/paper, results/original and results/replicates
# out: results/companions/{study}/, one rule per source in src/study/sources.yaml
# A study that is switched off in the config makes nothing.

from study.settings.config import another_bank_file
from study.sources import SOURCES

if warning := another_bank_file(config["companions"]["hand"]["bank_data"]):
    logger.warning(warning)
    config["companions"]["hand"]["bank_data"] = None
BANK_DATA = config["companions"]["hand"]["bank_data"]
# The encoding that the paper's setting does not have: Silipo & Widmann name none.
OTHER_ENCODING = next(one for one in ENCODINGS if one != config["experiment"]["encoding"])
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
# Inputs and settings by the names that sources have for them.
INPUTS = {
    "original": "results/original/scores.csv",
    "paper": "results/paper/scores.csv",
    "replicates": REPLICATE_SCORES,
    "summary": "results/replicates/summary.csv",
    "credit": "results/data/table.csv",
    "features": FEATURES.format(**config["experiment"]),
    "other_features": FEATURES.format(encoding=OTHER_ENCODING),
    "bank_data": BANK_DATA and local(BANK_DATA),
}
SETTINGS = {
    "models": config["figures"]["models"],
    "experiment": PAPER_SETTING,
    "seed": config["seed"],
    "encoding": config["experiment"]["encoding"],
    "other_encoding": OTHER_ENCODING,
}
SWITCHED_ON = {"enabled": True}
# In the order of the settings, which a config does not change; then what has no settings.
STUDIES = [
    study
    for study in {**config["companions"], **SOURCES}
    if config["companions"].get(study, SWITCHED_ON)["enabled"]
]


def shown_of(study):
    """The outputs of a study that the report shows under its source."""
    source = SOURCES[study]
    listed = [
        *source.shown,
        *(one for name, shown in source.shown_with.items() if INPUTS[name] for one in shown),
    ]
    outputs = {}
    for kind, stem, what, *caption in listed:
        for model in SETTINGS["models"] if "{model}" in stem else [""]:
            name = stem.format(model=model)
            outputs[f"{kind}_{name}"] = {"figure": figure, "table": table}[kind](
                f"results/companions/{study}/{name}",
                "companions",
                what.format(model=model),
                source.label,
                caption=f"companions/{study}/{caption[0]}" if caption else None,
            )
    return outputs


def settings_of(study):
    """In one order, without the switch and what is an input."""
    own = config["companions"].get(study, SWITCHED_ON)
    names = sorted(own.keys() - {"enabled", *INPUTS})
    return {name: own[name] for name in names} | {
        name: SETTINGS[name] for name in SOURCES[study].settings
    }


for study in STUDIES:

    rule:
        name:
            f"companion_{study}"
        input:
            **{name: INPUTS[name] for name in SOURCES[study].inputs if INPUTS[name]},
            code=modules_of("study_paper", SOURCES[study].module),
        output:
            **shown_of(study),
            # The report shows those of all studies in one table, which rule claims makes.
            table_checks=[f"results/companions/{study}/checks.csv"],
        log:
            f"results/logs/companion_{study}.log",
        benchmark:
            f"results/benchmarks/companion_{study}.tsv"
        conda:
            "../../environment.yml"
        params:
            module=SOURCES[study].module,
            settings=settings_of(study),
        message:
            f"Recompute what {SOURCES[study].label} prints, and compare it."
        script:
            "../scripts/study_paper.py"


for study in STUDIES:
    SHOWN_OUTPUTS += getattr(rules, f"companion_{study}").output
