"""Gather a data set's replicates; summarise them, and compare every two models by each measure."""

from itertools import combinations
from pathlib import Path

import pandas as pd

from _job import run
from study.analysis.certainty import CERTAINTY
from study.analysis.gathering import (
    certainty_in_cell,
    gather,
    reversals_in_cell,
    summarise_cell,
)
from study.pages.table_files import write_table
from study.published import labelled


def summarise_dataset(
    *,
    parts: list[Path],
    measures: Path,
    summary: list[Path],
    rank_reversal: list[Path],
    certainty: list[Path],
    expected: dict[str, int],
) -> None:
    """Write all rows, their summary, how often two measures differ, and how sure each is."""
    (cell,) = gather(parts, expected, measures)  # one, because only the models differ
    spread = summarise_cell(cell).drop(columns=["published", "percentile"])
    write_table(spread, summary, title="Measures over random splits", shown=labelled(spread))
    pairs = list(combinations(cell.values_of("model"), 2))
    counted = [reversals_in_cell(cell, pair).assign(**_named(pair)) for pair in pairs]
    columns = ["model_a", "model_b", "pair", "curve", "positive_class", "pattern"]
    columns += ["replicates", "reversals", "share", "low", "high"]
    table = pd.concat(counted)[columns] if counted else pd.DataFrame(columns=columns)
    # Which of the two a measure prefers says nothing here: either order is a reversal.
    table = table[table["pattern"] == "any"].drop(columns="pattern")
    write_table(
        table,
        rank_reversal,
        title="Splits in which two measures order two models differently",
        shown=labelled(table),
    )
    sure = [certainty_in_cell(cell, pair).assign(**_named(pair)) for pair in pairs]
    columns = ["model_a", "model_b", "positive_class", "curve", "measure", "replicates", "better"]
    columns += ["effect", "effect_low", "effect_high", "share", "low", "high"]
    table = pd.concat(sure)[columns] if sure else pd.DataFrame(columns=columns)
    write_table(
        table,
        certainty,
        title="How surely each measure ranks two models from one split",
        note=CERTAINTY,
        shown=labelled(table),
    )


def _named(pair: tuple[str, str]) -> dict[str, str]:
    return dict(zip(("model_a", "model_b"), pair, strict=True))


if __name__ == "__main__":
    run(summarise_dataset)
