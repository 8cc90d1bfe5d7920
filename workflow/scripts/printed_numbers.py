"""What the printed numbers can be: prevalences, explanations, printed and computed, and cases."""

from pathlib import Path

from _job import run
from study.paper.cases import cases_table
from study.paper.explanations import explanations_table
from study.paper.printed_numbers import prevalences_table, printed_table
from study.parquet import read_parquet
from study.published import PAPER_PAIR
from study.replicates.evaluation import measure_replicates
from study.tables.files import write_table


def printed_numbers(
    *,
    scores: list[Path],
    prevalences: Path,
    explanations: Path,
    printed: Path,
    cases: Path,
) -> None:
    """Write the four tables, from the scores of the replicates.

    They are measured here, because the paper has kappa at the test rows' share and without a cost,
    whatever the run has.
    """
    kept = read_parquet(scores, filters=[("model", "in", list(PAPER_PAIR))])
    own, interchanged = measure_replicates(kept), measure_replicates(kept, "other")
    write_table(prevalences_table(), prevalences)
    write_table(printed_table(), printed)
    write_table(cases_table(own, kept), cases)
    write_table(explanations_table(own, interchanged), explanations)


if __name__ == "__main__":
    run(printed_numbers, snakemake)
