"""What the claims need of constructed curves, and of the curves of our splits: cases.csv."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kappacurve import area_under_kappa, auk_bounds, kappa_curve, kappa_from_rates, roc_hull
from study.arrays import FloatArray
from study.paper.printed_numbers import STATED
from study.published import MODEL_LABELS, NORMAL_95, PAPER_PAIR, published_lookup
from study.tables.shares import share_with_interval

SEED = 2010
N_POINTS, N_HULLS = 20_000, 500
ROUNDING = 1e-9
Curve = tuple[FloatArray, FloatArray]
# Hand (2009), Figure 3 (b) and (c): false and true positive rates.
HAND_B = np.array([0, 0, np.sqrt(0.5), 1]), np.array([0, 1 - np.sqrt(0.5), 1, 1])
HAND_C = np.array([0, 0.25, 1]), np.array([0, 0.75, 1])


class Case(NamedTuple):
    """A value, of how many cases, what it means, and its interval if it has one."""

    key: str
    value: float
    cases: int
    meaning: str
    low: float = nan
    high: float = nan


def cases_table(measures: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """One row per case: key, value, low, high, cases, meaning.

    Parameters
    ----------
    measures : DataFrame
        Of the replicates: replicate, model, positive_class, curve, auc, auk.
    scores : DataFrame
        Of their test rows: replicate, minority, model, score.
    """
    hulls = random_hulls()
    rows = [
        one_cost(),
        equal_costs(),
        skew_moves_auk(hulls),
        *auk_of_both_classes(hulls),
        auk_range_at_one_auc(),
        *correlations(measures),
        unique_maxima(scores),
    ]
    return pd.DataFrame(rows)[["key", "value", "low", "high", "cases", "meaning"]]


def random_hulls() -> list[Curve]:
    """Random ROC hulls of two to eight corners, which beat chance."""
    rng = np.random.default_rng([SEED, 24])
    hulls: list[Curve] = []
    while len(hulls) < N_HULLS:
        f, t = np.sort(rng.uniform(size=(2, rng.integers(2, 9))))
        fpr, tpr = roc_hull(np.r_[0, f, 1], np.r_[0, t, 1])[:2]
        if np.trapezoid(tpr, fpr) > 0.51:
            hulls.append((fpr, tpr))
    return hulls


def one_cost() -> Case:
    """Kappa is the weighted kappa of equal costs, as t - f is that of equal costs per class.

    The weighted kappa is 1 less the loss over its value by chance, where a missed positive costs c
    and a false alarm 1 - c.
    """
    f, t, p = np.random.default_rng([SEED, 15]).uniform(0.01, 0.99, (3, N_POINTS))
    flagged = p * t + (1 - p) * f

    def weighted_kappa(c: Any) -> FloatArray:
        by_chance = c * p * (1 - flagged) + (1 - c) * (1 - p) * flagged
        return np.asarray(1 - (c * p * (1 - t) + (1 - c) * (1 - p) * f) / by_chance)

    gaps = weighted_kappa(0.5) - kappa_from_rates(f, t, p), weighted_kappa(1 - p) - (t - f)
    largest = np.abs(gaps).max()
    text = "largest difference between kappa and the weighted kappa of equal costs"
    return Case("one_cost", largest, N_POINTS, text)


def equal_costs() -> Case:
    """How far two models' weights on equal costs are apart if all f count alike, as in AUK.

    A share of f is the best choice at the cost that belongs to the slope of the curve there.
    """
    shares = []
    for fpr, tpr in (HAND_B, HAND_C):
        run = np.diff(fpr)
        shares.append(run[np.isclose(np.diff(tpr), run)].sum())
    text = "difference of the share of f that is best at equal costs, of two models of Hand (2009)"
    return Case("equal_costs", abs(shares[0] - shares[1]), 2, text)


def skew_moves_auk(hulls: list[Curve]) -> Case:
    """Hulls whose AUK is the same at two prevalences below one half; their AUC has none."""
    shares = np.random.default_rng([SEED, 12]).uniform(0.01, 0.5, (2, N_HULLS))
    areas = [
        [area_under_kappa(*hull, p) for hull, p in zip(hulls, row, strict=True)] for row in shares
    ]
    exceptions = int((np.abs(np.diff(areas, axis=0)) <= ROUNDING).sum())
    text = "hulls whose AUK does not change with the class shares"
    return Case("skew_moves_auk", exceptions, N_HULLS, text)


def auk_of_both_classes(hulls: list[Curve]) -> Iterator[Case]:
    """The AUK of a hull, and of the same model with the other class as the positive one."""
    shares = np.random.default_rng([SEED, 25]).uniform(0.01, 0.99, N_HULLS)
    areas = np.array(
        [
            (area_under_kappa(f, t, p), area_under_kappa(1 - t[::-1], 1 - f[::-1], 1 - p))
            for (f, t), p in zip(hulls, shares, strict=True)
        ]
    )
    differ = np.abs(np.diff(areas)[:, 0]) > ROUNDING
    first = areas[int(differ.argmax())]
    text = "hulls whose AUK depends on which class is called positive"
    yield Case("class_moves_auk", int(differ.sum()), N_HULLS, text)
    yield Case("auk_of_one_class", first[0], 1, "AUK of such a hull")
    yield Case("auk_of_other_class", first[1], 1, "its AUK with the other class positive")


def auk_range_at_one_auc() -> Case:
    """How far the AUKs of two hulls can be apart that have the network's AUC of Table 4."""
    auc = published_lookup()["hull", "neural_net", "auc"]
    lower, upper = auk_bounds(auc, STATED)[:2]
    text = f"largest difference of AUK between hulls of AUC {auc}, {STATED:.0%} positives"
    return Case("auk_range", float(upper - lower), 1, text)


def correlations(measures: pd.DataFrame) -> Iterator[Case]:
    """Correlation over splits of a model's AUC and AUK (bad positive, hulls), by Fisher's z."""
    is_used = (measures["curve"] == "hull") & (measures["positive_class"] == "minority")
    for model in PAPER_PAIR:
        areas = measures.loc[is_used & (measures["model"] == model), ["auc", "auk"]].dropna()
        if len(areas) > 3:
            r = float(areas["auc"].corr(areas["auk"]))
            half = NORMAL_95 / np.sqrt(len(areas) - 3)
            low, high = np.tanh(np.arctanh(r) + np.array([-half, half]))
            text = f"correlation of AUC and AUK over splits, {MODEL_LABELS[model]}"
            yield Case(f"correlation_{model}", r, len(areas), text, low, high)


def unique_maxima(scores: pd.DataFrame) -> Case:
    """Share of curves whose largest kappa is reached at one threshold."""
    of_pair = scores[scores["model"].isin(PAPER_PAIR)]
    unique = [
        is_maximum_unique(rows["minority"].to_numpy(), rows["score"].to_numpy())
        for _, rows in of_pair.groupby(["replicate", "model"])
        if 0 < rows["minority"].sum() < len(rows)
    ]
    share, low, high = share_with_interval(sum(unique), len(unique)).values()
    text = "share of curves whose largest kappa is reached at one threshold"
    return Case("unique_maximum", share, len(unique), text, low, high)


def is_maximum_unique(labels: FloatArray, score: FloatArray) -> bool:
    """Whether one threshold alone has the largest kappa."""
    kappa = kappa_curve(labels, score).kappa
    return int((kappa > kappa.max() - ROUNDING).sum()) == 1
