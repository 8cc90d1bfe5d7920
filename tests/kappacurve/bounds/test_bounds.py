"""What a published number can be: ends that curves attain, and that nothing passes."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linprog
from scipy.stats import beta

from kappacurve.algebra import area_under_curve, area_under_kappa, h_of_hull
from kappacurve.bounds import (
    auc_is_possible,
    auk_bounds,
    auk_trapezoid_range,
    consistent_counts,
    h_bounds,
    intervals_in_words,
    prevalence_from_operating_point,
    prevalence_intervals,
    printed_interval,
)
from kappacurve.kappa import kappa_of_counts

PREVALENCES = np.array([0.001, 0.11, 0.49, 0.5, 0.5001, 0.6, 0.89, 0.999])


def triangles(fpr, starts):
    """The concave curves min(f / s, 1) at the given rates, one a row; s = 0 is the perfect one."""
    s = np.asarray(starts)[:, None]
    return np.where(fpr >= s, 1.0, fpr / np.where(s > 0, s, 1))


def ends(bounds, i=...):
    """Each end with the vertices of its curve, at one prevalence of several."""
    curves = zip(bounds[:2], bounds[2:], strict=True)
    return [(value[i], curve.fpr[i], curve.tpr[i]) for value, curve in curves]


@pytest.mark.parametrize("axis", ["fpr", "flagged"])
@pytest.mark.parametrize("cost", [0, 0.02, 0.2, 0.5, 0.9, 1])
@pytest.mark.parametrize(
    ("curve", "auc"),
    [
        *(("hull", auc) for auc in (0.5, 0.51, 0.7186, 0.999, 1.0)),
        *(("raw", auc) for auc in (0.0, 0.1, 0.5, 0.97, 1.0)),
    ],
)
def test_both_ends_are_attained_by_their_curves(curve, auc, cost, axis):
    at = {"cost": cost, "axis": axis}
    bounds = auk_bounds(auc, PREVALENCES, curve=curve, **at)
    for i, p in enumerate(PREVALENCES):
        for value, fpr, tpr in ends(bounds, i):
            assert (np.diff(fpr) >= 0).all()
            assert (np.diff(tpr) >= 0).all()
            assert area_under_curve(fpr, tpr) == pytest.approx(auc, abs=1e-6)
            assert area_under_kappa(fpr, tpr, p, **at) == pytest.approx(value, abs=5e-6)


@pytest.mark.parametrize("auc", [0.55, 0.97])
@pytest.mark.parametrize("p", [0.02, 0.6, 0.97])
@pytest.mark.parametrize("cost", [0, 0.02, 0.5, 1])
@pytest.mark.parametrize("curve", ["hull", "raw"])
def test_no_curve_of_the_convex_programme_does_better(auc, p, cost, curve):
    """The end at which AUK is to be maximised where concave, minimised where convex.

    At an optimum no mixture of elementary curves with this AUC improves the linear part; a linear
    programme looks for the best one, and its gain bounds how far the value is from optimal.
    """
    q = 1 - p
    bounds = auk_bounds(auc, p, curve=curve, cost=cost)
    sign, vertices = (1, bounds.upper_curve) if cost < q else (-1, bounds.lower_curve)
    edges = (1 - np.cos(np.pi * np.arange(4001) / 4000)) / 2
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    at = np.interp(middle, vertices.fpr, vertices.tpr)
    flagged = p * at + q * middle
    slope = p * q * (cost * p + (q - cost) * middle) / (cost * p + (q - cost) * flagged) ** 2
    starts = (1 - np.cos(np.pi * np.arange(401) / 400)) / 2
    elementary = triangles(middle, starts) if curve == "hull" else middle >= starts[:, None]
    gains, areas = elementary @ (slope * width), elementary @ width
    best = linprog(-sign * gains, A_eq=np.stack((np.ones(401), areas)), b_eq=[1, at @ width])
    assert best.status == 0
    assert sign * (gains @ best.x - slope * width @ at) < 2e-5


@pytest.mark.parametrize("axis", ["fpr", "flagged"])
@pytest.mark.parametrize("curve", ["hull", "raw"])
def test_no_mixture_of_two_elementary_curves_is_out_of_bounds(curve, axis):
    """Where AUK is convex (or, at the other end, concave) along mixtures, these suffice."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        p = 1 / (1 + np.exp(rng.normal(scale=2.5)))
        auc, cost = 1 - rng.uniform() ** rng.integers(1, 5) / 2, rng.uniform() ** rng.integers(1, 6)
        bounds = auk_bounds(auc, p, curve=curve, cost=cost, axis=axis)
        mean = 2 * (1 - auc) if curve == "hull" else 1 - auc
        first = mean * np.linspace(0, 0.999, 12) ** 2
        second = mean + (1 - mean) * np.linspace(0.001, 1, 12) ** 3
        for s, z in itertools.product(first, second):
            share = (z - mean) / (z - s)
            fpr, tpr = np.array([0, s, s, z, z, 1]), np.array([0, 0, share, share, 1, 1])
            if curve == "hull":
                rates = np.unique([0, s, z, 1])
                tpr = np.append(0, [share, 1 - share] @ triangles(rates, [s, z]))
                fpr = np.append(0, rates)
            auk = area_under_kappa(fpr, tpr, p, cost=cost, axis=axis)
            assert bounds.lower - 1e-9 <= auk <= bounds.upper + 1e-9


