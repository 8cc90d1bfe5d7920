"""What the published numbers can be, the errata of the sources, and the verdict."""

from pathlib import Path

import pandas as pd

from _job import run
from study.analysis.forensics import (
    STATED_SAMPLES,
    TRAINING_ROWS,
    counts_table,
    prevalence_table,
)
from study.papers.errata import errata_table
from study.verdict.answers import Results, verdict_text


def examine_paper(
    *,
    table4: Path,
    table5: Path,
    operating_point: Path,
    measures: Path,
    prevalence: Path,
    counts: Path,
    errata: Path,
    verdict: Path,
    test_sizes: list[int],
    minority_share: list[float],
    replicate_summary: Path,
    rank_reversal: Path,
    specification: Path,
    auk_given_auc: Path,
) -> None:
    """Write the three tables and the verdict, with the replicates as evidence."""
    ours = pd.read_csv(measures)
    summary, reversal = pd.read_csv(replicate_summary), pd.read_csv(rank_reversal)
    our_test_size = int(ours.iloc[0][["n_positive", "n_negative"]].sum())
    allowed = prevalence_table()
    compositions = counts_table(
        (test_sizes[0], test_sizes[1]),
        (minority_share[0], minority_share[1]),
        named=(STATED_SAMPLES - TRAINING_ROWS, our_test_size),
    )
    given_auc = pd.read_csv(auk_given_auc)
    found = errata_table(
        ours, replicate_summary=summary, rank_reversal=reversal, auk_given_auc=given_auc
    )
    allowed.to_csv(prevalence, index=False, float_format="%.6f")
    compositions.to_csv(counts, index=False, float_format="%.6f")
    found.to_csv(errata, index=False)
    results = Results(
        table4=pd.read_csv(table4),
        table5=pd.read_csv(table5),
        operating_point=pd.read_csv(operating_point),
        prevalence=allowed,
        counts=compositions,
        replicate_summary=summary,
        rank_reversal=reversal,
        specification=pd.read_csv(specification),
        auk_given_auc=given_auc,
    )
    verdict.write_text(verdict_text(results), encoding="utf-8")


if __name__ == "__main__":
    run(examine_paper)
