"""A network of one hidden layer trained on the log-loss by compiled loops.

It minimises the same function as scikit-learn's ``MLPClassifier(activation="logistic",
solver="lbfgs")``, from the same start and with the same limits. On a few hundred rows scikit-learn
spends most of its time outside the arithmetic; thousands of replicates need a faster trainer.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from study.arrays import FloatArray
from study.errors import ConvergenceWarning


@dataclass
class CompiledNetwork:
    """Two-class network with one hidden layer of logistic units, trained by L-BFGS.

    It does not check its input: finite, scaled features and labels 0 and 1.

    Parameters
    ----------
    n_hidden : int
    alpha : float
        Penalty: alpha |weights|^2 / (2 n) is added to the mean log-loss; biases are not penalised.
    tol : float
        Stop where no component of the gradient is larger.
    max_iter : int
    seed : int
        For the start, drawn as scikit-learn's MLPClassifier draws it.

    Attributes
    ----------
    weights_ : ndarray of shape (n_hidden * (n_features + 2) + 1,)
        As in the kernels: hidden weights (n_hidden rows), hidden biases, output weights and bias.
    loss_ : float
    n_iter_ : int

    See Also
    --------
    sklearn.neural_network.MLPClassifier : The same model; the reference in the tests.

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, algorithms 3.5, 3.6, 7.4 and 7.5.
    """

    n_hidden: int = 5
    alpha: float = 1e-4
    tol: float = 1e-4
    max_iter: int = 200
    seed: int = 0

    def fit(self, X: FloatArray, y: npt.NDArray[np.int64]) -> Self:
        """Train on X of shape (n_samples, n_features) and y of shape (n_samples,), 0 or 1."""
        # Imported here because numba takes most of a second to import.
        from study.models import network_kernels as kernels

        rows, columns = np.ascontiguousarray(X), np.ascontiguousarray(X.T)
        self.weights_ = self._start(rows.shape[1])
        problem = rows, columns, y.astype(np.float64), self.n_hidden, float(self.alpha)
        self.n_iter_, self.loss_, ended = kernels.train(
            problem, self.weights_, float(self.tol), self.max_iter
        )
        if ended == kernels.REACHED_MAX_ITER:
            text = f"not converged after {self.n_iter_} iterations"
            warnings.warn(text, ConvergenceWarning, stacklevel=2)
        return self

    def _start(self, d: int) -> FloatArray:
        """Glorot & Bengio's uniform start, with the draws in scikit-learn's order."""
        h, rng = self.n_hidden, np.random.RandomState(self.seed)
        inner, outer = np.sqrt(2.0 / (d + h)), np.sqrt(2.0 / (h + 1))
        hidden = rng.uniform(-inner, inner, (d, h))
        biases = rng.uniform(-inner, inner, h)
        output = rng.uniform(-outer, outer, h)
        bias = rng.uniform(-outer, outer, 1)
        return np.concatenate([hidden.T.ravel(), biases, output, bias])

    def decision_function(self, X: FloatArray) -> FloatArray:
        """Net input of the output neuron, shape (n_samples,): above 0 where class 1 is likelier.

        It orders rows as the probability does, without the ties of a saturated one.
        """
        from study.models import network_kernels as kernels

        columns, h = np.ascontiguousarray(X.T), self.n_hidden
        return kernels.net_inputs(columns, self.weights_, h, np.empty((h, len(X))))
