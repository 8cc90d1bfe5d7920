# in: tables that are written as csv alone, the verdict, the provenance of the data
# out: a readable page of each, next to it

import yaml

ABOUT_PAGES = ROOT / "workflow/report/pages.yaml"
HAS = {"paper": OF_THE_PAPER, "splits": not ONE_SPLIT, "order": ORDERED}
PAGES = {
    name: about
    for name, about in yaml.safe_load(ABOUT_PAGES.read_text(encoding="utf-8")).items()
    if HAS.get(about.get("of"), True)
}
VERDICT = ["results/forensics/verdict.md"] if OF_THE_PAPER else []


rule pages:
    input:
        tables=expand("results/{table}.csv", table=PAGES),
        about=of_clone(ABOUT_PAGES),
        verdict=VERDICT,
        provenance="results/data/provenance.json",
        code=modules_of("make_pages"),
    output:
        pages=[
            shown_in_report(f"results/{name}.html", own["caption"], own["category"], own["what"])
            for name, own in PAGES.items()
        ],
        verdict_page=[
            shown_in_report(page, "verdict", "forensics", "Answer in words (verdict)")
            for page in ["results/forensics/verdict.html"] * OF_THE_PAPER
        ],
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
