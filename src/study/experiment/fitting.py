"""Fitting a model and scoring rows with it, whichever it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from study.arrays import FloatArray, IntArray
from study.errors import FitError, first_sentence
from study.experiment.models import MODELS, Scaling, build_estimator


class Fitted(NamedTuple):
    """Scores of the test rows, their probabilities if the model has them, and training scores."""

    score: FloatArray
    probability: FloatArray | None
    training_score: FloatArray | None


def scale(train: FloatArray, test: FloatArray, scaling: Scaling) -> tuple[FloatArray, FloatArray]:
    """Scale both parts so that the training rows have mean 0 and variance 1, or range from -1 to 1.

    A column that is constant in training is only shifted. A missing number is replaced by the
    median of the column's training rows, 0 if all of these are missing.
    """
    if np.isnan(train).any() or np.isnan(test).any():
        empty = np.isnan(train).all(axis=0)
        middle = np.nanmedian(np.where(empty, 0.0, train), axis=0)
        train, test = (np.where(np.isnan(part), middle, part) for part in (train, test))
    if scaling == "standard":
        shift, spread = train.mean(axis=0), train.std(axis=0)
    else:
        low, high = train.min(axis=0), train.max(axis=0)
        shift, spread = (low + high) / 2, (high - low) / 2
    spread = np.where(spread > 0, spread, 1.0)
    return (train - shift) / spread, (test - shift) / spread


def fit_and_score(
    name: str,
    settings: Mapping[str, Any],
    X_train: FloatArray,
    y_train: IntArray,
    X_test: FloatArray,
    *,
    seed: int,
    score_training: bool = False,
) -> Fitted:
    """Fit a model to labels 0 and 1, and score the test rows, and the training rows if wanted.

    The settings are those of the registered model of this name, or of the one that they are `like`;
    or they name an estimator of the user's, whose failures become one FitError.
    """
    is_own = "estimator" in settings
    try:
        if is_own:
            model = build_estimator(settings, seed=seed)
        else:
            own = {key: value for key, value in settings.items() if key != "like"}
            model = MODELS[settings.get("like", name)](seed=seed, **own)
        model.fit(X_train, y_train)
        scores, probabilities = _score(model, X_test)
        return Fitted(scores, probabilities, _score(model, X_train)[0] if score_training else None)
    except Exception as error:
        if not is_own or isinstance(error, MemoryError):
            raise
        reason = first_sentence(error)
        raise FitError(
            f"config key models.{name}: {settings['estimator']} can't be fitted to "
            f"{len(y_train)} rows, {int(y_train.sum())} of them positive: {reason}.",
            reason,
        ) from None


def _score(model: Any, X: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Scores are its decision function, or else its probabilities, or else its predictions."""
    probabilities = None
    if hasattr(model, "predict_proba"):
        probabilities = np.asarray(model.predict_proba(X)[:, 1], dtype=np.float64)
    if hasattr(model, "decision_function"):
        scores = model.decision_function(X)
    else:
        scores = model.predict(X) if probabilities is None else probabilities
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(X),) or not np.isfinite(scores).all():
        raise ValueError("its scores are not one finite number for each row")
    return scores, probabilities
