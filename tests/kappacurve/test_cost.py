"""Kappa and the AUK at a cost: c is the share of a missed positive."""

import math
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import quad

import kappacurve as kc
from kappacurve import algebra
from kappacurve.algebra import area_under_kappa, perfect_auk


def labelled(rows):
    y, score = (np.array(column) for column in zip(*rows, strict=True))
    y[:2] = True, False
    return y, score.astype(float)


CASE = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0], [0.1, 0.3, 0.3, 0.4, 0.4, 0.9, 0.2, 0.6, 0.7, 0.1]
COSTS = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(1e-9, 1 - 1e-9))
PREVALENCES = st.floats(0.01, 0.99)
RANKINGS = st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=2, max_size=30).map(
    labelled
)


def test_normalised_areas():
    perfect = [0, 0, 0, 1], [1, 2, 3, 4]
    for at in ({}, {"cost": 0}, {"cost": 0.2, "axis": "flagged"}):
        assert kc.auk_score(*perfect, normalize=True, **at) == pytest.approx(1, abs=1e-14)
    assert kc.auk_score(*CASE, normalize=True) == kc.auk_score(*CASE) / perfect_auk(0.4)
    by_trapezoid = {"integration": "trapezoid", "curve": "hull", "prevalence": 0.1}
    assert kc.auk_score(*perfect, normalize=True, **by_trapezoid) == 1


def by_definition(f, t, p, c):
    """Chance-corrected agreement of the four cells, with weighted disagreements."""
    q, flagged = 1 - p, p * t + (1 - p) * f
    lost = c * p * (1 - t) + (1 - c) * q * f
    return 1 - lost / (c * p * (1 - flagged) + (1 - c) * q * flagged)


def by_quadrature(fpr, tpr, p, c, axis="fpr"):
    """The area by adaptive quadrature along each segment."""

    def kappa(u, i):
        f, t = (v[i] + u * (v[i + 1] - v[i]) for v in (fpr, tpr))
        flagged = p * t + (1 - p) * f
        unflagged = p * (1 - t) + (1 - p) * (1 - f)
        return p * (1 - p) * (t - f) / (c * p * unflagged + (1 - c) * (1 - p) * flagged)

    base = fpr if axis == "fpr" else p * tpr + (1 - p) * fpr
    cuts = [0.0, *10.0 ** np.arange(-8, 0), *(1 - 10.0 ** np.arange(-1, -9, -1.0)), 1.0]
    return math.fsum(
        (base[i + 1] - base[i]) * quad(kappa, a, b, args=(i,), epsabs=1e-15, epsrel=1e-12)[0]
        for i in range(len(fpr) - 1)
        if base[i + 1] > base[i]
        for a, b in pairwise(cuts)
    )


@given(st.floats(0, 1), st.floats(0, 1), PREVALENCES, st.floats(0.01, 0.99))
def test_kappa_is_the_weighted_agreement(f, t, p, c):
    found = float(algebra.kappa_from_rates(f, t, p, cost=c))
    assert found == pytest.approx(by_definition(f, t, p, c), abs=1e-11)
    ratio = float(algebra.kappa_from_rates(f, t, p, cost_ratio=c / (1 - c)))
    assert ratio == pytest.approx(found, abs=1e-13)
    assert algebra.kappa_from_rates(f, t, p, cost=0.5) == algebra.kappa_from_rates(f, t, p)
    swapped = float(algebra.kappa_from_rates(1 - t, 1 - f, 1 - p, cost=1 - c))
    assert swapped == pytest.approx(found, abs=1e-10)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), PREVALENCES)
def test_the_ends_are_the_qualities_and_the_balance_is_youden(f, t, p):
    share = p * t + (1 - p) * f
    zero, one, balanced = (
        float(algebra.kappa_from_rates(f, t, p, cost=c)) for c in (0, 1, "balanced")
    )
    assert zero == pytest.approx(((1 - f) - (1 - share)) / share, abs=1e-11)
    assert one == pytest.approx((t - share) / (1 - share), abs=1e-11)
    assert balanced == pytest.approx(t - f, abs=1e-14)
    assert -p / (1 - p) - 1e-12 <= zero <= 1
    assert -(1 - p) / p - 1e-12 <= one <= 1


