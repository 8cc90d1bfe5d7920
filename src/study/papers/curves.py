"""The ROC curves of scored models, as the sources' studies read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from kappacurve import roc_hull, roc_vertices
from study.arrays import FloatArray


class ModelCurve(NamedTuple):
    """One model's labels, scores, ROC curve and hull, with bad as the positive class."""

    model: str
    bad: FloatArray
    score: FloatArray
    fpr: FloatArray
    tpr: FloatArray
    hull_fpr: FloatArray
    hull_tpr: FloatArray

    @property
    def prevalence(self) -> float:
        """Share of bad rows."""
        return float(self.bad.mean())


def curves_of(scores: pd.DataFrame) -> Iterator[ModelCurve]:
    """The curve of every model in a table of scores (bad, model, score)."""
    for model, table in scores.groupby("model", sort=False):
        bad, score = table["bad"].to_numpy(dtype=float), table["score"].to_numpy()
        fpr, tpr, _ = roc_vertices(bad, score)
        yield ModelCurve(str(model), bad, score, fpr, tpr, *roc_hull(fpr, tpr)[:2])
