"""The explorer: one offline page on which a reader moves the prevalence and sees what follows."""

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from _job import run
from kappacurve import explorer_page
from kappacurve.bounds import PublishedPair, PublishedPoint
from study.data.classes import Names, read_names
from study.parquet import read_parquet
from study.published import MODEL_LABELS, published_pairs, published_point

log = logging.getLogger(__name__)
QUANTILES = (0.05, 0.5, 0.95)  # of the difference in AUK, whose splits the page shows
EXAMPLE = "two drawn models that truly disagree"
SOURCE = (
    "Paper: U. Kaymak, A. Ben-David & R. Potharst (2010), AUK: a simple alternative to the AUC. "
    "Data: H. Hofmann (1994), Statlog (German Credit Data), UCI Machine Learning Repository, "
    "https://doi.org/10.24432/C5NC77, CC BY 4.0."
)


def _wide(table: pd.DataFrame, models: list[str], names: Names) -> tuple[Any, dict[str, Any]]:
    """Labels of the rows, and the scores of each model that has them, those named first."""
    wide: Any = table.pivot_table(index="row", columns="model", values="score")
    wide = wide[wide.columns[np.isfinite(wide).all()]]
    minority = table.drop_duplicates("row").set_index("row")["minority"].loc[wide.index]
    ordered = [*(m for m in models if m in wide), *(m for m in wide if m not in models)]
    scores = {MODEL_LABELS[name]: wide[name] for name in ordered}
    return np.where(minority == 1, names["minority"], names["majority"]), scores


def _example(names: Names) -> tuple[Any, dict[str, Any]]:
    """Models of which AUC prefers one and AUK the other by more than chance, either class positive.

    The populations are those of docs/two_models.csv; here the other class's scores correlate.
    """
    minority = np.arange(3000) < 330
    shared, separate = np.random.default_rng(0).normal(size=(2, len(minority)))
    wide = 0.9 * shared + np.sqrt(0.19) * separate
    scores = {
        "wide": np.where(minority, 2 * wide + 1.9, wide),
        "narrow": np.where(minority, 0.6 * shared + 1.1, shared),
    }
    return np.where(minority, names["minority"], names["majority"]), scores


def choose_splits(
    measures: pd.DataFrame, models: list[str], positive: str
) -> tuple[dict[int, str], str]:
    """The splits that the page shows besides split 0, by number with a name, and the rule."""
    drawn = measures[(measures["curve"] == "raw") & (measures["positive_class"] == positive)]
    both: Any = drawn.pivot_table(index="replicate", columns="model", values=["auc", "auk"])
    first, second = [*(m for m in models if m in both["auk"]), *both["auk"]][:2]
    lead: Any = pd.DataFrame(
        {name: both[name][first] - both[name][second] for name in ("auc", "auk")}
    ).dropna()
    chosen: dict[int, str] = {}
    turned = lead[lead["auc"] * lead["auk"] < 0]
    if len(turned):
        chosen[(turned.abs() / lead.std()).min(axis=1).idxmax()] = "disagreement"
    for share in QUANTILES:
        nearest = (lead["auk"] - lead["auk"].quantile(share)).abs().idxmin()
        chosen.setdefault(nearest, f"{100 * share:g} % quantile")
    chosen.pop(0, None)
    of_two = " and ".join(MODEL_LABELS[name] for name in (first, second))
    shares = ", ".join(f"{100 * share:g}" for share in QUANTILES)
    rule = (
        f"AUC and AUK of {of_two} disagree in {len(turned)} of {len(lead)} splits (raw curves). "
        "Shown are split 0, which the tables have; that of the clearest disagreement, where the "
        "smaller of the two leads has most standard deviations; and those at the "
        f"{shares} % quantiles of the difference in AUK."
    )
    return chosen, rule


def build_explorer(
    *,
    paper_scores: Path,
    replicate_scores: list[Path],
    replicate_measures: list[Path],
    provenance: Path,
    page: Path,
    models: list[str],
    prevalence: float | None,
    ratios: list[float],
    names: dict[str, str] | None,
    of_the_paper: bool,
) -> None:
    """Write the page; `models` come first, the prevalence is the minority's in the tables."""
    words = read_names(provenance, names)
    drawn = {"0 (the tables)": pd.read_csv(paper_scores)}
    # The paper's values are those of the majority.
    side = "majority" if of_the_paper else "minority"
    rule = ""
    if replicate_scores:
        chosen, rule = choose_splits(read_parquet(replicate_measures), models, side)
        tables = read_parquet(replicate_scores, filters=[("replicate", "in", list(chosen))])
        drawn |= {
            f"{number} ({why})": tables[tables["replicate"] == number]
            for number, why in chosen.items()
        }
    splits = {name: _wide(table, models, words) for name, table in drawn.items()}
    usable = {
        name: split
        for name, split in splits.items()
        if len(split[1]) > 1 and len(set(split[0])) == 2
    }
    if not usable:
        log.warning("no split has two models with scores of both classes: the page has an example")
    usable = {EXAMPLE: _example(words), **usable}
    of_paper: dict[str, Any] = {}
    if of_the_paper:
        of_paper = {
            "presets": (0.11, 0.5, 0.89),
            "published": [
                PublishedPair(f"{place}, {MODEL_LABELS[model]}", curve, auc.value, auk.value)
                for place, curve, model, auc, auk in published_pairs()
            ],
            "published_point": PublishedPoint(
                "the optimum that the paper prints", *(of.value for of in published_point())
            ),
            "source": SOURCE,
        }
    html = explorer_page(
        {name: labels for name, (labels, _) in usable.items()},
        {name: scores for name, (_, scores) in usable.items()},
        pos_label=words["minority"],
        example=EXAMPLE if len(usable) > 1 else None,
        chosen=rule,
        back="index.html",
        positive_class=words[side],
        prevalence=prevalence,
        # The slider ends at these.
        cost_ratios=[ratio for ratio in ratios if 1 / 99 <= ratio <= 99],
        **of_paper,
    )
    page.write_text(html, encoding="utf-8")


if __name__ == "__main__":
    run(build_explorer, snakemake)
