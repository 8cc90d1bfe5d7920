from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from kappacurve import measures
from kappacurve.algebra import kappa_from_rates
from kappacurve.bounds import (
    auc_is_possible,
    auk_bounds,
    consistent_counts,
    prevalence_from_operating_point,
    prevalence_intervals,
)
from kappacurve.kappa import kappa_of_counts

POINT = {"fpr": 0.60, "tpr": 0.928, "kappa": 0.328, "decimals": (2, 3, 3)}


@pytest.mark.parametrize(
    ("auc", "auk", "expected"),
    [
        (0.7186, 0.1753, [(0.2007, 0.3049), (0.7599, 0.9785)]),
        (0.7493, 0.1672, [(0.1386, 0.2202), (0.8419, 1.0)]),
    ],
)
def test_published_pairs_taken_as_exact(auc, auk, expected):
    found = prevalence_intervals(auc, auk, decimals=None)
    np.testing.assert_allclose(found, expected, atol=6e-5)


@pytest.mark.parametrize("curve", ["hull", "raw"])
@pytest.mark.parametrize(("auc", "auk"), [(0.7186, 0.1753), (0.9, 0.41), (0.97, 0.2)])
def test_edges_are_where_the_bounds_meet_the_value(auc, auk, curve):
    found = prevalence_intervals(auc, auk, decimals=None, curve=curve)
    assert found
    edges = [edge for interval in found for edge in interval if 0 < edge < 1]
    assert edges
    for edge in edges:
        bounds = auk_bounds(auc, edge, curve=curve)
        assert min(abs(bounds.lower - auk), abs(bounds.upper - auk)) < 1e-7


@given(st.floats(0.5, 1), st.floats(0.01, 0.99), st.floats(0, 1))
@settings(max_examples=15)
def test_what_a_curve_gives_is_never_excluded(auc, p, between):
    bounds = auk_bounds(auc, p)
    auk = float(bounds.lower + between * (bounds.upper - bounds.lower))
    found = prevalence_intervals(round(auc, 3), round(auk, 3), decimals=3)
    assert any(low - 1e-6 <= p <= high + 1e-6 for low, high in found)


def test_trapezoid_rule_leaves_the_stated_prevalence_possible():
    found = prevalence_intervals(0.7186, 0.1753, curve="trapezoid")
    assert any(low <= 0.11 <= high for low, high in found)
    assert prevalence_intervals(0.6, 0.59) == []


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 0.99))
def test_operating_point_never_excludes_the_truth(f, t, p):
    kappa = float(kappa_from_rates(f, t, p))
    found = prevalence_from_operating_point(round(f, 2), round(t, 2), round(kappa, 2), decimals=2)
    assert any(low - 1e-6 <= p <= high + 1e-6 for low, high in found)


@pytest.mark.parametrize(
    ("digits", "sizes"),
    [
        ("rounded", [186, 187, 232, 233, 234, 279, 280, 281]),
        ("truncated", [187, 188, 189, 234, 235, 236, 280, 281, 282, 283]),
    ],
)
def test_test_sets_that_give_the_published_point(digits, sizes):
    at = {"n": range(150, 321), "digits": digits, **POINT}
    found = consistent_counts(prevalence=(0.87, 0.91), **at)
    assert sorted({one.n_positive + one.n_negative for one in found}) == sizes
    assert consistent_counts(prevalence=(0.09, 0.13), **at) == []


def test_counts_agree_with_a_plain_search():
    found = set(consistent_counts(0.25, 0.8, n=range(8, 31), kappa=0.5, decimals=(2, 1, 1)))
    expected = set()
    for n in range(8, 31):
        for n_positive in range(1, n):
            n_negative = n - n_positive
            for true in range(n_positive + 1):
                for false in range(n_negative + 1):
                    kappa = kappa_of_counts(true, false, n_positive, n_negative)
                    if (
                        abs(false / n_negative - 0.25) <= 0.005 + 1e-12
                        and abs(true / n_positive - 0.8) <= 0.05 + 1e-12
                        and abs(kappa - 0.5) <= 0.05 + 1e-12
                    ):
                        expected.add((n_positive, n_negative, true, false, kappa))
    assert found == expected


@pytest.mark.parametrize("with_kappa", [True, False])
@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_truncated_points_give_back_their_counts(with_kappa, n_positive, n_negative, data):
    """In exact numbers; a negative kappa is cut towards zero, as a positive one."""
    true, false = data.draw(st.integers(0, n_positive)), data.draw(st.integers(0, n_negative))
    n = n_positive + n_negative
    flagged = true + false
    chance = Fraction(n_positive * flagged + n_negative * (n - flagged), n * n)
    kappa = (Fraction(true + n_negative - false, n) - chance) / (1 - chance)
    exact = Fraction(false, n_negative), Fraction(true, n_positive), kappa
    printed = [int(each * 10) / 10 for each in exact]
    options = {"kappa": printed[2]} if with_kappa else {}
    found = consistent_counts(*printed[:2], n=n, decimals=1, digits="truncated", **options)
    assert (n_positive, n_negative, true, false) in {each[:4] for each in found}


def test_what_truncation_does_not_print_is_excluded():
    at = {"n": 4, "decimals": 1, "digits": "truncated", "prevalence": (0.5, 0.5)}
    for rates, kappa in (((0, 1), 1.0), ((1, 0), -1.0), ((0.5, 0), -0.5), ((0, 0.5), 0.5)):
        assert [each.kappa for each in consistent_counts(*rates, kappa=kappa, **at)] == [kappa]
        assert consistent_counts(*rates, kappa=kappa - np.sign(kappa) * 0.1, **at) == []


@given(st.integers(2, 12), st.integers(2, 12), st.integers(0, 99))
def test_areas_are_multiples_of_half_a_pair(n_positive, n_negative, seed):
    rng = np.random.default_rng(seed)
    labels = np.repeat([1, 0], [n_positive, n_negative])
    score = rng.integers(0, 6, len(labels)) + 0.0 * labels
    for hull in (False, True):
        auc = measures(labels, score, curve="hull" if hull else "raw")["auc"]
        assert auc_is_possible(auc, n_positive, n_negative, decimals=12)


@pytest.mark.parametrize(
    ("fpr", "tpr", "kappa", "p"), [(0.6, 0.928, 0.376213, 0.74272), (0.08, 0.6, 0.553848, 0.309)]
)
def test_a_prevalence_at_the_very_top_is_not_lost(fpr, tpr, kappa, p):
    """Two edges nearer to each other than the grid's step."""
    found = prevalence_from_operating_point(
        fpr, tpr, kappa, decimals=(None, None, 6), digits="truncated"
    )
    assert any(low <= p <= high for low, high in found)


def test_a_pair_at_the_bound_is_possible():
    found = prevalence_intervals(0.7186, 0.2335873, decimals=7)
    assert any(low <= 0.70083 <= high for low, high in found)


@pytest.mark.parametrize("cost", [pytest.param(0.2, marks=pytest.mark.slow), 5 / 6])
def test_what_a_curve_gives_at_a_cost_is_never_excluded(cost):
    y, score = [0, 1, 0, 0, 1, 0, 1, 1, 0, 0], [1, 2, 3, 4, 5, 1, 7, 8, 3, 2]
    found = measures(y, score, curve="hull", cost=cost)
    intervals = prevalence_intervals(found["auc"], found["auk"], decimals=12, cost=cost)
    assert any(low - 1e-6 <= 0.4 <= high + 1e-6 for low, high in intervals)
