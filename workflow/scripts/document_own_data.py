"""Documents of other data: the page to open first, its text as verdict.md, and the appendix."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.data.classes import Names, read_names
from study.text.documents import write_documents
from study.text.own_data import own_data_values
from study.text.values import run_values


def document_own_data(
    *,
    tables: list[str],
    comparison: str,
    sample: str,
    split: str,
    provenance: str,
    config: dict[str, Any],
    names: Names | None,
    **files: Any,
) -> None:
    """Fill and write the documents; the files are those of write_documents.

    `comparison` is the report on the split shown, `config` that of the run but for its data.
    """
    frames = {Path(path).stem: pd.read_csv(path) for path in tables}
    data = json.loads(Path(provenance).read_text(encoding="utf-8"))
    names = read_names(Path(provenance), names)
    values = run_values(
        frames,
        sample=pd.read_csv(sample),
        split=pd.read_csv(split),
        data=data,
        config=config,
        names=names,
        title=f"Models on {data['place']}",
    )
    values |= own_data_values(
        frames,
        cost_ratio=config["experiment"]["cost_ratio"],
        constraints=config["experiment"]["at"],
        title=values["title"],
        minority=names["minority"],
        comparison=Path(comparison).read_text(encoding="utf-8"),
    )
    write_documents(values, **files)


if __name__ == "__main__":
    with job(snakemake):
        document_own_data(
            tables=snakemake.input.tables,
            comparison=snakemake.input.comparison,
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
