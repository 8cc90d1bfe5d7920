import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import expit
from scipy.stats import ks_2samp
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score
from sklearn.neural_network import MLPClassifier

from study.models import network_kernels as kernels
from study.models.network import CompiledNetwork

# Networks that are stopped by their iteration limit say so; here that is no fault.
pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore:not converged"
)


def problem(seed, n=400, d=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=n) > 1).astype(int)


def library(seed, **settings):
    return MLPClassifier((5,), activation="logistic", solver="lbfgs", random_state=seed, **settings)


@pytest.mark.parametrize(("n", "d", "h"), [(50, 4, 3), (7, 1, 1), (131, 9, 5)])
def test_gradient_against_finite_differences(n, d, h):
    X, y = problem(n, n, max(d, 3))
    X = np.ascontiguousarray(X[:, :d])
    columns, y = np.ascontiguousarray(X.T), y.astype(float)

    def loss(w):
        return kernels.loss_and_gradient(X, columns, y, w, h, 0.3, np.empty_like(w))

    def gradient(w):
        g = np.empty_like(w)
        kernels.loss_and_gradient(X, columns, y, w, h, 0.3, g)
        return g

    w = np.random.default_rng(1).normal(size=h * (d + 2) + 1)
    assert check_grad(loss, gradient, w) < 1e-6


def test_logistic_over_its_whole_range():
    z = np.concatenate([[-800, -700, 0, 700, 800], np.linspace(-40, 40, 2001)])
    out, odds = np.empty_like(z), np.empty_like(z)
    kernels.logistic(z, out, odds, np.empty(len(z), np.int64))
    inside = np.abs(z) <= 700
    np.testing.assert_allclose(odds[inside], np.exp(-np.abs(z[inside])), rtol=1e-15)
    np.testing.assert_allclose(out[inside], 1 / (1 + np.exp(-z[inside])), rtol=4e-16)
    assert (out[~inside] < 1e-300).tolist() == (z[~inside] < 0).tolist()


def test_start_and_loss_are_those_of_scikit_learn():
    X, y = problem(0)
    with pytest.warns(UserWarning, match="not converged after 1"):
        ours = CompiledNetwork(max_iter=1, tol=0, alpha=0.1, seed=3).fit(X, y)
    with pytest.warns(ConvergenceWarning):
        theirs = library(3, max_iter=1, tol=0, alpha=0.1).fit(X, y)
    # The first step goes along the gradient, with the same rule for its length.
    (hidden, output), (biases, bias) = theirs.coefs_, theirs.intercepts_
    expected = np.concatenate([hidden.T.ravel(), biases, output.ravel(), bias])
    np.testing.assert_allclose(ours.weights_, expected, rtol=1e-6)
    np.testing.assert_allclose(ours.loss_, theirs.loss_, rtol=1e-6)


def test_reaches_the_same_minimum_where_there_is_one():
    X, y = problem(1)
    settings = {"alpha": 50.0, "tol": 1e-7, "max_iter": 2000}
    ours = CompiledNetwork(seed=0, **settings).fit(X, y)
    theirs = library(0, **settings).fit(X, y)
    assert ours.loss_ == pytest.approx(theirs.loss_, rel=1e-6)
    np.testing.assert_allclose(
        expit(ours.decision_function(X)), theirs.predict_proba(X)[:, 1], atol=1e-3
    )


def test_test_auc_is_distributed_as_with_scikit_learn():
    found = {"ours": [], "theirs": []}
    for seed in range(100):
        X, y = problem(seed)
        for name, model in (
            ("ours", CompiledNetwork(seed=seed)),
            ("theirs", library(seed)),
        ):
            model.fit(X[:200], y[:200])
            score = (
                model.decision_function(X[200:])
                if name == "ours"
                else model.predict_proba(X[200:])[:, 1]
            )
            found[name].append(roc_auc_score(y[200:], score))
    assert ks_2samp(found["ours"], found["theirs"]).pvalue > 0.05


def test_same_seed_same_bytes():
    X, y = problem(2)
    first, second = (CompiledNetwork(seed=1).fit(X, y).weights_ for _ in range(2))
    assert first.tobytes() == second.tobytes()
