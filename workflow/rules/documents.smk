# What people open: the page, its text for the terminal, the explorer and the appendix.
# in: results/data/provenance.json, results/split, results/tables, results/figures
# out: results/{index.html,verdict.md,explorer.html,appendix}


rule explorer:
    input:
        measures=list_chunks([BASE]) if HAS_PRINTED else [],
        scores=list_chunks([BASE], "scores.parquet"),
        provenance=PROVENANCE,
    output:
        # Not in the report: browsers refuse so large a page inside another.
        page="results/explorer.html",
    log:
        "results/logs/explorer.log",
    conda:
        "../envs/kappacurve.yaml"
    resources:
        # Two splits of the scores, and the measures of all.
        mem_mb=lambda wildcards, input, attempt: attempt * (800 + int(input.size_mb)),
    params:
        models=config["figures"]["models"],
        setting=split_setting(BASE),
        positive_class=POSITIVE_CLASS,
        names=config["data"]["names"],
        code=code_of("all"),
    message:
        "The explorer page, with the models on one or two splits"
    script:
        "../scripts/explorer.py"


rule documents:
    input:
        sample="results/split/sample.csv",
        split="results/split/measures.csv",
        provenance=PROVENANCE,
        tables=list_tables(),
        companions="results/companions/index.html" if config["companions"] else [],
        comparison="results/tables/comparison.txt",
        figures=list_figures(),
        explorer="results/explorer.html",
        study=STUDY,
    output:
        # Not in the report, which they link to.
        index="results/index.html",
        verdict="results/verdict.md",
        appendix=report(
            "results/appendix/appendix.pdf",
            category="6 Appendix",
            caption="../report/appendix.rst",
        ),
        other_forms=multiext("results/appendix/appendix", ".html", ".tex"),
        readme="results/appendix/README.md",
        references="results/appendix/references.bib",
        tables_of_appendix=directory("results/appendix/tables"),
        figures_of_appendix=directory("results/appendix/figures"),
    log:
        "results/logs/documents.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        # Without the keys of data, which only its download and preparation read.
        config={key: value for key, value in config.items() if key != "data"},
        names=config["data"]["names"],
        code=code_of("all"),
    message:
        "The page to open first, the verdict and the appendix"
    script:
        "../scripts/documents.py"