def test_at_one_half_and_at_the_balanced_cost_both_ends_are_auc_minus_one_half():
    shape = np.full((2, 3), 0.5)
    for p, options in ((shape, {}), (shape, {"curve": "raw"}), (0.11, {"cost": "balanced"})):
        bounds = auk_bounds(0.8, p, **options)
        assert bounds.lower.shape == np.shape(p)
        assert bounds.lower_curve.fpr.shape[:-1] == np.shape(p)
        np.testing.assert_allclose([bounds.lower, bounds.upper], 0.3, atol=1e-12)


@pytest.mark.parametrize("axis", ["fpr", "flagged"])
@pytest.mark.parametrize("curve", ["hull", "raw"])
@pytest.mark.parametrize("step", [1e-16, 1e-13, 1e-10, 1e-7, 1e-5])
def test_the_ends_are_continuous_where_the_cost_becomes_balanced(curve, axis, step):
    """To first order kappa is (t - f)(1 - s (Q - p) / pq): past s = 0 the ends change places."""
    options = {"curve": curve, "axis": axis}
    for auc, p in itertools.product((0.55, 0.7, 0.95), (0.1, 0.49, 0.5, 0.51, 0.7, 0.9, 0.99)):
        below, above = (
            np.subtract(auk_bounds(auc, p, cost=1 - p + side, **options)[:2], auc - 0.5)
            for side in (-step, step)
        )
        first = step / (p * (1 - p))
        assert (np.abs(below) < 1e-14 + first).all()
        assert (np.abs(below + above[::-1]) < 1e-14 + 10 * first**2).all()


def test_next_to_the_balanced_cost_the_upper_end_is_that_of_a_straight_line():
    """The best t is 0.7 + (f - 1/2)/3 there, and the integral of (t - f)(Q - p) is -43/900."""
    bounds = auk_bounds(0.7, 0.75, cost=0.25 - 1e-9, curve="raw")
    assert (bounds.upper - 0.2) / 1e-9 == pytest.approx(43 / 900 * 16 / 3, rel=1e-5)
    for cost in (0.1, np.nextafter(0.1, 1), 1 - 0.9):
        near = auk_bounds(0.7, 0.9, cost=cost, curve="raw")
        np.testing.assert_allclose([near.lower, near.upper], 0.2, atol=1e-14)


@pytest.mark.parametrize("cost", [0, 0.5, 0.8, "balanced"])
@pytest.mark.parametrize("p", [0.05, 0.4, 0.89])
def test_trapezoid_range_is_that_of_all_corners_and_wider_than_the_exact_one_at_one_end(p, cost):
    found = auk_trapezoid_range(0.7186, p, cost=cost)
    by_rule = {"prevalence": p, "integration": "trapezoid", "cost": cost}
    for value, fpr, tpr in ends(found):
        assert area_under_kappa(fpr, tpr, **by_rule) == pytest.approx(value, abs=1e-12)
    jump = 2 * 0.7186 - 1
    for f in np.linspace(0, 1 - jump, 9):
        value = area_under_kappa([0, f, 1], [0, min(f + jump, 1), 1], **by_rule)
        assert found.lower - 1e-12 <= value <= found.upper + 1e-12
    if cost == 0.5:
        exact = auk_bounds(0.7186, p)
        assert found.upper > exact.upper + 1e-3
        assert found.lower < exact.lower - 1e-3


