"""Replicates as they are stored: a folder of Parquet files, the parts of its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from study.errors import ExperimentError, ImpossibleError
from study.parquet import read_parquet
from study.replicates.evaluation import MEASURES

KIND = ["model", "positive_class", "curve"]
# Measures by replicate, of each curve and model.
Kinds = dict[tuple[str, ...], pd.DataFrame]
# What all parts of a cell have in common; the trainer may differ between its models.
OF_CELL = ["dataset", "skew", "encoding", "sampling", "n_train", "stratify"]


REASON = "reason"


def nothing_drawn(reason: str) -> pd.DataFrame:
    """The part of a cell that the data can't give."""
    columns = ["replicate", *OF_CELL, "trainer", *KIND, *MEASURES]
    columns += ["row", "minority", "score", "probability"]
    table = pd.DataFrame(columns=columns)
    table.attrs[REASON] = reason
    return table


def read_cell(parts: Sequence[Path], expected: Mapping[str, int]) -> pd.DataFrame:
    """The replicates of one cell, after making sure that none is missing or there twice.

    Each Parquet file holds successive replicates of some models, a model's files are in order.
    What is damaged, missing, doubled or of another cell is refused by name; ImpossibleError if
    there is none because the data can't give the cell.
    """
    tables = [read_parquet(part) for part in parts]
    if REASON in tables[0].attrs:
        raise ImpossibleError(tables[0].attrs[REASON])
    replicates = pd.concat(tables, ignore_index=True)
    missing = replicates[list(MEASURES)].isna()
    cell = replicates[OF_CELL]
    nameless = replicates[["replicate", *KIND, *OF_CELL]].isna()
    awaited = replicates.groupby(KIND, sort=False).cumcount()
    misplaced = replicates["replicate"] != awaited
    for wrong, what in (
        # A replicate in which a class is missing has no measures at all.
        (missing.any(axis=1) != missing.all(axis=1), "rows with some measures and without others"),
        (nameless.any(axis=1), "rows that do not say what they belong to"),
        ((cell != cell.iloc[0]).any(axis=1), "rows of another cell"),
        (misplaced, "replicate {replicate} of {model} where {0} is expected"),
    ):
        if wrong.any():
            row = int(wrong.argmax())
            part = np.repeat(range(len(parts)), [len(table) for table in tables])[row]
            values: Any = replicates.loc[row].to_dict()
            problem = what.format(awaited[row], **values)
            raise ExperimentError(f"{parts[part]} holds {problem}: delete it and run again.")
    counts = replicates.groupby(KIND).size()
    for model in sorted({*expected, *replicates["model"]}):
        numbers = {*counts[counts.index.get_level_values("model") == model]} or {0}
        if numbers != {expected.get(model, 0)}:
            raise ExperimentError(
                f"{model} has {min(numbers)} replicates in {parts[0].parent}, but "
                f"{expected.get(model, 0)} are expected: delete that folder and run again."
            )
    return replicates


def by_kind(measures: pd.DataFrame) -> dict[str, Kinds]:
    """Measures by replicate, of each positive class, curve and model."""
    kinds: dict[str, Kinds] = {}
    groups = measures.groupby(["positive_class", "curve", "model"], sort=False)
    for key, table in groups:
        positive_class, *kind = map(str, key)
        of_class = kinds.setdefault(positive_class, {})
        of_class[tuple(kind)] = table.set_index("replicate")[list(MEASURES)]
    return kinds
