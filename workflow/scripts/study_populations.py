"""Known populations: crossing curves, and how many positives each measure costs."""

from pathlib import Path
from typing import Any

from _job import job
from study.bakeoff import populations
from study.pages.table_files import to_csv


@job
def study_populations(*, crossing: Path, efficiency: Path, levels: dict[str, Any]) -> None:
    """Write both tables."""
    for path, make in ((crossing, populations.crossing), (efficiency, populations.efficiency)):
        path.write_text(to_csv(make(levels)), encoding="utf-8", newline="\n")
