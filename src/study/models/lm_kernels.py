"""Compiled loops of the Levenberg-Marquardt trainer.

Plain loops in a fixed order: no BLAS, no threads, no reassociated sums, and an exponential of
our own, since the C library's differs in the last bit between CPUs and early stopping makes much
of a last bit. So a network comes out with the same bytes whatever it is batched with.
Nothing is compiled at import, only at the first call, and then kept in numba's cache.

A network of d inputs and h hidden neurons is one vector of h (d + 2) + 1 weights: hidden weights
(h rows of d), hidden biases (h), output weights (h), output bias (1). Both layers are logistic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from kappacurve._validation import FloatArray

F = TypeVar("F", bound=Callable[..., Any])

STOPPED_BY_MAX_ITER, STOPPED_BY_MIN_GRAD, STOPPED_BY_MU_MAX, STOPPED_BY_VALIDATION = range(4)

# trainlm's floor for the damping, which is not among its parameters.
MU_MIN = 1e-20

# Rows added to J'J at a time: each entry of J'J is then loaded and stored a fourth as often.
BLOCK = 4


def _compiled(function: F) -> F:
    """Return numba's njit of a function, cached on disk, under the function's own type."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


# ln 2 in two parts, the first with so few bits that its product with an exponent is exact.
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10

# Below this, exp is less than the smallest denormal number.
EXP_ZERO = -746.0

# 1/k! for k = 13, 12, ..., 0: enough terms for |r| <= ln(2) / 2.
EXP_TERMS = tuple(1.0 / math.factorial(k) for k in range(13, -1, -1))


@_compiled
def exp(x: float) -> float:
    """Return e^x for x <= 0, from additions and multiplications alone."""
    if not x >= EXP_ZERO:
        return 0.0 if x < EXP_ZERO else x  # x is not a number
    k = math.floor(x / (LN2_HIGH + LN2_LOW) + 0.5)
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    total = 0.0
    for term in EXP_TERMS:
        total = total * r + term
    return math.ldexp(total, int(k))


@_compiled
def logistic(z: float) -> float:
    """Return 1 / (1 + exp(-z)) without overflow."""
    if z >= 0.0:
        return 1.0 / (1.0 + exp(-z))
    e = exp(z)
    return e / (1.0 + e)


@_compiled
def net_input(x: FloatArray, w: FloatArray, hidden: FloatArray) -> float:
    """Return the net input of the output node for one row; fills the hidden outputs (h,)."""
    d, h = x.shape[0], hidden.shape[0]
    z = w[-1]
    for j in range(h):
        total = w[h * d + j]
        row = w[j * d : (j + 1) * d]
        for k in range(d):
            total += row[k] * x[k]
        hidden[j] = logistic(total)
        z += w[h * (d + 1) + j] * hidden[j]
    return float(z)


@_compiled
def net_inputs(X: FloatArray, w: FloatArray, h: int) -> FloatArray:
    """Return the net input of the output node for each row of X, shape (n,)."""
    hidden = np.empty(h)
    z = np.empty(X.shape[0])
    for i in range(X.shape[0]):
        z[i] = net_input(X[i], w, hidden)
    return z


@_compiled
def mean_squared_error(X: FloatArray, y: FloatArray, w: FloatArray, h: int) -> float:
    """Return the mean over the rows of (target - output)^2."""
    hidden = np.empty(h)
    total = 0.0
    for i in range(X.shape[0]):
        error = y[i] - logistic(net_input(X[i], w, hidden))
        total += error * error
    return float(total / X.shape[0])


@_compiled
def jacobian_row(x: FloatArray, w: FloatArray, hidden: FloatArray, row: FloatArray) -> float:
    """Return the output for one row of X; fills its derivative by each weight (p,)."""
    d, h = x.shape[0], hidden.shape[0]
    output = logistic(net_input(x, w, hidden))
    slope = output * (1.0 - output)
    for j in range(h):
        inner = slope * w[h * (d + 1) + j] * hidden[j] * (1.0 - hidden[j])
        block = row[j * d : (j + 1) * d]
        for k in range(d):
            block[k] = inner * x[k]
        row[h * d + j] = inner
        row[h * (d + 1) + j] = slope * hidden[j]
    row[-1] = slope
    return output


@_compiled
def normal_equations(
    X: FloatArray, y: FloatArray, w: FloatArray, h: int, JJ: FloatArray, Je: FloatArray
) -> None:
    """Fill J'J (its upper triangle, p x p) and J'(target - output) (p,)."""
    n, p = X.shape[0], w.shape[0]
    hidden, rows, errors = np.empty(h), np.empty((BLOCK, p)), np.empty(BLOCK)
    JJ[:] = 0.0
    Je[:] = 0.0
    for start in range(0, n, BLOCK):
        filled = min(BLOCK, n - start)
        rows[filled:] = 0.0
        errors[filled:] = 0.0
        for i in range(filled):
            output = jacobian_row(X[start + i], w, hidden, rows[i])
            errors[i] = y[start + i] - output
        _add_block(rows, errors, JJ, Je)


