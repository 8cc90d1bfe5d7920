"""Break-even ratios of AUK and AUC for normal scores, and twelve of them simulated."""

from pathlib import Path

from _job import job
from study.bakeoff.break_even import break_even_table, simulated_table
from study.pages.table_files import to_csv


@job
def map_break_even(*, break_even: Path, break_even_simulated: Path, seed: int) -> None:
    """Write both tables."""
    for path, table in (
        (break_even, break_even_table()),
        (break_even_simulated, simulated_table(seed)),
    ):
        path.write_text(to_csv(table), encoding="utf-8", newline="\n")