@pytest.mark.parametrize("prevalence", [1e-15, 1e-20, 1e-200])
def test_where_only_missed_positives_cost_the_limits_do_not_depend_on_how_rare_they_are(prevalence):
    """They are 2 AUC - 1 and the triangle's; 1 - prevalence may be 1 to the last bit."""
    found = auk_bounds(0.7, prevalence, cost=1)
    assert (found.lower, found.upper) == pytest.approx((0.4, 0.6108604879161), abs=1e-12)


@pytest.mark.parametrize("weight", [(2, 2), (20, 30), (1, 400), (5000, 5000)])
@pytest.mark.parametrize("auc", [0.51, 0.75, 0.9, 0.99])
def test_both_ends_of_h_are_attained_by_their_hulls(auc, weight):
    prevalences = np.array([0.02, 0.11, 0.5, 0.7, 0.97])
    bounds = h_bounds(auc, prevalences, alpha=weight[0], beta=weight[1])
    for i, p in enumerate(prevalences):
        for value, fpr, tpr in ends(bounds, i):
            moves = np.append(True, (np.diff(fpr) > 0) | (np.diff(tpr) > 0))
            assert area_under_curve(fpr, tpr) == pytest.approx(auc, abs=2e-5)
            assert h_of_hull(fpr[moves], tpr[moves], p, *weight) == pytest.approx(value, abs=2e-5)


@pytest.mark.parametrize(
    ("auc", "p", "weight"),
    [
        *((auc, p, (2, 2)) for auc, p in ((0.6, 0.3), (0.75, 0.11), (0.9, 0.7), (0.92, 0.2))),
        *((auc, p, (2, 5)) for auc, p in ((0.7, 0.3), (0.9, 0.8))),
        *((auc, p, (4, 1.5)) for auc, p in ((0.7, 0.6), (0.9, 0.15))),
    ],
)
def test_the_lower_end_of_h_is_that_of_a_linear_programme(auc, p, weight):
    """Mixtures of 41 triangles at 40 costs: the least H is a linear programme.

    Its variables are the weights of the triangles and the smallest loss at each cost, which is at
    most that of each point.
    """
    starts = edges = np.linspace(0, 1, 41)
    cost, mass = (edges[1:] + edges[:-1]) / 2, np.diff(beta(*weight).cdf(edges))
    rates = np.append(0, starts)
    recalls = np.vstack((np.zeros(41), triangles(starts, starts).T))
    losses = np.repeat(np.eye(40), 42, axis=0)
    limits = np.hstack((np.kron((1 - cost)[:, None], p * recalls), losses))
    at = p * (1 - cost)[:, None] + (1 - p) * np.outer(cost, rates)
    equal = np.zeros((2, 81))
    equal[:, :41] = np.ones(41), starts
    goal = np.append(np.zeros(41), -mass)
    best = linprog(goal, A_ub=limits, b_ub=at.ravel(), A_eq=equal, b_eq=[1, 2 * (1 - auc)])
    assert best.status == 0
    trivial = np.sum(mass * np.minimum(cost * (1 - p), (1 - cost) * p))
    found = float(h_bounds(auc, p, alpha=weight[0], beta=weight[1]).lower)
    assert found == pytest.approx(1 + best.fun / trivial, abs=2e-3)


def test_many_aucs_in_one_call_are_those_of_one_after_the_other():
    aucs, at = [0.5, 0.52, 0.8, 0.999, 1.0], [0.02, 0.5, 0.9, 0.97, 0.3]
    found = np.array(h_bounds(aucs, at)[:2])
    assert found[:, [0, 4]] == pytest.approx(np.array([[0, 1]] * 2), abs=1e-12)  # no room
    one_by_one = [h_bounds(auc, p)[:2] for auc, p in zip(aucs, at, strict=True)]
    np.testing.assert_allclose(found.T, one_by_one, atol=1e-12)


# ---- published values ----


def holds(intervals, p, slack=1e-6):
    return any(low - slack <= p <= high + slack for low, high in intervals)


def test_trapezoid_rule_leaves_the_stated_prevalence_possible():
    found = prevalence_intervals(0.7186, 0.1753, curve="trapezoid")
    assert holds(found, 0.11, 0)
    assert prevalence_intervals(0.6, 0.59) == []


