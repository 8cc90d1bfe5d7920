"""The models: those of the registry by name, and the user's own by the estimator's import path.

To add a model, write a function of the seed and its own settings, list it in MODELS, describe its
settings with their defaults in ``study.settings`` and name it under ``models`` in the config. What
computes is imported when it is needed: the workflow is read with Snakemake alone.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

from study.errors import ExperimentError, first_sentence

if TYPE_CHECKING:
    from study.arrays import FloatArray, IntArray

Scaling = Literal["standard", "minmax"]


class LeastSquares:
    """The least-squares fit of smallest norm, as scikit-learn's LinearRegression but faster.

    In thousands of replicates, that class spends more time on checking its input than on the fit.
    """

    def fit(self, X: FloatArray, y: IntArray) -> Self:
        """Fit an intercept and one coefficient per column."""
        import numpy as np

        self._centre, self._mean = X.mean(axis=0), float(y.mean())
        self._coefficients = np.linalg.lstsq(X - self._centre, y - self._mean, rcond=None)[0]
        return self

    def predict(self, X: FloatArray) -> FloatArray:
        """Fitted values, shape (n_samples,)."""
        values: FloatArray = (X - self._centre) @ self._coefficients + self._mean
        return values


def linear(*, seed: int) -> Any:  # noqa: ARG001  least squares needs no seed
    """Ordinary least squares on the 0/1 label (Kaymak et al. 2010, section 8)."""
    return LeastSquares()


def logistic(*, C: float, seed: int) -> Any:  # noqa: ARG001
    """Logistic regression with a ridge penalty of 1/C: today's linear baseline."""
    from sklearn.linear_model import LogisticRegression

    # Newton's method converges to the last digits in a few steps on so few columns.
    return LogisticRegression(C=C, solver="newton-cholesky")


def neural_net(
    *, hidden_units: int, alpha: float, max_iter: int, early_stopping: bool, seed: int
) -> Any:
    """One hidden layer of logistic units, trained on the log-loss by L-BFGS."""
    from study.experiment.network import CompiledNetwork

    return CompiledNetwork(
        hidden_units=hidden_units,
        alpha=alpha,
        max_iter=max_iter,
        early_stopping=early_stopping,
        seed=seed,
    )


def neural_net_lm(*, early_stopping: bool, seed: int) -> Any:
    """The same network with a logistic output, trained on squared error as MATLAB did in 2010."""
    from study.experiment.matlab_network import LevenbergMarquardtNetwork

    return LevenbergMarquardtNetwork(early_stopping=early_stopping, seed=seed)


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
    allowed = list(packages)
    for path in _list_paths(settings):
        package = path.split(".")[0]
        if package not in allowed or "." not in path:
            raise ExperimentError(
                f"estimator {path} is not of the packages that estimator_packages allows "
                f"({', '.join(allowed) or 'none'}). Give an import path such as sklearn.svm.SVC, "
                f"and add {package} there only if you trust it with your machine."
            )
    try:
        build_estimator(settings, seed=0)
    except ExperimentError:
        raise
    except Exception as error:  # of the class: Python names a parameter that it lacks or needs
        path = settings["estimator"]
        raise ExperimentError(
            f"{path} can't be built with these parameters: {first_sentence(error)}."
        ) from None


def build_estimator(settings: Mapping[str, Any], *, seed: int) -> Any:
    """Build the unfitted estimator, after its sampler if there is one.

    A ``random_state`` that the settings leave out or set to null is the seed.
    """
    from sklearn.base import is_classifier

    model = _build(settings, seed)
    if not is_classifier(model):
        raise ExperimentError(f"estimator {settings['estimator']} is not a classifier.")
    if settings.get("resampling") is None:
        return model
    from imblearn.pipeline import Pipeline

    module, name = RESAMPLING[settings["resampling"]]
    sampler = getattr(importlib.import_module(module), name)(random_state=seed)
    return Pipeline([("resampling", sampler), ("model", model)])


def _build(settings: Mapping[str, Any], seed: int) -> Any:
    """An estimator with these parameters, and with estimators among them."""
    loaded = _load_class(settings["estimator"])
    parameters = {
        name: _build_nested(value, seed) for name, value in settings.get("parameters", {}).items()
    }
    for name, value in parameters.items():
        if name.endswith("estimator") and isinstance(value, str) and "." in value:
            raise ExperimentError(
                f"{settings['estimator']}: the parameter {name} is the text {value}: write "
                f"{{estimator: {value}}} for an estimator."
            )
    takes_seed = "random_state" in inspect.signature(loaded).parameters
    if takes_seed and parameters.get("random_state") is None:
        parameters["random_state"] = seed
    return loaded(**parameters)


def _build_nested(value: Any, seed: int) -> Any:
    """A parameter, in which a section with an import path becomes an estimator."""
    if isinstance(value, list):
        return [_build_nested(item, seed) for item in value]
    return _build(value, seed) if _names_estimator(value) else value


def _names_estimator(value: Any) -> bool:
    is_path = isinstance(value, dict) and isinstance(value.get("estimator"), str)
    return is_path and value.keys() <= {"estimator", "parameters"}


def _list_paths(settings: Mapping[str, Any]) -> Iterator[str]:
    """The import paths of a model and of the estimators in its parameters."""
    yield settings["estimator"]
    values = list((settings.get("parameters") or {}).values())
    while values:
        value = values.pop()
        if isinstance(value, list):
            values += value
        elif _names_estimator(value):
            yield from _list_paths(value)


def _load_class(path: str) -> Any:
    from sklearn.base import BaseEstimator

    module, _, name = path.rpartition(".")
    try:
        loaded = getattr(importlib.import_module(module), name)
    except Exception as error:
        raise ExperimentError(f"estimator {path} can't be imported: {error}.") from None
    is_estimator = inspect.isclass(loaded) and issubclass(loaded, BaseEstimator)
    if not is_estimator or inspect.isabstract(loaded):
        raise ExperimentError(f"estimator {path} is not an estimator of scikit-learn's kind.")
    return loaded
