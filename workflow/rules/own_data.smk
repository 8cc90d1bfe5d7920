# Data of the user's own, or of scikit-learn: the target is named in the config.
# in: a file, or scikit-learn's data set
# out: results/data, results/{index.html,verdict.md,explorer.html,appendix}
POSITIVE_CLASS = "minority"
# The user named the positive class; the other one is not drawn as such.
SIDES = [POSITIVE_CLASS]
FIGURES += expand("figure{number}_{side}", number=[2, 3], side=SIDES)
HAS_PRINTED = False


rule prepare_data:
    input:
        file=local(config["data"]["path"]) if config["data"]["path"] else [],
    output:
        table="results/data/table.csv",
        provenance=PROVENANCE,
        features=[FEATURES.format(encoding="onehot")],
    log:
        "results/logs/prepare_data.log",
    # As of German Credit, where Snakemake was started.
    localrule: True
    conda:
        "../envs/kappacurve.yaml"
    params:
        data=DATA,
        split=config["experiment"]["split"],
        content=hash_of_data(),
        code=code_of("own_data"),
    message:
        "Reading the data set and encoding it"
    script:
        "../scripts/prepare_own_data.py"


rule explorer:
    input:
        scores="results/split/scores.csv",
        provenance=PROVENANCE,
    output:
        # Not in the report: browsers refuse so large a page inside another.
        page="results/explorer.html",
    log:
        "results/logs/explorer.log",
    conda:
        "../envs/kappacurve.yaml"
    params:
        models=config["figures"]["models"],
        setting=split_setting(BASE),
        names=config["data"]["names"],
        code=code_of("all"),
    message:
        "The explorer page of the split shown"
    script:
        "../scripts/explore_own_data.py"


rule documents:
    input:
        sample="results/split/sample.csv",
        split="results/split/measures.csv",
        provenance=PROVENANCE,
        tables=list_tables(),
        comparison="results/tables/comparison.txt",
        figures=list_figures(),
        explorer="results/explorer.html",
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
        "../scripts/document_own_data.py"
