"""Replicates as they are stored: a folder of Parquet files, the parts of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from study.errors import ImpossibleError
from study.parquet import read_parquet
from study.replicates.evaluation import MEASURES, Kinds

KIND = ["model", "positive_class", "curve"]
# What all parts of a cell have in common.
OF_CELL = ["dataset", "skew", "encoding", "sampling", "n_train", "stratify"]
REASON = "reason"


def nothing_drawn(reason: str) -> pd.DataFrame:
    """The part of a cell that the data can't give."""
    columns = ["replicate", *OF_CELL, *KIND, *MEASURES]
    columns += ["row", "minority", "score", "probability"]
    table = pd.DataFrame(columns=columns)
    table.attrs[REASON] = reason
    return table


def read_cell(parts: Sequence[Path]) -> pd.DataFrame:
    """The replicates of one cell, with what its parts say of it; ImpossibleError if it has none.

    Each Parquet file holds successive replicates of some models, a model's files are in order.
    """
    replicates = read_parquet(parts)
    if REASON in replicates.attrs:
        raise ImpossibleError(replicates.attrs[REASON])
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
