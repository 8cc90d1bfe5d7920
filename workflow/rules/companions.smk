# in: results/data, results/paper and results/original (scores)
# out: results/companions/{study}/, one rules file a study; results/companions/checks.*
# A study that is switched off in the config makes nothing.

STUDIES = [name for name, own in config["companions"].items() if own["enabled"]]


include: "companions/ben_david.smk"
include: "companions/kaymak.smk"
include: "companions/hand.smk"
include: "companions/baker.smk"
include: "companions/silipo.smk"


rule companion_checks:
    input:
        of_studies=expand("results/companions/{study}/checks.csv", study=STUDIES),
        code=modules_used_by("collect_checks"),
    output:
        checks=[
            report(
                "results/companions/checks.html",
                caption="../report/companions/checks.rst",
                category=CATEGORIES["companions"],
                subcategory="All studies",
                labels={"what": "Checks"},
            ),
            *expand(
                "results/companions/checks.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
    log:
        "results/logs/companion_checks.log",
    benchmark:
        "results/benchmarks/jobs/companion_checks.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../scripts/collect_checks.py"


COMPANION_OUTPUTS = [
    *(getattr(rules, f"companion_{study}").output for study in STUDIES),
    *(rules.companion_hand_example.output if "hand" in STUDIES else []),
    *(rules.companion_checks.output if STUDIES else []),
]
