"""Curves and measures of a table of scores, for both choices of the positive class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kappacurve.kappa import kappa_from_rates
from kappacurve.measures import measures
from kappacurve.roc import roc_hull, roc_vertices
from study.data.classes import GERMAN_CREDIT, Classes

CURVES = ("raw", "hull")


class _Oriented(NamedTuple):
    model: str
    positive_class: str
    positive: npt.NDArray[np.bool_]
    score: npt.NDArray[np.float64]
    sign: float
    prevalence: float


def _orientations(
    scores: pd.DataFrame, skew: float | None, classes: Classes
) -> Iterator[_Oriented]:
    """Each model's scores, pointing towards the one class and towards the other."""
    for model, table in scores.groupby("model", sort=False):
        one = table[classes.column].to_numpy() == 1
        score = table["score"].to_numpy()
        share = float(one.mean()) if skew is None else skew
        yield _Oriented(str(model), classes.zero, ~one, -score, -1.0, 1 - share)
        yield _Oriented(str(model), classes.one, one, score, 1.0, share)


def evaluate_curves(
    scores: pd.DataFrame, *, skew: float | None = None, classes: Classes = GERMAN_CREDIT
) -> pd.DataFrame:
    """ROC and kappa curves, raw and hull, of every model and positive class.

    Parameters
    ----------
    scores : DataFrame
        Columns bad (0/1), model, score (higher = more likely bad); or the column of `classes`.
    skew : float in (0, 1), optional
        Share of bad rows at which kappa is evaluated; by default that of the test rows.
    classes : Classes
        Column and names of the classes, by default German Credit's.

    Returns
    -------
    DataFrame
        Columns model, positive_class, curve, threshold, fpr, tpr, kappa. Thresholds are on the
        original score: bad is predicted at or above them, and good is predicted at or below
        them; the end at which no row is predicted positive is infinite.
    """
    tables = []
    for one in _orientations(scores, skew, classes):
        fpr, tpr, thresholds = roc_vertices(one.positive, one.score)
        hull = roc_hull(fpr, tpr)
        for curve, index in (("raw", np.arange(len(fpr))), ("hull", hull.index)):
            f, t = fpr[index], tpr[index]
            tables.append(
                pd.DataFrame(
                    {
                        "model": one.model,
                        "positive_class": one.positive_class,
                        "curve": curve,
                        "threshold": one.sign * thresholds[index],
                        "fpr": f,
                        "tpr": t,
                        "kappa": kappa_from_rates(f, t, one.prevalence),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True)


def evaluate_measures(
    scores: pd.DataFrame, *, skew: float | None = None, classes: Classes = GERMAN_CREDIT
) -> pd.DataFrame:
    """All measures of every model, positive class and curve.

    Parameters and thresholds as in :func:`evaluate_curves`.

    Returns
    -------
    DataFrame
        Columns model, positive_class, curve, n_positive, n_negative and those of
        :func:`kappacurve.measures.measures`. On the hull, auc and auk are areas of the hull.
    """
    rows = []
    for one in _orientations(scores, skew, classes):
        for curve in CURVES:
            prevalence = None if skew is None else one.prevalence
            found = measures(one.positive, one.score, prevalence=prevalence, hull=curve == "hull")
            found["threshold"] *= one.sign
            rows.append(
                {
                    "model": one.model,
                    "positive_class": one.positive_class,
                    "curve": curve,
                    "n_positive": int(one.positive.sum()),
                    "n_negative": int((~one.positive).sum()),
                    **found,
                }
            )
    return pd.DataFrame(rows)
