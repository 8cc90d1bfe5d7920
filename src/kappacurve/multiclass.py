"""Measures of more than two classes: averages over pairs, or over each class and the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kappacurve._validation import BoolArray, FloatArray, check_numbers

MultiClass = Literal["ovo", "ovr"]
Average = Literal["macro", "weighted", "micro"] | None

# Of one class against the rest: whether rows are of the class, their scores and weights.
OneMeasure = Callable[[BoolArray, FloatArray, FloatArray | None], float]
# Of two classes i < j: whether their rows are of class j, the scores of i and of j, and (i, j).
PairMeasure = Callable[[BoolArray, FloatArray, FloatArray, tuple[int, int]], float]


class Classes(NamedTuple):
    """How to take the average: the arguments `multi_class`, `average` and `labels`."""

    multi_class: MultiClass | None
    average: Average
    labels: npt.ArrayLike | None

    def meant(self, y_score: npt.ArrayLike) -> bool:
        """Whether the scores have a column for each class, and an average is asked for."""
        return self.multi_class is not None and np.ndim(y_score) == 2

    def averaged(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        one: OneMeasure,
        pair: PairMeasure,
    ) -> Any:
        """The average over pairs or classes, or with average=None the value of each class."""
        score = check_numbers("y_score", y_score)
        codes, n_classes = self.codes(y_true, score)
        if self.multi_class == "ovo":
            if sample_weight is not None:
                raise ValueError("sample_weight is not supported for multi_class='ovo'.")
            return self._over_pairs(codes, score, n_classes, pair)
        weight = None if sample_weight is None else check_numbers("sample_weight", sample_weight)
        of_class = codes[:, None] == np.arange(n_classes)
        if self.average == "micro":
            repeated = None if weight is None else np.repeat(weight, n_classes)
            return one(of_class.ravel(), score.ravel(), repeated)
        values = [one(of_class[:, k], score[:, k], weight) for k in range(n_classes)]
        if self.average is None:
            return np.array(values)
        shares = np.average(of_class, axis=0, weights=weight)
        return float(np.average(values, weights=shares if self.average == "weighted" else None))

    def _over_pairs(
        self, codes: npt.NDArray[np.intp], score: FloatArray, n_classes: int, pair: PairMeasure
    ) -> float:
        values, shares = [], []
        for i, j in combinations(range(n_classes), 2):
            rows = (codes == i) | (codes == j)
            values.append(pair(codes[rows] == j, score[rows, i], score[rows, j], (i, j)))
            shares.append(rows.mean())
        return float(np.average(values, weights=shares if self.average == "weighted" else None))

    def codes(self, y_true: npt.ArrayLike, score: FloatArray) -> tuple[npt.NDArray[np.intp], int]:
        """The column of each row's class."""
        if self.multi_class not in ("ovo", "ovr"):
            raise ValueError(f"multi_class must be 'ovo' or 'ovr', got {self.multi_class!r}.")
        known = ("macro", "weighted", *(("micro", None) if self.multi_class == "ovr" else ()))
        if self.average not in known:
            raise ValueError(
                f"average must be one of {known} for multi_class={self.multi_class!r}, "
                f"got {self.average!r}."
            )
        y = np.asarray(y_true)
        found = np.unique(y)
        classes = found if self.labels is None else np.asarray(self.labels)
        if y.ndim != 1 or len(y) != len(score):
            raise ValueError(f"y_true must have one label for each of the {len(score)} rows.")
        if not np.array_equal(np.unique(classes), classes):
            raise ValueError("labels must be unique and in order.")
        if len(classes) != score.shape[1]:
            raise ValueError(
                f"y_score must have a column for each of the {len(classes)} classes, "
                f"got {score.shape[1]}; y_true must hold every class: stratify small folds."
            )
        for one in np.setdiff1d(found, classes):
            raise ValueError(f"y_true holds {one.item()!r}, which is not among the labels.")
        for one in np.setdiff1d(classes, found):
            raise ValueError(f"y_true has no row of the class {one.item()!r} of labels.")
        return np.searchsorted(classes, y), len(classes)


def pair_costs(cost: Any, n_classes: int) -> Any:
    """Cost share c_ij of a missed row of class i in the pair of i and j, from a cost matrix.

    Row i and column j of the matrix hold what predicting j costs for a row of class i.
    """
    matrix = check_numbers("cost", cost)
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"cost must be a matrix of shape ({n_classes}, {n_classes}) for multi_class='ovo', "
            f"or None or 'balanced', got shape {matrix.shape}."
        )
    off = ~np.eye(n_classes, dtype=bool)
    both = matrix + matrix.T
    if not ((matrix[off] >= 0) & (both[off] > 0) & np.isfinite(both[off])).all():
        raise ValueError("cost must hold finite costs, none negative and no pair without any.")
    return np.divide(matrix, both, out=np.full_like(matrix, 0.5), where=off)


class BinaryProblem(NamedTuple):
    """Two classes or groups of classes of some rows, and the scores of the first."""

    rows: npt.NDArray[np.intp]
    positive: BoolArray
    score: FloatArray
    axis: Literal["fpr", "flagged"]


def binary_problems(codes: npt.NDArray[np.intp], score: FloatArray) -> list[BinaryProblem]:
    """Each class against the rest, then both directions of each pair of classes."""
    n_classes = score.shape[1]
    everyone = np.arange(len(codes))
    problems = [
        BinaryProblem(everyone, codes == k, score[:, k], "flagged") for k in range(n_classes)
    ]
    for pair in combinations(range(n_classes), 2):
        rows = np.flatnonzero((codes == pair[0]) | (codes == pair[1]))
        for k in pair:
            problems.append(BinaryProblem(rows, codes[rows] == k, score[rows, k], "fpr"))
    return problems


def problem_weights(
    codes: npt.NDArray[np.intp], labels: Sequence[str]
) -> dict[tuple[str, str], FloatArray]:
    """How much each problem counts in an average, by (average, measure).

    The averages are those of :func:`kappacurve.auc_score`, :func:`kappacurve.auk_score` and
    :func:`kappacurve.h_measure_score` by their defaults.
    """
    share = np.bincount(codes) / len(codes)
    k = len(share)
    pairs = np.array(list(combinations(range(k), 2)))
    both = share[pairs].sum(axis=1)
    # A pair's AUK counts each direction by the share of the other class.
    inside = {"auk": share[pairs][:, ::-1] / both[:, None]}
    found = {}
    for measure in ("auc", "auk", "h"):
        within = inside.get(measure, np.full(pairs.shape, 0.5))
        even, by_size = np.full(len(pairs), 1 / len(pairs)), both / both.sum()
        for average, weight in (("macro", even), ("weighted", by_size)):
            spread = (weight[:, None] * within).ravel()
            found[f"ovo {average}", measure] = np.r_[np.zeros(k), spread]
        for average, weight in (("macro", np.full(k, 1 / k)), ("weighted", share)):
            found[f"ovr {average}", measure] = np.r_[weight, np.zeros(pairs.size)]
        for i, name in enumerate(labels):
            found[f"class {name}", measure] = np.eye(k + pairs.size)[i]
    return found
