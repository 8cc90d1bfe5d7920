"""The rule by which a printed number agrees, and statistics of a confusion matrix."""

from itertools import product

import numpy as np
import pytest
from pytest import approx
from sklearn import metrics

from study.companions.printed_and_computed import COLUMNS, Row, compare_rows, measure_matrix


@pytest.mark.parametrize(
    ("printed", "computed", "agrees"),
    [
        ("0.474", 0.473684, "yes"),
        ("0.625", 0.62, "no"),
        ("0.62", 0.625, "yes"),  # rounds either way at a tie
        ("0.288", 0.2875 - 1e-15, "yes"),
        ("0.7", 0.707, "yes"),
        ("0.70", 0.707, "no"),  # two digits are printed
        ("-1", -0.4, "no"),
        ("0", -1e-17, "yes"),
        ("0.5", float("nan"), "no"),
    ],
)
def test_a_number_agrees_if_it_rounds_to_the_printed_digits(printed, computed, agrees):
    table = compare_rows("Source", [Row("Table 1", "kappa", printed, computed, "why")])
    assert list(table) == COLUMNS
    (row,) = table.to_dict("records")
    assert [row[name] for name in ("source", "place", "quantity", "printed", "agrees", "note")] == [
        *("Source", "Table 1", "kappa", printed, agrees, "why")
    ]
    assert row["computed"] == approx(computed, abs=1e-12, nan_ok=True)
    assert not np.signbit(row["computed"]) or row["computed"] < -1e-12


@pytest.mark.parametrize("matrix", [(20, 5, 15, 60), (9, 21, 18, 252), (1, 0, 3, 2)])
def test_statistics_are_those_of_scikit_learn(matrix):
    truth = np.repeat([1, 1, 0, 0], matrix)
    predicted = np.repeat([1, 0, 1, 0], matrix)
    found = measure_matrix(*matrix)
    assert found["accuracy"] == approx(metrics.accuracy_score(truth, predicted))
    assert found["kappa"] == approx(metrics.cohen_kappa_score(truth, predicted))
    assert found["true positive rate"] == approx(metrics.recall_score(truth, predicted))
    assert found["false positive rate"] == approx(
        1 - metrics.recall_score(1 - truth, 1 - predicted)
    )
    shares = measure_matrix(*(count / len(truth) for count in matrix))
    assert shares == approx(found)


@pytest.mark.parametrize(("actual", "predicted"), [(30, 40), (30, 27), (5, 5), (80, 10)])
def test_no_matrix_with_these_totals_has_a_larger_kappa(actual, predicted):
    kappas = [
        measure_matrix(tp, actual - tp, fp, 100 - actual - fp)
        for tp, fp in product(range(actual + 1), range(101 - actual))
        if tp + fp == predicted
    ]
    largest = max(found["kappa"] for found in kappas)
    assert [found["largest kappa"] for found in kappas] == approx([largest] * len(kappas))
