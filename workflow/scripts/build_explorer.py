"""The explorer: one offline page on which a reader moves the prevalence and sees what follows."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from _job import run
from kappacurve import explorer_page
from kappacurve.bounds import PublishedPair, PublishedPoint
from study.analysis.cost_profile import OWN_RATIO
from study.errors import ExperimentError
from study.papers.kaymak2010_experiment import point_if_published, published_pairs
from study.parquet import read_parquet
from study.published import MODEL_LABELS

REPLICATES = 20
EXAMPLE = "two drawn models that truly disagree"
SOURCE = (
    "Paper: U. Kaymak, A. Ben-David & R. Potharst (2010), AUK: a simple alternative to the AUC. "
    "Data: H. Hofmann (1994), Statlog (German Credit Data), UCI Machine Learning Repository, "
    "https://doi.org/10.24432/C5NC77, CC BY 4.0."
)


def _wide(table: pd.DataFrame, models: list[str]) -> tuple[Any, dict[str, Any]]:
    """Labels of the rows, and the scores of each model that has them, the pair first."""
    wide: Any = table.pivot_table(index="row", columns="model", values="score")
    wide = wide[wide.columns[np.isfinite(wide).all()]]
    minority = table.drop_duplicates("row").set_index("row")["minority"].loc[wide.index]
    names = [*(m for m in models if m in wide), *(m for m in wide if m not in models)]
    scores = {MODEL_LABELS.get(name, name): wide[name] for name in names}
    return np.where(minority == 1, "minority", "majority"), scores


def _example() -> tuple[Any, dict[str, Any]]:
    """Models whose curves cross: AUC prefers one and AUK the other, both by more than chance."""
    minority = np.arange(3000) < 330
    shared, own = np.random.default_rng(0).normal(size=(2, len(minority)))
    wide = 0.9 * shared + np.sqrt(0.19) * own
    scores = {
        "wide": np.where(minority, 2.5 * wide + 1.9, wide),
        "narrow": np.where(minority, shared + 1.2, shared),
    }
    return np.where(minority, "minority", "majority"), scores


def build_explorer(
    *,
    paper_scores: Path,
    replicate_scores: list[Path],
    page: Path,
    models: list[str],
    skew: float | None,
    cost_ratio: float | None,
) -> None:
    """Write the page; ``models`` come first, ``skew`` is the share of minority rows of the tables."""
    shown = [("replicate", ">", 0), ("replicate", "<", REPLICATES)]
    tables = read_parquet(replicate_scores, filters=shown)
    groups = {str(number): table for number, table in tables.groupby("replicate")}
    drawn = {"0 (the tables)": pd.read_csv(paper_scores), **groups}
    found = {name: _wide(table, models) for name, table in drawn.items()}
    usable = {name: one for name, one in found.items() if len(one[1]) > 1 and len(set(one[0])) == 2}
    if not usable:
        raise ExperimentError(
            "results/paper/scores.csv holds fewer than two models with scores of both classes, so "
            "there is nothing to explore: choose more models, another seed, or more test rows "
            "(experiment.n_train)."
        )
    usable = {EXAMPLE: _example(), **usable}
    point = point_if_published()
    html = explorer_page(
        {name: labels for name, (labels, _) in usable.items()},
        {name: scores for name, (_, scores) in usable.items()},
        pos_label="minority",
        example=EXAMPLE,
        positive_class="majority",
        prevalence=skew,
        presets=(0.11, 0.5, 0.89),
        # The slider ends at these.
        cost_ratios=[r for r in dict.fromkeys([OWN_RATIO, cost_ratio]) if r and 1 / 99 <= r <= 99],
        published=[
            PublishedPair(f"{place}, {MODEL_LABELS[model]}", curve, auc.value, auk.value)
            for place, curve, model, auc, auk in published_pairs()
        ],
        published_point=point
        and PublishedPoint("the optimum that the paper prints", *(of.value for of in point)),
        source=SOURCE,
    )
    page.write_text(html, encoding="utf-8")


if __name__ == "__main__":
    run(build_explorer, snakemake)
