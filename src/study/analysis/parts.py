"""Replicates as they are stored: a folder of Parquet files, the parts of its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from study.errors import ExperimentError
from study.parquet import read_parquet
from study.replicates.evaluation import MEASURES

KIND = ["model", "positive_class", "curve"]
# Measures by replicate, of each curve and model.
Kinds = dict[tuple[str, ...], pd.DataFrame]
# What all parts of a cell have in common; the trainer may differ between its models.
OF_CELL = ["dataset", "skew", "encoding", "sampling", "n_train", "stratify"]


def read_cell(parts: Sequence[Path], expected: Mapping[str, int]) -> pd.DataFrame:
    """The replicates of one cell, after making sure that none is missing or there twice.

    Each Parquet file holds successive replicates of some models, a model's files are in order.
    What is damaged, missing, doubled or of another cell is refused by name.
    """
    counts: dict[Any, int] = {}
    tables, places = [], pd.DataFrame()
    for part in parts:
        table = read_parquet(part)
        _count(part, table, counts)
        places = pd.concat([places, table[OF_CELL]]).drop_duplicates()
        if len(places) > 1:
            raise _wrong(part, "holds rows of another cell")
        tables.append(table)
    for model in sorted({*expected, *(kind[0] for kind in counts)}):
        found = {n for kind, n in counts.items() if kind[0] == model} or {0}
        if found != {expected.get(model, 0)}:
            raise ExperimentError(
                f"{model} has {min(found)} replicates in {parts[0].parent}, but "
                f"{expected.get(model, 0)} are expected: delete that folder and run again."
            )
    return pd.concat(tables, ignore_index=True)


def by_kind(measures: pd.DataFrame) -> dict[str, Kinds]:
    """Measures by replicate, of each positive class, curve and model."""
    found: dict[str, Kinds] = {}
    groups = measures.groupby(["positive_class", "curve", "model"], sort=False)
    for key, table in groups:
        positive_class, *kind = map(str, key)
        own = found.setdefault(positive_class, {})
        own[tuple(kind)] = table.set_index("replicate")[list(MEASURES)]
    return found


def refuse_others(parts: Sequence[Path]) -> None:
    """Refuse files in the folder of the parts (its name ends in .parquet) that are not among them.

    Whoever reads the folder would take them for replicates of this run.
    """
    folder = next(above for above in parts[0].parents if above.suffix == ".parquet")
    others = sorted(set(folder.rglob("*.parquet")) - {folder, *parts})
    # The folder of a cell may itself be named so; drafts of jobs at work are hidden.
    for other in others:
        if other.is_file() and not other.name.startswith("."):
            raise ExperimentError(
                f"{other} does not belong to this run (the levels, the number of replicates or "
                "per_job have changed since): delete it and run again."
            )


def _count(part: Path, table: pd.DataFrame, counts: dict[Any, int]) -> None:
    """Add a part's replicates to the counts; they must follow those before, one by one."""
    missing = table[list(MEASURES)].isna()
    # A replicate in which a class is missing has no measures at all.
    if (missing.any(axis=1) != missing.all(axis=1)).any():
        raise _wrong(part, "holds rows with some measures and without others")
    if table[["replicate", *KIND, *OF_CELL]].isna().to_numpy().any():
        raise _wrong(part, "holds rows that do not say what they belong to")
    for kind, numbers in table.groupby(KIND, sort=False)["replicate"]:
        first = counts.get(kind, 0)
        awaited = np.arange(first, first + len(numbers))
        wrong = np.flatnonzero(numbers.to_numpy() != awaited)
        if len(wrong):
            found, instead = numbers.iloc[wrong[0]], awaited[wrong[0]]
            raise _wrong(part, f"holds replicate {found} of {kind[0]} where {instead} is expected")
        counts[kind] = first + len(numbers)


def _wrong(part: Path, what: str) -> ExperimentError:
    return ExperimentError(f"{part} {what}: delete it and run again.")
