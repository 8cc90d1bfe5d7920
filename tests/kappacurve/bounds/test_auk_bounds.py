import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from kappacurve.algebra import area_under_curve, area_under_kappa
from kappacurve.bounds import auk_bounds, auk_trapezoid_range

PREVALENCES = np.array([0.001, 0.11, 0.49, 0.5, 0.5001, 0.6, 0.89, 0.999])


def triangles(fpr, starts):
    """The concave curves min(f / s, 1) at the given rates, one a row; s = 0 is the perfect one."""
    s = np.asarray(starts)[:, None]
    return np.where(fpr >= s, 1.0, fpr / np.where(s > 0, s, 1))


def mixed_curve(starts, weights):
    """Exact vertices of a mixture of triangles."""
    fpr = np.unique(np.concatenate(([0.0], starts, [1.0])))
    tpr = np.asarray(weights) @ triangles(fpr, starts)
    return np.concatenate(([0.0], fpr)), np.concatenate(([0.0], tpr))


def test_bounds_at_a_cost_where_the_simple_curves_fail():
    """A triangle that is not the minimum, and a jump line that is not the maximum."""
    triangle = np.array([0, 0.05, 1.0]), np.array([0, 1.0, 1.0])
    bounds = auk_bounds(0.975, 0.4, cost=0.02)
    assert bounds.lower < area_under_kappa(*triangle, 0.4, cost=0.02) - 1.7e-3
    # An arc that needs no numerical search: only false alarms cost, nearly all rows are positive.
    # t is the square root of 4f/3 up to f = 3/4.
    assert auk_bounds(0.75, 1 - 1e-9, cost=0).upper == pytest.approx(1 - 0.59375, abs=1e-8)


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
    bounds = auk_bounds(auc, PREVALENCES, curve=curve, cost=cost, axis=axis)
    for i, p in enumerate(PREVALENCES):
        for value, vertices in (
            (bounds.lower[i], bounds.lower_curve),
            (bounds.upper[i], bounds.upper_curve),
        ):
            fpr, tpr = vertices.fpr[i], vertices.tpr[i]
            assert (np.diff(fpr) >= 0).all()
            assert (np.diff(tpr) >= 0).all()
            assert area_under_curve(fpr, tpr) == pytest.approx(auc, abs=1e-6)
            auk = area_under_kappa(fpr, tpr, p, cost=cost, axis=axis)
            assert auk == pytest.approx(value, abs=5e-6)


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
        first, second = (
            mean * np.linspace(0, 0.999, 12) ** 2,
            mean + (1 - mean) * (np.linspace(0.001, 1, 12) ** 3),
        )
        for s, z in itertools.product(first, second):
            share = (z - mean) / (z - s)
            if curve == "hull":
                fpr, tpr = mixed_curve([s, z], [share, 1 - share])
            else:
                fpr, tpr = np.array([0, s, s, z, z, 1]), np.array([0, 0, share, share, 1, 1])
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
    p = np.array([0.1, 0.49, 0.5, 0.51, 0.7, 0.9, 0.99])
    options = {"curve": curve, "axis": axis}
    for auc in (0.55, 0.7, 0.95):
        below, above = (
            [auk_bounds(auc, each, cost=1 - each + side, **options) for each in p]
            for side in (-step, step)
        )
        first = step / (p * (1 - p))
        for end, other in (("lower", "upper"), ("upper", "lower")):
            low, high = (
                np.array([getattr(one, name) - (auc - 0.5) for one in some], dtype=float)
                for some, name in ((below, end), (above, other))
            )
            np.testing.assert_array_less(np.abs(low), 1e-14 + first)
            np.testing.assert_array_less(np.abs(low + high), 1e-14 + 10 * first**2)


def test_next_to_the_balanced_cost_the_upper_end_is_that_of_a_straight_line():
    """The best t is 0.7 + (f - 1/2)/3 there, and the integral of (t - f)(Q - p) is -43/900."""
    bounds = auk_bounds(0.7, 0.75, cost=0.25 - 1e-9, curve="raw")
    assert (bounds.upper - 0.2) / 1e-9 == pytest.approx(43 / 900 * 16 / 3, rel=1e-5)
    for cost in (0.1, np.nextafter(0.1, 1), 1 - 0.9):
        near = auk_bounds(0.7, 0.9, cost=cost, curve="raw")
        np.testing.assert_allclose([near.lower, near.upper], 0.2, atol=1e-14)


@pytest.mark.parametrize("auc", [0.1, 0.5, 0.7186, 0.999])
def test_the_ends_are_ordered_where_there_is_hardly_room_between_them(auc):
    near = np.concatenate([0.5 + sign * 10.0 ** np.arange(-16, -2) for sign in (-1, 1)])
    found = auk_bounds(auc, near, curve="raw")
    assert (found.lower <= found.upper).all()
    if auc >= 0.5:
        found = auk_bounds(auc, near - 0.3, cost=0.8)
        assert (found.lower <= found.upper).all()


@pytest.mark.parametrize("p", [0.05, 0.4, 0.89])
def test_trapezoid_range_is_attained_and_wider_than_the_exact_one_at_one_end(p):
    found = auk_trapezoid_range(0.7186, p)
    for value, vertices in ((found.lower, found.lower_curve), (found.upper, found.upper_curve)):
        by_rule = area_under_kappa(vertices.fpr, vertices.tpr, p, integration="trapezoid")
        assert by_rule == pytest.approx(value, abs=1e-12)
    exact = auk_bounds(0.7186, p)
    assert found.upper > exact.upper + 1e-3
    assert found.lower < exact.lower - 1e-3


@pytest.mark.parametrize("prevalence", [1e-15, 1e-20, 1e-200])
def test_where_only_missed_positives_cost_the_limits_do_not_depend_on_how_rare_they_are(prevalence):
    """They are 2 AUC - 1 and the triangle's; 1 - prevalence may be 1 to the last bit."""
    found = auk_bounds(0.7, prevalence, cost=1)
    assert (found.lower, found.upper) == pytest.approx((0.4, 0.6108604879161), abs=1e-12)
