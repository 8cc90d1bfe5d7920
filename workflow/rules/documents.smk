# in: tables and figures of all other parts; of German Credit the study of many data sets
# out: results/{index.html,verdict.md,explorer.html}, results/appendix/
import textwrap


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
        is_german_credit=IS_GERMAN_CREDIT,
        code=code_of("text"),
    message:
        "The explorer page"
    script:
        "../scripts/explorer.py"


rule documents:
    input:
        sample="results/split/sample.csv",
        provenance=PROVENANCE,
        tables=TABLES,
        printed=PRINTED,
        comparison="results/tables/comparison.txt",
        figures=FIGURES,
        study=[
            clone_file(f"studies/many-data-sets/{name}.csv")
            for name in ["results", "earlier_rounds"] * IS_GERMAN_CREDIT
        ],
        defaults=clone_file("config/config.yaml"),
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
        is_german_credit=IS_GERMAN_CREDIT,
        code=code_of("text"),
    message:
        "The page to open first, the verdict and the appendix"
    script:
        "../scripts/documents.py"


onsuccess:
    verdict = Path("results/verdict.md")
    if verdict.is_file() and verdict.stat().st_mtime >= STARTED:
        lines = verdict.read_text(encoding="utf-8").splitlines()
        answers = " ".join(line[2:] for line in lines if line.startswith("> "))
        plain = re.sub(r"\\(.)|\*", r"\1", answers)  # of Markdown's marks
        print(textwrap.fill(plain, 92), file=sys.stderr)
        print("To read: results/index.html", file=sys.stderr)
