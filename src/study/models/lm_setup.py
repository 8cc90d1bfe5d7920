"""What a Levenberg-Marquardt network starts from: settings, initial weights, data division.

The sources are those of `levenberg_marquardt`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from kappacurve._validation import BoolArray, FloatArray

Initialization = Literal["nguyen_widrow", "uniform"]

# initnw's reading of logsig: net inputs between these bounds are where it is not saturated.
_ACTIVE_RANGE = 4.0


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of the trainer; `LevenbergMarquardtClassifier` says what each means.

    Raises
    ------
    ValueError
        If a setting is out of its range; the message names it.
    """

    n_hidden: int = 5
    max_iter: int = 1000
    early_stopping: bool = True
    validation_fraction: float = 0.2
    unused_fraction: float = 0.2
    patience: int = 6
    initialization: Initialization = "nguyen_widrow"
    mu: float = 1e-3
    mu_dec: float = 0.1
    mu_inc: float = 10.0
    mu_max: float = 1e10
    min_grad: float = 1e-10

    def __post_init__(self) -> None:
        """Check every setting."""
        for name in ("n_hidden", "max_iter", "patience"):
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name} must be an integer of at least 1, got {value!r}.")
        if not isinstance(self.early_stopping, bool | np.bool_):
            raise ValueError(f"early_stopping must be True or False, got {self.early_stopping!r}.")
        if self.initialization not in ("nguyen_widrow", "uniform"):
            raise ValueError(
                f"initialization must be 'nguyen_widrow' or 'uniform', got {self.initialization!r}."
            )
        _check_real("mu_max", self.mu_max, 0.0, "(", np.inf, ")")
        _check_real("mu", self.mu, 0.0, "(", self.mu_max, "]")
        _check_real("mu_dec", self.mu_dec, 0.0, "(", 1.0, "]")
        _check_real("mu_inc", self.mu_inc, 1.0, "(", np.inf, ")")
        _check_real("min_grad", self.min_grad, 0.0, "[", np.inf, ")")
        _check_real("validation_fraction", self.validation_fraction, 0.0, "(", 1.0, ")")
        _check_real("unused_fraction", self.unused_fraction, 0.0, "[", 1.0, ")")
        if self.validation_fraction + self.unused_fraction >= 1.0:
            raise ValueError(
                "validation_fraction and unused_fraction must leave rows to train on: "
                f"{self.validation_fraction} + {self.unused_fraction} is 1 or more."
            )


def draw_weights(X: FloatArray, rng: np.random.Generator, settings: TrainingSettings) -> FloatArray:
    """Initial weights of one network for inputs X (n, d), shape (n_hidden (d + 2) + 1,).

    "nguyen_widrow" spreads the hidden neurons' active regions over the inputs' ranges: on inputs
    and net inputs scaled to [-1, 1], weight vectors of length 0.7 h^(1/d) with random direction,
    and evenly spaced biases (Nguyen & Widrow 1990, as in the toolbox's initnw); columns without
    variation get weight 0 and do not count in d. "uniform" draws every weight from [-1, 1].
    """
    h, varying = settings.n_hidden, varying_columns(X)
    d = X.shape[1]
    if settings.initialization == "uniform":
        return np.asarray(rng.uniform(-1.0, 1.0, h * (d + 2) + 1))
    hidden = np.zeros((h, d))
    # ASSUME: ranges of all rows given, the unused ones too, as newff saw the whole input matrix.
    inputs = X[:, varying]
    hidden[:, varying], biases = nguyen_widrow(inputs.min(axis=0), inputs.max(axis=0), h, rng)
    output, bias = nguyen_widrow(np.zeros(h), np.ones(h), 1, rng)
    return np.concatenate([hidden.ravel(), biases, output.ravel(), bias])


def nguyen_widrow(
    low: FloatArray, high: FloatArray, n_neurons: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Weights (n_neurons, d) and biases (n_neurons,) of a logistic layer for inputs in [low, high].

    >>> w, b = nguyen_widrow(np.zeros(2), np.ones(2), 9, np.random.default_rng(0))
    >>> (np.linalg.norm(w, axis=1) / 8).round(6)  # 8: active range over half the input range
    array([2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1])
    """
    d = len(low)
    if d == 0:
        return np.zeros((n_neurons, 0)), np.zeros(n_neurons)
    magnitude = 0.7 * n_neurons ** (1.0 / d)
    direction = rng.uniform(-1.0, 1.0, (n_neurons, d))
    w = magnitude * direction / np.sqrt((direction**2).sum(axis=1, keepdims=True))
    spread = np.linspace(-1.0, 1.0, n_neurons) if n_neurons > 1 else np.zeros(1)
    b = magnitude * spread * np.sign(w[:, 0])
    scale = 1.0 / (high / 2 - low / 2)  # halved: high - low may be beyond the largest float
    offset = 1.0 - high * scale
    return _ACTIVE_RANGE * w * scale, _ACTIVE_RANGE * (b + (w * offset).sum(axis=1))


def division_sizes(n: int, settings: TrainingSettings) -> tuple[int, int]:
    """Rows to train on and to watch out of n, rounded as dividerand does.

    >>> division_sizes(500, TrainingSettings())
    (300, 100)
    """
    if not settings.early_stopping:
        return n, 0
    # ASSUME: not stratified, as in dividerand: the classes' shares vary between the parts.
    n_validation = math.floor(settings.validation_fraction * n + 0.5)
    n_train = n - n_validation - math.floor(settings.unused_fraction * n + 0.5)
    if n_validation < 1 or n_train < 1:
        raise ValueError(
            f"validation_fraction={settings.validation_fraction} and unused_fraction="
            f"{settings.unused_fraction} leave {n_train} rows to train on and {n_validation} to "
            f"watch out of n_samples={n}: give more rows or set early_stopping=False."
        )
    return n_train, n_validation


def varying_columns(X: FloatArray) -> BoolArray:
    """Columns whose values differ by more than a denormal number."""
    spread = X.max(axis=0) / 2 - X.min(axis=0) / 2
    return np.asarray(spread > np.finfo(np.float64).tiny)


def _check_real(name: str, value: Any, low: float, left: str, high: float, right: str) -> None:
    inside = isinstance(value, Real) and not isinstance(value, bool)
    inside = inside and (low < value or (left == "[" and value == low))
    inside = inside and (value < high or (right == "]" and value == high))
    if not inside:
        raise ValueError(
            f"{name} must be a number in {left}{low:g}, {high:g}{right}, got {value!r}."
        )
