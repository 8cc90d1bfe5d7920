"""Estimators by import path: what may be imported, what is built, and what reaches the fit."""

import sys

import numpy as np
import pytest
from imblearn.over_sampling import SMOTE
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from study.errors import ExperimentError
from study.models.registry import build_estimator, check_estimator, fit_and_score

ALLOWED = ["sklearn", "imblearn"]
FOREST = {"estimator": "sklearn.ensemble.RandomForestClassifier"}
NEIGHBOURS = {"estimator": "sklearn.neighbors.KNeighborsClassifier"}


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(8)
    y = (np.arange(120) % 6 == 0).astype(int)
    return rng.normal(size=(120, 3)) + y[:, None], y


def scored(settings, problem, n=80):
    X, y = problem
    return fit_and_score("mine", settings, X[:n], y[:n], X[80:], seed=3)


@pytest.mark.parametrize(
    "settings",
    [
        FOREST | {"parameters": {"n_estimators": 3}, "resampling": "under"},
        {"estimator": "sklearn.svm.SVC", "resampling": None},
        {"estimator": "imblearn.ensemble.BalancedRandomForestClassifier"},
    ],
)
def test_classifiers_of_allowed_packages_pass(settings):
    check_estimator(settings, ALLOWED)


@pytest.mark.parametrize("path", ["os.system", "builtins.eval", "sklearn_x.A", ".sklearn.svm.SVC"])
def test_other_packages_are_refused(path):
    with pytest.raises(ExperimentError, match="is not of the packages that estimator_packages"):
        check_estimator({"estimator": path}, ALLOWED)


def test_a_module_outside_the_list_is_never_run(tmp_path, monkeypatch):
    (tmp_path / "mine_to_trust.py").write_text(
        "from sklearn.naive_bayes import GaussianNB as Model\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    # Noted as absent, so that the import below is undone at the end.
    monkeypatch.setitem(sys.modules, "mine_to_trust", None)
    monkeypatch.delitem(sys.modules, "mine_to_trust")
    settings = {"estimator": "mine_to_trust.Model"}
    with pytest.raises(ExperimentError, match="Add mine_to_trust there only if you trust it"):
        check_estimator(settings, ALLOWED)
    with pytest.raises(ExperimentError, match=r"allows \(none\)"):
        check_estimator(settings, [])
    assert "mine_to_trust" not in sys.modules
    check_estimator(settings, [*ALLOWED, "mine_to_trust"])
    assert isinstance(build_estimator(settings, seed=1), GaussianNB)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("sklearn", "sklearn is not an import path such as sklearn.svm.SVC"),
        ("sklearn.", "sklearn has no "),
        ("sklearn.swm.SVC", "can't be imported: No module named 'sklearn.swm'"),
        ("sklearn.svm.SCV", "sklearn.svm has no SCV"),
        ("sklearn.os.system", "can't be imported"),
        ("sklearn.preprocessing.StandardScaler", "is not a class with fit and predict"),
        ("sklearn.linear_model.LinearRegression", "is not a classifier"),
        ("sklearn.ensemble._forest.ForestClassifier", "is not a classifier"),
        ("sklearn.ensemble.VotingClassifier", "needs a value for estimators"),
    ],
)
def test_refused_paths(path, message):
    with pytest.raises(ExperimentError, match=message):
        check_estimator({"estimator": path}, ALLOWED)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (FOREST | {"parameters": {"n_estimator": 3}}, "n_estimator; did you mean n_estimators?"),
        (NEIGHBOURS | {"parameters": {"zzz": 3}}, "has no parameter zzz; it has n_neighbors,"),
    ],
)
def test_refused_parameters(settings, message):
    with pytest.raises(ExperimentError, match=message):
        check_estimator(settings, ALLOWED)


def test_the_seed_goes_where_there_is_a_random_state():
    for given, used in (({}, 11), ({"random_state": 0}, 0), ({"random_state": None}, 11)):
        assert build_estimator(FOREST | {"parameters": given}, seed=11).random_state == used
    pipeline = build_estimator(NEIGHBOURS | {"resampling": "smote"}, seed=11)
    assert [type(step) for _, step in pipeline.steps] == [SMOTE, KNeighborsClassifier]
    assert pipeline.steps[0][1].random_state == 11


def test_scores_are_those_of_the_library(problem):
    X, y = problem
    forest = RandomForestClassifier(n_estimators=20, random_state=3).fit(X[:80], y[:80])
    small = FOREST | {"parameters": {"n_estimators": 20}}
    np.testing.assert_array_equal(scored(small, problem), forest.predict_proba(X[80:])[:, 1])
    machine = SVC().fit(X[:80], y[:80])
    found = scored({"estimator": "sklearn.svm.SVC"}, problem)
    np.testing.assert_array_equal(found, machine.decision_function(X[80:]))
    # Without scores, the predictions rank the rows.
    assert len(scored({"estimator": "sklearn.neighbors.NearestCentroid"}, problem)) == 40


@pytest.mark.parametrize("kind", ["smote", "over", "under"])
def test_only_training_rows_are_resampled(problem, kind, monkeypatch):
    X, y = problem
    seen = {}

    def fit(self, X, y):
        seen["fit"] = len(y), y.mean()
        return real_fit(self, X, y)

    def predict_proba(self, X):
        seen["scored"] = X
        return real_scores(self, X)

    real_fit, real_scores = KNeighborsClassifier.fit, KNeighborsClassifier.predict_proba
    monkeypatch.setattr(KNeighborsClassifier, "fit", fit)
    monkeypatch.setattr(KNeighborsClassifier, "predict_proba", predict_proba)
    scored(NEIGHBOURS | {"resampling": kind}, problem)
    n_bad = y[:80].sum()
    # Either class becomes as frequent as the other; the 40 test rows stay as they are.
    assert seen["fit"] == (2 * (n_bad if kind == "under" else 80 - n_bad), 0.5)
    np.testing.assert_array_equal(seen["scored"], X[80:])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (FOREST | {"parameters": {"n_estimators": -1}}, "'n_estimators' parameter of Random"),
        (NEIGHBOURS | {"resampling": "smote"}, "can't be fitted to 5 rows, 1 of them positive: "),
    ],
)
def test_what_an_estimator_refuses_is_one_sentence(problem, settings, message):
    with pytest.raises(ExperimentError, match=message) as refusal:
        scored(settings, problem, n=5)
    assert str(refusal.value).startswith("config key models.mine: sklearn.")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (KeyError("x"), "'x'."),
        (RuntimeError(), "RuntimeError."),
        (np.linalg.LinAlgError("two\nlines"), "two."),
        (np.nan, "its scores are not one finite number for each row."),
    ],
)
def test_whatever_an_estimator_does_is_one_sentence(problem, monkeypatch, fault, said):
    def predict_proba(self, X):  # noqa: ARG001
        if isinstance(fault, Exception):
            raise fault
        return np.full((len(X), 2), fault)

    monkeypatch.setattr(KNeighborsClassifier, "predict_proba", predict_proba)
    with pytest.raises(ExperimentError) as refusal:
        scored(NEIGHBOURS, problem)
    assert str(refusal.value) == (
        "config key models.mine: sklearn.neighbors.KNeighborsClassifier can't be fitted to 80 "
        f"rows, 14 of them positive: {said}"
    )
