import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    precision_score,
    recall_score,
)

from study.papers.confusion import Confusion, count, statistics


@pytest.mark.parametrize("matrix", [(20, 5, 15, 60), (9, 21, 18, 252), (1, 0, 3, 2)])
def test_counts_and_statistics_against_scikit_learn(matrix):
    truth = np.repeat([1, 1, 0, 0], matrix)
    predicted = np.repeat([1, 0, 1, 0], matrix)
    assert count(truth, predicted) == matrix
    found = statistics(Confusion(*matrix))
    for name, reference in (
        ("accuracy", accuracy_score),
        ("kappa", cohen_kappa_score),
        ("precision", precision_score),
        ("recall", recall_score),
        ("f1", f1_score),
    ):
        assert found[name] == pytest.approx(reference(truth, predicted))


def test_largest_kappa_is_that_of_the_best_matrix_with_these_margins():
    # 30 bad and 27 predicted bad: at best 27 of them agree.
    best = statistics(Confusion(27, 3, 0, 270))["kappa"]
    assert statistics(Confusion(9, 21, 18, 252))["kappa_max"] == pytest.approx(best)
