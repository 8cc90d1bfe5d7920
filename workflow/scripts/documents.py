"""The documents of a run: the page to open first, its text as verdict.md, and the appendix."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.data.classes import Names, read_names
from study.text.documents import write_documents
from study.text.own_data import own_data_values
from study.text.summary import describe_assumptions, paper_values
from study.text.values import run_values


def document_run(
    *,
    tables: list[str],
    comparison: str,
    study: list[str],
    sample: str,
    split: str,
    provenance: str,
    config: dict[str, Any],
    names: Names | None,
    **files: Any,
) -> None:
    """Fill and write the documents; the files are those of write_documents.

    `study` is results and earlier rounds of the study of many data sets, empty for other data than
    German Credit. `comparison` is the report on the split shown, `config` that of the run but for
    its data.
    """
    frames = {Path(path).stem: pd.read_csv(path) for path in tables}
    data = json.loads(Path(provenance).read_text(encoding="utf-8"))
    names = read_names(Path(provenance), names)
    paper = "Reproducing “AUK: a simple alternative to the AUC”"
    values = run_values(
        frames,
        sample=pd.read_csv(sample),
        split=pd.read_csv(split),
        data=data,
        config=config,
        names=names,
        title=paper if study else f"Models on {data['place']}",
    )
    experiment = config["experiment"]
    if study:
        results, earlier_rounds = map(pd.read_csv, study)
        values |= paper_values(
            frames,
            study_results=results,
            earlier_rounds=earlier_rounds,
            skew=experiment["skew"],
            names=names,
        )
        values["assumptions"] = describe_assumptions(config, names)
    else:
        values |= own_data_values(
            frames,
            cost_ratio=experiment["cost_ratio"],
            constraints=experiment["at"],
            at_tolerance=experiment["at_tolerance"],
            title=values["title"],
            minority=names["minority"],
            comparison=Path(comparison).read_text(encoding="utf-8"),
        )
    write_documents(values, **files)


if __name__ == "__main__":
    with job(snakemake):
        document_run(
            tables=snakemake.input.tables,
            comparison=snakemake.input.comparison,
            study=snakemake.input.study,
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