@_compiled
def _add_block(rows: FloatArray, errors: FloatArray, JJ: FloatArray, Je: FloatArray) -> None:
    """Add four rows of the Jacobian, and their errors, to J'J and J'e."""
    e0, e1, e2, e3 = errors[0], errors[1], errors[2], errors[3]
    for i in range(rows.shape[1]):
        # Slices that start at i, so that the inner loop runs from 0 and can be vectorised.
        r0, r1, r2, r3 = rows[0, i:], rows[1, i:], rows[2, i:], rows[3, i:]
        a0, a1, a2, a3 = r0[0], r1[0], r2[0], r3[0]
        target = JJ[i, i:]
        for j in range(target.shape[0]):
            target[j] += a0 * r0[j] + a1 * r1[j] + a2 * r2[j] + a3 * r3[j]
        Je[i] += a0 * e0 + a1 * e1 + a2 * e2 + a3 * e3


@_compiled
def solve_damped(
    JJ: FloatArray, Je: FloatArray, mu: float, U: FloatArray, step: FloatArray
) -> bool:
    """Solve (J'J + mu I) step = J'e by Cholesky; False if the matrix is not positive definite.

    U (p, p) is work space: its upper triangle becomes the factor, U'U = J'J + mu I.
    """
    p = Je.shape[0]
    U[:] = JJ
    for k in range(p):
        U[k, k] += mu
    for k in range(p):
        pivot = U[k, k]
        if not (pivot > 0.0 and pivot < np.inf):
            return False
        row = U[k, k:]
        root = math.sqrt(pivot)
        for j in range(row.shape[0]):
            row[j] /= root
        for i in range(k + 1, p):
            target, source = U[i, i:], U[k, i:]
            factor = source[0]
            for j in range(target.shape[0]):
                target[j] -= factor * source[j]
    _substitute(U, Je, step)
    return True


@_compiled
def _substitute(U: FloatArray, b: FloatArray, x: FloatArray) -> None:
    """Solve U'U x = b for an upper triangular U."""
    p = b.shape[0]
    x[:] = b
    for k in range(p):
        x[k] /= U[k, k]
        for j in range(k + 1, p):
            x[j] -= U[k, j] * x[k]
    for k in range(p - 1, -1, -1):
        total = x[k]
        for j in range(k + 1, p):
            total -= U[k, j] * x[j]
        x[k] = total / U[k, k]


@_compiled
def improve(
    X: FloatArray,
    y: FloatArray,
    w: FloatArray,
    h: int,
    loss: float,
    JJ: FloatArray,
    Je: FloatArray,
    damping: tuple[float, float, float, float],
) -> tuple[float, float]:
    """Take the first step that lowers the loss, damping harder until one does.

    Changes w; returns the new loss and damping. No such step up to mu_max: w and the loss stay,
    and the damping returned exceeds mu_max.
    """
    mu, mu_dec, mu_inc, mu_max = damping
    U, step = np.empty_like(JJ), np.empty_like(Je)
    while mu <= mu_max:
        if solve_damped(JJ, Je, mu, U, step):
            trial = w + step
            trial_loss = mean_squared_error(X, y, trial, h)
            # A loss that is not a number compares False, so such a step is refused too.
            if trial_loss < loss:
                w[:] = trial
                return trial_loss, max(mu * mu_dec, MU_MIN)
        mu *= mu_inc
    return loss, mu


@_compiled
def is_flat(Je: FloatArray, min_grad: float) -> bool:
    """Whether the Euclidean norm of J'e is at most min_grad."""
    total = 0.0
    for k in range(Je.shape[0]):
        total += Je[k] * Je[k]
    return math.sqrt(total) <= min_grad


@_compiled
def train(
    X: FloatArray,
    y: FloatArray,
    n_train: int,
    n_validation: int,
    w: FloatArray,
    h: int,
    limits: tuple[int, int, float],
    damping: tuple[float, float, float, float],
    curves: FloatArray,
) -> tuple[int, int, int]:
    """Train one network in place, with trainlm's order of steps and tests.

    Rows 0 to n_train are trained on, the next n_validation watched (none: no early stopping).
    Changes w to the weights kept and fills curves (2, max_iter + 1) with the training and the
    validation loss. Returns the steps taken, the step whose weights are kept, and why it stopped.
    """
    max_iter, patience, min_grad = limits
    mu, mu_dec, mu_inc, mu_max = damping
    X_train, y_train = X[:n_train], y[:n_train]
    X_val, y_val = X[n_train : n_train + n_validation], y[n_train : n_train + n_validation]
    JJ, Je = np.empty((w.shape[0], w.shape[0])), np.empty(w.shape[0])
    loss = mean_squared_error(X_train, y_train, w, h)
    kept, kept_step, failures, kept_loss = w.copy(), 0, 0, np.inf
    step, reason = 0, -1
    while reason < 0:
        # Without validation rows every step is kept: each one lowers the training loss.
        watched = mean_squared_error(X_val, y_val, w, h) if n_validation > 0 else loss
        curves[0, step], curves[1, step] = loss, watched
        if watched < kept_loss:
            kept[:] = w
            kept_step, kept_loss, failures = step, watched, 0
        elif watched > kept_loss:  # equal is neither better nor a failure, as in trainlm
            failures += 1
        normal_equations(X_train, y_train, w, h, JJ, Je)
        if step == max_iter:
            reason = STOPPED_BY_MAX_ITER
        elif is_flat(Je, min_grad):
            reason = STOPPED_BY_MIN_GRAD
        elif failures >= patience:
            reason = STOPPED_BY_VALIDATION
        else:
            loss, mu = improve(X_train, y_train, w, h, loss, JJ, Je, (mu, mu_dec, mu_inc, mu_max))
            if mu > mu_max:  # no step lowered the loss, so w is as it was
                reason = STOPPED_BY_MU_MAX
            else:
                step += 1
    w[:] = kept
    return step, kept_step, reason
