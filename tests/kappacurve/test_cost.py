"""Kappa and the AUK at a cost c, the share of a missed positive."""

import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import quad

import kappacurve as kc
from kappacurve import algebra
from kappacurve.algebra import area_under_kappa, perfect_auk

CASE = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0], [0.1, 0.3, 0.3, 0.4, 0.4, 0.9, 0.2, 0.6, 0.7, 0.1]
SHARES = st.floats(0.01, 0.99)
PLACES = [(p, c) for p in (0.003, 0.11, 0.4, 0.8, 0.97) for c in (0, 0.05, 0.5, 0.7, 1)]


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
    found = float(algebra.kappa_from_rates(f, t, p, cost=c))
    assert found == pytest.approx(by_definition(f, t, p, c), abs=1e-11)
    ratio = float(algebra.kappa_from_rates(f, t, p, cost_ratio=c / (1 - c)))
    assert ratio == pytest.approx(found, abs=1e-13)
    assert algebra.kappa_from_rates(f, t, p, cost=0.5) == algebra.kappa_from_rates(f, t, p)
    swapped = float(algebra.kappa_from_rates(1 - t, 1 - f, 1 - p, cost=1 - c))
    assert swapped == pytest.approx(found, abs=1e-10)
    assert algebra.kappa_from_rates(f, t, p, cost="balanced") == pytest.approx(t - f, abs=1e-14)


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


@given(SHARES, SHARES, SHARES, st.floats(0, 1))
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
    """The value is that of exact fractions: at c = 0.1 the weight is Beta(18, 2), a polynomial."""
    y, score = [1, 1, 1, 1, 0, 0, 0], [1, 5, 2, 4, 1, 3, 3]
    found = kc.h_measure_score(y, score, prevalence=1 - 1e-6, cost=0.1)
    assert found == pytest.approx(1.8999573e-10, rel=1e-5)


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
    expected = kc.auk_score(y, score, cost_ratio=4)
    assert kc.auk_score(y, score, cost=copied.design["cost"]) == expected


@pytest.mark.parametrize(("p", "c"), PLACES)
def test_perfect_areas(p, c):
    q = 1 - p
    a = q - c
    over_fpr = -p / a * (1 + (1 - c) / a * np.log(p / (1 - c))) if c < 1 else 1
    assert perfect_auk(p, c) == pytest.approx(over_fpr, abs=1e-12)
    divergence = sum(x * np.log(x / y) for x, y in ((c, q), (1 - c, p)) if x)
    over_share = p * q * divergence / a**2
    assert perfect_auk(p, c, "flagged") == pytest.approx(over_share, abs=1e-12)