@pytest.mark.parametrize("c", [0.0, 1e-12, 0.5, 5 / 6, 1.0])
@pytest.mark.parametrize("p", [1e-6, 0.11, 0.4999999, 0.5, 1 - 1e-6])
@pytest.mark.parametrize("axis", ["fpr", "flagged"])
def test_exact_areas_against_quadrature(c, p, axis):
    fpr, tpr, _ = kc.roc_vertices(*CASE)
    expected = by_quadrature(fpr, tpr, p, c, axis)
    at = {"prevalence": p, "cost": c, "axis": axis}
    assert area_under_kappa(fpr, tpr, **at) == pytest.approx(expected, abs=1e-11)
    found = kc.auk_score(*CASE, **at)
    assert found == pytest.approx(expected, abs=1e-11)
    assert kc.auk_score(*CASE, sample_weight=[2.0] * 10, **at) == pytest.approx(found, abs=1e-13)


@given(RANKINGS, PREVALENCES)
def test_auc_less_one_half_at_the_balanced_cost(ranking, p):
    auc = kc.auc_score(*ranking) - 0.5
    for axis in ("fpr", "flagged"):
        for cost in ("balanced", 1 - p):
            found = kc.auk_score(*ranking, prevalence=p, cost=cost, axis=axis)
            assert found == pytest.approx(auc, abs=4e-15)


@given(RANKINGS, PREVALENCES, COSTS)
def test_swapping_the_classes(ranking, p, c):
    y, score = ranking
    one, other = {"prevalence": p, "cost": c}, {"prevalence": 1 - p, "cost": 1 - c}
    found, swapped = kc.measures(y, score, **one), kc.measures(~y, -score, **other)
    for name in ("auc", "auch", "ks", "h", "kappa_max"):
        assert swapped[name] == pytest.approx(found[name], abs=1e-9)
    flagged = kc.auk_score(y, score, axis="flagged", **one)
    assert kc.auk_score(~y, -score, axis="flagged", **other) == pytest.approx(flagged, abs=1e-11)
    assert flagged == pytest.approx((1 - p) * found["auk"] + p * swapped["auk"], abs=1e-11)
    for weight, turned in (((1.5, 4), (4, 1.5)), ("hand2014", "hand2014")):
        h = kc.h_measure_score(y, score, prevalence=p, cost_weight=weight)
        again = kc.h_measure_score(~y, -score, prevalence=1 - p, cost_weight=turned)
        assert again == pytest.approx(h, abs=1e-12)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), PREVALENCES, st.floats(0, 1))
def test_inverse_and_slope(f, t, p, c):
    kappa = algebra.kappa_from_rates(f, t, p, cost=c)
    assert algebra.tpr_from_kappa(f, kappa, p, cost=c) == pytest.approx(t, abs=1e-7)
    slope = float(algebra.optimal_slope(f, t, p, cost=c))
    assert slope >= 0
    step = min(0.005, 0.005 / slope) if slope else 0.005
    along = algebra.kappa_from_rates(f + step, t + slope * step, p, cost=c)
    if t + slope * step <= 1:
        assert along == pytest.approx(float(kappa), abs=1e-9)


def test_where_kappa_is_0_over_0_it_is_that_of_every_other_cost_and_has_no_inverse():
    for c in (0, 1e-9, 0.5, 1):
        assert algebra.kappa_from_rates([0, 1], [0, 1], 0.3, cost=c).tolist() == [0, 0]
    assert np.isnan(algebra.tpr_from_kappa(0, 1, 0.3, cost=0))
    assert np.isnan(algebra.optimal_slope(1, 1, 0.3, cost=1))


def loss_by_rows(y, score, threshold, cost):
    """The mean cost of the decisions, row by row."""
    missed, alarmed = y & (score < threshold), ~y & (score >= threshold)
    return float(np.mean(cost * missed + (1 - cost) * alarmed))


@given(RANKINGS, COSTS)
def test_the_least_expected_cost_against_all_thresholds(ranking, c):
    y, score = ranking
    thresholds = [np.inf, *np.unique(score)[::-1]]
    losses = [loss_by_rows(y, score, one, c) for one in thresholds]
    found = kc.cost_threshold(y, score, cost=c)
    assert found.loss == pytest.approx(min(losses), abs=1e-15)
    assert found.threshold == next(
        t for t, loss in zip(thresholds, losses, strict=True) if loss <= min(losses) + 1e-14
    )
    assert found.loss == kc.expected_loss(y, score, cost=c, threshold=found.threshold)
    for at in (*thresholds, 4.5, -np.inf):
        expected = loss_by_rows(y, score, at, c)
        assert kc.expected_loss(y, score, cost=c, threshold=at) == pytest.approx(expected)
    with pytest.raises(ValueError, match="threshold must be a number, got nan"):
        kc.expected_loss(y, score, threshold=np.nan)


