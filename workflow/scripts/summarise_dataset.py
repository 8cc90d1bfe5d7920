"""Gather a data set's replicates; summarise them and count rank reversals of every two models."""

from itertools import combinations
from pathlib import Path

import pandas as pd
from _job import run

from kappacurve.experiment.gathering import gather, reversals_in_cell, summarise_cell
from kappacurve.experiment.table_files import write_table
from kappacurve.experiment.tables import labelled


def summarise_dataset(
    *,
    parts: list[Path],
    measures: Path,
    summary: list[Path],
    rank_reversal: list[Path],
    expected: dict[str, int],
) -> None:
    """Write all rows, their summary, and how often two measures order two models differently."""
    (cell,) = gather(parts, expected, measures)  # one, because only the models differ
    spread = summarise_cell(cell).drop(columns=["published", "percentile"])
    write_table(spread, summary, title="Measures over random splits", shown=labelled(spread))
    counted = [
        reversals_in_cell(cell, pair).assign(model_a=pair[0], model_b=pair[1])
        for pair in combinations(cell.values_of("model"), 2)
    ]
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


if __name__ == "__main__":
    run(summarise_dataset)
