import pickle

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB

import kappacurve as kc
from kappacurve.scorers import SCORERS, get_scorer


@pytest.fixture(scope="module")
def data():
    return make_classification(200, weights=[0.7], class_sep=0.5, random_state=3)


def test_every_scorer_in_cross_validation(data):
    scoring = {name: get_scorer(name) for name in SCORERS}
    found = cross_validate(LogisticRegression(), *data, scoring=scoring, cv=3)
    expected = cross_val_score(LogisticRegression(), *data, scoring="roc_auc", cv=3)
    np.testing.assert_allclose(found["test_auc"], expected, atol=1e-14)
    for name in SCORERS:
        assert np.isfinite(found[f"test_{name}"]).all()


@pytest.mark.parametrize("model", [LogisticRegression(), GaussianNB()])
def test_a_scorer_is_its_function(data, model):
    X, y = data
    model.fit(X, y)
    score = model.predict_proba(X)[:, 1]
    assert get_scorer("auk", hull=True)(model, X, y) == pytest.approx(
        kc.auk_score(y, score, hull=True), abs=1e-12
    )
    assert get_scorer("h", cost_weight="class_ratio")(model, X, y) == pytest.approx(
        kc.h_measure_score(y, score, cost_weight="class_ratio"), abs=1e-12
    )
    assert get_scorer("kappa_max", prevalence=0.5)(model, X, y) == pytest.approx(
        kc.ks_score(y, score), abs=1e-12
    )


@pytest.mark.parametrize("model", [LogisticRegression(), GaussianNB()])
@pytest.mark.parametrize("pos_label", ["ill", "well"])
def test_words_as_labels(data, model, pos_label):
    X, y = data
    words = np.where(y == 1, "well", "ill")
    model.fit(X, words)
    proba = model.predict_proba(X)[:, list(model.classes_).index(pos_label)]
    found = get_scorer("auk", pos_label=pos_label)(model, X, words)
    assert found == pytest.approx(kc.auk_score(words, proba, pos_label=pos_label), abs=1e-12)


def test_grid_search(data):
    grid = {"C": [1e-4, 1.0]}
    search = GridSearchCV(LogisticRegression(), grid, scoring=get_scorer("auk", prevalence=0.3))
    search.fit(*data)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])
    assert search.best_params_ == {"C": 1.0}


def test_sample_weight(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    weight = np.arange(len(y)) % 3
    found = get_scorer("auk")(model, X, y, sample_weight=weight)
    score = model.decision_function(X)
    assert found == kc.auk_score(y, score, sample_weight=weight)


def test_scorers_travel_to_other_processes(data):
    model = LogisticRegression().fit(*data)
    for name in SCORERS:
        scorer = get_scorer(name)
        assert pickle.loads(pickle.dumps(scorer))(model, *data) == scorer(model, *data)  # noqa: S301 its own bytes


def test_a_scorer_that_is_none():
    with pytest.raises(ValueError, match="no scorer 'f1'; known are auc, auch"):
        get_scorer("f1")


def test_an_option_that_the_measure_does_not_take():
    with pytest.raises(ValueError, match=r"'auc' takes pos_label, .*, not 'prevalence'"):
        get_scorer("auc", prevalence=0.5)
