"""Kappa of rates, joint probabilities and confusion matrices, its area and H, at a cost or none.

A cost c is the share of a missed positive.
"""

import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import quad
from sklearn.metrics import cohen_kappa_score, confusion_matrix

import kappacurve as kc
from kappacurve import kappa_of_confusion
from kappacurve.algebra import (
    area_under_kappa,
    chance_agreement,
    joint_from_rates,
    kappa_from_joint,
    kappa_from_rates,
    kappa_max_of_confusion,
    optimal_slope,
    perfect_auk,
    rates_from_joint,
    tp_from_kappa,
    tpr_from_kappa,
)
from kappacurve.kappa import kappa_of_counts, least_kappa

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


def test_kappa_max_does_not_depend_on_the_layout():
    matrix = np.array([[5, 2, 1], [0, 7, 3], [4, 1, 9]])
    for same in (matrix.T, matrix[[2, 0, 1]][:, [2, 0, 1]], matrix * 3.5):
        expected = kappa_max_of_confusion(matrix)
        assert kappa_max_of_confusion(same) == pytest.approx(expected, abs=1e-15)


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


def test_kappa_of_counts_is_that_of_their_matrix():
    expected = kappa_of_confusion([[3, 1], [2, 7]])
    assert kappa_of_counts(7, 1, 9, 4) == pytest.approx(expected, abs=1e-15)


def test_all_rows_of_one_class_predicted_as_the_other_are_no_better_than_chance():
    assert kappa_of_confusion([[0, 5], [0, 0]]) == 0


def test_a_cost_matrix_of_two_classes_is_a_cost_ratio():
    expected = kappa_from_rates(12 / 62, 31 / 38, 0.38, cost_ratio=5)
    found = kappa_of_confusion([[50, 12], [7, 31]], cost_matrix=[[0, 1], [5, 0]])
    assert found == pytest.approx(float(expected), abs=1e-13)


def test_kappa_of_rates_at_the_extremes():
    for p in (1e-9, 0.3, 1 - 1e-9):
        assert kappa_from_rates([0, 0, 1, 0.3], [0, 1, 1, 0.3], p).tolist() == [0, 1, 0, 0]
    assert kappa_from_rates(1, 0, 0.5) == -1
    assert least_kappa(0.2, 0.5) == pytest.approx(-8 / 17)
    # Where it is 0/0 it is that of every other cost, and has no inverse.
    for c in (0, 1e-9, 0.5, 1):
        assert kappa_from_rates([0, 1], [0, 1], 0.3, cost=c).tolist() == [0, 0]
    for t in (0, 1):
        at_limit = tpr_from_kappa(0.3, kappa_from_rates(0.3, t, 0.2), 0.2)
        assert at_limit == pytest.approx(t, abs=1e-12)
    assert np.isnan(tpr_from_kappa(0, 1, 0.3, cost=0))
    assert np.isnan(optimal_slope(1, 1, 0.3, cost=1))


@given(RATES, PREVALENCES)
def test_a_kappa_beyond_its_limit_by_rounding_gives_no_rate_beyond_one(f, p):
    most = float(kappa_from_rates(f, 1, p))
    assert tpr_from_kappa(f, most + 5e-13, p) <= 1


CASE = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0], [0.1, 0.3, 0.3, 0.4, 0.4, 0.9, 0.2, 0.6, 0.7, 0.1]
SHARES = st.floats(0.01, 0.99)


def test_normalised_areas():
    perfect = [0, 0, 0, 1], [1, 2, 3, 4]
    for at in ({}, {"cost": 0}, {"cost": 0.2, "axis": "flagged"}):
        assert kc.auk_score(*perfect, normalize=True, **at) == pytest.approx(1, abs=1e-14)
    assert kc.auk_score(*CASE, normalize=True) == kc.auk_score(*CASE) / perfect_auk(0.4)
    by_trapezoid = {"integration": "trapezoid", "curve": "hull", "prevalence": 0.1}
    assert kc.auk_score(*perfect, normalize=True, **by_trapezoid) == 1


def by_definition(f, t, p, c):
    """Chance-corrected agreement of the four cells, with weighted disagreements."""
    flagged, unflagged = p * t + (1 - p) * f, p * (1 - t) + (1 - p) * (1 - f)
    lost = c * p * (1 - t) + (1 - c) * (1 - p) * f
    return 1 - lost / (c * p * unflagged + (1 - c) * (1 - p) * flagged)


def by_quadrature(fpr, tpr, p, c, axis="fpr"):
    """The area by adaptive quadrature along each segment."""

    def kappa(u, i):
        f, t = (v[i] + u * (v[i + 1] - v[i]) for v in (fpr, tpr))
        return by_definition(f, t, p, c)

    base = fpr if axis == "fpr" else p * tpr + (1 - p) * fpr
    cuts = [0.0, *10.0 ** np.arange(-8, 0), *(1 - 10.0 ** np.arange(-1, -9, -1.0)), 1.0]
    return math.fsum(
        (base[i + 1] - base[i]) * quad(kappa, a, b, args=(i,), epsabs=1e-15, epsrel=1e-12)[0]
        for i in range(len(fpr) - 1)
        if base[i + 1] > base[i]
        for a, b in pairwise(cuts)
    )


