import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from kappacurve.experiment.errors import ExperimentError
from kappacurve.experiment.models import MODELS, build_model, require_settings, scores_of
from kappacurve.experiment.sampling import Split
from kappacurve.experiment.training import train_and_score

# Networks that are stopped by their iteration limit say so; here that is no fault.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1).astype(int)
    return X, y


@pytest.mark.parametrize("scaling", ["standard", "minmax"])
@pytest.mark.parametrize("name", MODELS)
def test_every_model_learns_and_repeats_itself(problem, name, scaling):
    X, y = problem
    first, second = (
        scores_of(build_model(name, {}, seed=1, scaling=scaling).fit(X, y), X) for _ in range(2)
    )
    assert first.shape == (300,)
    assert (first == second).all()
    # Higher means class 1: the mean score of its rows is clearly the larger one.
    assert roc_auc_score(y, first) > 0.8


def test_linear_is_least_squares_on_the_label(problem):
    X, y = problem
    design = np.column_stack([np.ones(300), X])
    coefficients = np.linalg.solve(design.T @ design, design.T @ y)
    found = scores_of(build_model("linear", {}, seed=0).fit(X, y), X)
    np.testing.assert_allclose(found, design @ coefficients, atol=1e-12)


def test_seed_reaches_the_network(problem):
    X, y = problem
    one, other = (scores_of(build_model("neural_net", {}, seed=s).fit(X, y), X) for s in (1, 2))
    assert not np.allclose(one, other)


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
