from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import approx_fprime, least_squares
from scipy.special import expit
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from study.models import lm_kernels as kernels
from study.models.levenberg_marquardt import (
    LevenbergMarquardtClassifier,
    TrainingSettings,
    fit_networks,
    network_scores,
)
from study.models.lm_setup import division_sizes, draw_weights, nguyen_widrow

ON_ALL_ROWS = {"early_stopping": False}


def outputs(w, X, h):
    """The network in numpy, written apart from the kernels."""
    d = X.shape[1]
    hidden, biases, output, bias = np.split(w, np.cumsum([h * d, h, h]))
    return expit(expit(X @ hidden.reshape(h, d).T + biases) @ output + bias[0])


def problem(seed=0, n=120, d=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = (X[:, 0] - X[:, 1] * X[:, 0] + 0.7 * rng.standard_normal(n) > 0.4).astype(float)
    return X, y


def fit_one(X, y, *, seed=0, start=None, **changes):
    given_start = None if start is None else [start]
    return fit_networks(
        [X], [y], seeds=[seed], settings=TrainingSettings(**changes), initial_weights=given_start
    )


# The kernels


def jacobian(X, w, h):
    """Derivative of the outputs by the weights, shape (n, p)."""
    J = np.empty((len(X), len(w)))
    for x, row in zip(X, J, strict=True):
        kernels.jacobian_row(x, w, np.empty(h), row)
    return J


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_jacobian_is_the_derivative_of_the_outputs(seed, d, h):
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((6, d)), rng.uniform(-2, 2, h * (d + 2) + 1)
    numerical = approx_fprime(w, outputs, 1e-7, X, h)
    np.testing.assert_allclose(jacobian(X, w, h), numerical, atol=1e-6)


@pytest.mark.parametrize("n", [1, 3, 4, 5, 8, 11])  # around the block of four rows
def test_normal_equations_are_those_of_the_jacobian(n):
    X, y = problem(n=n)
    h, w = 2, np.random.default_rng(n).uniform(-1, 1, 11)
    JJ, Je = np.empty((11, 11)), np.empty(11)
    kernels.normal_equations(X, y, w, h, JJ, Je)
    J = jacobian(X, w, h)
    np.testing.assert_allclose(np.triu(JJ), np.triu(J.T @ J), atol=1e-12)
    np.testing.assert_allclose(Je, J.T @ (y - outputs(w, X, h)), atol=1e-12)


def test_damped_step_solves_its_equations():
    J = np.random.default_rng(0).standard_normal((20, 7))
    JJ, Je, U, step = J.T @ J, J.sum(axis=0), np.empty((7, 7)), np.empty(7)
    assert kernels.solve_damped(JJ, Je, 0.3, U, step)
    np.testing.assert_allclose((JJ + 0.3 * np.eye(7)) @ step, Je, atol=1e-10)


@pytest.mark.parametrize("matrix", [np.zeros((2, 2)), -np.eye(2), np.full((2, 2), np.inf)])
def test_matrix_that_is_not_positive_definite_is_reported(matrix):
    assert not kernels.solve_damped(matrix, np.ones(2), 0.0, np.empty((2, 2)), np.empty(2))


@given(st.floats(-708, 0))
@settings(deadline=None)
def test_exponential_is_good_to_two_units_in_the_last_place(x):
    assert abs(kernels.exp(x) - np.exp(x)) <= 2 * np.spacing(np.exp(x))


def test_exponential_at_its_ends():
    assert [kernels.exp(x) for x in (0.0, -0.0, -800.0, -np.inf)] == [1.0, 1.0, 0.0, 0.0]
    assert kernels.exp(-740.0) == pytest.approx(np.exp(-740.0), rel=0.01)  # denormal
    assert np.isnan(kernels.exp(np.nan))


def test_logistic_neither_overflows_nor_loses_small_values():
    assert kernels.logistic(-1000.0) == 0.0
    assert kernels.logistic(1000.0) == 1.0
    assert kernels.logistic(-700.0) == pytest.approx(np.exp(-700.0), rel=1e-12)


def test_scores_are_the_net_input_of_the_output_node():
    X, _ = problem()
    w = np.random.default_rng(1).uniform(-1, 1, 11)
    z = network_scores([X], [w], 2)
    np.testing.assert_allclose(expit(z[0]), outputs(w, X, 2), atol=1e-12)


# Against another optimiser


def test_weights_match_scipy_at_a_well_determined_optimum():
    rng = np.random.default_rng(3)
    X, teacher = (
        rng.standard_normal((200, 2)),
        np.array([1.5, -1.0, 0.5, 1.2, 0.3, -0.8, 2, -2, 0.2]),
    )
    y = outputs(teacher, X, 2) + 0.01 * rng.standard_normal(200)
    start = teacher + 0.1 * rng.standard_normal(9)
    trained = fit_one(X, y, start=start, n_hidden=2, **ON_ALL_ROWS)
    reference = least_squares(lambda w: outputs(w, X, 2) - y, start, xtol=1e-15, ftol=1e-15)
    np.testing.assert_allclose(trained.weights[0], reference.x, rtol=1e-5)
    assert trained.loss_curve[0][-1] * 200 == pytest.approx(2 * reference.cost, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_loss_is_no_worse_than_scipy_reaches_from_the_same_start(seed):
    X, y = problem(seed, n=150, d=2)
    start = draw_weights(X, np.random.default_rng(seed), TrainingSettings(n_hidden=1))
    trained = fit_one(X, y, start=start, n_hidden=1, **ON_ALL_ROWS)
    reference = least_squares(lambda w: outputs(w, X, 1) - y, start, method="lm", max_nfev=2000)
    assert trained.loss_curve[0][-1] * 150 <= 2 * reference.cost * (1 + 1e-6)


# Training


@given(st.integers(0, 2**32 - 1), st.sampled_from(["nguyen_widrow", "uniform"]))
@settings(max_examples=20, deadline=None)
def test_training_loss_falls_with_each_step(seed, initialization):
    X, y = problem(seed, n=60)
    trained = fit_one(
        X, y, seed=seed, max_iter=40, initialization=initialization, n_hidden=3, **ON_ALL_ROWS
    )
    curve = trained.loss_curve[0]
    assert len(curve) == trained.n_iter[0] + 1
    assert (np.diff(curve) < 0).all()
    assert curve[-1] == pytest.approx(np.mean((y - outputs(trained.weights[0], X, 3)) ** 2))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("patience", [1, 6])
def test_early_stopping_keeps_the_weights_of_the_best_validation_loss(seed, patience):
    X, y = problem(seed)
    trained = fit_one(X, y, seed=seed, patience=patience)
    curve, best = trained.validation_curve[0], trained.best_iter[0]
    assert trained.stop_reason == ("validation",)
    assert best == np.argmin(curve)
    # trainlm counts what is above the best; equal values would count as neither.
    assert len(curve) - 1 - best == patience
    again = fit_one(X, y, seed=seed, patience=patience, max_iter=max(int(best), 1))
    if best > 0:
        np.testing.assert_array_equal(again.weights, trained.weights)


def test_watched_loss_is_that_of_the_validation_rows():
    X, y = problem()
    start = draw_weights(X, np.random.default_rng(9), TrainingSettings())
    trained = fit_one(X, y, seed=5, start=start)
    rng = np.random.default_rng(5)
    draw_weights(X, rng, TrainingSettings())
    order = rng.permutation(len(X))
    for rows, curve in (
        (order[:72], trained.loss_curve[0]),
        (order[72:96], trained.validation_curve[0]),
    ):
        losses = (y - outputs(trained.weights[0], X, 5))[rows] ** 2
        assert curve[trained.best_iter[0]] == pytest.approx(losses.mean())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"max_iter": 2}, "max_iter"),
        ({"min_grad": 1e3}, "min_grad"),
        # A step long enough to saturate the outputs on the wrong side is refused, then given up.
        ({"mu": 1e-9, "mu_max": 1e-9, "n_hidden": 4}, "mu_max"),
    ],
)
def test_reason_to_stop_without_validation(changes, reason):
    X, y = problem(7, n=20)
    trained = fit_one(X, y, seed=1, **changes, **ON_ALL_ROWS)
    assert trained.stop_reason == (reason,)
    assert trained.best_iter[0] == trained.n_iter[0]


