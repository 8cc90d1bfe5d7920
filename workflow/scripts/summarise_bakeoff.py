"""Summarise the study of many data sets: its tables, and those of the theory."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from _job import run
from study.bakeoff.break_even import break_even_table, simulated_table
from study.bakeoff.summary import Summary
from study.errors import ExperimentError
from study.pages.table_files import to_csv
from study.parquet import read_parquet


def summarise_bakeoff(
    *, status: list[Path], outcomes: list[Path], settings: dict[str, Any], **files: Path
) -> None:
    """Write every table; families that are missing are listed with the reason."""
    families = pd.DataFrame([json.loads(record.read_text(encoding="utf-8")) for record in status])
    found = read_parquet(outcomes).infer_objects()  # a family without rows has no types
    rounds = families.loc[families["family"].isin(found["family"]), "round"]
    if (rounds.value_counts() < 2).all():
        raise ExperimentError(
            "the study needs two families of one round at least; see results/logs/bakeoff_scores."
        )
    summary = Summary(found, families, settings)
    tables = {
        "families": families,
        "break_even": break_even_table(),
        "break_even_simulated": simulated_table(settings["seed"]),
    }
    for name, path in files.items():
        table = tables[name] if name in tables else getattr(summary, name)()
        path.write_text(to_csv(table), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    run(summarise_bakeoff, snakemake)
