"""The registered models, their scaling, and what reaches the fit."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from study.models.registry import MODELS, fit_and_score, scale

# Networks stopped by their iteration limit warn; here that is no fault.
pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore:not converged"
)


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 4))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1).astype(int)


def scored(name, problem, seed=1, **settings):
    X, y = problem
    return fit_and_score(name, settings, X[:200], y[:200], X[200:], seed=seed)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_learns_and_repeats_itself(problem, name):
    first, second, other = (scored(name, problem, seed=seed) for seed in (1, 1, 2))
    assert first.shape == (100,)
    assert (first == second).all()
    assert roc_auc_score(problem[1][200:], first) > 0.7
    assert np.allclose(first, other) == (name in ("linear", "logistic"))


def test_linear_is_scikit_learns_least_squares(problem):
    X, y = problem
    # One column twice, so that only the fit of smallest norm is unique.
    doubled = np.column_stack([X, X[:, 0]])
    expected = LinearRegression().fit(doubled[:200], y[:200]).predict(doubled[200:])
    np.testing.assert_allclose(scored("linear", (doubled, y)), expected, atol=1e-12)


def test_logistic_is_the_minimum_of_its_loss(problem):
    X, y = problem
    slow = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(X[:200], y[:200])
    expected = slow.decision_function(X[200:])
    np.testing.assert_allclose(scored("logistic", problem, C=0.5), expected, atol=1e-5)


def test_network_by_scikit_learn_stays_selectable(problem):
    library = scored("neural_net", problem, trainer="scikit-learn")
    assert 0 <= library.min() < library.max() <= 1
    assert spearmanr(scored("neural_net", problem), library).statistic > 0.5


def test_scaling_against_scikit_learn(problem):
    X = np.column_stack([problem[0], np.ones(300)])
    for scaling, scaler in (("standard", StandardScaler()), ("minmax", MinMaxScaler((-1, 1)))):
        train, test = scale(X[:200], X[200:], scaling)
        np.testing.assert_allclose(train[:, :4], scaler.fit_transform(X[:200])[:, :4], atol=1e-14)
        np.testing.assert_allclose(test[:, :4], scaler.transform(X[200:])[:, :4], atol=1e-14)
        assert (test[:, 4] == 0).all()
