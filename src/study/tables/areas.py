"""The tables of one split beside its replicates, and beside what was published."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.published import SPREAD, Lookup

KEYS = ["positive_class", "model", "measure"]


def split_and_replicates(
    measures: pd.DataFrame,
    curve: str,
    names: tuple[str, ...],
    summary: pd.DataFrame | None = None,
    published: Lookup | None = None,
) -> pd.DataFrame:
    """One split beside its replicates (if there are any), by positive class, model and measure.

    Curve "hull" for Table 4 and the operating point, "raw" for Table 5. With published values,
    which stand first, the split's are called reproduced, else value.
    """
    column = "value" if published is None else "reproduced"
    of_curve = measures[measures["curve"] == curve]
    table = of_curve.melt(KEYS[:2], names, "measure", column, ignore_index=False)
    table = table.sort_index(kind="stable").reset_index(drop=True)
    if published is not None:
        values = [published.get((curve, *row)) for row in table[KEYS[1:]].itertuples(index=False)]
        table.insert(3, "published", np.array(values, dtype=float))
    if summary is not None:
        spread = [name for name in SPREAD if name in summary]
        of_curve = summary.loc[summary["curve"] == curve, [*KEYS, *spread]]
        table = table.merge(of_curve, how="left", on=KEYS).astype(dict.fromkeys(spread, "float64"))
    # The majority first.
    return table.sort_values(KEYS[0], kind="stable", ignore_index=True)


def rankings(measures: pd.DataFrame) -> pd.DataFrame:
    """Every model's AUC, AUK and H and its rank by each of them (1 is best)."""
    table = measures[["curve", "positive_class", "model", "auc", "auk", "h"]].copy()
    groups = table.groupby(["curve", "positive_class"], sort=False)
    for name in ("auc", "auk", "h"):
        table[f"rank_{name}"] = groups[name].rank(ascending=False, method="min").astype(int)
    keys = ["curve", "positive_class"]
    return table.sort_values(keys, ascending=[False, True], kind="stable")
