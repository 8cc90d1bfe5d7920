"""The registry of models: a name, and a function that builds the unfitted estimator.

To add a model, write a function of the seed and its own settings, list it in MODELS, describe its
settings in ``study.settings.models`` and name it under ``models`` in the config. scikit-learn is
imported when a model is built, so that checking a config stays quick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

import numpy as np

from study.arrays import FloatArray, IntArray
from study.models.estimators import build_estimator, failures_named

Scaling = Literal["standard", "minmax"]


def linear(*, seed: int) -> Any:  # noqa: ARG001  least squares needs no seed
    """Ordinary least squares on the 0/1 label (Kaymak et al. 2010, section 8)."""
    return LeastSquares()


class LeastSquares:
    """The least-squares fit of smallest norm, as scikit-learn's LinearRegression but faster.

    In thousands of replicates, that class spends more time on checking its input than on the fit.
    """

    def fit(self, X: FloatArray, y: IntArray) -> Self:
        """Fit an intercept and one coefficient per column."""
        self._centre, self._mean = X.mean(axis=0), float(y.mean())
        self._coefficients = np.linalg.lstsq(X - self._centre, y - self._mean, rcond=None)[0]
        return self

    def predict(self, X: FloatArray) -> FloatArray:
        """Fitted values, shape (n_samples,)."""
        return np.asarray((X - self._centre) @ self._coefficients + self._mean)


def logistic(*, seed: int, C: float = 1.0) -> Any:  # noqa: ARG001
    """Logistic regression with a ridge penalty of 1/C: today's linear baseline."""
    from sklearn.linear_model import LogisticRegression

    # Newton's method converges to the last digits in a few steps on so few columns.
    return LogisticRegression(C=C, solver="newton-cholesky")


def neural_net(
    *,
    seed: int,
    hidden_units: int = 5,
    trainer: Literal["compiled", "scikit-learn"] = "compiled",
    alpha: float = 1e-4,
    max_iter: int = 200,
) -> Any:
    """One hidden layer of logistic units, trained on the log-loss by L-BFGS."""
    if trainer == "compiled":
        from study.models.network import CompiledNetwork

        return CompiledNetwork(hidden_units, alpha=alpha, max_iter=max_iter, seed=seed)
    from sklearn.neural_network import MLPClassifier

    shape: Any = {"hidden_layer_sizes": (hidden_units,), "activation": "logistic"}
    return MLPClassifier(**shape, solver="lbfgs", alpha=alpha, max_iter=max_iter, random_state=seed)


def neural_net_lm(**settings: Any) -> Any:
    """The same network with a logistic output, trained on squared error as MATLAB did in 2010."""
    from study.models.levenberg_marquardt import LevenbergMarquardtNetwork

    return LevenbergMarquardtNetwork(**settings)


MODELS: dict[str, Callable[..., Any]] = {
    build.__name__: build for build in (linear, logistic, neural_net, neural_net_lm)
}


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
) -> FloatArray:
    """Fit a model and score the test rows (n_test,): higher where label 1 is more likely.

    The name is a registered model's, or the user's own with an estimator in its settings. Features
    are scaled, labels are 0 and 1.
    """
    if "estimator" not in settings:
        return _scores(MODELS[name](seed=seed, **settings).fit(X_train, y_train), X_test)
    with failures_named(name, settings, y_train):
        model = build_estimator(settings, seed=seed)
        model.fit(X_train, y_train)
        scores = _scores(model, X_test)
        if scores.shape != (len(X_test),) or not np.isfinite(scores).all():
            raise ValueError("its scores are not one finite number for each row")
    return scores


# Which of a model's methods gives its scores, the first that it has, and what kind of number.
SCALES = {
    "decision_function": "decision function",
    "predict_proba": "probability",
    "predict": "predicted value",
}


def _method(model: Any) -> str:
    return next(name for name in SCALES if hasattr(model, name))


def _scores(model: Any, X: FloatArray) -> FloatArray:
    method = _method(model)
    scores = np.asarray(getattr(model, method)(X), dtype=np.float64)
    return scores[:, 1] if method == "predict_proba" else scores


def score_scale(name: str, settings: Mapping[str, Any]) -> str:
    """What kind of number a model's score is.

    >>> score_scale("logistic", {}), score_scale("linear", {})
    ('decision function', 'predicted value')
    """
    if "estimator" in settings:
        model = build_estimator(settings, seed=0)
    else:
        model = MODELS[name](seed=0, **settings)
    return SCALES[_method(model)]
