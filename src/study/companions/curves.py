"""The ROC curves of scored models, of one split or of all replicates, as the studies read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import roc_hull, roc_vertices
from kappacurve.algebra import (
    area_under_curve,
    area_under_kappa,
    kappa_from_rates,
    optimal_slope,
    swapped_classes,
)
from kappacurve.plots.style import LINE_STYLES, TWO_COLUMNS, letter
from study.arrays import FloatArray
from study.companions.checks import at_rates
from study.published import PAPER_PAIR

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Looks of the models' lines.
LINES: list[dict[str, Any]] = [{"color": of.color, "linestyle": of.linestyle} for of in LINE_STYLES]
Points = tuple[FloatArray, FloatArray]  # false and true positive rates


class ModelCurve(NamedTuple):
    """One model's labels, scores, ROC curve and hull, with bad as the positive class."""

    model: str
    minority: FloatArray
    score: FloatArray
    raw: Points
    hull: Points

    @property
    def prevalence(self) -> float:
        """Share of bad rows."""
        return float(self.minority.mean())


# The curves of the paper's two models, by replicate and model.
Replicated = Mapping[tuple[int, str], ModelCurve]


def curve_of(model: str, minority: FloatArray, score: FloatArray) -> ModelCurve:
    """The curve of one model."""
    fpr, tpr, _ = roc_vertices(minority, score)
    return ModelCurve(model, minority, score, (fpr, tpr), roc_hull(fpr, tpr)[:2])


def curves_of(scores: pd.DataFrame) -> Iterator[ModelCurve]:
    """The curve of every model in a table of scores (minority, model, score)."""
    for model, table in scores.groupby("model", sort=False):
        yield curve_of(
            str(model), table["minority"].to_numpy(dtype=float), table["score"].to_numpy()
        )


def replicated(scores: pd.DataFrame) -> Replicated:
    """The curves of replicates (replicate, minority, model, score) that have both classes."""
    minority = scores["minority"].to_numpy(dtype=float)
    score = scores["score"].to_numpy()
    places: Any = scores.groupby(["replicate", "model"]).indices
    return {
        (replicate, model): curve_of(model, minority[rows], score[rows])
        for (replicate, model), rows in places.items()
        if model in PAPER_PAIR and 0 < minority[rows].mean() < 1
    }


def curve_table(curves: Replicated) -> pd.DataFrame:
    """What the replicates' curves have, one row each.

    Columns: replicate, model, prevalence (of bad), maxima_raw and maxima_hull (local maxima of
    kappa), unique (kappa's largest value is reached once on the raw curve), optimal (equation 26 at
    the hull's maximum), auc and auk (of the hull, good positive), auk_minority (bad positive); fpr,
    tpr and fpr_youden of the hull's optimum by kappa and by t - f (bad positive); and of the raw
    curve's largest kappa: kappa, accuracy, chance (share of the hits).
    """
    rows = []
    for (replicate, model), curve in curves.items():
        p = curve.prevalence
        fpr, tpr = curve.raw
        hull = curve.hull
        raw = kappa_from_rates(fpr, tpr, p)
        on_hull = kappa_from_rates(*hull, p)
        best = int(raw.argmax())
        at_best = at_rates(fpr[best], tpr[best], p)
        rows.append(
            {
                "replicate": replicate,
                "model": model,
                "prevalence": p,
                "maxima_raw": local_maxima(raw),
                "maxima_hull": local_maxima(on_hull),
                "unique": bool((raw > raw[best] - 1e-12).sum() == 1),
                "optimal": slopes_enclose(*hull, p, int(on_hull.argmax())),
                "fpr": hull[0][on_hull.argmax()],
                "tpr": hull[1][on_hull.argmax()],
                "fpr_youden": hull[0][(hull[1] - hull[0]).argmax()],
                "auc": area_under_curve(*hull),
                "auk": area_under_kappa(*swapped_classes(*hull), 1 - p),
                "auk_minority": area_under_kappa(*hull, p),
                "kappa": at_best["kappa"],
                "accuracy": at_best["accuracy"],
                "chance": at_best["expected_agreement"] / at_best["accuracy"],
            }
        )
    return pd.DataFrame(rows)


def crossings(curves: Replicated, kind: Literal["raw", "hull"]) -> list[bool]:
    """Whether the curves, or the hulls, of the two models intersect, by replicate."""
    first, second = PAPER_PAIR
    return [
        intersect(getattr(curve, kind), getattr(curves[replicate, second], kind))
        for (replicate, model), curve in curves.items()
        if model == first and (replicate, second) in curves
    ]


def intersect(first: Points, second: Points) -> bool:
    """Whether each of two curves lies above the other somewhere.

    Kappa rises with t at every f, so the kappa curves intersect where the ROC curves do.
    """
    # Seen along the diagonal, over f + t, curves have no vertical lines and t - f is linear between
    # vertices: these tell all, the limits at f -> 0 and beside any other vertical line included.
    (at_first, first_height), (at_second, second_height) = (
        (fpr + tpr, tpr - fpr) for fpr, tpr in (first, second)
    )
    at = np.union1d(at_first, at_second)
    lead = np.interp(at, at_first, first_height) - np.interp(at, at_second, second_height)
    return bool(lead.max() > 1e-12 and lead.min() < -1e-12)


def local_maxima(kappa: FloatArray, prominence: float = 1e-12) -> int:
    """How many local maxima stand out this far; between vertices kappa has none.

    As scipy's find_peaks counts them, whose import takes most of a second.
    """
    found = 0
    falling = True
    turn = kappa[0]  # the lowest since the last maximum, or the highest since the last minimum
    for value in kappa.tolist():
        if (value <= turn) == falling:
            turn = value
        elif abs(value - turn) >= prominence:
            found += not falling
            falling = not falling
            turn = value
    return found


def slopes_enclose(fpr: FloatArray, tpr: FloatArray, prevalence: float, vertex: int) -> bool:
    """Whether a hull's slopes before and after a vertex enclose the one of equation 26 there."""
    with np.errstate(divide="ignore"):
        slopes = np.concatenate(([np.inf], np.diff(tpr) / np.diff(fpr), [0.0]))
    needed = float(optimal_slope(fpr[vertex], tpr[vertex], prevalence))
    return bool(slopes[vertex] >= needed - 1e-9 and slopes[vertex + 1] <= needed + 1e-9)


def leads(table: pd.DataFrame, measures: list[str]) -> pd.DataFrame:
    """Measures of the linear model less the network's, by replicate; empty without both."""
    if table.empty:
        return table.reindex(columns=measures)
    first, second = (
        table[table["model"] == model].set_index("replicate")[measures] for model in PAPER_PAIR
    )
    return (first - second).dropna()


def panels(titles: Sequence[str], height: float, **settings: Any) -> tuple[Figure, Any]:
    """A figure of panels side by side, with letters, titles, and what ``axes.set`` takes."""
    from matplotlib import pyplot as plt

    figure, row = plt.subplots(1, len(titles), figsize=(TWO_COLUMNS, height), sharey=True)
    for axes, name, title in zip(row, "abc", titles, strict=False):
        letter(axes, name)
        axes.set_title(title, loc="right", color="0.35")
        axes.set(**settings)
    return figure, row
