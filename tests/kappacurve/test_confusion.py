"""Kappa of confusion matrices of several classes, against scikit-learn and by hand."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, confusion_matrix

import kappacurve as kc


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_agrees_with_scikit_learn(weights):
    rng = np.random.default_rng(0)
    y, predicted = rng.integers(4, size=(2, 200))
    predicted = np.where(rng.random(200) < 0.4, y, predicted)
    matrix = confusion_matrix(y, predicted)
    expected = cohen_kappa_score(y, predicted, weights=weights)
    assert kc.kappa_of_confusion(matrix, weights=weights) == pytest.approx(expected, abs=1e-12)
    if weights:
        distance = np.abs(np.subtract.outer(range(4), range(4))) ** (1 + (weights == "quadratic"))
        found = kc.kappa_of_confusion(matrix, cost_matrix=distance)
        assert found == pytest.approx(expected, abs=1e-12)


def test_a_cost_matrix_of_two_classes_is_a_cost_ratio():
    tn, fp, fn, tp = 50, 12, 7, 31
    expected = kc.algebra.kappa_from_rates(12 / 62, 31 / 38, 0.38, cost_ratio=5)
    found = kc.kappa_of_confusion([[tn, fp], [fn, tp]], cost_matrix=[[0, 1], [5, 0]])
    assert found == pytest.approx(float(expected), abs=1e-13)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_matrix": [[0, 1]]}, r"cost_matrix must have the shape \(2, 2\)"),
        ({"cost_matrix": [[1, 1], [1, 0]]}, "a diagonal of zeros"),
        ({"weights": "cubic"}, 'weights must be "linear" or "quadratic"'),
        ({"weights": "linear", "cost_matrix": [[0, 1], [1, 0]]}, "give one of them"),
    ],
)
def test_costs_that_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        kc.kappa_of_confusion([[3, 1], [2, 4]], **options)
