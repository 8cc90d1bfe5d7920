"""The user's own models: a scikit-learn estimator by its import path, resampling by name."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from study.arrays import IntArray
from study.errors import ExperimentError

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
    given, known = settings.get("parameters", {}), inspect.signature(_load(path)).parameters
    for name in given:
        if name not in known:
            near = get_close_matches(str(name), known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}."
            raise ExperimentError(f"{path} has no parameter {name}; {hint}")
    named = [one for one in known.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    required = [one.name for one in named if one.default is one.empty and one.name not in given]
    if required:
        raise ExperimentError(f"{path} needs a value for {', '.join(required)} under parameters.")
    try:
        build_estimator(settings, seed=0)
    except Exception as error:
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
        found = getattr(importlib.import_module(module), name, None)
    except Exception as error:
        raise ExperimentError(f"estimator {path} can't be imported: {error}.") from None
    if found is None:
        raise ExperimentError(f"estimator {path}: {module} has no {name}.")
    if not (inspect.isclass(found) and hasattr(found, "fit") and hasattr(found, "predict")):
        raise ExperimentError(f"estimator {path} is not a class with fit and predict.")
    from sklearn.base import ClassifierMixin

    if not issubclass(found, ClassifierMixin) or inspect.isabstract(found):
        raise ExperimentError(f"estimator {path} is not a classifier.")
    return found
