"""A network of one hidden layer trained on the log-loss, in compiled loops.

It minimises the same function as scikit-learn's ``MLPClassifier(activation="logistic",
solver="lbfgs")``, from the same start and with the same limits, in a seventh of the time.

The loops run in a fixed order, laid out so that the compiler can work on several rows or columns
at once without regrouping a sum: no BLAS, no threads, no fused or reassociated arithmetic.

A network of d inputs and h hidden neurons is one vector of h (d + 2) + 1 weights: hidden weights
(h rows of d), hidden biases (h), output weights (h), output bias (1). Both layers are logistic.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import numba
import numpy as np

from study.arrays import FloatArray, IntArray
from study.errors import ConvergenceWarning

F = TypeVar("F", bound=Callable[..., Any])
# Inputs as rows (n, d) and again as columns (d, n), labels (n,), hidden neurons, penalty alpha.
Problem = tuple[FloatArray, FloatArray, FloatArray, int, float]

# What scipy's L-BFGS-B, which scikit-learn calls, does by default: pairs remembered, smallest
# relative decrease of the loss, sufficient decrease and curvature of the line search.
MEMORY, LEAST_DECREASE, ARMIJO, CURVATURE = 10, 2.220446049250313e-09, 1e-3, 0.9
MOST_TRIALS = 20
# Early stopping: share of the rows that validates, and steps that may fail to lower its loss.
VALIDATION_FRACTION, PATIENCE = 0.2, 6

# ln 2 in two parts, the first with so few bits that its product with an exponent is exact.
LOG2_E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.693147180369123816490, 1.90821492927058770002e-10
# 1/k! for k = 13, 12, ..., 0: enough terms for |r| <= ln(2) / 2.
EXP_TERMS = tuple(1.0 / math.factorial(k) for k in range(13, -1, -1))
# Smaller exponents are raised to this: 1e-304 added to 1 changes nothing.
LEAST_EXPONENT = -700.0
# Factors in (1, 2] are multiplied before one logarithm is taken; the product is at most 2^64.
LOG_BLOCK = 64


def _compiled(function: F) -> F:
    """Compile a function with numba; it keeps its type."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


@_compiled
def copy_to(target: FloatArray, source: FloatArray) -> None:
    """Copy (n,) numbers; for `target[:] = source` numba would compile error messages, too."""
    for i in range(len(target)):
        target[i] = source[i]


@_compiled
def logistic(z: FloatArray, out: FloatArray, odds: FloatArray, power: Any) -> None:
    """Fill out with 1 / (1 + exp(-z)) and odds with exp(-|z|); power is scratch, int64."""
    n = z.shape[0]
    for i in range(n):
        x = max(-abs(z[i]), LEAST_EXPONENT)
        k = np.floor(x * LOG2_E + 0.5)
        r = (x - k * LN2_HIGH) - k * LN2_LOW
        p = EXP_TERMS[0]
        for term in EXP_TERMS[1:]:
            p = p * r + term
        odds[i] = p
        power[i] = (np.int64(k) + 1023) << 52  # the bits of 2^k
    scale = power.view(np.float64)
    for i in range(n):
        odds[i] *= scale[i]
        out[i] = (1.0 if z[i] >= 0.0 else odds[i]) / (1.0 + odds[i])


@_compiled
def dot(a: FloatArray, b: FloatArray) -> float:
    """The sum of products, in eight partial sums."""
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    n = a.shape[0]
    whole = n - n % 8
    for i in range(0, whole, 8):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
        s4 += a[i + 4] * b[i + 4]
        s5 += a[i + 5] * b[i + 5]
        s6 += a[i + 6] * b[i + 6]
        s7 += a[i + 7] * b[i + 7]
    for i in range(whole, n):
        s0 += a[i] * b[i]
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@_compiled
def add_columns(total: FloatArray, columns: FloatArray, w: FloatArray) -> None:
    """Add the columns (d, n), weighted by w (d,), to total (n,), four at a time."""
    d, n = columns.shape
    whole = d - d % 4
    for k in range(0, whole, 4):
        w0, w1, w2, w3 = w[k], w[k + 1], w[k + 2], w[k + 3]
        c0, c1, c2, c3 = columns[k], columns[k + 1], columns[k + 2], columns[k + 3]
        for i in range(n):
            total[i] += (w0 * c0[i] + w1 * c1[i]) + (w2 * c2[i] + w3 * c3[i])
    for k in range(whole, d):
        for i in range(n):
            total[i] += w[k] * columns[k, i]


