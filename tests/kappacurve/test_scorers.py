import pickle

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, cross_validate
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
@pytest.mark.parametrize("pos_label", ["ill", "well"])
def test_words_as_labels(data, model, pos_label):
    X, y = data
    words = np.where(y == 1, "well", "ill")
    model.fit(X, words)
    proba = model.predict_proba(X)[:, list(model.classes_).index(pos_label)]
    found = get_scorer("auk", pos_label=pos_label)(model, X, words)
    assert found == pytest.approx(kc.auk_score(words, proba, pos_label=pos_label), abs=1e-12)


def test_scorers_of_decisions_take_probabilities(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    probability = model.predict_proba(X)[:, 1]
    found = get_scorer("net_benefit", threshold=0.2, prevalence=0.1)(model, X, y)
    assert found == kc.net_benefit(y, probability, thresholds=0.2, prevalence=0.1)
    at_half = get_scorer("net_benefit")(model, X, y)
    assert at_half == kc.net_benefit(y, probability, thresholds=0.5)
    options = {"cost_ratio": 5, "threshold": 1 / 6}
    loss = kc.expected_loss(y, probability, **options)
    assert get_scorer("expected_loss", **options)(model, X, y) == -loss


def test_scorers_take_weights_and_travel_to_other_processes(data):
    model = LogisticRegression().fit(*data)
    score, weight = model.decision_function(data[0]), np.arange(200) % 3
    scorer = pickle.loads(pickle.dumps(get_scorer("auk", cost_ratio=5)))  # noqa: S301 its own bytes
    found = scorer(model, *data, sample_weight=weight)
    assert found == kc.auk_score(data[1], score, sample_weight=weight, cost_ratio=5)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("fpr", {}, "no scorer 'fpr'; known are auc, .*, kappa_max, expected_loss, net_benefit"),
        ("auc", {"prevalence": 0.5}, r"'auc' takes pos_label, not 'prevalence'"),
        ("auk", {"sample_weight": [1, 2]}, "not 'sample_weight'"),
        ("auk", {"cost": 0.2, "cost_ratio": 2}, "give one of them"),
    ],
)
def test_options_are_refused_when_the_scorer_is_made(name, options, message):
    with pytest.raises(ValueError, match=message):
        get_scorer(name, **options)
