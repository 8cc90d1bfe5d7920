"""Checks of the arguments that every measure shares."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class Scored(NamedTuple):
    """Validated labels and scores: which rows are positive, their score, their weight."""

    positive: BoolArray
    score: FloatArray
    weight: FloatArray | None


def check_scored(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    pos_label: Any = None,
    sample_weight: npt.ArrayLike | None = None,
) -> Scored:
    """Return labels and scores as arrays, or say in one sentence what is wrong with them."""
    labels = np.asarray(y_true)
    score = _one_dimensional("y_score", y_score)
    if labels.ndim != 1:
        raise ValueError(f"y_true must be one-dimensional, got shape {labels.shape}.")
    if labels.shape != score.shape:
        raise ValueError(
            f"y_true and y_score must have the same length, got {len(labels)} and {len(score)}."
        )
    if not np.isfinite(score).all():
        row = int(np.flatnonzero(~np.isfinite(score))[0])
        raise ValueError(
            f"y_score must be finite, found {score[row]} at row {row}: remove or impute such rows."
        )
    weight = None
    if sample_weight is not None:
        weight = _one_dimensional("sample_weight", sample_weight)
        if weight.shape != score.shape:
            raise ValueError(
                f"sample_weight must have one value a row, got {len(weight)} for {len(score)} rows."
            )
        if not (np.isfinite(weight).all() and (weight >= 0).all()):
            raise ValueError("sample_weight must be finite and not negative.")
    positive = _positive_rows(labels, pos_label)
    counted = positive if weight is None else positive[weight > 0]
    if counted.all() or not counted.any():
        present = "positive" if len(counted) and counted.all() else "negative"
        raise ValueError(
            f"y_true holds only the {present} class: ROC and kappa curves need both classes."
        )
    return Scored(positive, score, weight)


def check_prevalence(prevalence: npt.ArrayLike) -> FloatArray:
    """Return the prevalence as an array, refusing values outside the open interval (0, 1)."""
    p = np.asarray(prevalence, dtype=np.float64)
    if not ((p > 0) & (p < 1)).all():
        raise ValueError(f"prevalence must lie strictly between 0 and 1, got {prevalence!r}.")
    return p


def _one_dimensional(name: str, values: npt.ArrayLike) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers only: {error}.") from None
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}.")
    if array.size == 0:
        raise ValueError(f"{name} is empty.")
    return array


def _positive_rows(labels: npt.NDArray[Any], pos_label: Any) -> BoolArray:
    classes = np.unique(labels)
    if len(classes) > 2:
        raise ValueError(f"y_true must hold two classes, found {len(classes)}: {_listed(classes)}.")
    if pos_label is None:
        # The same rule as scikit-learn: 1 is positive only where nobody could doubt it.
        if set(classes.tolist()) <= {0, 1} or set(classes.tolist()) <= {-1, 1}:
            pos_label = 1
        else:
            raise ValueError(
                f"pos_label is needed to tell which of {_listed(classes)} is positive."
            )
    elif pos_label not in classes.tolist():
        raise ValueError(f"pos_label={pos_label!r} is not among the labels {_listed(classes)}.")
    return np.asarray(labels == pos_label, dtype=np.bool_)


def _listed(classes: npt.NDArray[Any]) -> str:
    shown = ", ".join(repr(value) for value in classes.tolist()[:5])
    return shown + (", ..." if len(classes) > 5 else "")