@_compiled
def add_rows(total: FloatArray, rows: FloatArray, t: FloatArray) -> None:
    """Add the rows (n, d), weighted by t (h, n), to total (h d,), four at a time."""
    n, d = rows.shape
    h = t.shape[0]
    whole = n - n % 4
    for i in range(0, whole, 4):
        r0, r1, r2, r3 = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        for j in range(h):
            t0, t1, t2, t3 = t[j, i], t[j, i + 1], t[j, i + 2], t[j, i + 3]
            part = total[j * d : (j + 1) * d]
            for k in range(d):
                part[k] += (t0 * r0[k] + t1 * r1[k]) + (t2 * r2[k] + t3 * r3[k])
    for i in range(whole, n):
        for j in range(h):
            for k in range(d):
                total[j * d + k] += t[j, i] * rows[i, k]


@_compiled
def net_inputs(columns: FloatArray, w: FloatArray, h: int, hidden: FloatArray) -> FloatArray:
    """Return the output neuron's net inputs (n,); fills the hidden outputs (h, n)."""
    d, n = columns.shape
    z, odds, power = np.empty(n), np.empty(n), np.empty(n, np.int64)
    for j in range(h):
        z[:] = w[h * d + j]
        add_columns(z, columns, w[j * d : (j + 1) * d])
        logistic(z, hidden[j], odds, power)
    z[:] = w[-1]
    add_columns(z, hidden, w[h * (d + 1) : h * (d + 2)])
    return z


@_compiled
def loss_and_gradient(problem: Problem, w: FloatArray, g: FloatArray) -> float:
    """Return the mean log-loss plus alpha |weights|^2 / (2n); fills its gradient g.

    Biases are not penalised.
    """
    rows, columns, y, h, alpha = problem
    n, d = rows.shape
    hidden, slope = np.empty((h, n)), np.empty((h, n))
    out, odds, power = np.empty(n), np.empty(n), np.empty(n, np.int64)
    z = net_inputs(columns, w, h, hidden)
    logistic(z, out, odds, power)
    loss, product = 0.0, 1.0
    for i in range(n):  # -log of the likelihood: max(z, 0) - z y + log(1 + exp(-|z|))
        loss += max(z[i], 0.0) - z[i] * y[i]
        product *= 1.0 + odds[i]
        if i % LOG_BLOCK == LOG_BLOCK - 1:
            loss += math.log(product)
            product = 1.0
    loss += math.log(product)
    error = (out - y) / n
    g[-1] = error.sum()
    penalty = alpha / n
    for j in range(h):
        c = w[h * (d + 1) + j]
        g[h * (d + 1) + j] = dot(error, hidden[j]) + penalty * c
        for i in range(n):
            slope[j, i] = error[i] * c * hidden[j, i] * (1.0 - hidden[j, i])
        g[h * d + j] = slope[j].sum()
    squares = 0.0
    for k in range(h * d):
        g[k] = penalty * w[k]
        squares += w[k] * w[k]
    for k in range(h * (d + 1), h * (d + 2)):
        squares += w[k] * w[k]
    add_rows(g, rows, slope)
    return float(loss / n + 0.5 * penalty * squares)


@_compiled
def descent_direction(g: FloatArray, s: FloatArray, q: FloatArray, used: int) -> FloatArray:
    """Return minus the inverse Hessian's estimate times g, by the two-loop recursion.

    s and q (memory, p) hold the last `used` steps and changes of gradient, oldest first.
    """
    direction = -g
    factor = np.empty(used)
    for m in range(used - 1, -1, -1):
        factor[m] = dot(s[m], direction) / dot(s[m], q[m])
        direction -= factor[m] * q[m]
    if used > 0:
        direction *= dot(s[used - 1], q[used - 1]) / dot(q[used - 1], q[used - 1])
    for m in range(used):
        direction += (factor[m] - dot(q[m], direction) / dot(s[m], q[m])) * s[m]
    return direction


