import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    precision_score,
    recall_score,
)

from kappacurve.roc import kappa_from_rates
from study.papers.agreement import Matrix, matrix_at


@pytest.mark.parametrize(
    "matrix", [Matrix(20, 5, 15, 60), Matrix(9, 21, 18, 252), Matrix(1, 0, 3, 2)]
)
def test_counts_against_scikit_learn(matrix):
    tp, fn, fp, tn = matrix
    truth = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
    predicted = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
    for found, reference in (
        (matrix.accuracy, accuracy_score),
        (matrix.kappa, cohen_kappa_score),
        (matrix.precision, precision_score),
        (matrix.recall, recall_score),
        (matrix.f1, f1_score),
    ):
        assert found == pytest.approx(reference(truth, predicted))
    assert matrix.kappa == pytest.approx(
        float(kappa_from_rates(matrix.fpr, matrix.recall, matrix.prevalence))
    )


def test_largest_kappa_is_that_of_the_best_matrix_with_these_margins():
    matrix = Matrix(9, 21, 18, 252)
    # 30 bad and 27 predicted bad: at best 27 of them agree.
    assert matrix.kappa_max == pytest.approx(Matrix(27, 3, 0, 270).kappa)
    assert matrix.kappa_max == pytest.approx(0.942, abs=5e-4)


def test_matrix_at_a_point_of_the_roc_plane_has_these_rates():
    matrix = matrix_at(0.2, 0.7, 0.11)
    assert matrix.total == pytest.approx(1)
    assert (matrix.fpr, matrix.recall, matrix.prevalence) == pytest.approx((0.2, 0.7, 0.11))


def test_undefined_measures_are_nan():
    nothing_predicted = Matrix(0, 5, 0, 5)
    assert np.isnan(nothing_predicted.precision)
    assert nothing_predicted.kappa == 0
    assert np.isnan(Matrix(0, 0, 0, 5).kappa)
