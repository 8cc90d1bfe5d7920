"""Kappa of rates, of joint probabilities and of confusion matrices, by hand and published."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from kappacurve import kappa_of_confusion
from kappacurve.algebra import (
    chance_agreement,
    joint_from_rates,
    kappa_from_joint,
    kappa_from_rates,
    kappa_max_of_confusion,
    rates_from_joint,
    tp_from_kappa,
    tpr_from_kappa,
)

PREVALENCES = st.floats(0.001, 0.999)
RATES = st.floats(0, 1)

# TP, FN, FP, TN, chance agreement, kappa of Ben-David's Examples 1 to 6. Example 4 prints a
# chance agreement of 0.625, which its own margins do not give.
EXAMPLES = [
    (0.25, 0.25, 0.25, 0.25, 0.5, 0),
    (0.40, 0.10, 0.10, 0.40, 0.5, 0.6),
    (0.50, 0.00, 0.00, 0.50, 0.5, 1),
    (0.65, 0.05, 0.15, 0.15, 0.62, 0.474),
    (0.70, 0.00, 0.00, 0.30, 0.58, 1),
    (0.49, 0.21, 0.21, 0.09, 0.58, 0),
]


@pytest.mark.parametrize(("tp", "fn", "fp", "tn", "chance", "kappa"), EXAMPLES)
def test_the_examples_of_the_paper(tp, fn, fp, tn, chance, kappa):
    p, share = tp + fn, tp + fp
    assert chance_agreement(share, p) == pytest.approx(chance, abs=1e-14)
    found = float(kappa_from_joint(fp, tp, p))
    assert found == pytest.approx(kappa, abs=5e-4 if kappa == 0.474 else 1e-14)
    assert kappa_of_confusion([[tn, fp], [fn, tp]]) == pytest.approx(found, abs=1e-14)
    assert tp_from_kappa(fp, found, share, p) == pytest.approx(tp, abs=1e-14)


@given(RATES, RATES, PREVALENCES)
def test_joint_probabilities_and_rates_agree(f, t, p):
    fp, tp = joint_from_rates(f, t, p)
    assert rates_from_joint(fp, tp, p) == pytest.approx((f, t), abs=1e-12)
    kappa = kappa_from_joint(fp, tp, p)
    assert kappa == pytest.approx(kappa_from_rates(f, t, p), abs=1e-10)
    assert tp_from_kappa(fp, kappa, fp + tp, p) == pytest.approx(tp, abs=1e-12)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (kappa_from_joint, (0.1, 0.6, 0.5), "tp must not exceed prevalence"),
        (rates_from_joint, (0.6, 0.1, 0.5), "fp must not exceed 1 - prevalence"),
        (tp_from_kappa, (0.4, 0.9, 0.5, 0.5), "cannot be attained"),
        (tpr_from_kappa, ([0.2, 0.1], [0.0, 0.95], 0.2), "cannot be attained"),
        (tpr_from_kappa, ([0.2, 0.5], [0.0, -0.7], 0.9), "cannot be attained"),
    ],
)
def test_values_out_of_reach_are_refused(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)


def test_kappa_max_does_not_depend_on_the_layout():
    matrix = np.array([[5, 2, 1], [0, 7, 3], [4, 1, 9]])
    expected = pytest.approx(kappa_max_of_confusion(matrix), abs=1e-15)
    for same in (matrix.T, matrix[[2, 0, 1]][:, [2, 0, 1]], matrix * 3.5):
        assert kappa_max_of_confusion(same) == expected


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_agrees_with_scikit_learn(weights):
    rng = np.random.default_rng(0)
    y, predicted = rng.integers(4, size=(2, 200))
    predicted = np.where(rng.random(200) < 0.4, y, predicted)
    matrix = confusion_matrix(y, predicted)
    expected = cohen_kappa_score(y, predicted, weights=weights)
    assert kappa_of_confusion(matrix, weights=weights) == pytest.approx(expected, abs=1e-12)
    distance = np.abs(np.subtract.outer(range(4), range(4)))
    costs = {None: distance > 0, "linear": distance, "quadratic": distance**2}[weights]
    assert kappa_of_confusion(matrix, cost_matrix=costs) == pytest.approx(expected, abs=1e-12)


def test_a_cost_matrix_of_two_classes_is_a_cost_ratio():
    expected = kappa_from_rates(12 / 62, 31 / 38, 0.38, cost_ratio=5)
    found = kappa_of_confusion([[50, 12], [7, 31]], cost_matrix=[[0, 1], [5, 0]])
    assert found == pytest.approx(float(expected), abs=1e-13)


FINE = [[3, 1], [2, 4]]


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        ([[1, 2]], {}, "confusion must be a square matrix"),
        ([[5]], {}, "confusion must be a square matrix"),
        ([[0, 0], [0, 0]], {}, "none negative and not all zero"),
        ([[1, -1], [1, 1]], {}, "none negative and not all zero"),
        ([[0, 0], [0, 7]], {}, "kappa is 0/0"),
        (FINE, {"cost_matrix": [[0, 1]]}, r"cost_matrix must have the shape \(2, 2\)"),
        (FINE, {"cost_matrix": [[1, 1], [1, 0]]}, "a diagonal of zeros"),
        (FINE, {"weights": "cubic"}, 'weights must be "linear" or "quadratic"'),
        (FINE, {"weights": "linear", "cost_matrix": [[0, 1], [1, 0]]}, "give one of them"),
    ],
)
def test_confusion_matrices_and_costs_that_are_refused(matrix, options, message):
    with pytest.raises(ValueError, match=message):
        kappa_of_confusion(matrix, **options)


def test_kappa_of_rates_at_the_extremes():
    for p in (1e-9, 0.3, 1 - 1e-9):
        assert kappa_from_rates([0, 0, 1, 0.3], [0, 1, 1, 0.3], p).tolist() == [0, 1, 0, 0]
    assert kappa_from_rates(1, 0, 0.5) == -1


@given(RATES, PREVALENCES)
def test_a_kappa_beyond_its_limit_by_rounding_gives_no_rate_beyond_one(f, p):
    most = float(kappa_from_rates(f, 1, p))
    assert tpr_from_kappa(f, most + 5e-13, p) <= 1
