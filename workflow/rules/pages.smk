# in: tables that are written as csv alone, the verdict, the provenance of the data
# out: a readable page of each, next to it


rule pages:
    input:
        verdict="results/forensics/verdict.md",
        prevalence="results/forensics/prevalence.csv",
        counts="results/forensics/counts.csv",
        errata="results/forensics/errata.csv",
        measures="results/paper/measures.csv",
        original_measures="results/original/measures.csv",
        summary="results/replicates/summary.csv",
        auk_given_auc="results/replicates/auk_given_auc.csv",
        rank_reversal="results/tables/rank_reversal.csv",
        certainty="results/tables/certainty.csv",
        sweep_summary="results/sweep/summary.csv",
        sweep_reversal="results/sweep/rank_reversal.csv",
        sweep_certainty="results/sweep/certainty.csv",
        agreement="results/sweep/agreement.csv",
        sizes="results/sweep/sizes.csv",
        skipped="results/sweep/skipped.csv",
        provenance="results/data/provenance.json",
        code=modules_used_by("make_pages"),
    output:
        verdict_page=report(
            "results/forensics/verdict.html",
            caption="../report/verdict.rst",
            category=CATEGORIES["forensics"],
            labels={"what": "Answer in words (verdict)"},
        ),
        prevalence_page=report(
            "results/forensics/prevalence.html",
            caption="../report/prevalence.rst",
            category=CATEGORIES["forensics"],
            labels={"what": "Possible prevalences (table)"},
        ),
        counts_page=report(
            "results/forensics/counts.html",
            caption="../report/counts.rst",
            category=CATEGORIES["forensics"],
            labels={"what": "Possible test sets"},
        ),
        errata_page=report(
            "results/forensics/errata.html",
            caption="../report/errata.rst",
            category=CATEGORIES["forensics"],
            labels={"what": "Errata of the sources"},
        ),
        measures_page=report(
            "results/paper/measures.html",
            caption="../report/measures.rst",
            category=CATEGORIES["paper"],
            labels={"what": "Section 8, all measures"},
        ),
        original_measures_page=report(
            "results/original/measures.html",
            caption="../report/original_measures.rst",
            category=CATEGORIES["paper"],
            labels={"what": "Section 8, original data, all measures"},
        ),
        summary_page=report(
            "results/replicates/summary.html",
            caption="../report/replicate_summary.rst",
            category=CATEGORIES["replicates"],
            labels={"what": "Summary of the replicates"},
        ),
        auk_given_auc_page=report(
            "results/replicates/auk_given_auc.html",
            caption="../report/auk_given_auc.rst",
            category=CATEGORIES["replicates"],
            labels={"what": "AUK given the published AUC"},
        ),
        rank_reversal_page=report(
            "results/tables/rank_reversal.html",
            caption="../report/rank_reversal.rst",
            category=CATEGORIES["replicates"],
            labels={"what": "Rank reversal (table)"},
        ),
        certainty_page=report(
            "results/tables/certainty.html",
            caption="../report/certainty.rst",
            category=CATEGORIES["replicates"],
            labels={"what": "Certainty of the ranking (table)"},
        ),
        sweep_summary_page=report(
            "results/sweep/summary.html",
            caption="../report/sweep_summary.rst",
            category=CATEGORIES["sweep"],
            labels={"what": "Measures (table)"},
        ),
        sweep_reversal_page=report(
            "results/sweep/rank_reversal.html",
            caption="../report/sweep_reversal.rst",
            category=CATEGORIES["sweep"],
            labels={"what": "Rank reversal (table)"},
        ),
        sweep_certainty_page=report(
            "results/sweep/certainty.html",
            caption="../report/sweep_certainty.rst",
            category=CATEGORIES["sweep"],
            labels={"what": "Certainty of the ranking (table)"},
        ),
        agreement_page=report(
            "results/sweep/agreement.html",
            caption="../report/sweep_agreement.rst",
            category=CATEGORIES["sweep"],
            labels={"what": "Agreement of the measures (table)"},
        ),
        sizes_page=report(
            "results/sweep/sizes.html",
            caption="../report/sweep_sizes.rst",
            category=CATEGORIES["sweep"],
            labels={"what": "Rows at each share"},
        ),
        skipped_page=report(
            "results/sweep/skipped.html",
            caption="../report/sweep_skipped.rst",
            category=CATEGORIES["sweep"],
            labels={"what": "Cells left out"},
        ),
        provenance_page=report(
            "results/data/provenance.html",
            caption="../report/provenance.rst",
            category=CATEGORIES["data"],
            labels={"what": "Source of the data"},
        ),
    log:
        "results/logs/pages.log",
    benchmark:
        "results/benchmarks/jobs/pages.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    script:
        "../scripts/make_pages.py"
