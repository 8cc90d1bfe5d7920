"""What the printed numbers can be: prevalences, explanations, printed and computed, and cases."""

from pathlib import Path
from typing import Any

from _job import job
from study.experiment.measures import measure_replicates, measure_trapezoids
from study.experiment.parquet import read_parquet
from study.paper.cases import cases_table
from study.paper.explanations import explanations_table
from study.paper.printed_numbers import prevalences_table, printed_table
from study.published import PAPER_PAIR
from study.tables.files import read_measures, write_table
from study.tables.reversals import reversals_table


def examine_numbers(*, scores: list[str], original: list[Path], written: Any) -> None:
    """Write how the untouched data reverse, and four tables from the scores of the replicates.

    They are measured here, because the paper has kappa at the test rows' share and without a cost,
    whatever the run has.
    """
    kept = read_parquet(scores, filters=[("model", "in", list(PAPER_PAIR))])
    other_share = 1 - kept.groupby("replicate")["minority"].mean()
    own = measure_replicates(kept)
    own = own.merge(measure_trapezoids(kept), how="left")
    interchanged = measure_replicates(kept, other_share)
    reversals = reversals_table(read_measures(original), PAPER_PAIR)
    reversals.insert(0, "scenario", "original")
    write_table(reversals, Path(written.original_reversal))
    write_table(prevalences_table(), Path(written.prevalences))
    write_table(printed_table(), Path(written.printed))
    write_table(cases_table(own, kept), Path(written.cases))
    write_table(explanations_table(own, interchanged), Path(written.explanations))


if __name__ == "__main__":
    with job(snakemake):
        examine_numbers(
            scores=snakemake.input.scores,
            original=[Path(path) for path in snakemake.input.original],
            written=snakemake.output,
        )
