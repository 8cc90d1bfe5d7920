"""A small feed-forward network trained by Levenberg-Marquardt, as MATLAB's toolbox did in 2010.

One hidden layer, logistic transfer in both layers, squared error (Kaymak, Ben-David & Potharst
2010, section 8). The defaults are those of Neural Network Toolbox 6 (R2008a to R2010a): newff
trained by trainlm with its automatic data division. `fit_networks` trains many networks of the
same shape; `LevenbergMarquardtClassifier` is one of them in scikit-learn's dress.

Inputs are taken as they come: scale them first (the toolbox mapped each column to [-1, 1]).

References
----------
Hagan & Menhaj (1994), Training feedforward networks with the Marquardt algorithm, IEEE Trans.
Neural Networks 5(6), 989-993, doi:10.1109/72.329697.
Nguyen & Widrow (1990), Improving the learning speed of 2-layer neural networks by choosing
initial values of the adaptive weights, Proc. IJCNN 3, 21-26, doi:10.1109/IJCNN.1990.137819.
Beale, Hagan & Demuth, Neural Network Toolbox: the functions trainlm, dividerand, initnw, logsig
and newff of version 6 (2008), and dividerand of version 7 (2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from kappacurve._validation import FloatArray
from study.models.lm_setup import (
    Initialization,
    TrainingSettings,
    division_sizes,
    draw_weights,
    varying_columns,
)

__all__ = [
    "LevenbergMarquardtClassifier",
    "TrainedNetworks",
    "TrainingSettings",
    "fit_networks",
    "network_scores",
]

StopReason = Literal["max_iter", "min_grad", "mu_max", "validation"]
Seed = int | np.random.SeedSequence | np.random.Generator

# In the order of the kernel's stop codes.
STOP_REASONS: tuple[StopReason, ...] = ("max_iter", "min_grad", "mu_max", "validation")


class TrainedNetworks(NamedTuple):
    """b networks as `fit_networks` leaves them.

    weights is of shape (b, p), p = n_hidden (d + 2) + 1, a row holding the hidden weights
    (n_hidden rows of d), hidden biases, output weights and output bias. n_iter (b,) counts the
    steps taken, best_iter (b,) names the one whose weights are kept. The curves hold one array of
    n_iter + 1 mean squared errors a network, the first from before any step; without validation
    rows the validation curve repeats the training loss.
    """

    weights: FloatArray
    n_iter: npt.NDArray[np.intp]
    best_iter: npt.NDArray[np.intp]
    stop_reason: tuple[StopReason, ...]
    loss_curve: tuple[FloatArray, ...]
    validation_curve: tuple[FloatArray, ...]


def fit_networks(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    seeds: Sequence[Seed],
    settings: TrainingSettings | None = None,
    initial_weights: npt.ArrayLike | None = None,
) -> TrainedNetworks:
    """Train b independent networks of the same shape.

    A network depends on its own rows, targets and seed alone: its weights are the same to the
    last bit whichever networks are trained with it.

    Parameters
    ----------
    X : array-like of shape (b, n, d)
        Finite inputs, on the scale they are to be used.
    y : array-like of shape (b, n)
        Targets: 0 and 1 for classes, though any finite number is fitted.
    seeds : sequence of b ints, SeedSequences or Generators
        For the initial weights first, then the division of the rows.
    settings : TrainingSettings, optional
    initial_weights : array-like of shape (b, p), optional
        Start here instead of drawing; the seed divides the rows as it would have.

    Returns
    -------
    TrainedNetworks

    Raises
    ------
    ValueError
        If an argument has the wrong shape or is not finite, or if the fractions of the settings
        leave no row to train on or to watch.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 40).reshape(1, 40, 1)
    >>> trained = fit_networks(X, X[:, :, 0] > 0, seeds=[0], settings=TrainingSettings(n_hidden=2))
    >>> trained.weights.shape
    (1, 7)
    """
    chosen = settings or TrainingSettings()
    rows, targets = _finite("X", X, 3), _finite("y", y, 2)
    b, n, d = rows.shape
    if targets.shape != (b, n):
        raise ValueError(f"y must be of shape {(b, n)} to go with X, got {targets.shape}.")
    if len(seeds) != b:
        raise ValueError(f"seeds must hold one seed a network, got {len(seeds)} for {b}.")
    starts: Sequence[FloatArray | None] = [None] * b
    if initial_weights is not None:
        shape = (b, chosen.n_hidden * (d + 2) + 1)
        starts = list(_checked_weights("initial_weights", initial_weights, shape))
    generators = [_generator("seeds", seed) for seed in seeds]
    trained = [
        _train_one(*network, chosen)
        for network in zip(rows, targets, generators, starts, strict=True)
    ]
    weights, steps, kept, codes, curves = zip(*trained, strict=True)
    return TrainedNetworks(
        np.array(weights),
        np.array(steps, dtype=np.intp),
        np.array(kept, dtype=np.intp),
        tuple(STOP_REASONS[code] for code in codes),
        tuple(curve[0] for curve in curves),
        tuple(curve[1] for curve in curves),
    )


def _train_one(
    X: FloatArray,
    y: FloatArray,
    rng: np.random.Generator,
    start: FloatArray | None,
    settings: TrainingSettings,
) -> tuple[FloatArray, int, int, int, FloatArray]:
    """Weights kept, steps taken, step kept, stop code and curves (2, steps + 1) of a network."""
    # Here, not above: importing numba takes a good part of a second.
    from study.models import lm_kernels as kernels

    n, h = len(X), int(settings.n_hidden)
    n_train, n_validation = division_sizes(n, settings)
    # Drawn even where a start is given, so that the division of a seed is always the same.
    w = draw_weights(X, rng, settings)
    if start is not None:
        w = start.copy()
    order = rng.permutation(n) if settings.early_stopping else np.arange(n)
    # The toolbox removes constant columns; weights of 0 without a gradient come to the same.
    varying = varying_columns(X)
    rows = np.where(varying, X, 0.0)[order]
    w[: h * X.shape[1]].reshape(h, -1)[:, ~varying] = 0.0
    curves = np.empty((2, int(settings.max_iter) + 1))
    limits = (int(settings.max_iter), int(settings.patience), float(settings.min_grad))
    s = settings
    damping = (float(s.mu), float(s.mu_dec), float(s.mu_inc), float(s.mu_max))
    steps, kept, code = kernels.train(
        rows, y[order], n_train, n_validation, w, h, limits, damping, curves
    )
    return w, steps, kept, code, curves[:, : steps + 1].copy()


class LevenbergMarquardtClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Two-class network of one hidden layer, trained by Levenberg-Marquardt on squared error.

    Parameters
    ----------
    n_hidden : int, default 5
        Hidden neurons, at least 1.
    max_iter : int, default 1000
        Most steps to take (trainlm's epochs).
    early_stopping : bool, default True
        Divide the rows at random and stop by the loss of the validation part. False trains on
        all rows, and the two fractions and the patience have no effect.
    validation_fraction : float in (0, 1), default 0.2
        Share of the rows watched for early stopping.
    unused_fraction : float in [0, 1), default 0.2
        Share of the rows set aside and used for nothing, as the toolbox does for its test set.
    patience : int, default 6
        Steps with a validation loss above the best after which to stop (trainlm's max_fail).
    initialization : {"nguyen_widrow", "uniform"}, default "nguyen_widrow"
        Initial weights by initnw, or uniform in [-1, 1] (the toolbox's rands).
    mu, mu_dec, mu_inc, mu_max : float, default 1e-3, 0.1, 10 and 1e10
        Initial damping, its factors after a step taken or refused, and where to give up.
    min_grad : float, default 1e-10
        Stop where the Euclidean norm of J'e, summed over rows, is no more.
    random_state : int, Generator, RandomState or None, default None
        For the initial weights and the division. An int gives the same bytes each time.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted labels; the network's target is 1 for the second.
    coefs_ : list of ndarrays of shape (n_features, n_hidden) and (n_hidden, 1)
    intercepts_ : list of ndarrays of shape (n_hidden,) and (1,)
    n_iter_ : int
        Steps taken; the weights kept can be those of an earlier one, `best_iter_`.
    best_iter_ : int
    loss_curve_, validation_curve_ : list of n_iter_ + 1 floats
        Mean squared error before the first step and after each. validation_curve_ is None
        without early stopping.
    stop_reason_ : {"max_iter", "min_grad", "mu_max", "validation"}
    n_features_in_ : int

    Notes
    -----
    A column that is constant in the rows given to fit gets weight 0, as the toolbox removes it.
    `fit` raises ValueError for a parameter out of range, inputs that are not finite, labels that
    are not of two classes, and too few rows to divide.

    References
    ----------
    Kaymak, Ben-David & Potharst (2010), section 8; see the module for the trainer.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> model = LevenbergMarquardtClassifier(random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.8)
    True
    """

    # ASSUME: the paper names the network's shape and MATLAB, and no more. So: all defaults of
    # newff and trainlm in 2010, data division included. Alternatives: early_stopping=False, or
    # validation_fraction = unused_fraction = 0.15, the default from R2010b on.
    # ASSUME: 1000 steps and patience 6, as trainlm's code has it; its help text says 100 and 5.
    # ASSUME: targets are 0 and 1. newff mapped them to -1 and 1 even under a logistic output,
    # unless told not to, and -1 is then out of reach. Alternative: such targets in fit_networks.
    def __init__(
        self,
        n_hidden: int = 5,
        *,
        max_iter: int = 1000,
        early_stopping: bool = True,
        validation_fraction: float = 0.2,
        unused_fraction: float = 0.2,
        patience: int = 6,
        initialization: Initialization = "nguyen_widrow",
        mu: float = 1e-3,
        mu_dec: float = 0.1,
        mu_inc: float = 10.0,
        mu_max: float = 1e10,
        min_grad: float = 1e-10,
        random_state: int | np.random.Generator | np.random.RandomState | None = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.unused_fraction = unused_fraction
        self.patience = patience
        self.initialization = initialization
        self.mu = mu
        self.mu_dec = mu_dec
        self.mu_inc = mu_inc
        self.mu_max = mu_max
        self.min_grad = min_grad
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Train on X of shape (n_samples, n_features) and labels y of two classes."""
        names = (field.name for field in fields(TrainingSettings))
        settings = TrainingSettings(**{name: getattr(self, name) for name in names})
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        rng = _generator("random_state", self.random_state)
        self.classes_, target = _two_classes(labels)
        trained = fit_networks([rows], [target], seeds=[rng], settings=settings)
        self._weights = trained.weights[0]
        h, d = settings.n_hidden, rows.shape[1]
        hidden, biases, output, bias = np.split(self._weights, np.cumsum([h * d, h, h]))
        self.coefs_ = [hidden.reshape(h, d).T, output.reshape(h, 1)]
        self.intercepts_ = [biases, bias]
        self.n_iter_, self.best_iter_ = int(trained.n_iter[0]), int(trained.best_iter[0])
        self.loss_curve_: list[float] = trained.loss_curve[0].tolist()
        self.validation_curve_: list[float] | None = (
            trained.validation_curve[0].tolist() if settings.early_stopping else None
        )
        self.stop_reason_ = trained.stop_reason[0]
        return self

    def decision_function(self, X: npt.ArrayLike) -> FloatArray:
        """Net input of the output node, shape (n_samples,): above 0 where classes_[1] is likelier.

        It orders rows as the output does, without the ties that a saturated output has.
        """
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        scores = network_scores([rows], [self._weights], len(self.intercepts_[0]))
        return np.asarray(scores[0])

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Network's output for classes_[1] and what is left to 1, shape (n_samples, 2)."""
        z = self.decision_function(X)
        return np.column_stack([expit(-z), expit(z)])

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Labels of shape (n_samples,): classes_[1] where the output is above one half."""
        above = self.decision_function(X) > 0.0
        return np.asarray(self.classes_[above.astype(np.intp)])

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: two classes only."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def network_scores(X: npt.ArrayLike, weights: npt.ArrayLike, n_hidden: int) -> FloatArray:
    """Net inputs of the output node of b networks.

    Parameters
    ----------
    X : array-like of shape (b, n, d)
    weights : array-like of shape (b, n_hidden (d + 2) + 1)
        As in `TrainedNetworks`.
    n_hidden : int

    Returns
    -------
    ndarray of shape (b, n)

    Raises
    ------
    ValueError
        If the shapes do not fit, or a value is not finite.
    """
    from study.models import lm_kernels as kernels

    rows = _finite("X", X, 3)
    b, _, d = rows.shape
    networks = _checked_weights("weights", weights, (b, n_hidden * (d + 2) + 1))
    pairs = zip(rows, networks, strict=True)
    return np.array([kernels.net_inputs(X_one, w, n_hidden) for X_one, w in pairs])


def _two_classes(y: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], FloatArray]:
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y")
    if kind != "binary":
        # scikit-learn's own words, which its estimator checks look for.
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}."
        )
    classes, target = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y must hold two classes, got one class: {classes[0]!r}.")
    return classes, target.astype(np.float64)


def _generator(name: str, seed: Any) -> np.random.Generator:
    if isinstance(seed, np.random.RandomState):
        seed = seed.randint(2**31)
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {seed!r} cannot seed a generator: {error}.") from None


def _checked_weights(name: str, weights: npt.ArrayLike, shape: tuple[int, int]) -> FloatArray:
    array = _finite(name, weights, 2)
    if array.shape != shape:
        raise ValueError(f"{name} must be of shape {shape}, got {array.shape}.")
    return array


def _finite(name: str, values: npt.ArrayLike, ndim: int) -> FloatArray:
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers only: {error}.") from None
    if array.ndim != ndim or array.size == 0:
        raise ValueError(f"{name} must be of {ndim} dimensions, not empty, got {array.shape}.")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite: remove or impute the rows that are not.")
    return array
