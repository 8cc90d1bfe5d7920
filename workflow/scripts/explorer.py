"""The explorer page: of German Credit the page's typical split and the clearest reversal."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from _job import job
from kappacurve import explorer_page
from study.data.classes import read_names
from study.experiment.files import read_parquet
from study.printed import MODEL_LABELS
from study.tables.reversals import choose_splits


def write_explorer(
    *,
    measures: list[str],
    scores: list[str],
    provenance: str,
    names: dict[str, str] | None,
    page: str,
    **options: Any,
) -> None:
    """Write the page; without measures to choose splits by, it has the split that is shown."""
    splits = choose_splits(read_parquet(measures)) if measures else {"the split shown": 0}
    rows = read_parquet(scores, filters=[("replicate", "in", list(splits.values()))])
    classes = read_names(Path(provenance), names)
    html = make_explorer(rows, splits, names=classes, **options)
    Path(page).write_text(html, encoding="utf-8", newline="\n")


def make_explorer(
    scores: pd.DataFrame,
    splits: Mapping[str, int],
    *,
    models: Sequence[str],
    setting: Mapping[str, Any],
    names: Mapping[str, str],
    positive_class: str,
) -> str:
    """The page of the splits' test rows; `scores` have a row per replicate, row and model.

    `splits` are numbers of replicates by title, the first of which the page opens with. Thresholds
    are those of the scores as they are, whichever class is positive.
    """
    index = ["replicate", "minority", "row"]
    by_model = scores.pivot_table(index=index, columns="model", values="score")
    parts = {title: by_model.loc[replicate] for title, replicate in splits.items()}
    table = pd.concat(parts).dropna(axis="columns")
    is_minority = table.index.get_level_values("minority") == 1
    titles = table.index.get_level_values(0).str.replace("\n", " ")
    return explorer_page(
        np.where(is_minority, names["minority"], names["majority"]),
        {MODEL_LABELS[name]: table[name].to_numpy() for name in models if name in table},
        pos_label=names["minority"],
        split=titles.to_numpy(),
        prevalence=setting["prevalence"],
        cost_ratio=setting["cost_ratio"] or 1.0,
        open_with=names[positive_class],
        title=f"The models at every share of {names['minority']} rows and every cost of a miss",
        home="index.html",
    )


if __name__ == "__main__":
    with job(snakemake):
        write_explorer(
            measures=snakemake.input.measures,
            scores=snakemake.input.scores,
            provenance=snakemake.input.provenance,
            names=snakemake.params.names,
            page=snakemake.output.page,
            models=snakemake.params.models,
            setting=snakemake.params.setting,
            positive_class=snakemake.params.positive_class,
        )