def test_counts_agree_with_a_plain_search():
    found = set(consistent_counts(0.25, 0.8, n=range(8, 31), kappa=0.5, decimals=(2, 1, 1)))
    expected = set()
    for n, positive in itertools.product(range(8, 31), range(1, 30)):
        for true, false in itertools.product(range(positive + 1), range(n - positive + 1)):
            if positive < n and abs(true / positive - 0.8) <= 0.05 + 1e-12:
                kappa = kappa_of_counts(true, false, positive, n - positive)
                rate = false / (n - positive)
                if abs(rate - 0.25) <= 0.005 + 1e-12 and abs(kappa - 0.5) <= 0.05 + 1e-12:
                    expected.add((positive, n - positive, true, false, kappa))
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


@pytest.mark.parametrize(
    ("fpr", "tpr", "kappa", "p"), [(0.6, 0.928, 0.376213, 0.74272), (0.08, 0.6, 0.553848, 0.309)]
)
def test_a_prevalence_at_the_very_top_is_not_lost(fpr, tpr, kappa, p):
    """Two edges nearer to each other than the grid's step."""
    found = prevalence_from_operating_point(
        fpr, tpr, kappa, decimals=(None, None, 6), digits="truncated"
    )
    assert holds(found, p, 0)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ((0.25, None), (0.25, 0.25)),
        ((3, 0), (2.5, 3.5)),
        ((0.25, 1), (0.2, 0.3)),
        ((0.25, 2, "truncated"), (0.25, 0.26)),
        ((-0.3, 1, "truncated"), (-0.4, -0.3)),
        ((0, 2, "truncated"), (-0.01, 0.01)),
    ],
)
def test_printed_digits_stand_for_an_interval(printed, expected):
    assert printed_interval(*printed) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("curve", "auc", "auk", "at"),
    [
        ("hull", 0.81, 0.245, {}),
        ("hull", 0.81, 0.3, {"cost": 0.7, "axis": "flagged"}),
        ("raw", 0.31, -0.22, {"cost_ratio": 4}),
        ("trapezoid", 0.81, 0.36, {"cost": 0.4}),
    ],
)
def test_edges_are_of_the_extreme_values_that_are_so_printed(curve, auc, auk, at):
    """Of an AUC from 0.805 to 0.815, say, and an AUK that is printed with three digits."""
    options = {"auc_decimals": 2, "auk_decimals": 3, "curve": curve, **at}
    found = prevalence_intervals(auc, auk, **options)
    edges = [edge for edge in np.ravel(found) if 0 < edge < 1]
    assert edges
    for edge in edges:
        bounds = [
            auk_bounds(a, edge, **at, curve="raw" if curve == "raw" else "hull")
            for a in (auc - 0.005, auc + 0.005)
        ]
        lower, upper = bounds[0].lower, bounds[1].upper
        if curve == "trapezoid":
            lower = min(lower, auk_trapezoid_range(auc - 0.005, edge, **at).lower)
            upper = max(upper, auk_trapezoid_range(auc + 0.005, edge, **at).upper)
        assert min(abs(lower - auk - 0.0005), abs(upper - auk + 0.0005)) < 1e-7


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        # With f = 0.2 and t = 0.6 kappa is 0.8 p (1 - p) / (0.2 + p - 0.8 p^2).
        ((0.2, 0.6, 0.4), [(1 / 3, 1 / 3), (1 / 2, 1 / 2)]),
        ((0, 1, 1), [(0, 1)]),
        ((0.5, 0.5, 0), [(0, 1)]),
        ((0.3, 0.2, 0.1), []),
    ],
)
def test_points_with_all_their_digits(point, expected):
    found = prevalence_from_operating_point(*point, decimals=None)
    assert np.ravel(found) == pytest.approx(np.ravel(expected), abs=1e-6)


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ([], "none"),
        ([(0, 1)], "any"),
        ([(0, 0.25), (0.5, 0.75), (0.875, 1)], "below 0.25, or 0.50 to 0.75, or above 0.88"),
    ],
)
def test_intervals_of_prevalences_in_words(intervals, expected):
    assert intervals_in_words(intervals, places=2) == expected


