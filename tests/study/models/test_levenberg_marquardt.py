"""The Levenberg-Marquardt network against finite differences, SciPy and trainlm's rules."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import expit

from study.models import levenberg_marquardt as lm
from study.models.levenberg_marquardt import LevenbergMarquardtNetwork, nguyen_widrow


def outputs(w, X, h):
    """The network, written apart from the module."""
    W, v = w[: -h - 1].reshape(h, -1), w[-h - 1 :]
    return expit(expit(X @ W[:, :-1].T + W[:, -1]) @ v[:-1] + v[-1])


def problem(seed=0, n=120, d=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, (X[:, 0] - X[:, 1] * X[:, 0] + 0.7 * rng.standard_normal(n) > 0.4).astype(int)


def fit(X, y, **settings):
    return LevenbergMarquardtNetwork(**settings).fit(X, y)


def test_optimum_is_that_of_scipy(monkeypatch):
    rng = np.random.default_rng(3)
    X, teacher = rng.standard_normal((200, 2)), np.array([1.5, -1, 0.3, 0.5, 1.2, -0.8, 2, -2, 0.2])
    y = outputs(teacher, X, 2) + 0.01 * rng.standard_normal(200)
    start = teacher + 0.1 * rng.standard_normal(9)
    monkeypatch.setattr(lm, "initial_weights", lambda *_: start)
    network = fit(X, y, hidden_units=2, early_stopping=False)
    reference = least_squares(lambda w: outputs(w, X, 2) - y, start, xtol=1e-15, ftol=1e-15)
    np.testing.assert_allclose(network.weights_, reference.x, rtol=1e-5)
    assert network.losses_[-1, 0] * 200 == pytest.approx(2 * reference.cost, rel=1e-9)


def test_every_step_lowers_the_training_loss_until_none_does():
    X, y = problem(7, n=20)  # fewer rows than weights
    network = fit(X, y, seed=1, early_stopping=False, initialization="uniform")
    training, watched = network.losses_.T
    assert (np.diff(training) < 0).all()
    np.testing.assert_array_equal(training, watched)
    assert network.best_iter_ == len(training) - 1 < 1000
    assert training[-1] == pytest.approx(((y - outputs(network.weights_, X, 5)) ** 2).mean())


@pytest.mark.parametrize(("seed", "patience"), [(0, 1), (1, 6), (2, 6)])
def test_early_stopping_keeps_the_weights_with_the_lowest_validation_loss(seed, patience):
    X, y = problem(seed)
    network = fit(X, y, seed=seed, patience=patience)
    watched, best = network.losses_[:, 1], network.best_iter_
    assert best == np.argmin(watched)
    # trainlm counts losses above the best.
    assert len(watched) - 1 - best == patience
    until_then = fit(X, y, seed=seed, patience=patience, max_iter=best)
    np.testing.assert_array_equal(until_then.weights_, network.weights_)


def test_rows_are_divided_as_by_dividerand():
    X, y = problem()
    network = fit(X, y, seed=5)
    rng = np.random.default_rng(5)
    lm.initial_weights(X, np.full(3, True), 5, "nguyen_widrow", rng)
    order = rng.permutation(120)
    squares = (y - outputs(network.weights_, X, 5)) ** 2
    losses = [squares[order[:72]].mean(), squares[order[72:96]].mean()]
    np.testing.assert_allclose(network.losses_[network.best_iter_], losses)
    flipped = y.copy()
    flipped[order[96:]] = 1 - y[order[96:]]  # the unused rows
    assert fit(X, flipped, seed=5).weights_.tobytes() == network.weights_.tobytes()


def test_nguyen_widrow_lengths_and_biases():
    low, high = np.array([-3.0, 0.0, 10.0]), np.array([1.0, 5.0, 11.0])
    weights = nguyen_widrow(low, high, 6, np.random.default_rng(0))
    w, b = weights[:, :-1], weights[:, -1]
    # Back on inputs and net inputs scaled to [-1, 1]: logsig is active on [-4, 4].
    scaled = w * (high - low) / 2 / 4
    length = 0.7 * 6 ** (1 / 3)
    np.testing.assert_allclose(np.linalg.norm(scaled, axis=1), length)
    bias = (b + w @ ((high + low) / 2)) / 4
    np.testing.assert_allclose(bias * np.sign(scaled[:, 0]), length * np.linspace(-1, 1, 6))


def test_constant_columns_have_no_weight_and_do_not_count_as_inputs():
    X, y = problem()
    wide = np.column_stack([X[:, 0], np.full(len(X), 7.0), X[:, 1:]])
    network = fit(wide, y)
    hidden = network.weights_[:25].reshape(5, 5)
    assert (hidden[:, 1] == 0).all()
    assert (hidden[:, [0, 2, 3, 4]] != 0).all()
    np.testing.assert_allclose(network.losses_, fit(X, y).losses_)
