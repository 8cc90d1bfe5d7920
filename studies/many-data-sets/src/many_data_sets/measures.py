"""The measures and goals of the study, of many samples at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from kappacurve import batch_measures
from many_data_sets._experiment import FloatArray, IntArray

# Labels; a greater value is better. Those at a goal's cost have a value for each goal that has one.
MEASURES = {
    "auc": "AUC",
    "auk": "AUK",
    "auk_symmetric": "symmetric AUK",
    "auk_swapped": "AUK, classes swapped",
    "auk_goal": "AUK at the goal's cost",
    "auch": "AUC of the hull",
    "auk_hull": "AUK of the hull",
    "h": "H, Beta(2, 2)",
    "h_goal": "H at the goal's cost",
    "ks": "KS",
    "kappa_max": "maximum kappa",
    "mcc": "best MCC",
    "f1": "best F1",
    "average_precision": "average precision",
    "log_loss": "log loss",
    "brier": "Brier score",
    "log_loss_recalibrated": "log loss, recalibrated",
    "brier_recalibrated": "Brier score, recalibrated",
}
OWN_GOAL = {"ks": "cost_balanced"}  # that it is by definition
OF_LIBRARY = ("auc", "auk", "auch", "auk_hull", "h", "ks", "kappa_max")
Values = dict[tuple[str, str], FloatArray]  # by measure and the goal at whose cost it is, or ""


class Goal(NamedTuple):
    """What a model is chosen for: least expected cost at a cost share, or precision at the top."""

    name: str
    cost: float | None


def goals_at(prevalence: float, costs: list[float]) -> list[Goal]:
    """Costs balanced between the classes, those of the config, and precision in the top share."""
    return [
        Goal("cost_balanced", 1 - prevalence),
        *(Goal(f"cost_{cost:g}", cost) for cost in costs),
        Goal("precision_top", None),
    ]


class Corners(NamedTuple):
    """What single points of each curve give: best F1 and MCC, goals.

    Goals are (curves, goals), the greater the better; thresholds are the least rank that is
    flagged at the least cost (goals without a cost: 0).
    """

    f1: FloatArray
    mcc: FloatArray
    goals: FloatArray
    thresholds: IntArray


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def expected_cost(cost: float, p: float, fpr: Any, tpr: Any) -> Any:
    """Of a missed positive `cost`, of a false alarm 1 - cost."""
    return cost * p * (1 - tpr) + (1 - cost) * (1 - p) * fpr


def corners_of(
    ranks: IntArray, n_positive: int, prevalence: float, goals: list[Goal], top: float
) -> Corners:
    """Walk down the curve of each row of ranks (curves, rows), positives first, ties kept."""
    costs = np.array([np.nan if goal.cost is None else goal.cost for goal in goals])
    keys = np.sort(2 * ranks + (np.arange(ranks.shape[1]) < n_positive), axis=1)
    return Corners(*_walk(keys, n_positive, prevalence, costs, top))


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _walk(sorted_keys: IntArray, n_positive: int, p: float, costs: FloatArray, top: float) -> Any:
    curves, rows = sorted_keys.shape
    f1, mcc = np.zeros(curves), np.zeros(curves)
    goals = np.zeros((curves, len(costs)))
    thresholds = np.zeros((curves, len(costs)), np.int64)
    for curve in range(curves):
        keys = sorted_keys[curve]
        for goal, cost in enumerate(costs):  # nothing is flagged
            goals[curve, goal] = -expected_cost(cost, p, 0.0, 0.0)
            thresholds[curve, goal] = (keys[-1] >> 1) + 1
        tp, row = 0, rows - 1
        tpr, flagged = 0.0, 0.0
        while row >= 0:
            rank = keys[row] >> 1
            while row >= 0 and keys[row] >> 1 == rank:
                tp += keys[row] & 1
                row -= 1
            tpr_before, flagged_before = tpr, flagged
            tpr = tp / n_positive
            fpr = (rows - 1 - row - tp) / (rows - n_positive)
            flagged = p * tpr + (1 - p) * fpr
            f1[curve] = max(f1[curve], 2 * p * tpr / (p + flagged))
            if flagged < 1:
                spread = p * (1 - p) / (flagged * (1 - flagged))
                mcc[curve] = max(mcc[curve], (tpr - fpr) * np.sqrt(spread))
            for goal, cost in enumerate(costs):
                if np.isnan(cost):
                    if flagged_before < top <= flagged:
                        part = (top - flagged_before) / (flagged - flagged_before)
                        goals[curve, goal] = p * (tpr_before + part * (tpr - tpr_before)) / top
                elif -expected_cost(cost, p, fpr, tpr) > goals[curve, goal]:
                    goals[curve, goal] = -expected_cost(cost, p, fpr, tpr)
                    thresholds[curve, goal] = rank
    return f1, mcc, goals, thresholds


def rank_values(
    ranks: IntArray,
    n_positive: int,
    prevalence: float,
    goals: list[Goal],
    corners: Corners | None,
) -> Values:
    """Every measure of the ranks alone; without corners AUC and AUK."""
    label = np.arange(ranks.shape[1]) < n_positive
    options: dict[str, Any] = {"pos_label": True, "prevalence": prevalence}
    library = batch_measures(label, ranks, **options)
    if corners is None:
        return {(name, ""): library[name] for name in ("auc", "auk")}
    values: Values = {(name, ""): library[name] for name in OF_LIBRARY}
    flagged = batch_measures(label, ranks, axis="flagged", **options)["auk"]
    values["auk_symmetric", ""] = flagged
    # The area over the flagged share is the mean of those over f and over t.
    values["auk_swapped", ""] = (flagged - (1 - prevalence) * library["auk"]) / prevalence
    for goal in goals:
        if goal.cost is not None:
            at_cost = batch_measures(label, ranks, cost=goal.cost, **options)
            values["auk_goal", goal.name] = at_cost["auk"]
            values["h_goal", goal.name] = at_cost["h"]
    values |= {("f1", ""): corners.f1, ("mcc", ""): corners.mcc}
    return values | {("average_precision", ""): library["average_precision"]}


def row_losses(log_odds: FloatArray, shift: float) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Log loss and Brier score, negated, of each row if it is positive and if it is negative."""
    odds = log_odds + shift
    share = 0.5 * (1 + np.tanh(odds / 2))
    return {
        "log_loss": (-np.logaddexp(0, -odds), -np.logaddexp(0, odds)),
        "brier": (-((1 - share) ** 2), -(share**2)),
    }
