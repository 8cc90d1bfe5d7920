"""The networks: against scikit-learn's, SciPy, and trainlm's rules."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from study.errors import ExperimentError
from study.experiment import matlab_network as lm, network
from study.experiment.matlab_network import LevenbergMarquardtNetwork, nguyen_widrow
from study.experiment.network import CompiledNetwork


def data(seed=0, n=400, d=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=n) > 1).astype(int)


def compiled(**settings):
    defaults = {"hidden_units": 5, "alpha": 1e-4, "max_iter": 200, "seed": 0}
    return CompiledNetwork(**defaults | settings)


def library(seed, **settings):
    return MLPClassifier((5,), activation="logistic", solver="lbfgs", random_state=seed, **settings)


def problem_of(n, d, h, alpha, seed=0):
    """Rows, columns and labels of a network, and weights for it."""
    X, y = data(seed, n, d)
    w = 2 * np.random.default_rng(seed).normal(size=h * (d + 2) + 1)
    return (X, np.ascontiguousarray(X.T), y.astype(float), h, alpha), w


def test_scores_have_chances_however_far_the_rows_lie():
    X, y = data(0)
    for fitted in (compiled(alpha=1.0).fit(X, y), fit(X, y)):
        for far in (1, 1e2, 1e4, 1e300):
            score = fitted.decision_function(far * X)
            expected = np.column_stack([1 - expit(score), expit(score)])
            found = fitted.predict_proba(far * X)
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


def test_start_and_first_step_are_those_of_scikit_learn():
    X, y = data(0)
    with pytest.warns(UserWarning, match="not converged after 1"):
        found = compiled(max_iter=1, tol=0, alpha=0.1, seed=3).fit(X, y)
    with pytest.warns(ConvergenceWarning):
        reference = library(3, max_iter=1, tol=0, alpha=0.1).fit(X, y)
    (hidden, output), (biases, bias) = reference.coefs_, reference.intercepts_
    expected = np.concatenate([hidden.T.ravel(), biases, output.ravel(), bias])
    np.testing.assert_allclose(found.weights_, expected, rtol=1e-6)
    np.testing.assert_allclose(found.loss_, reference.loss_, rtol=1e-6)


@pytest.mark.parametrize(("n", "d", "h"), [(130, 6, 5), (3, 4, 1), (64, 3, 2)])
def test_the_loss_is_the_penalised_mean_log_loss_and_has_its_gradient(n, d, h):
    problem, w = problem_of(n, d, h, 3.0)
    X, _, y, *_ = problem

    def loss(w):
        hidden = expit(X @ w[: h * d].reshape(h, d).T + w[h * d : h * (d + 1)])
        z = hidden @ w[h * (d + 1) : -1] + w[-1]
        squares = (w[: h * d] ** 2).sum() + (w[h * (d + 1) : -1] ** 2).sum()
        return np.logaddexp(0, np.where(y == 1, -z, z)).mean() + 3 * squares / (2 * n)

    g = np.empty(len(w))
    assert network.loss_and_gradient(problem, w, g) == pytest.approx(loss(w), rel=1e-13)
    steps = 1e-6 * np.eye(len(w))
    slopes = [(loss(w + step) - loss(w - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(g, slopes, atol=1e-8)


def test_a_step_meets_the_conditions_of_wolfe_wherever_the_search_begins():
    for seed in range(6):
        problem, w = problem_of(200, 3, 2, 0.5, seed)
        g = np.empty(len(w))
        f = network.loss_and_gradient(problem, w, g)
        direction = -g * np.random.default_rng(seed).uniform(0.1, 5, len(w))
        slope = g @ direction
        for step in 10.0 ** np.arange(-6, 7):
            after, there = g.copy(), np.empty(len(w))
            found, value = network.line_search(problem, w, f, after, direction, step)
            assert value == network.loss_and_gradient(problem, w + found * direction, there)
            np.testing.assert_array_equal(after, there)
            assert value <= f + 1e-3 * found * slope
            assert abs(after @ direction) <= 0.9 * abs(slope)
        # Uphill nothing is found, and the gradient is the one at the start.
        after = g.copy()
        assert network.line_search(problem, w, f, after, -direction, 1.0) == (0.0, f)
        np.testing.assert_array_equal(after, g)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore:not converged")
def test_early_stopping_ends_six_steps_after_the_lowest_validation_loss(seed):
    X, y = data(seed, 150)
    stopped = compiled(early_stopping=True, seed=seed).fit(X, y)
    d, h = X.shape[1], 5
    draws = np.random.RandomState(seed)
    draws.uniform(size=h * (d + 2) + 1)  # the initial weights
    order = draws.permutation(150)
    validation, rows = order[:30], order[30:]
    # Training cut short after each number of steps, on the other rows alone.
    cut_short = [compiled(max_iter=n, seed=seed).fit(X[rows], y[rows]) for n in range(40)]
    z = [network.decision_function(X[validation]) for network in cut_short]
    losses = np.array([np.logaddexp(0, np.where(y[validation] == 1, -s, s)).mean() for s in z])
    best = losses[: stopped.n_iter_ + 1].argmin()
    np.testing.assert_array_equal(stopped.weights_, cut_short[best].weights_)
    assert stopped.n_iter_ == best + 6
    for before in range(1, best):  # and not before
        assert losses[before : best + 1].argmin() > 0
        assert losses[: before + 1].argmin() > before - 6


def outputs(w, X, h):
    """The network, written apart from the module."""
    W, v = w[: -h - 1].reshape(h, -1), w[-h - 1 :]
    return expit(expit(X @ W[:, :-1].T + W[:, -1]) @ v[:-1] + v[-1])


def fit(X, y, *, early_stopping=True, seed=0):
    return LevenbergMarquardtNetwork(early_stopping=early_stopping, seed=seed).fit(X, y)


def test_optimum_is_that_of_scipy(monkeypatch):
    rng = np.random.default_rng(3)
    X, teacher = rng.standard_normal((200, 2)), np.array([1.5, -1, 0.3, 0.5, 1.2, -0.8, 2, -2, 0.2])
    y = outputs(teacher, X, 2) + 0.01 * rng.standard_normal(200)
    start = teacher + 0.1 * rng.standard_normal(9)
    monkeypatch.setattr(lm, "initial_weights", lambda *_: start)
    monkeypatch.setattr(lm, "HIDDEN_UNITS", 2)
    network = fit(X, y, early_stopping=False)
    reference = least_squares(lambda w: outputs(w, X, 2) - y, start, xtol=1e-15, ftol=1e-15)
    np.testing.assert_allclose(network.weights_, reference.x, rtol=1e-5)
    assert network.losses_[-1, 0] * 200 == pytest.approx(2 * reference.cost, rel=1e-9)


def test_every_step_lowers_the_training_loss_until_none_does():
    X, y = data(7, 20, 3)  # fewer rows than weights
    network = fit(X, y, seed=1, early_stopping=False)
    training, watched = network.losses_.T
    assert (np.diff(training) < 0).all() and (training == watched).all()
    assert network.best_iter_ == len(training) - 1 < 1000
    assert training[-1] == pytest.approx(((y - outputs(network.weights_, X, 5)) ** 2).mean())


@pytest.mark.parametrize(("seed", "patience"), [(0, 1), (1, 6), (2, 6)])
def test_early_stopping_keeps_the_weights_with_the_lowest_validation_loss(
    seed, patience, monkeypatch
):
    X, y = data(seed, 120, 3)
    monkeypatch.setattr(lm, "PATIENCE", patience)
    network = fit(X, y, seed=seed)
    watched, best = network.losses_[:, 1], network.best_iter_
    assert best == np.argmin(watched)
    # trainlm counts losses above the best.
    assert len(watched) - 1 - best == patience
    monkeypatch.setattr(lm, "MAX_ITER", best)
    until_then = fit(X, y, seed=seed)
    np.testing.assert_array_equal(until_then.weights_, network.weights_)


def test_rows_are_divided_as_by_dividerand():
    X, y = data(0, 120, 3)
    network = fit(X, y, seed=5)
    rng = np.random.default_rng(5)
    lm.initial_weights(X, np.full(3, True), rng)
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


def test_without_features_no_step_is_better_than_the_start():
    network = fit(np.empty((20, 0)), np.arange(20.0) % 2, early_stopping=False)
    assert (network.best_iter_, network.losses_.tolist()) == (0, [[0.25, 0.25]])


def test_rows_are_left_to_validate():
    X, y = data(0, 10, 3)
    assert len(fit(X[:3], y[:3]).losses_) > 0
    with pytest.raises(ExperimentError, match="2 training rows leave none to validate"):
        fit(X[:2], y[:2])


def test_constant_columns_have_no_weight_and_do_not_count_as_inputs():
    X, y = data(0, 120, 3)
    wide = np.column_stack([X[:, 0], np.full(len(X), 0.5), X[:, 1:]])
    network = fit(wide, y)
    hidden = network.weights_[:25].reshape(5, 5)
    assert (hidden[:, 1] == 0).all()
    assert (hidden[:, [0, 2, 3, 4]] != 0).all()
    np.testing.assert_allclose(network.losses_, fit(X, y).losses_)
    # Without any other column the rows have one score.
    assert np.ptp(fit(np.ones((120, 2)), y).decision_function(np.ones((9, 2)))) == 0
