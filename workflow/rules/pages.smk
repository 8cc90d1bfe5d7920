# in: tables that are written as csv alone, the verdict, the provenance of the data
# out: a readable page of each, next to it

import yaml

ABOUT_PAGES = ROOT / "workflow/report/pages.yaml"
PAGES = yaml.safe_load(ABOUT_PAGES.read_text(encoding="utf-8"))


rule pages:
    input:
        tables=expand("results/{table}.csv", table=PAGES),
        about=of_clone(ABOUT_PAGES),
        verdict="results/forensics/verdict.md",
        provenance="results/data/provenance.json",
        code=modules_of("make_pages"),
    output:
        pages=[
            shown_in_report(f"results/{name}.html", own["caption"], own["category"], own["what"])
            for name, own in PAGES.items()
        ],
        verdict_page=shown_in_report(
            "results/forensics/verdict.html", "verdict", "forensics", "Answer in words (verdict)"
        ),
        provenance_page=shown_in_report(
            "results/data/provenance.html", "provenance", "data", "Source of the data"
        ),
    log:
        "results/logs/pages.log",
    conda:
        "../../environment.yml"
    message:
        "Write a readable page of each table, the verdict and the provenance"
    script:
        "../scripts/make_pages.py"
