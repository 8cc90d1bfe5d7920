"""Logistic regression with a ridge penalty."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import expit

from study.arrays import FloatArray, IntArray
from study.errors import ConvergenceWarning

# Of scikit-learn's solver "newton-cholesky": limits of gradient and decrement, of steps and of
# halvings, and the part of the decrease promised that a step has to keep.
TOLERANCE, MOST_STEPS, MOST_HALVINGS, ARMIJO = 1e-4, 100, 20, 2.0**-11


@dataclass
class RidgeLogistic:
    """The steps of scikit-learn's LogisticRegression(solver="newton-cholesky"), without its checks.

    It minimises the mean log-loss plus |weights|^2 / (2 n C), the intercept apart, by Newton's
    method with a step halved until it lowers the loss. In thousands of replicates, that class
    spends most of its time on checking its input.
    """

    C: float = 1.0

    def fit(self, X: FloatArray, y: IntArray) -> Self:
        """Fit one weight per column and, last, an intercept; labels are 0 and 1."""
        n, d = X.shape
        x = np.column_stack([X, np.ones(n)])
        penalty = np.append(np.full(d, 1.0 / (self.C * n)), 0.0)
        w, z = np.zeros(d + 1), np.zeros(n)
        chance, loss = expit(z), _loss(z, y, w, penalty)
        gradient = x.T @ (chance - y) / n + penalty * w
        for _ in range(MOST_STEPS):
            hessian = (x.T * (chance * (1.0 - chance) / n)) @ x
            hessian.flat[:: d + 2] += penalty
            step = -np.linalg.solve(hessian, gradient)
            along, slope = x @ step, gradient @ step
            for size in 0.5 ** np.arange(MOST_HALVINGS + 1):
                trial = _loss(z + size * along, y, w + size * step, penalty)
                # At the minimum itself, rounding decides which of two losses is smaller.
                if trial - loss <= max(size * ARMIJO * slope, 16 * np.spacing(loss)):
                    break
            w, z, loss = w + size * step, z + size * along, trial
            chance = expit(z)
            gradient = x.T @ (chance - y) / n + penalty * w
            if max(np.abs(gradient).max(), step @ hessian @ step / 2.0) <= TOLERANCE:
                break
        else:
            warnings.warn("not converged", ConvergenceWarning, stacklevel=2)
        self.weights_ = w
        return self

    def decision_function(self, X: FloatArray) -> FloatArray:
        """Log-odds of label 1, shape (n_samples,)."""
        return np.asarray(X @ self.weights_[:-1] + self.weights_[-1])

    def predict_proba(self, X: FloatArray) -> FloatArray:
        """The chance of label 1, after that of label 0: (n_samples, 2)."""
        chance = expit(self.decision_function(X))
        return np.column_stack([1 - chance, chance])


def _loss(z: FloatArray, y: IntArray, w: FloatArray, penalty: FloatArray) -> float:
    return float(np.mean(np.logaddexp(0.0, z) - y * z) + penalty @ w**2 / 2.0)