@_compiled
def next_trial(a: float, fa: float, da: float, b: float, fb: float, db: float) -> float:
    """Return where the cubic through two points with slopes is least, kept off the ends."""
    d1 = da + db - 3.0 * (fa - fb) / (a - b)
    square = d1 * d1 - da * db
    trial = 0.5 * (a + b)
    if square >= 0.0:
        d2 = math.sqrt(square) * (1.0 if b > a else -1.0)
        below = db - da + 2.0 * d2
        if below != 0.0:
            trial = b - (b - a) * (db + d2 - d1) / below
    low, high = min(a, b), max(a, b)
    margin = 0.1 * (high - low)
    if not low + margin <= trial <= high - margin:
        trial = 0.5 * (a + b)
    return trial


@_compiled
def line_search(
    problem: Problem, w: FloatArray, f: float, g: FloatArray, direction: FloatArray, step: float
) -> tuple[float, float]:
    """Return a step that meets the strong Wolfe conditions and the loss there, or (0, f).

    Nocedal & Wright (2006), algorithms 3.5 and 3.6. Fills g with the gradient at the step.
    """
    slope = dot(g, direction)
    start = g.copy()
    a, fa, da = 0.0, f, slope  # the better end of the bracket
    b, fb, db = -1.0, f, slope  # the other end; none yet
    for trial in range(MOST_TRIALS):
        value = loss_and_gradient(problem, w + step * direction, g)
        change = dot(g, direction)
        if value > f + ARMIJO * step * slope or (trial > 0 and value >= fa) or value != value:
            b, fb, db = step, value, change
        elif abs(change) <= -CURVATURE * slope:
            return step, value
        else:
            if change * (b - a if b >= 0.0 else 1.0) >= 0.0:
                b, fb, db = a, fa, da
            a, fa, da = step, value, change
        if b < 0.0:
            step *= 4.0
        elif math.isfinite(fb):
            step = next_trial(a, fa, da, b, fb, db)
        else:
            step = 0.5 * (a + b)
    if a > 0.0 and fa < f:
        # Not enough curvature after so many trials, but a decrease all the same.
        return a, loss_and_gradient(problem, w + a * direction, g)
    copy_to(g, start)
    return 0.0, f


@_compiled
def train(
    problem: Problem, validation: Problem, w: FloatArray, tol: float, max_iter: int
) -> tuple[int, float, bool]:
    """Train w in place by limited-memory BFGS; return steps, loss and whether steps ran out.

    With validation rows, w ends as the weights with the lowest loss of these, and training as soon
    as `PATIENCE` steps have not lowered it.
    """
    p = w.shape[0]
    s, q = np.empty((MEMORY, p)), np.empty((MEMORY, p))
    # Not the literal 0, for which numba would compile `descent_direction` a second time.
    used: Any = np.int64(0)
    g, scratch = np.empty(p), np.empty(p)
    f = loss_and_gradient(problem, w, g)
    is_watched, failures = validation[0].shape[0] > 0, 0
    best, kept = loss_and_gradient(validation, w, scratch) if is_watched else 0.0, w.copy()
    steps, ran_out = 0, True
    for iteration in range(max_iter):
        is_flat = True
        for i in range(p):
            is_flat = is_flat and abs(g[i]) <= tol
        if is_flat:
            ran_out = False
            break
        direction = descent_direction(g, s, q, used)
        step = 1.0 if used > 0 else 1.0 / math.sqrt(dot(g, g))
        before, f_before = g.copy(), f
        step, f = line_search(problem, w, f, g, direction, step)
        if step == 0.0:
            if used == 0:
                ran_out = False
                break
            used = 0  # forget the curvature and go on along the gradient
            steps = iteration + 1
            continue
        w += step * direction
        steps = iteration + 1
        change = g - before
        if dot(direction, change) > 0.0:
            if used == MEMORY:
                for m in range(1, MEMORY):
                    copy_to(s[m - 1], s[m])
                    copy_to(q[m - 1], q[m])
                used -= 1
            for i in range(p):
                s[used, i], q[used, i] = step * direction[i], change[i]
            used += 1
        if is_watched:
            watched = loss_and_gradient(validation, w, scratch)
            failures += 1
            if watched < best:
                best, failures = watched, 0
                copy_to(kept, w)
        if failures == PATIENCE or f_before - f <= LEAST_DECREASE * max(abs(f_before), abs(f), 1.0):
            ran_out = False
            break
    if is_watched:
        copy_to(w, kept)
    return steps, f, ran_out


