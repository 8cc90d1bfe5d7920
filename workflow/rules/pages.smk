# in: tables that are written as csv alone, the verdict, the provenance of the data
# out: a readable page of each, next to it

# Tables: the report's caption, and what it calls the page.
PAGES = {
    "forensics/prevalence": ("prevalence", "Possible prevalences (table)"),
    "forensics/counts": ("counts", "Possible test sets"),
    "forensics/readings": ("readings", "Readings (table)"),
    "forensics/simulation": ("simulation", "Readings in simulation"),
    "forensics/errata": ("errata", "Errata of the sources"),
    "paper/measures": ("measures", "Section 8, all measures"),
    "original/measures": (
        "original_measures",
        "Section 8, original data, all measures",
    ),
    "replicates/summary": ("replicate_summary", "Summary of the replicates"),
    "replicates/auk_given_auc": ("auk_given_auc", "AUK given the published AUC"),
    "tables/rank_reversal": ("rank_reversal", "Rank reversal (table)"),
    "tables/certainty": ("certainty", "Certainty of the ranking (table)"),
    "sweep/summary": ("sweep_summary", "Measures (table)"),
    "sweep/rank_reversal": ("sweep_reversal", "Rank reversal (table)"),
    "sweep/certainty": ("sweep_certainty", "Certainty of the ranking (table)"),
    "sweep/agreement": ("sweep_agreement", "Agreement of the measures (table)"),
    "sweep/sizes": ("sweep_sizes", "Rows at each share"),
    "sweep/skipped": ("sweep_skipped", "Cells left out"),
}
CATEGORY_OF = {
    "original": "paper",
    "tables": "replicates",
}  # others are named by their folder


rule pages:
    input:
        tables=expand("results/{table}.csv", table=PAGES),
        verdict="results/forensics/verdict.md",
        provenance="results/data/provenance.json",
        code=modules_used_by("make_pages"),
    output:
        pages=[page(name, *about) for name, about in PAGES.items()],
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
