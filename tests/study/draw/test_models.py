"""Models by import path, against scikit-learn and imbalanced-learn."""

import numpy as np
import pytest
from imblearn.over_sampling import SMOTE
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from kappacurve import adjust_prevalence
from study.draw.models import build, check_model, fit_and_score
from study.errors import ExperimentError

CLASSES = {"minority": "bad", "majority": "good"}


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 4))
    X = np.column_stack([X, X[:, 0]])  # one column twice: only the fit of smallest norm is unique
    y = (X[:, 0] + X[:, 1] + rng.normal(size=300) > 1).astype(int)
    return X[:200], y[:200], X[200:]


def score(problem, estimator, resampling=None, **parameters):
    settings = {"estimator": estimator, "parameters": parameters, "resampling": resampling}
    return fit_and_score(settings, *problem, seed=7)


def test_least_squares_is_scikit_learns_linear_regression(problem):
    X, y, X_test = problem
    found = score(problem, "study.draw.models.LeastSquares")
    expected = LinearRegression().fit(X, y).predict(X_test)
    np.testing.assert_allclose(found["score"], expected, atol=1e-12)
    assert np.isnan(found["probability"]).all()


def test_a_score_is_the_decision_function_and_else_the_probability(problem):
    X, y, X_test = problem
    logistic = LogisticRegression(C=0.5).fit(X, y)
    found = score(problem, "sklearn.linear_model.LogisticRegression", C=0.5)
    np.testing.assert_array_equal(found["score"], logistic.decision_function(X_test))
    np.testing.assert_array_equal(found["probability"], logistic.predict_proba(X_test)[:, 1])
    found = score(problem, "sklearn.svm.SVC", class_weight={0: 1, 1: 5})
    svm = SVC(class_weight={0: 1, 1: 5}).fit(X, y)
    np.testing.assert_array_equal(found["score"], svm.decision_function(X_test))
    assert np.isnan(found["probability"]).all()
    found = score(problem, "sklearn.naive_bayes.GaussianNB")
    np.testing.assert_array_equal(found["score"], found["probability"])


def test_probabilities_of_balanced_rows_return_to_the_share_of_positives(problem):
    X, y, X_test = problem
    found = score(problem, "sklearn.neighbors.KNeighborsClassifier", "smote", n_neighbors=9)
    balanced = SMOTE(random_state=7).fit_resample(X, y)
    chance = KNeighborsClassifier(9).fit(*balanced).predict_proba(X_test)[:, 1]
    np.testing.assert_array_equal(found["score"], chance)
    np.testing.assert_allclose(found["probability"], adjust_prevalence(chance, 0.5, y.mean()))


def test_sections_within_parameters_are_estimators_and_the_seed_goes_to_each():
    inner = {"estimator": "sklearn.svm.LinearSVC", "parameters": {"C": 0.1}}
    steps = [["scale", {"estimator": "sklearn.preprocessing.MinMaxScaler"}], ["svm", inner]]
    pipeline = build({"estimator": "sklearn.pipeline.Pipeline", "parameters": {"steps": steps}}, 3)
    assert [type(step).__name__ for _, step in pipeline.steps] == ["MinMaxScaler", "LinearSVC"]
    assert (pipeline["svm"].C, pipeline["svm"].random_state) == (0.1, 3)
    stated = {"estimator": "sklearn.svm.SVC", "parameters": {"random_state": 0}}
    assert build(stated, 3).random_state == 0


@pytest.mark.parametrize(
    ("estimator", "parameters", "message"),
    [
        ("sklearn.svm.SVM", {}, "sklearn.svm.SVM: .*no attribute 'SVM'"),
        ("sklearn.supportvectors.SVC", {}, "No module named"),
        ("SVC", {}, "SVC: Empty module name"),
        ("sklearn.svm.SVC", {"c": 1}, "sklearn.svm.SVC: .*unexpected keyword argument 'c'"),
        ("sklearn.svm.SVC", {"class_weight": {"x": 1}}, "class_weight names x, but"),
        ("sklearn.datasets.make_moons", {}, "is no classifier"),
        ("sklearn.linear_model.LinearRegression", {}, "is no classifier"),
        ("sklearn.preprocessing.StandardScaler", {}, "is no classifier"),
        ("imblearn.over_sampling.SMOTE", {}, "is no classifier"),
    ],
)
def test_what_is_no_classifier_or_has_no_such_parameter_is_refused(estimator, parameters, message):
    with pytest.raises(ExperimentError, match=rf"config key models\.a.*: .*{message}"):
        check_model("a", {"estimator": estimator, "parameters": parameters}, CLASSES)


def test_classifiers_pass_without_and_with_other_estimators_in_them():
    tree = {"estimator": "sklearn.tree.DecisionTreeClassifier"}
    for estimator, parameters in [
        ("study.draw.models.LeastSquares", {}),
        ("study.draw.matlab_network.MatlabNetwork", {}),
        ("sklearn.ensemble.StackingClassifier", {"estimators": [["tree", tree]]}),
        ("sklearn.model_selection.GridSearchCV", {"estimator": tree, "param_grid": {}}),
        ("imblearn.pipeline.Pipeline", {"steps": [["tree", tree]]}),
    ]:
        check_model("a", {"estimator": estimator, "parameters": parameters}, CLASSES)


def test_a_model_that_cannot_be_fitted_has_missing_scores_and_a_reason(problem):
    X, y, X_test = problem
    found = score(problem, "sklearn.svm.SVC", C=-1)
    assert np.isnan(found["score"]).all() and found["note"].startswith("The 'C' param")
    assert np.isnan(score((X, 0 * y, X_test), "sklearn.svm.SVC")["score"]).all()
