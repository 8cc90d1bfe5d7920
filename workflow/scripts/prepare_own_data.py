"""Data of the user's own: their table, its features, its classes, and where it is from."""

import logging
from pathlib import Path
from typing import Any

from _job import job
from study.data.classes import write_data
from study.data.own_data import breast_cancer, prepare, read_table

log = logging.getLogger(__name__)


def prepare_own_data(
    *, file: str | None, data: dict[str, Any], group: str | None, folder: Path, by: str = "group"
) -> None:
    """Write table, features and provenance; `data` is that section of the config."""
    source = read_table(Path(file), data) if file else breast_cancer()
    prepared = prepare(source, data, group, by)
    names = list(prepared.names.values())
    if names[0].lower() == names[1].lower():
        log.warning("%s and %s are two classes, though only their case differs", *names)
    for column, spellings in prepared.notes["spellings_joined"].items():
        log.warning("joined in column %s: %s", column, ", ".join(spellings[:5]))
    table = prepared.table
    table.insert(0, "row", range(1, len(table) + 1), allow_duplicates=True)
    record = {"source_asked": data["source"], "source_used": data["source"], "place": source.source}
    features = {"onehot": prepared.features}
    write_data(table, features, record | prepared.notes, prepared.names, folder=folder)


if __name__ == "__main__":
    with job(snakemake):
        prepare_own_data(
            file=snakemake.input.get("file"),
            data=snakemake.params.data,
            group=snakemake.params.split["column"],
            by=snakemake.params.split["by"],
            folder=Path(snakemake.output.table).parent,
        )
