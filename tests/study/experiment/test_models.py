"""Models by name and by import path: what may be imported, their scaling, what reaches the fit."""

import math
import re
import sys

import numpy as np
import pytest
from imblearn.over_sampling import SMOTE
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

from study.errors import ExperimentError
from study.experiment.models import build_estimator, check_estimator
from study.experiment.replicates import fit_and_score, scale
from study.settings import read_config

ALLOWED = ["sklearn", "imblearn"]
FOREST = {"estimator": "sklearn.ensemble.RandomForestClassifier"}
NEIGHBOURS = {"estimator": "sklearn.neighbors.KNeighborsClassifier"}
CALIBRATED = {"estimator": "sklearn.calibration.CalibratedClassifierCV"}
PIPELINE = {"estimator": "sklearn.pipeline.Pipeline"}
# Networks stopped by their iteration limit warn; here that is no fault.
pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore:not converged"
)


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 4))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1).astype(int)


DEFAULTS = read_config({})["models"]


def scored(name, problem, seed=1, **settings):
    X, y = problem
    settings = DEFAULTS.get(name, {}) | settings
    return fit_and_score(name, settings, X[:200], y[:200], X[200:], seed=seed)[0]


@pytest.mark.parametrize("name", DEFAULTS)
def test_every_model_learns_and_repeats_itself(problem, name):
    first, other = (scored(name, problem, seed=seed) for seed in (1, 2))
    X, y = problem
    score, chance, _ = fit_and_score(name, DEFAULTS[name], X[:200], y[:200], X[200:], seed=1)
    assert score.tobytes() == first.tobytes()
    assert roc_auc_score(y[200:], first) > 0.7
    assert np.allclose(first, other) == (name in ("linear", "logistic"))
    if name == "linear":
        assert chance is None
    else:  # it ranks the rows as the score
        assert ((chance >= 0) & (chance <= 1)).all()
        assert (np.diff(chance[np.argsort(score)]) >= 0).all()


def test_models_of_the_library_by_the_registrys_names(problem):
    X, y = problem
    # One column twice, so that only the fit of smallest norm is unique.
    doubled = np.column_stack([X, X[:, 0]])
    expected = LinearRegression().fit(doubled[:200], y[:200]).predict(doubled[200:])
    np.testing.assert_allclose(scored("linear", (doubled, y)), expected, atol=1e-12)
    slow = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(X[:200], y[:200])
    expected = slow.decision_function(X[200:])
    np.testing.assert_allclose(scored("logistic", problem, C=0.5), expected, atol=1e-5)
    # The network's reference is in test_network.py; here, that its settings arrive.
    plain, heavy = (scored("neural_net", problem, alpha=alpha) for alpha in (1e-4, 10.0))
    assert np.ptp(heavy) < np.ptp(plain)
    # So do those of a variant.
    variant = scored("mine", problem, **DEFAULTS["neural_net"], like="neural_net")
    np.testing.assert_array_equal(variant, plain)


def test_scaling_against_scikit_learn(problem):
    X = np.column_stack([problem[0], np.ones(300)])
    for scaling, scaler in (("standard", StandardScaler()), ("minmax", MinMaxScaler((-1, 1)))):
        train, test = scale(X[:200], X[200:], scaling)
        np.testing.assert_allclose(train[:, :4], scaler.fit_transform(X[:200])[:, :4], atol=1e-14)
        np.testing.assert_allclose(test[:, :4], scaler.transform(X[200:])[:, :4], atol=1e-14)
        assert (test[:, 4] == 0).all()
        # What is missing has the median of the training rows, 0 if there is none.
        rows = np.array([[1, np.nan], [5, np.nan], [9, np.nan], [np.nan, np.nan]])
        test = np.array([[np.nan, 4], [13, np.nan]])
        train, test = scale(rows, test, scaling)
        spread = math.sqrt(8) if scaling == "standard" else 4
        assert train[:, 0] == pytest.approx(np.array([-4, 0, 4, 0]) / spread)
        assert (train[:, 1] == 0).all() and test.tolist() == [
            [0, 4],
            [pytest.approx(8 / spread), 0],
        ]


