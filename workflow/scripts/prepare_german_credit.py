"""German Credit from its source: its table, the features of each encoding, and its provenance."""

from pathlib import Path

from _job import job
from study.data import german_credit
from study.data.classes import write_data


def prepare_german_credit(*, file: str | None, source: str, folder: Path) -> None:
    """Write table, features and provenance; the source is the config's."""
    path = Path(file) if file else None
    table, record = german_credit.load_german_credit(source, path)
    features = {name: german_credit.encode(table, name) for name in german_credit.ENCODINGS}
    write_data(table, features, record, german_credit.NAMES, folder=folder)


if __name__ == "__main__":
    with job(snakemake):
        prepare_german_credit(
            file=snakemake.input.get("file"),
            # Not a param: wherever the table is from, its checksum is the same.
            source=snakemake.config["data"]["source"],
            folder=Path(snakemake.output.table).parent,
        )
