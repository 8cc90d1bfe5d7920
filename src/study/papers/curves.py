"""The ROC curves of scored models, as the sources' studies read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from kappacurve import roc_hull, roc_vertices
from kappacurve.plots.style import letter
from study.arrays import FloatArray

Points = tuple[FloatArray, FloatArray]  # false and true positive rates


class ModelCurve(NamedTuple):
    """One model's labels, scores, ROC curve and hull, with bad as the positive class."""

    model: str
    bad: FloatArray
    score: FloatArray
    raw: Points
    hull: Points

    @property
    def prevalence(self) -> float:
        """Share of bad rows."""
        return float(self.bad.mean())


def curves_of(scores: pd.DataFrame) -> Iterator[ModelCurve]:
    """The curve of every model in a table of scores (bad, model, score)."""
    for model, table in scores.groupby("model", sort=False):
        yield curve_of(str(model), table["bad"].to_numpy(dtype=float), table["score"].to_numpy())


def curve_of(model: str, bad: FloatArray, score: FloatArray) -> ModelCurve:
    """The curve of one model."""
    fpr, tpr, _ = roc_vertices(bad, score)
    return ModelCurve(model, bad, score, (fpr, tpr), roc_hull(fpr, tpr)[:2])


def panel(axes: Any, name: str, title: str, **settings: Any) -> None:
    """Its letter, its title, and what ``axes.set`` takes."""
    letter(axes, name)
    axes.set_title(title, loc="right", color="0.35")
    axes.set(**settings)


def swapped(fpr: FloatArray, tpr: FloatArray) -> Points:
    """The curve with the other class as the positive one: (f, t) becomes (1 - t, 1 - f)."""
    return 1 - tpr[::-1], 1 - fpr[::-1]
