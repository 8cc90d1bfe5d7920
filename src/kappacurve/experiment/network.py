"""A network of one hidden layer trained on the log-loss, compiled.

It minimises what scikit-learn's ``MLPClassifier(activation="logistic", solver="lbfgs")`` does,
from the same start and with the same limits. On a few hundred rows the library spends nearly all
its time outside the arithmetic; thousands of replicates need a trainer that doesn't.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from kappacurve._validation import FloatArray


class NetworkClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Two-class network with one hidden layer of logistic units, trained by L-BFGS.

    Parameters
    ----------
    n_hidden : int, default 5
    alpha : float, default 1e-4
        Penalty: alpha |weights|^2 / (2 n) is added to the mean log-loss; biases are free.
    tol : float, default 1e-4
        Stop where no component of the gradient is larger.
    max_iter : int, default 200
    random_state : int, RandomState or None
        For the start, drawn as scikit-learn's MLPClassifier draws it.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    coefs_ : list of ndarrays of shape (n_features, n_hidden) and (n_hidden, 1)
    intercepts_ : list of ndarrays of shape (n_hidden,) and (1,)
    loss_ : float
    n_iter_ : int
    n_features_in_ : int

    See Also
    --------
    sklearn.neural_network.MLPClassifier : The same model; the reference in the tests.

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, algorithms 3.5, 3.6, 7.4 and 7.5.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> bool(NetworkClassifier(random_state=0).fit(X, y).score(X, y) > 0.8)
    True
    """

    def __init__(
        self,
        n_hidden: int = 5,
        *,
        alpha: float = 1e-4,
        tol: float = 1e-4,
        max_iter: int = 200,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Train on X of shape (n_samples, n_features) and labels y of two classes."""
        # Here, not above: importing numba takes a good part of a second.
        from kappacurve.experiment import _network_kernels as kernels

        for name, least in (("n_hidden", 1), ("max_iter", 1), ("alpha", 0), ("tol", 0)):
            if not getattr(self, name) >= least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)!r}.")
        rows, labels = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(labels)
        kind = type_of_target(labels, input_name="y")
        if kind != "binary":
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        self.classes_, target = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must hold two classes, got one class: {self.classes_[0]!r}.")
        weights = self._start(rows.shape[1])
        columns = np.ascontiguousarray(rows.T)
        limits = float(self.alpha), float(self.tol), int(self.max_iter)
        self.n_iter_, self.loss_, ended = kernels.train(
            rows, columns, target.astype(np.float64), weights, int(self.n_hidden), *limits
        )
        if ended == kernels.REACHED_MAX_ITER:
            warnings.warn(
                f"not converged after {self.n_iter_} iterations", ConvergenceWarning, stacklevel=2
            )
        self._unpack(weights)
        return self

    def _start(self, d: int) -> FloatArray:
        """Glorot & Bengio's uniform start, with the draws in scikit-learn's order."""
        h, rng = int(self.n_hidden), check_random_state(self.random_state)
        inner, outer = np.sqrt(2.0 / (d + h)), np.sqrt(2.0 / (h + 1))
        hidden = rng.uniform(-inner, inner, (d, h))
        biases = rng.uniform(-inner, inner, h)
        output = rng.uniform(-outer, outer, (h, 1))
        bias = rng.uniform(-outer, outer, 1)
        return np.concatenate([hidden.T.ravel(), biases, output.ravel(), bias])

    def _unpack(self, weights: FloatArray) -> None:
        h, d = int(self.n_hidden), self.n_features_in_
        hidden, biases, output, bias = np.split(weights, np.cumsum([h * d, h, h]))
        self.coefs_ = [hidden.reshape(h, d).T, output.reshape(h, 1)]
        self.intercepts_ = [biases, bias]
        self._weights = weights

    def decision_function(self, X: npt.ArrayLike) -> FloatArray:
        """Net input of the output node, shape (n_samples,): above 0 where classes_[1] is likelier.

        It orders rows as the probability does, without the ties of a saturated one.
        """
        from kappacurve.experiment import _network_kernels as kernels

        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        h = len(self.intercepts_[0])
        columns = np.ascontiguousarray(rows.T)
        return kernels.net_inputs(columns, self._weights, h, np.empty((h, len(rows))))

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """Probabilities of both classes, shape (n_samples, 2)."""
        z = self.decision_function(X)
        return np.column_stack([expit(-z), expit(z)])

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Labels of shape (n_samples,)."""
        above = self.decision_function(X) > 0.0
        return np.asarray(self.classes_[above.astype(np.intp)])

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: two classes only."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