def test_counts_within_limits_of_the_prevalence_which_belong_to_them():
    found = consistent_counts(0.5, 0.5, n=[8, 4], prevalence=(0.25, 0.5))
    assert [each[:4] for each in found] == [(2, 6, 1, 3), (4, 4, 2, 2), (2, 2, 1, 1)]
    assert found == consistent_counts(0.5, 0.5, n=8, prevalence=(0.25, 0.5)) + found[2:]


@pytest.mark.parametrize(
    ("auc", "rows", "decimals", "digits", "possible"),
    [
        (0.75, (1, 2), 2, "rounded", True),
        (0.74, (1, 2), 2, "rounded", False),
        (0.755, (1, 2), 3, "rounded", False),
        (0.8, (1, 2), 1, "rounded", True),  # 3/4, whichever way a half is rounded
        (0.8, (1, 2), 1, "truncated", False),
        (0.7, (1, 2), 1, "truncated", True),
        (1.0, (1, 1), 1, "rounded", True),
        (0.26, (5, 10), 2, "rounded", True),
        (0.265, (5, 10), 3, "rounded", False),
        (0.2655, (50, 100), 4, "rounded", True),
    ],
)
def test_which_areas_so_many_rows_can_have(auc, rows, decimals, digits, possible):
    """Multiples of 1/4, 1/2, 1/100 and 1/10,000."""
    assert auc_is_possible(auc, *rows, decimals=decimals, digits=digits) == possible


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: auk_bounds(0.49, 0.1), 'a convex hull has at least 0.5: use curve="raw"'),
        (lambda: auk_bounds(-0.1, 0.1, curve="raw"), "auc must lie between 0 and 1, got -0.1"),
        (lambda: auk_bounds(1.1, 0.1), "auc must lie between 0 and 1, got 1.1"),
        (lambda: h_bounds(0.7, 0.1, alpha=0.9), "must be at least 1, got 0.9 and 2.0"),
        (lambda: h_bounds(0.7, 0.1, beta=0.9), "must be at least 1, got 2.0 and 0.9"),
        (lambda: printed_interval(0.5, -1), "decimals must be a number of digits, got -1"),
        (lambda: printed_interval(0.5, 1.5), "decimals must be a number of digits, got 1.5"),
        (lambda: prevalence_intervals(0.7, -1.1), "auk must lie between -1 and 1, got -1.1"),
        (lambda: prevalence_intervals(0.7, 1.1, cost=0.2), "auk must lie between -inf and 1"),
        (lambda: prevalence_intervals(0.4, 0.1), "a convex hull has at least 0.5"),
        (lambda: prevalence_from_operating_point(-0.1, 0.5, 0), "fpr must lie between 0 and 1"),
        (lambda: prevalence_from_operating_point(0.5, 1.1, 0), "tpr must lie between 0 and 1"),
        (lambda: prevalence_from_operating_point(0, 1, -1.1), "kappa must lie between -1 and 1"),
        (lambda: auc_is_possible(0.5, 0, 1, decimals=1), "n_positive must be a number of rows"),
        (lambda: auc_is_possible(0.5, 1, 1.5, decimals=1), "n_negative must be a number of rows"),
        (lambda: intervals_in_words([(10**400, 1)]), "intervals must hold numbers only"),
    ],
)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_at_a_cost_an_auk_below_minus_one_can_be():
    """At cost 0 that of the worst ranking is -p / (1 - p)."""
    (found,) = prevalence_intervals(0, -2, curve="raw", cost=0, decimals=None)
    assert found == pytest.approx((2 / 3, 2 / 3), abs=1e-6)
    assert prevalence_intervals(0.7, -1, curve="raw") == []


@pytest.mark.parametrize(
    ("function", "values", "decimals"),
    [
        (prevalence_intervals, (0.8, 0.2), 4),
        (prevalence_from_operating_point, (0.2, 0.6, 0.3), 3),
        (lambda f, t, **of: consistent_counts(f, t, n=range(90, 100), **of), (0.2, 0.6), 3),
    ],
)
def test_digits_that_are_printed_by_default(function, values, decimals):
    found = function(*values)
    assert found == function(*values, decimals=decimals)
    assert found != function(*values, decimals=2)


def test_a_pair_at_the_bound_is_possible():
    assert holds(prevalence_intervals(0.7186, 0.2335873, decimals=7), 0.70083, 0)
