"""The models: those of the registry by name, and the user's own by the estimator's import path.

To add a model, write a function of the seed and its own settings, list it in MODELS, describe its
settings in ``study.settings.models`` and name it under ``models`` in the config. scikit-learn is
imported when a model is built, so that checking a config stays quick.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, Self

import numpy as np

from study.arrays import FloatArray, IntArray
from study.errors import ExperimentError

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

# imbalanced-learn's samplers, applied to the training rows alone.
RESAMPLING = {
    "smote": ("imblearn.over_sampling", "SMOTE"),
    "over": ("imblearn.over_sampling", "RandomOverSampler"),
    "under": ("imblearn.under_sampling", "RandomUnderSampler"),
}


def check_estimator(settings: Mapping[str, Any], packages: Iterable[str]) -> None:
    """Raise before anything is computed if the settings of an OwnModel do not build a classifier.

    A shared config with an import path could run any code, so only these packages are imported.
    """
    path, allowed = settings["estimator"], list(packages)
    if "." not in path:
        raise ExperimentError(f"estimator {path} is not an import path such as sklearn.svm.SVC.")
    if path.split(".")[0] not in allowed:
        raise ExperimentError(
            f"estimator {path} is not of the packages that estimator_packages allows "
            f"({', '.join(allowed) or 'none'}). Add {path.split('.')[0]} there only if you trust "
            "it with your machine."
        )
    try:
        build_estimator(settings, seed=0)
    except ExperimentError:
        raise
    except Exception as error:  # of the class: Python names a parameter that it lacks or needs
        raise ExperimentError(f"{path} can't be built with these parameters: {error}.") from None


def build_estimator(settings: Mapping[str, Any], *, seed: int) -> Any:
    """Build the unfitted estimator, after its sampler if there is one.

    A ``random_state`` that the settings leave out or set to null is the seed.
    """
    estimator = _load(settings["estimator"])
    parameters = dict(settings.get("parameters", {}))
    takes_seed = "random_state" in inspect.signature(estimator).parameters
    if takes_seed and parameters.get("random_state") is None:
        parameters["random_state"] = seed
    model = estimator(**parameters)
    if settings.get("resampling") is None:
        return model
    from imblearn.pipeline import Pipeline

    module, name = RESAMPLING[settings["resampling"]]
    sampler = getattr(importlib.import_module(module), name)(random_state=seed)
    return Pipeline([("resampling", sampler), ("model", model)])


@contextmanager
def failures_named(name: str, settings: Mapping[str, Any], y_train: IntArray) -> Iterator[None]:
    """Whatever an estimator raises while it is fitted or scores becomes one ExperimentError."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ExperimentError(
            f"config key models.{name}: {settings['estimator']} can't be fitted to "
            f"{len(y_train)} rows, {int(y_train.sum())} of them positive: {lines[0].rstrip('.')}."
        ) from None


def _load(path: str) -> Any:
    module, _, name = path.rpartition(".")
    try:
        loaded = getattr(importlib.import_module(module), name, None)
    except Exception as error:
        raise ExperimentError(f"estimator {path} can't be imported: {error}.") from None
    if loaded is None:
        raise ExperimentError(f"estimator {path}: {module} has no {name}.")
    from sklearn.base import ClassifierMixin

    classifier = inspect.isclass(loaded) and issubclass(loaded, ClassifierMixin)
    if not classifier or inspect.isabstract(loaded):
        raise ExperimentError(f"estimator {path} is not a classifier.")
    return loaded


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
) -> tuple[FloatArray, FloatArray | None]:
    """Fit a model and score the test rows (n_test,): higher where label 1 is more likely.

    The second are probabilities of label 1, of a model that has them.

    The name is a registered model's, or the user's own with an estimator in its settings. Features
    are scaled, labels are 0 and 1.
    """
    if "estimator" not in settings:
        model = MODELS[name](seed=seed, **settings).fit(X_train, y_train)
        return _scores(model, X_test), _probabilities(model, X_test)
    with failures_named(name, settings, y_train):
        model = build_estimator(settings, seed=seed)
        model.fit(X_train, y_train)
        scores, probabilities = _scores(model, X_test), _probabilities(model, X_test)
        if scores.shape != (len(X_test),) or not np.isfinite(scores).all():
            raise ValueError("its scores are not one finite number for each row")
    return scores, probabilities


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
    if method == "predict_proba":
        return np.asarray(model.predict_proba(X)[:, 1], dtype=np.float64)
    return np.asarray(getattr(model, method)(X), dtype=np.float64)


def _probabilities(model: Any, X: FloatArray) -> FloatArray | None:
    if not hasattr(model, "predict_proba"):
        return None
    return np.asarray(model.predict_proba(X)[:, 1], dtype=np.float64)


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
