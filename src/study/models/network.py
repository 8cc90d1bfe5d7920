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

from study.arrays import FloatArray, IntArray
from study.errors import ConvergenceWarning


@dataclass
class CompiledNetwork:
    """Two-class network with one hidden layer of logistic units, trained by L-BFGS.

    alpha |weights|^2 / (2 n) is added to the mean log-loss, biases apart; training stops where no
    component of the gradient is larger than tol. It does not check its input: finite, scaled
    features and labels 0 and 1. ``weights_`` has the shape (hidden_units * (n_features + 2) + 1,):
    hidden weights (a row for each unit), hidden biases, output weights and bias.

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, algorithms 3.5, 3.6, 7.4 and 7.5.
    """

    hidden_units: int = 5
    alpha: float = 1e-4
    tol: float = 1e-4
    max_iter: int = 200
    seed: int = 0

    def fit(self, X: FloatArray, y: IntArray) -> Self:
        """Train on X of shape (n_samples, n_features) and y of shape (n_samples,), 0 or 1."""
        # Imported here because numba takes most of a second to import.
        from study.models import network_kernels as kernels

        rows, columns = np.ascontiguousarray(X), np.ascontiguousarray(X.T)
        self.weights_ = self._start(rows.shape[1])
        problem = rows, columns, y.astype(np.float64), self.hidden_units, float(self.alpha)
        self.n_iter_, self.loss_, stopped = kernels.train(
            problem, self.weights_, float(self.tol), self.max_iter
        )
        if stopped:
            text = f"not converged after {self.n_iter_} iterations"
            warnings.warn(text, ConvergenceWarning, stacklevel=2)
        return self

    def _start(self, d: int) -> FloatArray:
        """Glorot & Bengio's uniform start, with the draws in scikit-learn's order."""
        h, rng = self.hidden_units, np.random.RandomState(self.seed)
        inner, outer = np.sqrt(2.0 / (d + h)), np.sqrt(2.0 / (h + 1))
        hidden = rng.uniform(-inner, inner, (d, h))
        biases = rng.uniform(-inner, inner, h)
        output = rng.uniform(-outer, outer, h)
        bias = rng.uniform(-outer, outer, 1)
        return np.concatenate([hidden.T.ravel(), biases, output, bias])

    def decision_function(self, X: FloatArray) -> FloatArray:
        """Net input of the output neuron, shape (n_samples,): without the ties of its output."""
        from study.models import network_kernels as kernels

        columns, h = np.ascontiguousarray(X.T), self.hidden_units
        return kernels.net_inputs(columns, self.weights_, h, np.empty((h, len(X))))