@cache
def compile_once() -> None:
    """Compile `train`, or wait until another process has: jobs that start together share it."""
    with ExitStack() as stack:
        with suppress(ImportError, OSError):  # on Windows, or where nothing can be written
            import fcntl

            path = Path(__file__).with_name("__pycache__") / "network.lock"
            fcntl.flock(stack.enter_context(path.open("w")), fcntl.LOCK_EX)
        problem = _as_problem(np.zeros((2, 1)), np.array([0, 1]), 1, 0.0)
        train(problem, problem, np.zeros(4), 1.0, 0)


@dataclass(kw_only=True)
class CompiledNetwork:
    """Two-class network with one hidden layer of logistic units, trained by L-BFGS.

    alpha |weights|^2 / (2 n) is added to the mean log-loss, biases apart; training stops where no
    component of the gradient is larger than tol. With early_stopping a random fifth of the rows
    validates, and the weights with the lowest mean log-loss of these are kept. It does not check
    its input: finite, scaled features and labels 0 and 1. ``weights_`` is the network's vector.

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, algorithms 3.5, 3.6, 7.4 and 7.5.
    """

    hidden_units: int
    alpha: float
    max_iter: int
    early_stopping: bool = False
    tol: float = 1e-4
    seed: int

    def fit(self, X: FloatArray, y: IntArray) -> Self:
        """Train on X of shape (n_samples, n_features) and y of shape (n_samples,), 0 or 1."""
        compile_once()
        h, d, rng = self.hidden_units, X.shape[1], np.random.RandomState(self.seed)
        # Glorot & Bengio's uniform start, with the draws in scikit-learn's order.
        inner, outer = np.sqrt(2.0 / (d + h)), np.sqrt(2.0 / (h + 1))
        hidden = rng.uniform(-inner, inner, (d, h))
        biases = rng.uniform(-inner, inner, h)
        output = rng.uniform(-outer, outer, h)
        bias = rng.uniform(-outer, outer, 1)
        self.weights_ = np.concatenate([hidden.T.ravel(), biases, output, bias])
        rows, validation = np.arange(len(X)), np.arange(0)
        if self.early_stopping:
            # ASSUME: not stratified, as the split itself (and as MATLAB divided its rows).
            n_validation = int(VALIDATION_FRACTION * len(X) + 0.5)
            order = rng.permutation(len(X))
            rows, validation = order[n_validation:], order[:n_validation]
        self.n_iter_, self.loss_, ran_out = train(
            _as_problem(X[rows], y[rows], h, self.alpha),
            _as_problem(X[validation], y[validation], h, 0.0),
            self.weights_,
            self.tol,
            self.max_iter,
        )
        if ran_out:
            text = f"not converged after {self.n_iter_} iterations"
            warnings.warn(text, ConvergenceWarning, stacklevel=2)
        return self

    def decision_function(self, X: FloatArray) -> FloatArray:
        """Net input of the output neuron, shape (n_samples,): without the ties of its output."""
        columns, h = np.ascontiguousarray(X.T), self.hidden_units
        return net_inputs(columns, self.weights_, h, np.empty((h, len(X))))

    def predict_proba(self, X: FloatArray) -> FloatArray:
        """Output of the network, the chance of label 1, after that of label 0: (n_samples, 2)."""
        chance = np.exp(-np.logaddexp(0.0, -self.decision_function(X)))
        return np.column_stack([1 - chance, chance])


def _as_problem(X: FloatArray, y: IntArray, h: int, alpha: float) -> Problem:
    columns = np.ascontiguousarray(X.T)
    return np.ascontiguousarray(X), columns, y.astype(np.float64), h, float(alpha)
