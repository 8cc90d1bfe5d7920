"""Documents of German Credit: the page to open first, its text as verdict.md, and the appendix."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.data.classes import Names, read_names
from study.text.documents import write_documents
from study.text.settings import describe_assumptions
from study.text.summary import paper_values
from study.text.values import run_values


def document_paper(
    *,
    tables: list[str],
    results: str,
    earlier_rounds: str,
    sample: str,
    split: str,
    provenance: str,
    config: dict[str, Any],
    names: Names,
    **files: Any,
) -> None:
    """Fill and write the documents; the files are those of write_documents.

    `results` and `earlier_rounds` those of the study of
    many data sets. `config` is that of the run but for its data.
    """
    frames = {Path(path).stem: pd.read_csv(path) for path in tables}
    values = run_values(
        frames,
        sample=pd.read_csv(sample),
        split=pd.read_csv(split),
        data=json.loads(Path(provenance).read_text(encoding="utf-8")),
        config=config,
        names=read_names(Path(provenance), names),
        title="Reproducing “AUK: a simple alternative to the AUC”",
    )
    values |= paper_values(
        frames,
        study_results=pd.read_csv(results),
        earlier_rounds=pd.read_csv(earlier_rounds),
        skew=config["experiment"]["skew"],
        names=read_names(Path(provenance), names),
    )
    values["assumptions"] = describe_assumptions(config)
    write_documents(values, **files)


if __name__ == "__main__":
    with job(snakemake):
        document_paper(
            tables=snakemake.input.tables,
            results=snakemake.input.results,
            earlier_rounds=snakemake.input.earlier_rounds,
            sample=snakemake.input.sample,
            split=snakemake.input.split,
            provenance=snakemake.input.provenance,
            config=snakemake.params.config,
            names=snakemake.params.names,
            made=snakemake.input,
            index=snakemake.output.index,
            verdict=snakemake.output.verdict,
            appendix=snakemake.output.appendix,
        )
