"""Models that could not be fitted in some splits."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

COLUMNS = ["scenario", "model", "splits", "failed", "reason"]


def failures_table(scenarios: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How often a model could not be fitted, a row for each scenario and model in which it failed.

    Scenarios are replicates by name, with the columns replicate, model and failure; the reason is
    the most frequent one.
    """
    rows = []
    for scenario, measures in scenarios.items():
        splits = measures.drop_duplicates(["replicate", "model"])
        for model, failures in splits.groupby("model", sort=False)["failure"]:
            if failures.notna().any():
                counts = {"splits": len(failures), "failed": int(failures.notna().sum())}
                row = {"scenario": scenario, "model": model, **counts}
                rows.append(row | {"reason": failures.mode().iloc[0]})
    return pd.DataFrame(rows, columns=COLUMNS)
