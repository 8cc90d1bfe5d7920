"""Tables of round 3, from the cells of every family that are kept."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from _running import job
from many_data_sets.practice_summary import PracticeSummary, read_cells
from summarise_study import write_csv


def summarise_practice(
    folder: Path, families: dict[str, Any], levels: dict[str, Any], paths: Iterable[Path]
) -> None:
    """Write every table."""
    summary = PracticeSummary(read_cells(folder, families), levels)
    for path in paths:
        write_csv(getattr(summary, path.stem)(), path)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        summarise_practice(
            Path(snakemake.input.cells[0]).parent,
            snakemake.params.families,
            snakemake.params.levels,
            map(Path, snakemake.output.tables),
        )
