"""What the printed numbers can be, and which of the paper's sixteen claims hold."""

from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.experiment.files import read_measures, read_parquet, write_table
from study.paper.cases import cases_table
from study.paper.claims import judge_claims
from study.paper.counts import counts_table
from study.paper.explanations import explanations_table, measure_settings
from study.paper.printed import prevalences_table, printed_table
from study.printed import PAPER_PAIR
from study.tables.leads import ratio_of_rows
from study.tables.reversals import reversals_table

OF_PAIR = [("model", "in", list(PAPER_PAIR))]


def examine_paper(
    *,
    scores: list[str],
    original: list[str],
    others: dict[str, str],
    setting: dict[str, Any],
    written: dict[str, str],
) -> None:
    """Write each table by its name, and then the verdicts, which follow from the csv files alone.

    The replicates are measured here, because the paper has kappa at the test rows' share and
    without a cost, whatever the run has. `scores` are those of the paper's pair, a file for each
    chunk; `others` are the files that claims need of other rules.
    """
    # Chunk by chunk: the scores of all splits may not fit into memory.
    chunks = [measure_settings(read_parquet([path], filters=OF_PAIR)) for path in scores]
    measured = {name: pd.concat(chunk[name] for chunk in chunks) for name in chunks[0]}
    drawn = read_parquet(scores[:1], columns=["replicate"]).attrs
    counts = counts_table()
    reversals = reversals_table(read_measures(map(Path, original)), PAPER_PAIR)
    reversals.insert(0, "scenario", "original")
    tables = {
        "original_reversal": reversals,
        "prevalences": prevalences_table(),
        "counts": counts,
        "explanations": explanations_table(measured, counts),
        "printed": printed_table(),
        "cases": cases_table(measured["test rows"], ratio_of_rows(drawn)),
    }
    for name, table in tables.items():
        write_table(table, Path(written[name]))
    files = others | {name: written[name] for name in tables}
    claims = judge_claims({name: pd.read_csv(path) for name, path in files.items()}, setting)
    write_table(claims, Path(written["claims"]))


if __name__ == "__main__":
    with job(snakemake):
        examine_paper(
            scores=snakemake.input.scores,
            original=snakemake.input.original,
            others={Path(path).stem: path for path in snakemake.input.others},
            setting=snakemake.params.setting,
            written=dict(snakemake.output.items()),
        )
