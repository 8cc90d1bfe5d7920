"""The experiment with one thing changed at a time."""

from pathlib import Path
from typing import Any

from _job import job
from study.tables.files import read_scenarios, write_table
from study.tables.sensitivity import sensitivity_table


def summarise_changes(
    *,
    parts: list[Path],
    changes: dict[str, dict[str, Any]],
    pair: list[str],
    positive_class: str,
    has_printed: bool,
    table: Path,
) -> None:
    """Write one row for the experiment and for each change of it."""
    scenarios = read_scenarios(parts)
    found = sensitivity_table(scenarios, changes, pair, positive_class, has_printed=has_printed)
    write_table(found, table)


if __name__ == "__main__":
    with job(snakemake):
        summarise_changes(
            parts=[Path(path) for path in snakemake.input.measures],
            changes=snakemake.params.changes,
            pair=snakemake.params.pair,
            positive_class=snakemake.params.positive_class,
            has_printed=snakemake.params.has_printed,
            table=Path(snakemake.output[0]),
        )