@given(SHARES, SHARES, SHARES, st.just(0.0) | SHARES)
def test_kappa_is_the_weighted_agreement(f, t, p, c):
    found = float(kappa_from_rates(f, t, p, cost=c))
    assert found == pytest.approx(by_definition(f, t, p, c), abs=1e-11)
    ratio = float(kappa_from_rates(f, t, p, cost_ratio=c / (1 - c)))
    assert ratio == pytest.approx(found, abs=1e-13)
    assert kappa_from_rates(f, t, p, cost=0.5) == kappa_from_rates(f, t, p)
    swapped = float(kappa_from_rates(1 - t, 1 - f, 1 - p, cost=1 - c))
    assert swapped == pytest.approx(found, abs=1e-10)
    assert kappa_from_rates(f, t, p, cost="balanced") == pytest.approx(t - f, abs=1e-14)


@pytest.mark.parametrize("c", [0.0, 1e-12, 0.5, 5 / 6, 1.0])
@pytest.mark.parametrize("p", [1e-6, 0.11, 0.4999999, 0.5, 1 - 1e-6])
@pytest.mark.parametrize("axis", ["fpr", "flagged"])
def test_exact_areas_against_quadrature(c, p, axis):
    fpr, tpr, _ = kc.roc_vertices(*CASE)
    expected = pytest.approx(by_quadrature(fpr, tpr, p, c, axis), abs=1e-11)
    at = {"prevalence": p, "cost": c, "axis": axis}
    assert area_under_kappa(fpr, tpr, **at) == expected
    for weight in (None, [2.0] * 10):
        assert kc.auk_score(*CASE, sample_weight=weight, **at) == expected


@given(SHARES, SHARES, SHARES, st.floats(0, 1))
def test_inverse_and_slope(f, t, p, c):
    kappa = kappa_from_rates(f, t, p, cost=c)
    assert tpr_from_kappa(f, kappa, p, cost=c) == pytest.approx(t, abs=1e-7)
    slope = float(optimal_slope(f, t, p, cost=c))
    assert slope >= 0
    step = min(0.005, 0.005 / slope) if slope else 0.005
    along = kappa_from_rates(f + step, t + slope * step, p, cost=c)
    if t + slope * step <= 1:
        assert along == pytest.approx(float(kappa), abs=1e-9)


@pytest.mark.parametrize("p", [0.01, 0.9])
@pytest.mark.parametrize("c", [0.02, 0.5, 0.999])
def test_h_at_a_cost_is_that_of_the_beta_weight_with_its_mean_there(p, c):
    odds = c / (1 - c)
    weight = (2, 2 * odds) if odds > 1 else (2 / odds, 2)
    expected = kc.h_measure_score(*CASE, prevalence=p, cost_weight=weight)
    for rows in (None, [2.0] * 10):
        found = kc.h_measure_score(*CASE, prevalence=p, cost=c, sample_weight=rows)
        assert found == pytest.approx(expected, abs=1e-10)


def test_h_where_one_error_costs_nothing_is_the_limit():
    y, score = CASE
    fpr, tpr, _ = kc.roc_vertices(y, score)
    for end, near, expected in (
        (0, 1e-9, tpr[fpr == 0].max()),
        (1, 1 - 1e-9, 1 - fpr[tpr == 1].min()),
    ):
        assert kc.h_measure_score(y, score, cost=end) == pytest.approx(expected, abs=1e-15)
        assert kc.h_measure_score(y, score, cost=near) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("rank", [0, 1000, 999_999])
def test_exact_areas_of_one_row_of_a_class_in_a_million(rank):
    n = 1_000_000
    score, y = np.arange(n, dtype=float), np.zeros(n, dtype=bool)
    y[n - 1 - rank] = True
    f, corner = rank / (n - 1), np.array([0, 0, 1, 1])
    expected = by_quadrature(np.array([0, f, f, 1]), corner, 1 / n, 0.5)
    assert kc.auk_score(y, score) == pytest.approx(expected, abs=1e-12)
    # One negative: the same rows the other way round.
    expected = by_quadrature(corner, np.array([0, 1 - f, 1 - f, 1]), 1 - 1 / n, 0.5)
    assert kc.auk_score(~y, -score, prevalence=1 - 1 / n) == pytest.approx(expected, abs=1e-12)


def test_h_keeps_its_digits_where_it_is_tiny():
    """The value is that of exact fractions: at c = 0.1 the weight is Beta(18, 2), a polynomial."""
    y, score = [1, 1, 1, 1, 0, 0, 0], [1, 5, 2, 4, 1, 3, 3]
    found = kc.h_measure_score(y, score, prevalence=1 - 1e-6, cost=0.1)
    assert found == pytest.approx(1.8999573e-10, rel=1e-5)