def test_unused_rows_have_no_influence_but_on_the_initial_ranges():
    X, y = problem()
    rng = np.random.default_rng(5)
    draw_weights(X, rng, TrainingSettings())
    unused = rng.permutation(len(X))[96:]
    inner = unused[(abs(X[unused]) < 1).all(axis=1)]  # not what sets a column's range
    changed, labels = X.copy(), y.copy()
    changed[inner] = 0.0
    labels[unused] = 1 - y[unused]
    assert len(inner) > 3
    np.testing.assert_array_equal(
        fit_one(X, y, seed=5).weights, fit_one(changed, labels, seed=5).weights
    )


# The start


def test_nguyen_widrow_lengths_and_biases():
    low, high = np.array([-3.0, 0.0, 10.0]), np.array([1.0, 5.0, 11.0])
    w, b = nguyen_widrow(low, high, 6, np.random.default_rng(0))
    # Back on inputs and net inputs scaled to [-1, 1]: logsig is active on [-4, 4].
    scaled = w * (high - low) / 2 / 4
    length = 0.7 * 6 ** (1 / 3)
    np.testing.assert_allclose(np.linalg.norm(scaled, axis=1), length)
    bias = (b + w @ ((high + low) / 2)) / 4
    np.testing.assert_allclose(bias * np.sign(scaled[:, 0]), length * np.linspace(-1, 1, 6))


