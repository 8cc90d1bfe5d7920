import inspect

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from study.errors import ExperimentError
from study.models.registry import MODELS, fit_and_score, require_settings, scale
from study.models.training import train_and_score
from study.replicates.sampling import Split

# Networks that are stopped by their iteration limit say so; here that is no fault.
pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore:not converged"
)


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1).astype(int)
    return X, y


def scored(name, problem, seed=1, **settings):
    X, y = problem
    return fit_and_score(name, settings, X[:200], y[:200], X[200:], seed=seed)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_learns_and_repeats_itself(problem, name):
    first, second = scored(name, problem), scored(name, problem)
    assert first.shape == (100,)
    assert (first == second).all()
    assert roc_auc_score(problem[1][200:], first) > 0.7


def test_linear_is_scikit_learns_least_squares(problem):
    X, y = problem
    # A column twice, so that only the fit of smallest norm is unique.
    doubled = np.column_stack([X, X[:, 0]])
    expected = LinearRegression().fit(doubled[:200], y[:200]).predict(doubled[200:])
    np.testing.assert_allclose(scored("linear", (doubled, y)), expected, atol=1e-12)


def test_logistic_is_the_minimum_of_its_loss(problem):
    X, y = problem
    slow = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(X[:200], y[:200])
    expected = slow.decision_function(X[200:])
    np.testing.assert_allclose(scored("logistic", problem, C=0.5), expected, atol=1e-5)


def test_seed_reaches_the_networks(problem):
    for name in ("neural_net", "neural_net_lm"):
        assert not np.allclose(scored(name, problem, seed=1), scored(name, problem, seed=2))


def test_network_by_scikit_learn_stays_selectable(problem):
    ours = scored("neural_net", problem)
    library = scored("neural_net", problem, trainer="scikit-learn")
    assert library.min() >= 0
    assert library.max() <= 1
    assert spearmanr(ours, library).statistic > 0.5
    with pytest.raises(ExperimentError, match="no trainer 'adam'"):
        scored("neural_net", problem, trainer="adam")


def test_scaling_against_scikit_learn(problem):
    X = np.column_stack([problem[0], np.ones(300)])
    for scaling, scaler in (("standard", StandardScaler()), ("minmax", MinMaxScaler((-1, 1)))):
        train, test = scale(X[:200], X[200:], scaling)
        np.testing.assert_allclose(train[:, :4], scaler.fit_transform(X[:200])[:, :4], atol=1e-14)
        np.testing.assert_allclose(test[:, :4], scaler.transform(X[200:])[:, :4], atol=1e-14)
        assert (test[:, 4] == 0).all()


def test_unknown_model_and_setting_are_named():
    with pytest.raises(ExperimentError, match="forest is not a model; there are linear"):
        require_settings("forest", {})
    with pytest.raises(ExperimentError, match="logistic has no setting D; it has C"):
        require_settings("logistic", {"D": 1})
    with pytest.raises(ExperimentError, match="linear has no setting C; it has none"):
        require_settings("linear", {"C": 1})


@pytest.mark.parametrize("name", MODELS)
def test_builders_take_a_seed_and_have_defaults(name):
    parameters = inspect.signature(MODELS[name]).parameters
    assert "seed" in parameters
    assert all(p.default is not p.empty for key, p in parameters.items() if key != "seed")


def test_scores_are_those_of_the_test_rows_only(problem):
    X, y = problem
    features = pd.DataFrame(X).assign(row=np.arange(101, 401), bad=y)
    split = Split(np.arange(100, 300), np.arange(100))
    scores = train_and_score(features, split, {"linear": {}, "logistic": {"C": 2.0}}, seed=0)
    assert list(scores) == ["row", "bad", "model", "score"]
    for model in ("linear", "logistic"):
        assert scores[scores["model"] == model]["row"].tolist() == list(range(101, 201))
    assert (scores["bad"].to_numpy() == np.tile(y[:100], 2)).all()


def test_test_rows_do_not_reach_the_fit(problem):
    X, y = problem
    split = Split(np.arange(100, 300), np.arange(100))
    changed = X.copy()
    changed[50:100] += 7.0
    before, after = (
        train_and_score(
            pd.DataFrame(values).assign(row=range(300), bad=y), split, {"neural_net": {}}, seed=0
        )
        for values in (X, changed)
    )
    assert (before["score"][:50] == after["score"][:50]).all()
