"""AUC and AUK of two models in each split: their reversal, and how far the printed areas lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from study.arrays import FloatArray
from study.printed import PAPER_PAIR, printed_lookup
from study.tables.shares import ROUNDING

SMALLEST_EIGENVALUE = 1e-10  # of the largest; what is smaller is rounding, and counts as none
CURVES = ("hull", "raw")


def stack_areas(
    measures: pd.DataFrame,
    positive_class: str,
    models: Sequence[str] = PAPER_PAIR,
    auk: str = "auk",
) -> FloatArray:
    """AUC and AUK (axis 1) of hull and curve (axis 2) of both models (axis 3), of each split.

    `auk` is the column of the AUK. Splits in which a class is missing are left out.
    """
    is_used = measures["model"].isin(models) & (measures["positive_class"] == positive_class)
    wide = measures[is_used].pivot_table(
        index="replicate", columns=["curve", "model"], values=["auc", auk]
    )
    columns = pd.MultiIndex.from_product([("auc", auk), CURVES, models])
    return wide.reindex(columns=columns).dropna().to_numpy(dtype=float).reshape(-1, 2, 2, 2)


def printed_areas() -> FloatArray:
    """The eight printed areas, in the same order."""
    printed = printed_lookup()
    return np.array(
        [
            [[printed[curve, model, name] for model in PAPER_PAIR] for curve in CURVES]
            for name in ("auc", "auk")
        ]
    )


def distance_from_splits(areas: FloatArray, printed: FloatArray) -> dict[str, float]:
    """Mahalanobis distance of the printed areas, and how many splits lie farther out.

    A split is measured from the mean and covariance of the others, as the printed areas are.
    """
    values = areas.reshape(len(areas), -1)
    n, n_areas = values.shape
    if n < n_areas + 2:
        return {"distance": np.nan, "typical": np.nan, "splits_farther": 0, "splits": n}
    inverse = np.linalg.pinv(np.cov(values.T), rcond=SMALLEST_EIGENVALUE, hermitian=True)

    def squared_distance(offset: FloatArray) -> FloatArray:
        return np.asarray(((offset @ inverse) * offset).sum(axis=-1))

    mean = values.mean(axis=0)
    within = squared_distance(values - mean)
    left_out = within * n**2 * (n - 2) / ((n - 1) * np.maximum((n - 1) ** 2 - n * within, 1e-9))
    distance = squared_distance(printed.ravel() - mean)
    return {
        "distance": float(np.sqrt(distance)),
        "typical": float(np.sqrt(np.median(left_out))),
        "splits_farther": int((left_out > distance).sum()),
        "splits": n,
    }


def count_reversals(areas: FloatArray) -> int:
    """Splits in which AUC prefers the first model and AUK the second, on hull and curve both."""
    lead = areas[..., 0] - areas[..., 1]
    return int(((lead[:, 0] > ROUNDING) & (lead[:, 1] < -ROUNDING)).all(axis=1).sum())
