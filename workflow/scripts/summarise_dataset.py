"""Summarise a data set's replicates, and count rank reversals of every two models."""

from itertools import combinations
from pathlib import Path

import pandas as pd

from _job import job
from study.analysis.parts import read_cell, refuse_others
from study.analysis.reversals import rank_reversals
from study.analysis.summaries import summarise
from study.pages.table_files import write_table

REVERSALS = "Splits in which two measures order two models differently"


def _reversals(cell: pd.DataFrame) -> pd.DataFrame:
    """One table of every two models, which it names."""
    models = cell["model"].unique().tolist()
    # A model that is alone is compared with itself, for the columns.
    pairs = list(combinations(models, 2)) or [(models[0], models[0])]
    tables = []
    for pair in pairs:
        found = rank_reversals(cell, pair)
        named = dict(zip(("model_a", "model_b"), pair, strict=True))
        tables.append(found.assign(**named)[[*named, *found]])
    return pd.concat(tables) if len(models) > 1 else tables[0].iloc[:0]


@job
def summarise_dataset(
    *, parts: list[Path], expected: dict[str, int], **outputs: list[Path]
) -> None:
    """Write their summary, and how often two measures differ."""
    refuse_others(parts)
    cell = read_cell(parts, expected)
    spread = summarise(cell).drop(columns=["published", "percentile"])
    write_table(spread, outputs["summary"], title="Measures over random splits")
    # Which of the two a measure prefers says nothing here: either order is a reversal.
    table = _reversals(cell).query("pattern == 'any'").drop(columns="pattern")
    write_table(table, outputs["rank_reversal"], title=REVERSALS)