def test_a_module_outside_the_list_is_never_run(tmp_path, monkeypatch):
    code = "from sklearn.naive_bayes import GaussianNB as Model\n"
    (tmp_path / "mine_to_trust.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    # Noted as absent, so that the import below is undone at the end.
    monkeypatch.setitem(sys.modules, "mine_to_trust", None)
    monkeypatch.delitem(sys.modules, "mine_to_trust")
    settings = {"estimator": "mine_to_trust.Model"}
    with pytest.raises(ExperimentError, match="add mine_to_trust there only if you trust it"):
        check_estimator(settings, ALLOWED)
    assert "mine_to_trust" not in sys.modules
    check_estimator(settings, [*ALLOWED, "mine_to_trust"])
    assert isinstance(build_estimator(settings, seed=1), GaussianNB)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("os.system", "is not of the packages that estimator_packages"),
        ("sklearn", "is not of the packages that estimator_packages"),
        ("sklearn.os.system", "can't be imported"),
        ("sklearn.svm.SVM", "can't be imported"),
        ("sklearn.linear_model.LinearRegression", "is not a classifier"),
        ("sklearn.ensemble.VotingClassifier", "argument: 'estimators'"),
        (
            CALIBRATED | {"parameters": {"estimator": "sklearn.svm.SVC"}},
            "the text sklearn.svm.SVC: write {estimator: sklearn.svm.SVC} for an estimator",
        ),
        (
            CALIBRATED | {"parameters": {"estimator": {"estimator": "os.system"}}},
            "os.system is not o",
        ),
        (
            CALIBRATED | {"parameters": {"estimator": {"estimator": "sklearn.utils.Bunch"}}},
            "sklearn.utils.Bunch is not an estimator",
        ),
        (FOREST | {"parameters": {"n_estimator": 3}}, "unexpected keyword argument 'n_estimator'"),
    ],
)
def test_refused_estimators(settings, message):
    settings = {"estimator": settings} if isinstance(settings, str) else settings
    with pytest.raises(ExperimentError, match=message):
        check_estimator(settings, ALLOWED)


def test_the_seed_goes_where_there_is_a_random_state():
    for given, used in (({}, 11), ({"random_state": 0}, 0), ({"random_state": None}, 11)):
        assert build_estimator(FOREST | {"parameters": given}, seed=11).random_state == used
    pipeline = build_estimator(NEIGHBOURS | {"resampling": "smote"}, seed=11)
    assert [type(step) for _, step in pipeline.steps] == [SMOTE, KNeighborsClassifier]
    assert pipeline.steps[0][1].random_state == 11


def test_an_estimator_in_the_parameters_is_built(problem):
    X, y = problem
    inner = {"estimator": "sklearn.svm.LinearSVC", "parameters": {"C": 2.0}}
    settings = CALIBRATED | {"parameters": {"estimator": inner, "cv": 3}}
    check_estimator(settings, ALLOWED)
    expected = CalibratedClassifierCV(LinearSVC(C=2.0, random_state=1), cv=3).fit(X[:200], y[:200])
    found = scored("mine", problem, **settings)
    np.testing.assert_array_equal(found, expected.predict_proba(X[200:])[:, 1])
    steps = [["scale", {"estimator": "sklearn.preprocessing.StandardScaler"}], ["svm", inner]]
    built = build_estimator(PIPELINE | {"parameters": {"steps": steps}}, seed=7)
    assert [type(step) for _, step in built.steps] == [StandardScaler, LinearSVC]
    assert built.steps[1][1].random_state == 7


def test_scores_are_those_of_the_library(problem):
    X, y = problem
    forest = RandomForestClassifier(n_estimators=20, random_state=1).fit(X[:200], y[:200])
    found = scored("mine", problem, **FOREST, parameters={"n_estimators": 20})
    np.testing.assert_array_equal(found, forest.predict_proba(X[200:])[:, 1])
    machine = SVC().fit(X[:200], y[:200])
    found = scored("mine", problem, estimator="sklearn.svm.SVC")
    np.testing.assert_array_equal(found, machine.decision_function(X[200:]))
    # Without scores, the predictions rank the rows.
    assert len(scored("mine", problem, estimator="sklearn.neighbors.NearestCentroid")) == 100


@pytest.mark.parametrize("kind", ["smote", "under"])
def test_only_training_rows_are_resampled(problem, kind, monkeypatch):
    seen = []
    real_fit = KNeighborsClassifier.fit
    monkeypatch.setattr(
        KNeighborsClassifier, "fit", lambda self, X, y: seen.append(y) or real_fit(self, X, y)
    )
    assert len(scored("mine", problem, **NEIGHBOURS, resampling=kind)) == 100
    n_minority = problem[1][:200].sum()
    # Either class becomes as frequent as the other.
    (labels,) = seen
    assert len(labels) == 2 * (n_minority if kind == "under" else 200 - n_minority)
    assert labels.mean() == 0.5


NOT_FINITE = np.full((100, 2), np.nan)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (NOT_FINITE, "its scores are not one finite number for each row"),
        (np.zeros((99, 2)), "its scores are not one finite number for each row"),
        (ValueError("first.\nsecond"), "first"),
        (KeyError(), "KeyError"),
    ],
)
def test_a_failure_of_a_model_is_one_line(problem, monkeypatch, result, reason):
    def predict_proba(*_):
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(KNeighborsClassifier, "predict_proba", predict_proba)
    sentence = f"config key models.mine: {NEIGHBOURS['estimator']} can't be fitted to 200 rows, "
    sentence += f"{problem[1][:200].sum()} of them positive: {reason}."
    with pytest.raises(ExperimentError, match=f"^{re.escape(sentence)}$"):
        scored("mine", problem, **NEIGHBOURS)
