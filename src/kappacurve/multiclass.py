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


class BinaryProblem(NamedTuple):
    """A class against all others, or against one other, and the scores of the class."""

    rows: npt.NDArray[np.intp]
    positive: BoolArray
    score: FloatArray
    of: int
    other: int | None = None

    @property
    def axis(self) -> Literal["fpr", "flagged"]:
        """Over what an AUK is usually taken."""
        return "flagged" if self.other is None else "fpr"


# The measure of a problem, with the weights of its rows.
Value = Callable[[BinaryProblem, FloatArray | None], float]


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
        value: Value,
        by_other: bool = False,
    ) -> Any:
        """The average over pairs or classes, or with average=None the value of each class.

        Of the two directions of a pair each counts one half, or with `by_other` by the share of
        the other class.
        """
        score = check_numbers("y_score", y_score)
        codes, n_classes = self.codes(y_true, score)
        if self.multi_class == "ovo":
            if sample_weight is not None:
                raise ValueError("sample_weight is not supported for multi_class='ovo'.")
            pairs = [value(one, None) for one in pair_problems(codes, score)]
            return float(_pair_weights(codes, self.average, by_other) @ pairs)
        weight = None if sample_weight is None else check_numbers("sample_weight", sample_weight)
        problems = class_problems(codes, score)
        if self.average == "micro":
            positive = np.concatenate([one.positive for one in problems])
            repeated = None if weight is None else np.tile(weight, n_classes)
            everyone = np.tile(problems[0].rows, n_classes)
            return value(BinaryProblem(everyone, positive, score.T.ravel(), 0), repeated)
        values = np.array([value(one, weight) for one in problems])
        if self.average is None:
            return values
        shares = [np.average(one.positive, weights=weight) for one in problems]
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


def class_problems(codes: npt.NDArray[np.intp], score: FloatArray) -> list[BinaryProblem]:
    """Each class against the rest."""
    everyone = np.arange(len(codes))
    return [BinaryProblem(everyone, codes == k, score[:, k], k) for k in range(score.shape[1])]


def pair_problems(codes: npt.NDArray[np.intp], score: FloatArray) -> list[BinaryProblem]:
    """Both directions of each pair of classes."""
    found = []
    for pair in combinations(range(score.shape[1]), 2):
        rows = np.flatnonzero(np.isin(codes, pair))
        for k, other in (pair, pair[::-1]):
            found.append(BinaryProblem(rows, codes[rows] == k, score[rows, k], k, other))
    return found


def _pair_weights(
    codes: npt.NDArray[np.intp], average: Average, by_other: bool = False
) -> FloatArray:
    """How much each of the pairs' problems counts."""
    share = np.bincount(codes) / len(codes)
    pairs = np.array(list(combinations(range(len(share)), 2)))
    both = share[pairs].sum(axis=1, keepdims=True)
    size = both / both.sum() if average == "weighted" else np.full(both.shape, 1 / len(both))
    return np.ravel(size * (share[pairs][:, ::-1] / both if by_other else np.full((1, 2), 0.5)))


def problem_weights(
    codes: npt.NDArray[np.intp], labels: Sequence[str]
) -> dict[tuple[str, str], FloatArray]:
    """How much each class problem, then each pair problem counts, by (average, measure)."""
    share = np.bincount(codes) / len(codes)
    k, found = len(share), {}
    none = np.zeros(k * (k - 1))
    average: Average
    for measure in ("auc", "auk", "h"):
        for average in ("macro", "weighted"):
            pairs = _pair_weights(codes, average, measure == "auk")
            found[f"ovo {average}", measure] = np.r_[np.zeros(k), pairs]
        found["ovr macro", measure] = np.r_[np.full(k, 1 / k), none]
        found["ovr weighted", measure] = np.r_[share, none]
        for i, name in enumerate(labels):
            found[f"class {name}", measure] = np.r_[np.arange(k) == i, none]
    return found
