"""What the published numbers can be, the errata of the sources, and the verdict."""

import json
from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.forensics_figure import figure_prevalence
from study.papers.errata import Evidence
from study.papers.forensics import STATED_SAMPLES, TRAINING_ROWS, counts_table, prevalence_table
from study.papers.studies import all_errata
from study.verdict.facts import Results, verdict_facts
from study.verdict.text import verdict_text


def examine_paper(
    *,
    prevalence: Path,
    counts: Path,
    errata: Path,
    facts: Path,
    verdict: Path,
    figure: list[Path],
    test_sizes: list[int],
    minority_share: list[float],
    **tables: Path,
) -> None:
    """Write tables, facts, verdict and figure; `tables` are those of the run."""
    ours = {name: pd.read_csv(path) for name, path in tables.items()}
    measures = ours.pop("measures")
    our_test_size = int(measures.iloc[0][["n_positive", "n_negative"]].sum())
    results = Results(
        **ours,
        prevalence=prevalence_table(),
        counts=counts_table(
            (test_sizes[0], test_sizes[1]),
            (minority_share[0], minority_share[1]),
            named=(STATED_SAMPLES - TRAINING_ROWS, our_test_size),
        ),
    )
    evidence = Evidence(results.replicate_summary, results.rank_reversal, results.auk_given_auc)
    results.prevalence.to_csv(prevalence, index=False, float_format="%.6f")
    results.counts.to_csv(counts, index=False, float_format="%.6f")
    all_errata(evidence).to_csv(errata, index=False)
    found = verdict_facts(results)
    facts.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    verdict.write_text(verdict_text(found), encoding="utf-8")
    with house_style():
        save_figure(figure_prevalence(), figure)


if __name__ == "__main__":
    run(examine_paper)