def test_output_node_starts_balanced_on_hidden_outputs():
    w = draw_weights(problem()[0], np.random.default_rng(0), TrainingSettings())
    output, bias = w[-6:-1], w[-1]
    assert np.linalg.norm(output) == pytest.approx(0.7 * 8)  # 4 over half of [0, 1]
    assert output @ np.full(5, 0.5) + bias == pytest.approx(0)


def test_constant_columns_do_not_count_and_keep_weight_zero():
    X, y = problem()
    wide = np.column_stack([X[:, 0], np.full(len(X), 7.0), X[:, 1:]])
    for initialization in ("nguyen_widrow", "uniform"):
        trained = fit_one(wide, y, initialization=initialization).weights[0]
        assert (trained[:20].reshape(5, 4)[:, 1] == 0).all()
    narrow, wide_start = (
        draw_weights(inputs, np.random.default_rng(0), TrainingSettings()) for inputs in (X, wide)
    )
    np.testing.assert_array_equal(wide_start[:20].reshape(5, 4)[:, [0, 2, 3]].ravel(), narrow[:15])
    np.testing.assert_array_equal(fit_one(wide, y).loss_curve, fit_one(X, y).loss_curve)


@pytest.mark.parametrize(
    ("changes", "sizes"),
    [
        ({}, (300, 100)),
        ({"validation_fraction": 0.15, "unused_fraction": 0.15}, (350, 75)),
        ({"unused_fraction": 0.0}, (400, 100)),
        (ON_ALL_ROWS, (500, 0)),
    ],
)
def test_division_of_500_rows(changes, sizes):
    assert division_sizes(500, TrainingSettings(**changes)) == sizes


# Batches and determinism


@given(st.integers(0, 2**32 - 1), st.permutations(range(4)))
@settings(max_examples=15, deadline=None)
def test_batch_equals_loop_to_the_last_bit(seed, order):
    problems = [problem(seed + i, n=50) for i in range(4)]
    X, y = (np.array(part) for part in zip(*problems, strict=True))
    seeds = [seed + i for i in range(4)]
    together = fit_networks(X, y, seeds=seeds)
    shuffled = fit_networks(X[order], y[order], seeds=[seeds[i] for i in order])
    for position, i in enumerate(order):
        alone = fit_networks(X[[i]], y[[i]], seeds=[seeds[i]])
        for other, at in ((together, i), (shuffled, position)):
            assert other.weights[at].tobytes() == alone.weights[0].tobytes()
            assert other.loss_curve[at].tobytes() == alone.loss_curve[0].tobytes()
            assert other.stop_reason[at] == alone.stop_reason[0]


def test_estimator_is_a_batch_of_one():
    X, y = problem()
    model = LevenbergMarquardtClassifier(random_state=11).fit(X, y)
    trained = fit_one(X, y, seed=11)
    parts = [model.coefs_[0].T, model.intercepts_[0], model.coefs_[1], model.intercepts_[1]]
    assert np.concatenate([part.ravel() for part in parts]).tobytes() == trained.weights.tobytes()
    assert model.loss_curve_ == trained.loss_curve[0].tolist()
    assert model.validation_curve_ == trained.validation_curve[0].tolist()
    assert (model.n_iter_, model.best_iter_) == (trained.n_iter[0], trained.best_iter[0])


def test_integer_seed_repeats_and_other_seeds_differ():
    X, y = problem()
    model = LevenbergMarquardtClassifier(random_state=4)
    first, again, other = (
        m.fit(X, y) for m in (model, clone(model), clone(model).set_params(random_state=5))
    )
    assert first.decision_function(X).tobytes() == again.decision_function(X).tobytes()
    assert (first.decision_function(X) != other.decision_function(X)).any()
    legacy = [clone(model).set_params(random_state=np.random.RandomState(1)) for _ in range(2)]
    np.testing.assert_array_equal(*(m.fit(X, y).decision_function(X) for m in legacy))


