"""The network trained by Levenberg-Marquardt: against SciPy, and by trainlm's rules."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import expit

from study.draw import matlab_network
from study.draw.matlab_network import MatlabNetwork, nguyen_widrow


def data(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=n) > 1).astype(int)


def outputs(w, X, h):
    """The network, written apart from the module."""
    W, v = w[: -h - 1].reshape(h, -1), w[-h - 1 :]
    return expit(expit(X @ W[:, :-1].T + W[:, -1]) @ v[:-1] + v[-1])


def test_the_optimum_is_that_of_scipy(monkeypatch):
    rng = np.random.default_rng(3)
    X, teacher = rng.standard_normal((200, 2)), np.array([1.5, -1, 0.3, 0.5, 1.2, -0.8, 2, -2, 0.2])
    y = outputs(teacher, X, 2) + 0.01 * rng.standard_normal(200)
    start = teacher + 0.1 * rng.standard_normal(9)
    monkeypatch.setattr(matlab_network, "initial_weights", lambda *_: start)
    monkeypatch.setattr(matlab_network, "HIDDEN_UNITS", 2)
    monkeypatch.setattr(matlab_network, "PATIENCE", 10_000)
    network = MatlabNetwork(random_state=0).fit(X, y)
    rows = np.random.default_rng(0).permutation(200)[:120]  # three fifths train
    reference = least_squares(
        lambda w: outputs(w, X[rows], 2) - y[rows], start, xtol=1e-15, ftol=1e-15
    )
    assert network.losses_[-1, 0] * 120 == pytest.approx(2 * reference.cost, rel=1e-9)


@pytest.mark.parametrize(("seed", "patience"), [(0, 1), (1, 6), (2, 6)])
def test_training_ends_after_so_many_steps_in_vain_and_keeps_the_best(seed, patience, monkeypatch):
    monkeypatch.setattr(matlab_network, "PATIENCE", patience)
    network = MatlabNetwork(random_state=seed).fit(*data(seed, 120, 3))
    training, watched = network.losses_.T
    assert (np.diff(training) < 0).all()
    assert network.best_iter_ == np.argmin(watched)
    assert len(watched) - 1 - network.best_iter_ >= patience


def test_probabilities_are_the_outputs_and_the_score_is_their_net_input():
    X, y = data(0, 400, 6)
    network = MatlabNetwork(random_state=0).fit(X, y)
    chance = network.predict_proba(X)
    np.testing.assert_allclose(chance[:, 1], outputs(network.weights_, X, 5), rtol=1e-12)
    np.testing.assert_allclose(expit(network.decision_function(X)), chance[:, 1], rtol=1e-12)
    np.testing.assert_allclose(chance.sum(axis=1), 1)


def test_active_regions_are_spread_over_the_ranges_of_the_inputs():
    """On inputs scaled to [-1, 1] the weights have the length 0.7 n^(1/d) of Nguyen & Widrow."""
    low, high = np.array([0.0, -5.0, 10.0]), np.array([2.0, 5.0, 10.5])
    weights = nguyen_widrow(low, high, 5, np.random.default_rng(0)) / matlab_network.ACTIVE_RANGE
    scaled = weights[:, :-1] * (high - low) / 2
    length = 0.7 * 5 ** (1 / 3)
    np.testing.assert_allclose(np.linalg.norm(scaled, axis=1), length)
    biases = weights[:, -1] + weights[:, :-1] @ (low + high) / 2
    np.testing.assert_allclose(np.abs(biases), length * np.array([1, 0.5, 0, 0.5, 1]), atol=1e-12)
