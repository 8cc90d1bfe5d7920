"""What choosing by each measure brought in the study of many data sets, for a run's own advice."""

from __future__ import annotations

import pandas as pd

from study.labels import MEASURE_LABELS

N_POSITIVE = 25
MENUS = {
    "all_log_loss": "nine learners tuned by log loss",
    "strong_log_loss": "five strong learners tuned by log loss",
    "all": "ten models as trained",
    "trees": "trees of six depths",
}
LABELS = MEASURE_LABELS | {
    "brier": "Brier score",
    "log_loss_recalibrated": "log loss, recalibrated",
}


def gain_over_auc(choice: pd.DataFrame) -> pd.DataFrame:
    """A row for each menu of models and measure: share of the attainable gain less that of AUC.

    From 25 positives at the stated prevalence, in percentage points. Of two intervals, by data
    sets and by their packages, low and high hold both, as the study states them.
    """
    stated = (choice["design"] == "stated") & (choice["n_positive"] == N_POSITIVE)
    rows = choice[stated & (choice["outcome"] == "gain")]
    return rows.assign(
        low=rows[["low", "correlated_low"]].min(axis="columns"),
        high=rows[["high", "correlated_high"]].max(axis="columns"),
        models=rows["menu"].map(MENUS),
        name=rows["measure"].map(LABELS),
    )
