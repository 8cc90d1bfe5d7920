"""The paper's tables beside our numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.published import SPREAD, published_lookup


def published_and_ours(
    measures: pd.DataFrame,
    curve: str,
    names: tuple[str, ...],
    summary: pd.DataFrame | None = None,
    cost_ratio: float | None = None,
) -> pd.DataFrame:
    """Published beside reproduced, one row per positive class, model and measure.

    Curve "hull" for Table 4 and the operating point, "raw" for Table 5; `measures` are one split's,
    `summary` that of the replicates, without which its columns stay empty; `cost_ratio` is that of
    both.
    """
    keys = ["positive_class", "model", "measure"]
    of_curve = measures[measures["curve"] == curve]
    table = of_curve.melt(keys[:2], names, "measure", "reproduced", ignore_index=False)
    table = table.sort_index(kind="stable").reset_index(drop=True)
    lookup = published_lookup(cost_ratio)
    published = [lookup.get((curve, *row)) for row in table[keys[1:]].itertuples(index=False)]
    table.insert(3, "published", np.array(published, dtype=float))
    spread = pd.DataFrame(columns=[*keys, *SPREAD])
    if summary is not None:
        spread = summary.loc[summary["curve"] == curve, spread.columns]
    table = table.merge(spread, how="left", on=keys)
    table = table.astype(dict.fromkeys(SPREAD, "float64"))
    # Good first.
    return table.sort_values(keys[0], ascending=False, kind="stable", ignore_index=True)


def rankings(measures: pd.DataFrame) -> pd.DataFrame:
    """Every model's AUC, AUK and H and its rank by each of them (1 is best)."""
    table = measures[["curve", "positive_class", "model", "auc", "auk", "h"]].copy()
    groups = table.groupby(["curve", "positive_class"], sort=False)
    for name in ("auc", "auk", "h"):
        table[f"rank_{name}"] = groups[name].rank(ascending=False, method="min").astype(int)
    return table.sort_values(["curve", "positive_class"], ascending=False, kind="stable")