@pytest.mark.parametrize("p", [0.01, 0.9])
@pytest.mark.parametrize("c", [0.02, 0.5, 0.999])
def test_h_at_a_cost_is_that_of_the_beta_weight_with_its_mean_there(p, c):
    odds = c / (1 - c)
    weight = (2, 2 * odds) if odds > 1 else (2 / odds, 2)
    expected = kc.h_measure_score(*CASE, prevalence=p, cost_weight=weight)
    for rows in (None, [2.0] * 10):
        found = kc.h_measure_score(*CASE, prevalence=p, cost=c, sample_weight=rows)
        assert found == pytest.approx(expected, abs=1e-10)
    with pytest.raises(ValueError, match="cost_weight and a cost both say"):
        kc.h_measure_score(*CASE, cost=c, cost_weight=weight)


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
    f = rank / (n - 1)
    curve = np.array([0, f, f, 1]), np.array([0, 0, 1, 1])
    assert kc.auk_score(y, score) == pytest.approx(by_quadrature(*curve, 1 / n, 0.5), abs=1e-12)
    # One negative: the same rows the other way round.
    expected = by_quadrature(np.array([0, 0, 1, 1]), np.array([0, 1 - f, 1 - f, 1]), 1 - 1 / n, 0.5)
    assert kc.auk_score(~y, -score, prevalence=1 - 1 / n) == pytest.approx(expected, abs=1e-12)


def test_h_keeps_its_digits_where_it_is_tiny():
    """By exact fractions: at c = 0.1 the weight is Beta(18, 2), a polynomial."""
    found = kc.h_measure_score(
        [1, 1, 1, 1, 0, 0, 0], [1, 5, 2, 4, 1, 3, 3], prevalence=1 - 1e-6, cost=0.1
    )
    p = Fraction(1 - 1e-6)
    q = 1 - p

    def below(x):  # integral of c times 342 c^17 (1 - c)
        return 342 * (x**19 / 19 - x**20 / 20)

    def above(x):  # integral of (1 - c) times the same, from x to 1
        whole = Fraction(342) * (Fraction(1, 18) - Fraction(2, 19) + Fraction(1, 20))
        return whole - 342 * (x**18 / 18 - 2 * x**19 / 19 + x**20 / 20)

    # The hull: half of the positives first, then all other rows on one line.
    corners = [
        (Fraction(0), Fraction(0)),
        (Fraction(0), Fraction(1, 2)),
        (Fraction(1), Fraction(1)),
    ]
    switch = [Fraction(1)]
    for (f0, t0), (f1, t1) in pairwise(corners):
        gain, harm = p * (t1 - t0), q * (f1 - f0)
        switch.append(gain / (gain + harm))
    switch.append(Fraction(0))
    loss = Fraction(0)
    for (f, t), (high, low) in zip(corners, pairwise(switch), strict=True):
        loss += q * f * (below(high) - below(low)) + p * (1 - t) * (above(low) - above(high))
    trivial = q * below(p) + p * above(p)
    assert found == pytest.approx(float(1 - loss / trivial), rel=1e-5)


@pytest.mark.parametrize("weight", [None, np.ones(8)])
def test_at_cost_0_the_first_of_the_vertices_that_tie_is_the_operating_point(weight):
    y, score = [1, 0, 1, 0, 1, 0, 0, 0], [8, 8, 7, 7, 6, 6, 2, 1]
    found = kc.operating_point(y, score, cost=0, sample_weight=weight)
    assert found[:3] == pytest.approx((8, 0.2, 1 / 3))


def test_a_cost_ratio_keeps_the_digits_of_the_false_alarm():
    for ratio in (1e13, 1e18):
        loss = kc.expected_loss([0, 1, 0, 1], [1, 2, 3, 4], cost_ratio=ratio, threshold=2)
        assert loss * (1 + ratio) == pytest.approx(0.25, rel=1e-12)


def test_a_copied_result_keeps_its_cost():
    y, score = [0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]
    found = kc.compare(y, {"m": score}, cost_ratio=4)
    copied = pickle.loads(pickle.dumps(found))  # noqa: S301 its own bytes
    assert copied.design["cost"] == pytest.approx(0.8)
    assert kc.auk_score(y, score, cost=copied.design["cost"]) == kc.auk_score(
        y, score, cost_ratio=4
    )
