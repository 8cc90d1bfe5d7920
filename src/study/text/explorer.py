"""The explorer page of a run: its models on chosen splits, at every share and every cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kappacurve import explorer_page
from study.printed import MODEL_LABELS


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
