"""Summarise the study: its tables, and those of the theory."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from _running import job
from many_data_sets._experiment import ExperimentError, read_parquet
from many_data_sets.break_even import break_even_table, simulated_table
from many_data_sets.measures import MEASURES
from many_data_sets.summary import Summary

DECIMALS = 6  # more than anyone compares, fewer than the last bits of the arithmetic


def summarise_study(
    status: Iterable[Path], outcomes: Iterable[Path], levels: dict[str, Any], paths: Iterable[Path]
) -> None:
    """Write every table; families that are missing are listed with the reason."""
    families = pd.DataFrame([json.loads(record.read_text(encoding="utf-8")) for record in status])
    found = read_parquet(outcomes).infer_objects()  # a family without rows has no types
    rounds = families.loc[families["family"].isin(found["family"]), "round"]
    if (rounds.value_counts() < 2).all():
        raise ExperimentError(
            "the study needs two families of one round at least; see results/logs/score_family."
        )
    summary = Summary(found, families, levels)
    tables = {
        "families": families,
        "measures": pd.DataFrame(MEASURES.items(), columns=["measure", "name"]),
        "break_even": break_even_table(),
        "break_even_simulated": simulated_table(levels["seed"]),
    }
    for path in paths:
        table = tables[path.stem] if path.stem in tables else getattr(summary, path.stem)()
        write_csv(table, path)


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """With six decimals; adding zero turns -0 into 0."""
    floats = table.select_dtypes("float")
    rounded = table.assign(**(floats.round(DECIMALS) + 0.0))
    rounded.to_csv(path, index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        summarise_study(
            map(Path, snakemake.input.status),
            map(Path, snakemake.input.outcomes),
            snakemake.params.levels,
            map(Path, snakemake.output),
        )
