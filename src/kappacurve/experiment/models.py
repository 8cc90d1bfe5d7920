"""The registry of models: a name, and a function that builds the unfitted estimator.

To add a model, write a function that takes the seed and its own settings as keyword arguments,
register it, and name it under ``models`` in the config. scikit-learn is imported when a model
is built, so that checking a config stays quick.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kappacurve.experiment.errors import ExperimentError

Scaling = Literal["standard", "minmax"]
Builder = Callable[..., Any]
MODELS: dict[str, Builder] = {}


def register(build: Builder) -> Builder:
    """Add a builder to the registry under its function's name."""
    MODELS[build.__name__] = build
    return build


@register
def linear(*, seed: int) -> Any:  # noqa: ARG001  least squares needs no seed
    """Ordinary least squares on the 0/1 label (Kaymak et al. 2010, section 8)."""
    from sklearn.linear_model import LinearRegression

    return LinearRegression()


@register
def logistic(*, seed: int, C: float = 1.0) -> Any:  # noqa: ARG001
    """Logistic regression with a ridge penalty of 1/C: the linear baseline of today."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=C, max_iter=1000)


@register
def neural_net(
    *,
    seed: int,
    hidden_units: int = 5,
    solver: str = "lbfgs",
    alpha: float = 1e-4,
    max_iter: int = 200,
) -> Any:
    """One hidden layer of logistic units, trained by scikit-learn on the log-loss."""
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier(
        hidden_layer_sizes=(hidden_units,),
        activation="logistic",
        solver=solver,
        alpha=alpha,
        max_iter=max_iter,
        random_state=seed,
    )


@register
def neural_net_lm(
    *,
    seed: int,
    hidden_units: int = 5,
    early_stopping: bool = True,
    patience: int = 6,
    validation_fraction: float = 0.2,
    unused_fraction: float = 0.2,
    initialization: Literal["nguyen_widrow", "uniform"] = "nguyen_widrow",
    max_iter: int = 1000,
) -> Any:
    """The same network with a logistic output, trained on squared error as MATLAB did in 2010."""
    from kappacurve.experiment.levenberg_marquardt import LevenbergMarquardtClassifier

    return LevenbergMarquardtClassifier(
        n_hidden=hidden_units,
        early_stopping=early_stopping,
        patience=patience,
        validation_fraction=validation_fraction,
        unused_fraction=unused_fraction,
        initialization=initialization,
        max_iter=max_iter,
        random_state=seed,
    )


def require_settings(name: str, settings: Mapping[str, Any]) -> None:
    """Refuse a model that is not registered, or a setting that it does not have.

    Raises
    ------
    ExperimentError
        Naming the model or setting, and those that exist.
    """
    if name not in MODELS:
        raise ExperimentError(f"{name} is not a model; there are {', '.join(MODELS)}.")
    known = [key for key in inspect.signature(MODELS[name]).parameters if key != "seed"]
    for key in settings:
        if key not in known:
            offered = f"it has {', '.join(known)}" if known else "it has none"
            raise ExperimentError(f"{name} has no setting {key}; {offered}.")


def build_model(
    name: str, settings: Mapping[str, Any], *, seed: int, scaling: Scaling = "standard"
) -> Any:
    """Unfitted pipeline of feature scaling (learnt from the training rows) and the model."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    require_settings(name, settings)
    scaler = StandardScaler() if scaling == "standard" else MinMaxScaler(feature_range=(-1, 1))
    return make_pipeline(scaler, MODELS[name](seed=seed, **settings))


def scores_of(model: Any, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Scores of a fitted model, higher meaning more likely the class with label 1."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64)
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X)[:, 1], dtype=np.float64)
    return np.asarray(model.predict(X), dtype=np.float64)
