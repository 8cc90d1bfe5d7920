"""What the published numbers can be, the errata of the sources, and the verdict."""

import json
from pathlib import Path

import pandas as pd

from _job import run
from kappacurve.plots.style import house_style, save_figure
from study.pages.forensics_figure import figure_prevalence
from study.papers.checks import Evidence
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
    cost_ratio: float | None,
    **tables: Path,
) -> None:
    """Write tables, facts, verdict and figure; `tables` are those of the run."""
    ours = {name: pd.read_csv(path) for name, path in tables.items()}
    measures = ours.pop("measures")
    ours, note = _comparable(ours, cost_ratio)
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
    tables_of_run = results.replicate_summary, results.rank_reversal, results.auk_given_auc
    evidence = Evidence() if note else Evidence(measures, *tables_of_run)
    results.prevalence.to_csv(prevalence, index=False, float_format="%.6f")
    results.counts.to_csv(counts, index=False, float_format="%.6f")
    all_errata(evidence).to_csv(errata, index=False)
    found = verdict_facts(results)
    facts.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    title, text = verdict_text(found).split("\n", 1)
    verdict.write_text(f"{title}\n{note}{text}", encoding="utf-8")
    with house_style():
        save_figure(figure_prevalence(), figure)


def _comparable(
    ours: dict[str, pd.DataFrame], cost_ratio: float | None
) -> tuple[dict[str, pd.DataFrame], str]:
    """Those of our tables whose kappas are the paper's, and what to say of the others."""
    if cost_ratio is None:
        return ours, ""
    empty = {name: ours[name].iloc[:0] for name in ("table4", "table5", "operating_point")}
    return {**empty, "specification": ours["specification"]}, (
        f"\nHere missing a bad row costs {cost_ratio:g} times as much as refusing a good one "
        "(experiment.cost_ratio). The paper's kappa and AUK weigh both alike, so ours are not "
        "compared with them, except in the specifications.\n"
    )


if __name__ == "__main__":
    run(examine_paper)
