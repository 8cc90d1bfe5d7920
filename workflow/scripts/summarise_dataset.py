"""Summarise a data set's replicates: their spread, and which model is ahead how often."""

from pathlib import Path

import pandas as pd

from _job import run
from study.analysis.parts import read_cell
from study.analysis.summaries import paired_wins, summarise, win_sentences
from study.data.classes import read_classes
from study.pages.table_files import write_table
from study.published import MEASURE_LABELS


def summarise_dataset(
    *,
    parts: list[Path],
    provenance: Path,
    answer: Path,
    expected: dict[str, int],
    **outputs: list[Path],
) -> None:
    """Write both tables, of the raw curves towards the positive class, and the answer in words."""
    cell = read_cell(parts, expected)
    one = read_classes(provenance).one
    cell = cell[(cell["positive_class"] == one) & (cell["curve"] == "raw")]
    spread = summarise(cell).drop(columns=["positive_class", "curve", "published", "percentile"])
    spread = spread[spread["measure"] != "auk_trapezoid"]
    write_table(spread, outputs["summary"], title="Measures over random splits")
    wins = paired_wins(cell)
    write_table(wins, outputs["wins"], title="Which model is ahead in how many splits")
    said = pd.DataFrame({"sentence": win_sentences(wins, MEASURE_LABELS)})
    said.to_csv(answer, index=False)


if __name__ == "__main__":
    run(summarise_dataset, snakemake)
