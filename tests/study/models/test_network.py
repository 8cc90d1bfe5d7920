"""The compiled network against finite differences and scikit-learn's."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from study.models import network
from study.models.network import CompiledNetwork


def data(seed, n=400, d=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=n) > 1).astype(int)


def library(seed, **settings):
    return MLPClassifier((5,), activation="logistic", solver="lbfgs", random_state=seed, **settings)


def test_logistic_over_its_whole_range():
    z = np.concatenate([[-800, -700, 0, 700, 800], np.linspace(-40, 40, 2001)])
    out, odds = np.empty_like(z), np.empty_like(z)
    network.logistic(z, out, odds, np.empty(len(z), np.int64))
    inside = np.abs(z) <= 700
    np.testing.assert_allclose(odds[inside], np.exp(-np.abs(z[inside])), rtol=1e-15)
    np.testing.assert_allclose(out[inside], 1 / (1 + np.exp(-z[inside])), rtol=4e-16)
    assert (out[~inside] < 1e-300).tolist() == (z[~inside] < 0).tolist()


def test_start_and_first_step_are_those_of_scikit_learn():
    X, y = data(0)
    with pytest.warns(UserWarning, match="not converged after 1"):
        ours = CompiledNetwork(max_iter=1, tol=0, alpha=0.1, seed=3).fit(X, y)
    with pytest.warns(ConvergenceWarning):
        theirs = library(3, max_iter=1, tol=0, alpha=0.1).fit(X, y)
    (hidden, output), (biases, bias) = theirs.coefs_, theirs.intercepts_
    expected = np.concatenate([hidden.T.ravel(), biases, output.ravel(), bias])
    np.testing.assert_allclose(ours.weights_, expected, rtol=1e-6)
    np.testing.assert_allclose(ours.loss_, theirs.loss_, rtol=1e-6)


def test_reaches_the_same_minimum_where_there_is_one():
    X, y = data(1)
    settings = {"alpha": 50.0, "tol": 1e-7, "max_iter": 2000}
    ours, theirs = CompiledNetwork(**settings).fit(X, y), library(0, **settings).fit(X, y)
    assert ours.loss_ == pytest.approx(theirs.loss_, rel=1e-6)
    probability = expit(ours.decision_function(X))
    np.testing.assert_allclose(probability, theirs.predict_proba(X)[:, 1], atol=1e-3)
