# in: the claims, the readings and two figures; workflow/appendix/text/rescience.rst
# out: results/rescience: what ReScience C's article template reads (its own files are not here), and
# under preview/ the same text in the layout of the appendix


use rule appendix as rescience_text with:
    input:
        texts=appendix_texts(["rescience"]),
        sources=APPENDIX_SOURCES,
        results=[
            rules.german_credit.output.provenance,
            rules.split.output.sample.format(cohort="paper"),
            rules.replicate_figures.output,
            rules.forensics.output,
            rules.verdict.output,
        ],
    output:
        files=appendix_files(
            "results/rescience/preview",
            caption="rescience",
            category="appendix",
            what="Article for ReScience C (preview, PDF)",
        ),
    params:
        title="Kaymak, Ben-David & Potharst 2010: AUK: a simple alternative to the AUC",
        config=config,
    message:
        "Build the text of the article for ReScience C"


rule rescience:
    input:
        files=rules.rescience_text.output.files,
        claims="results/forensics/claims.csv",
        citation=local(f"{ROOT}/CITATION.cff"),
    output:
        metadata="results/rescience/metadata.yaml",
        content="results/rescience/content.tex",
        bibliography="results/rescience/bibliography.bib",
        tables=directory("results/rescience/tables"),
        figures=directory("results/rescience/figures"),
    message:
        "Write the files of the article for ReScience C"
    script:
        "../scripts/write_rescience.py"
