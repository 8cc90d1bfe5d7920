"""Data of the user's own: their table, its features, its classes, and where it is from."""

import logging
from pathlib import Path
from typing import Any

from _job import job
from study.data.classes import write_data
from study.data.own_data import breast_cancer, prepare, read_own_table

log = logging.getLogger(__name__)


def prepare_own_data(
    *, file: str | None, data: dict[str, Any], group: str | None, folder: Path
) -> None:
    """Write table, features and provenance; `data` is that section of the config."""
    if file:
        table, place = read_own_table(Path(file), data), Path(file).name
    else:
        table, place = breast_cancer(), "scikit-learn, breast_cancer"
    prepared = prepare(table, place, data, group)
    names = list(prepared.names.values())
    if names[0].lower() == names[1].lower():
        log.warning("%s and %s are two classes, though only their case differs", *names)
    table.insert(0, "row", range(1, len(table) + 1), allow_duplicates=True)
    record = {"source_asked": data["source"], "source_used": data["source"], "place": place}
    features = {"onehot": prepared.features}
    write_data(table, features, record | prepared.notes, prepared.names, folder=folder)


if __name__ == "__main__":
    with job(snakemake):
        prepare_own_data(
            file=snakemake.input.get("file"),
            data=snakemake.params.data,
            group=snakemake.params.group,
            folder=Path(snakemake.output.table).parent,
        )
