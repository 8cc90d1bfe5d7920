"""A network of one hidden layer trained by Levenberg-Marquardt, as MATLAB's toolbox did in 2010.

Both layers are logistic, the loss is the squared error (Kaymak, Ben-David & Potharst 2010, section
8). The weights are one vector: a row of d + 1 for each of the h hidden neurons, then h + 1 for the
output neuron, each bias last. Inputs x (n, d + 1) therefore end in a column of ones.

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

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.linalg.lapack import dposv
from scipy.special import expit
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from study.arrays import BoolArray, FloatArray, IntArray
from study.errors import ExperimentError

# trainlm's damping: its start, its factors after a step taken or refused, and its limits.
MU, MU_DECREASE, MU_INCREASE, MU_MIN, MU_MAX = 1e-3, 0.1, 10.0, 1e-20, 1e10
# trainlm stops where the Euclidean norm of the gradient is no larger.
MIN_GRADIENT = 1e-10
# initnw's reading of logsig: not saturated at net inputs between minus and plus this.
ACTIVE_RANGE = 4.0
# The paper's hidden neurons. ASSUME: it names MATLAB and no more, so the defaults of newff, trainlm
# and dividerand in 2010: 1000 epochs and 6 validation checks without a lower loss, as the code of
# trainlm has it (its help text says 100 and 5), and two fifths of the rows to validate and to test.
# ASSUME: targets are 0 and 1. newff mapped them to -1 and 1 even under a logistic output, unless
# told not to, and -1 is then out of reach.
HIDDEN_UNITS, MAX_ITER, PATIENCE = 5, 1000, 6
VALIDATION_FRACTION, UNUSED_FRACTION = 0.2, 0.2
# On one thread small matrices are multiplied sooner, and always to the same bytes.
BLAS = ThreadpoolController()


@dataclass(kw_only=True)
class LevenbergMarquardtNetwork:
    """Two-class network with one hidden layer of logistic units, trained on squared error.

    With early_stopping a fifth of the rows validates and another is left out; without it all rows
    train. The seed is for the initial weights first, then the division of the rows.

    Attributes
    ----------
    weights_ : ndarray of shape (HIDDEN_UNITS * (n_features + 2) + 1,)
        Those with the lowest validation loss, and best_iter_ the step that gave them.
    losses_ : ndarray of shape (steps + 1, 2)
        Mean squared error of the training and the validation rows (without early stopping, the
        training rows twice) before the first step and after each.
    """

    early_stopping: bool
    seed: int

    def fit(self, X: FloatArray, y: IntArray) -> Self:
        """Train on X of shape (n_samples, n_features) and y of shape (n_samples,), 0 or 1."""
        n_train, n_validation = self._divide(len(X))
        rng = np.random.default_rng(self.seed)
        # The toolbox removes constant columns; weights of 0 without a gradient come to the same.
        varying = X.min(axis=0) < X.max(axis=0)
        weights = initial_weights(X, varying, rng)
        rows = np.arange(n_train)
        if self.early_stopping:
            rows = rng.permutation(len(X))[: n_train + n_validation]
        with BLAS.limit(limits=1):
            self._train(with_ones(X[rows] * varying), y[rows], n_train, weights)
        return self

    def decision_function(self, X: FloatArray) -> FloatArray:
        """Net input of the output neuron, shape (n_samples,): without the ties of its output."""
        with BLAS.limit(limits=1):
            return net_inputs(with_ones(X), self.weights_)[1]

    def predict_proba(self, X: FloatArray) -> FloatArray:
        """Output of the network, the chance of label 1, after that of label 0: (n_samples, 2)."""
        chance = expit(self.decision_function(X))
        return np.column_stack([1 - chance, chance])

    def _divide(self, n: int) -> tuple[int, int]:
        """Rows to train on and to validate, rounded as dividerand does."""
        if not self.early_stopping:
            return n, 0
        # ASSUME: not stratified, as in dividerand: the classes' shares vary between the parts.
        n_validation = int(VALIDATION_FRACTION * n + 0.5)
        n_train = n - n_validation - int(UNUSED_FRACTION * n + 0.5)
        if n_validation < 1:
            raise ExperimentError(
                f"models.neural_net_lm: {n} training rows leave none to validate: give more rows "
                "or set early_stopping to false."
            )
        return n_train, n_validation

    def _train(self, x: FloatArray, y: IntArray, n: int, weights: FloatArray) -> None:
        """Take steps on the first n rows until patience, their number or the descent ends.

        A step solves (J'J + mu I) step = J'e, with the damping mu that lowers the training loss.
        """
        h, inputs = HIDDEN_UNITS, x.shape[1]

        def evaluate(weights: FloatArray) -> tuple[FloatArray, FloatArray, float, float]:
            """Outputs of both layers for all rows, and losses of training and validation."""
            hidden, z = net_inputs(x, weights)
            output = expit(z)
            squares = (y - output) ** 2
            loss = float(squares[:n].mean())
            return hidden, output, loss, float(squares[n:].mean()) if n < len(y) else loss

        # Allocated in every step, these matrices took half the time.
        J, JJ = np.empty((n, len(weights))), np.empty((len(weights), len(weights)))
        damped = np.empty_like(JJ)
        hidden, output, loss, watched = evaluate(weights)
        self.weights_, self.best_iter_, best = weights, 0, watched
        losses, failures, mu = [(loss, watched)], 0, MU
        while len(losses) <= MAX_ITER and failures < PATIENCE:
            slope = (output * (1.0 - output))[:n, None]
            hidden = hidden[:n]
            inner = slope * weights[-h - 1 : -1] * hidden[:, :-1] * (1.0 - hidden[:, :-1])
            for j in range(h):
                np.multiply(inner[:, j, None], x[:n], out=J[:, j * inputs : (j + 1) * inputs])
            np.multiply(slope, hidden, out=J[:, h * inputs :])
            np.matmul(J.T, J, out=JJ)
            Je = J.T @ (y - output)[:n]
            if np.linalg.norm(Je) <= MIN_GRADIENT:
                break
            while mu <= MU_MAX:
                np.copyto(damped, JJ)
                damped.flat[:: len(Je) + 1] += mu
                _, step, failed = dposv(damped.T, Je, overwrite_a=True)  # by Cholesky's factors
                if not failed:
                    trial = evaluate(weights + step)
                    if trial[2] < loss:
                        break
                mu *= MU_INCREASE
            else:
                break
            weights = weights + step
            hidden, output, loss, watched = trial
            mu = max(mu * MU_DECREASE, MU_MIN)
            if watched < best:
                self.weights_, self.best_iter_, best, failures = weights, len(losses), watched, 0
            elif watched > best:  # equal is neither, as in trainlm
                failures += 1
            losses.append((loss, watched))
        self.losses_ = np.array(losses)


def initial_weights(X: FloatArray, varying: BoolArray, rng: np.random.Generator) -> FloatArray:
    """Draw the weights of a network, 0 for columns that do not vary."""
    hidden = np.zeros((HIDDEN_UNITS, X.shape[1] + 1))
    # ASSUME: ranges of all rows given, the unused ones too, as newff saw the whole input matrix.
    low, high = X[:, varying].min(axis=0), X[:, varying].max(axis=0)
    hidden[:, np.append(varying, True)] = nguyen_widrow(low, high, HIDDEN_UNITS, rng)
    output = nguyen_widrow(np.zeros(HIDDEN_UNITS), np.ones(HIDDEN_UNITS), 1, rng)
    return np.concatenate([hidden.ravel(), output.ravel()])


def nguyen_widrow(
    low: FloatArray, high: FloatArray, n_neurons: int, rng: np.random.Generator
) -> FloatArray:
    """Weights (n_neurons, d + 1) that spread the neurons' active regions over [low, high].

    On inputs and net inputs scaled to [-1, 1]: vectors of length 0.7 n^(1/d) with random direction,
    and evenly spaced biases (Nguyen & Widrow 1990, as in the toolbox's initnw).
    """
    if len(low) == 0:
        return np.zeros((n_neurons, 1))
    length = 0.7 * n_neurons ** (1.0 / len(low))
    direction = rng.uniform(-1.0, 1.0, (n_neurons, len(low)))
    w = length * direction / np.linalg.norm(direction, axis=1, keepdims=True)
    spread = np.linspace(-1.0, 1.0, n_neurons) if n_neurons > 1 else np.zeros(1)
    scale = 2.0 / (high - low)
    biases = length * spread * np.sign(w[:, 0]) + w @ (1.0 - high * scale)
    return ACTIVE_RANGE * np.column_stack([w * scale, biases])


def with_ones(values: FloatArray) -> FloatArray:
    """The rows with a one at the end, for the bias."""
    return np.column_stack([values, np.ones(len(values))])


def net_inputs(x: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Outputs of the hidden layer and a one (n, h + 1), net inputs of the output neuron (n,)."""
    h = len(weights) // (x.shape[1] + 1)
    hidden = with_ones(expit(x @ weights[: -h - 1].reshape(h, -1).T))
    return hidden, hidden @ weights[-h - 1 :]