@pytest.mark.parametrize("weight", [None, np.ones(8)])
def test_at_cost_0_the_first_of_the_vertices_that_tie_is_the_operating_point(weight):
    y, score = [1, 0, 1, 0, 1, 0, 0, 0], [8, 8, 7, 7, 6, 6, 2, 1]
    found = kc.operating_point(y, score, cost=0, sample_weight=weight)
    assert found[:3] == pytest.approx((8, 0.2, 1 / 3))


def test_cost_ratios_are_shares_with_the_digits_of_the_false_alarm():
    shares = [float(kappa_from_rates(0.2, 0.7, 0.3, cost=c)) for c in (0, 0.5, 0.8)]
    assert kappa_from_rates(0.2, 0.7, 0.3, cost_ratio=[0, 1, 4]) == pytest.approx(shares)
    for ratio in (1e13, 1e18):
        loss = kc.expected_loss([0, 1, 0, 1], [1, 2, 3, 4], cost_ratio=ratio, threshold=2)
        assert loss * (1 + ratio) == pytest.approx(0.25, rel=1e-12)


def test_a_copied_result_keeps_its_cost():
    y, score = CASE
    copied = pickle.loads(pickle.dumps(kc.compare(y, {"m": score}, cost_ratio=4)))  # noqa: S301
    expected = kc.auk_score(y, score, cost_ratio=4)
    assert kc.auk_score(y, score, cost=copied.design["cost"]) == expected


@pytest.mark.parametrize("p", [0.003, 0.11, 0.4, 0.8, 0.97])
@pytest.mark.parametrize("c", [0, 0.05, 0.5, 0.7, 1])
def test_perfect_areas(p, c):
    q = 1 - p
    a = q - c
    over_fpr = -p / a * (1 + (1 - c) / a * np.log(p / (1 - c))) if c < 1 else 1
    assert perfect_auk(p, c) == pytest.approx(over_fpr, abs=1e-12)
    divergence = sum(x * np.log(x / y) for x, y in ((c, q), (1 - c, p)) if x)
    over_share = p * q * divergence / a**2
    assert perfect_auk(p, c, "flagged") == pytest.approx(over_share, abs=1e-12)


def kappa_of(matrix, **options):
    return lambda: kappa_of_confusion(matrix, **options)


REFUSED = [
    (lambda: kappa_from_joint(0.1, 0.6, 0.5), "tp must not exceed prevalence"),
    (lambda: rates_from_joint(0.6, 0.1, 0.5), "fp must not exceed 1 - prevalence"),
    (lambda: tp_from_kappa(0.4, 0.9, 0.5, 0.5), "cannot be attained"),
    (lambda: tpr_from_kappa([0.2, 0.1], [0.0, 0.95], 0.2), "cannot be attained"),
    (lambda: tpr_from_kappa([0.2, 0.5], [0.0, -0.7], 0.9), "cannot be attained"),
    (kappa_of([[1, 2]]), "confusion must be a square matrix"),
    (kappa_of([[5]]), "confusion must be a square matrix"),
    (kappa_of([[0, 0], [0, 0]]), "none negative and not all zero"),
    (kappa_of([[1, -1], [1, 1]]), "none negative and not all zero"),
    (kappa_of([[0, 0], [0, 7]]), "kappa is 0/0"),
    (kappa_of([[3, 1], [2, 4]], cost_matrix=[[0, 1]]), r"cost_matrix must have the shape \(2, 2\)"),
    (kappa_of([[3, 1], [2, 4]], cost_matrix=[[1, 1], [1, 0]]), "a diagonal of zeros"),
    (kappa_of([[3, 1], [2, 4]], cost_matrix=[[0, -1], [1, 0]]), "finite and not negative"),
    (kappa_of([[3, 1], [2, 4]], cost_matrix=[[0, np.inf], [1, 0]]), "finite and not negative"),
    (kappa_of([[3, 1], [2, 4]], cost_matrix=np.zeros((2, 2))), "that chance gives cost nothing"),
    (kappa_of([[3, np.inf], [2, 4]]), "none negative and not all zero"),
    (kappa_of([[[1]]]), "confusion must be a square matrix"),
    (lambda: tp_from_kappa(0.1, -1, 0, 0.5), "cannot be attained"),
    (lambda: chance_agreement(1.1, 0.5), "predicted_share must lie between 0 and 1"),
    (lambda: kappa_from_rates(-0.1, 1, 0.5), "fpr must lie between 0 and 1"),
    (lambda: kappa_from_rates(0.1, 1.1, 0.5), "tpr must lie between 0 and 1"),
    (lambda: kappa_from_rates(0, 1, 1), "prevalence must lie strictly between 0 and 1"),
    (kappa_of([[3, 1], [2, 4]], weights="cubic"), 'weights must be "linear" or "quadratic"'),
    (kappa_of([[3, 1], [2, 4]], weights="linear", cost_matrix=[[0, 1], [1, 0]]), "give one of"),
    (
        lambda: kc.h_measure_score(*CASE, cost=0.5, cost_weight=(2, 2)),
        "cost_weight and a cost both",
    ),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
