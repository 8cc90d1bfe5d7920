# in: tables that are written as csv alone, the verdict, the provenance of the data
# out: a readable page of each, next to it

# Tables: the report's caption, its category, and what it calls the page.
PAGES = {
    "forensics/prevalence": ("prevalence", "forensics", "Possible prevalences (table)"),
    "forensics/counts": ("counts", "forensics", "Possible test sets"),
    "forensics/errata": ("errata", "forensics", "Errata of the sources"),
    "paper/measures": ("measures", "paper", "Section 8, all measures"),
    "original/measures": (
        "original_measures",
        "paper",
        "Section 8, original data, all measures",
    ),
    "replicates/summary": (
        "replicate_summary",
        "replicates",
        "Summary of the replicates",
    ),
    "replicates/auk_given_auc": (
        "auk_given_auc",
        "replicates",
        "AUK given the published AUC",
    ),
    "tables/rank_reversal": ("rank_reversal", "replicates", "Rank reversal (table)"),
    "tables/certainty": (
        "certainty",
        "replicates",
        "Certainty of the ranking (table)",
    ),
    "sweep/summary": ("sweep_summary", "sweep", "Measures (table)"),
    "sweep/rank_reversal": ("sweep_reversal", "sweep", "Rank reversal (table)"),
    "sweep/certainty": ("sweep_certainty", "sweep", "Certainty of the ranking (table)"),
    "sweep/agreement": (
        "sweep_agreement",
        "sweep",
        "Agreement of the measures (table)",
    ),
    "sweep/sizes": ("sweep_sizes", "sweep", "Rows at each share"),
    "sweep/skipped": ("sweep_skipped", "sweep", "Cells left out"),
}


rule pages:
    input:
        tables=expand("results/{table}.csv", table=PAGES),
        verdict="results/forensics/verdict.md",
        provenance="results/data/provenance.json",
        code=modules_used_by("make_pages"),
    output:
        pages=[
            shown_in_report(f"results/{table}.html", *about)
            for table, about in PAGES.items()
        ],
        verdict_page=shown_in_report(
            "results/forensics/verdict.html",
            "verdict",
            "forensics",
            "Answer in words (verdict)",
        ),
        provenance_page=shown_in_report(
            "results/data/provenance.html",
            "provenance",
            "data",
            "Source of the data",
        ),
    log:
        "results/logs/pages.log",
    conda:
        "../../environment.yml"
    message:
        "Write a readable page of each table, the verdict and the provenance"
    script:
        "../scripts/make_pages.py"
