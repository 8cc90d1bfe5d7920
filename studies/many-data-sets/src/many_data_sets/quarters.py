"""Scored quarters of a data set: what the models are worth on it, and samples of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import rankdata
from sklearn.metrics import roc_curve

from many_data_sets.measures import negative_brier_scores, negative_log_losses
from many_data_sets.scores import CALIBRATED

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
TOP_SHARE = 0.1  # of the rows, whose precision is a goal
Losses = dict[str, tuple[FloatArray, FloatArray]]


class Worth(NamedTuple):
    """Value of each model for a goal, and the threshold that gives it (nan: none)."""

    value: FloatArray
    threshold: FloatArray


class Quarter:
    """Scored rows of every model, positives first: ranks and log-odds are (models, rows)."""

    def __init__(
        self, ranks: IntArray, log_odds: FloatArray, calibrated: FloatArray, n_positive: int
    ) -> None:
        self.ranks, self.log_odds, self.calibrated = ranks, log_odds, calibrated
        self.n_positive, self.n_negative = n_positive, ranks.shape[1] - n_positive
        self._losses: dict[float, Losses] = {}

    @cached_property
    def label(self) -> npt.NDArray[np.bool_]:
        """Whether each row is positive."""
        return np.arange(self.ranks.shape[1]) < self.n_positive

    def select(self, models: IntArray) -> Quarter:
        """The same rows of some models."""
        return Quarter(
            self.ranks[models], self.log_odds[models], self.calibrated[models], self.n_positive
        )

    def losses(self, prevalence: float) -> Losses:
        """Minus the losses of each row as a positive and as a negative: (models, rows) each.

        The log-odds are moved from the share of positives here to the prevalence.
        """
        if prevalence not in self._losses:
            share = self.n_positive / self.ranks.shape[1]
            shift = np.log(prevalence / (1 - prevalence)) - np.log(share / (1 - share))
            found: Losses = {}
            for suffix, odds in (("", self.log_odds), ("_recalibrated", self.calibrated)):
                found[f"log_loss{suffix}"] = negative_log_losses(odds + shift)
                found[f"brier{suffix}"] = negative_brier_scores(odds + shift)
            self._losses[prevalence] = found
        return self._losses[prevalence]

    def mean_losses(
        self, prevalence: float, samples: IntArray, n_positive: int
    ) -> dict[str, FloatArray]:
        """Minus the losses of samples (draws, rows), whose first rows count as positive."""
        positive, negative = samples[:, :n_positive], samples[:, n_positive:]
        return {
            name: prevalence * as_positive[:, positive].mean(axis=2).T
            + (1 - prevalence) * as_negative[:, negative].mean(axis=2).T
            for name, (as_positive, as_negative) in self.losses(prevalence).items()
        }

    def worth(self, goal: str, prevalence: float) -> Worth:
        """Worth of each model for a goal: minus its least expected cost, or its top precision."""
        found = [goal_value(goal, self.label, row, prevalence) for row in self.ranks]
        return Worth(*np.array(found).T)


def goal_value(
    goal: str, label: npt.NDArray[np.bool_], score: IntArray, prevalence: float
) -> tuple[float, float]:
    """Worth of one model for a goal, and the threshold from which rows are flagged."""
    fpr, tpr, thresholds = roc_curve(label, score, drop_intermediate=False)
    if goal == "precision_top":
        flagged = prevalence * tpr + (1 - prevalence) * fpr
        return prevalence * float(np.interp(TOP_SHARE, flagged, tpr)) / TOP_SHARE, np.nan
    cost = cost_share(goal)
    costs = cost * prevalence * (1 - tpr) + (1 - cost) * (1 - prevalence) * fpr
    best = int(costs.argmin())
    return -float(costs[best]), float(thresholds[best])


def cost_share(goal: str) -> float:
    """Cost of a missed positive in a goal such as cost_0.9; a false alarm costs the rest of 1."""
    return float(goal.removeprefix("cost_"))


def split_quarters(scores: pd.DataFrame, models: Sequence[str]) -> list[Quarter]:
    """The two scored quarters of a split; ranks are those among the rows of both."""
    scores = scores.sort_values(["part", "positive"], ascending=[True, False], kind="stable")
    odds = scores[list(models)].to_numpy().T.copy()
    calibrated = scores[[name + CALIBRATED for name in models]].to_numpy().T
    ranks = rankdata(odds, method="dense", axis=1).astype(np.int64)
    quarters = []
    for part in (1, 2):
        rows = scores["part"].to_numpy() == part
        n_positive = int(scores["positive"].to_numpy()[rows].sum())
        quarters.append(Quarter(ranks[:, rows], odds[:, rows], calibrated[:, rows], n_positive))
    return quarters


def draw_rows(uniform: FloatArray, n_positive: int, n_rows: int, drawn_positive: int) -> IntArray:
    """Rows of each sample, (draws, rows): without replacement, positives first.

    Uniform numbers (draws, rows) shuffle the beginning of each class's rows, each draw from where
    the last one left them.
    """
    order, samples = list(range(n_rows)), []
    for draw in uniform.tolist():
        rows = []
        for place, number in enumerate(draw):
            is_positive = place < drawn_positive
            first = place if is_positive else n_positive + place - drawn_positive
            left = (n_positive if is_positive else n_rows) - first
            other = first + int(number * left)
            order[first], order[other] = order[other], order[first]
            rows.append(order[first])
        samples.append(rows)
    return np.array(samples, dtype=np.int64)