def test_import_is_free_of_numba():
    code = (
        "import sys, study.models.levenberg_marquardt;"
        "assert 'study.models.lm_kernels' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Hard inputs


def test_more_weights_than_rows_and_duplicated_rows():
    X, y = problem(n=12, d=8)
    X, y = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    model = LevenbergMarquardtClassifier(early_stopping=False, random_state=0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.loss_curve_[-1] < 1e-6


@pytest.mark.parametrize("factor", [1e-200, 1e-8, 1e8, 1e200])
def test_inputs_far_from_unit_scale_give_finite_scores(factor):
    X, y = problem()
    # Compiled loops never warn; the same loops run as Python under NUMBA_DISABLE_JIT would.
    with np.errstate(over="ignore", invalid="ignore"):
        model = LevenbergMarquardtClassifier(random_state=0, max_iter=20).fit(X * factor, y)
    assert np.isfinite(model.decision_function(X * factor)).all()


def test_inputs_without_any_variation_predict_one_score():
    y = np.tile([0, 0, 1], 20)
    model = LevenbergMarquardtClassifier(random_state=0).fit(np.ones((60, 2)), y)
    assert len(set(model.decision_function(np.eye(2)))) == 1


def test_scores_of_saturated_outputs_are_not_tied():
    X = np.linspace(-1, 1, 50).reshape(-1, 1)
    w = np.array([1.0, 0.0, 200.0, 0.0])  # one hidden neuron, a net input of 50 and more
    z = network_scores([X], [w], 1)[0]
    assert len(np.unique(expit(z))) == 1
    assert (np.diff(z) > 0).all()


def test_second_class_is_positive():
    X, y = problem(n=300)
    labels = np.where(y == 1, "good", "bad")
    model = LevenbergMarquardtClassifier(random_state=0).fit(X, labels)
    z, proba = model.decision_function(X), model.predict_proba(X)
    assert list(model.classes_) == ["bad", "good"]
    assert z[y == 1].mean() > z[y == 0].mean()
    np.testing.assert_array_equal(model.predict(X) == "good", z > 0)
    np.testing.assert_allclose(proba[:, 1], expit(z))
    np.testing.assert_allclose(proba.sum(axis=1), 1)


# Refusals


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_hidden", 0),
        ("n_hidden", 2.0),
        ("max_iter", True),
        ("patience", -1),
        ("early_stopping", "yes"),
        ("initialization", "xavier"),
        ("validation_fraction", 0.0),
        ("validation_fraction", "0.2"),
        ("unused_fraction", -0.1),
        ("unused_fraction", 0.9),
        ("mu", 0.0),
        ("mu", 1e11),
        ("mu_dec", 1.5),
        ("mu_inc", 1.0),
        ("mu_max", np.inf),
        ("min_grad", np.nan),
        ("random_state", -1),
        ("random_state", "seed"),
    ],
)
def test_parameter_out_of_range_is_named(name, value):
    X, y = problem()
    with pytest.raises(ValueError, match=name):
        LevenbergMarquardtClassifier(**{name: value}).fit(X, y)


def test_labels_of_one_or_three_classes_are_refused():
    X, _ = problem(n=30)
    with pytest.raises(ValueError, match="y must hold two classes"):
        LevenbergMarquardtClassifier().fit(X, np.zeros(30))
    with pytest.raises(ValueError, match="Only binary classification"):
        LevenbergMarquardtClassifier().fit(X, np.arange(30) % 3)


def test_too_few_rows_to_divide_are_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"validation_fraction=0.2.*early_stopping=False"):
        LevenbergMarquardtClassifier().fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X": np.zeros((5, 2))}, "X must be of 3 dimensions"),
        ({"X": np.zeros((1, 0, 2))}, "X must be of 3 dimensions, not empty"),
        ({"X": np.full((1, 5, 2), np.nan)}, "X must be finite"),
        ({"X": [[["a", "b"]] * 5]}, "X must hold numbers"),
        ({"y": np.zeros((1, 4))}, r"y must be of shape \(1, 5\)"),
        ({"y": np.full((1, 5), np.inf)}, "y must be finite"),
        ({"seeds": [0, 1]}, "seeds must hold one seed a network, got 2 for 1"),
        ({"seeds": [-3]}, "seeds: -3"),
        ({"initial_weights": np.zeros((1, 20))}, r"initial_weights must be of shape \(1, 21\)"),
        ({"initial_weights": np.full((1, 21), np.nan)}, "initial_weights must be finite"),
    ],
)
def test_batch_arguments_are_checked(changes, message):
    arguments = {"X": np.zeros((1, 5, 2)), "y": np.zeros((1, 5)), "seeds": [0]} | changes
    with pytest.raises(ValueError, match=message):
        fit_networks(arguments.pop("X"), arguments.pop("y"), **arguments)


@parametrize_with_checks([LevenbergMarquardtClassifier(max_iter=100)])
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)
