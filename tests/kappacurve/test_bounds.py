"""Bounds of the AUK: attained, passed by no curve, and inverted into prevalences."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize_scalar

import kappacurve as kc
from kappacurve.curves.curve import auk

PREVALENCES = np.array([0.001, 0.11, 0.49, 0.5, 0.5001, 0.6, 0.89, 0.999])
KINDS = [
    *(("hull", auc) for auc in (0.5, 0.51, 0.7186, 0.97, 1.0)),
    *(("raw", auc) for auc in (0.0, 0.1, 0.5, 0.97, 1.0)),
]


@pytest.mark.parametrize(("curve", "auc"), KINDS)
def test_closed_ends_are_attained(curve, auc):
    """Triangle and jump line, step and plateau; above 1/2 the other way round, if not lower."""
    bounds = kc.auk_bounds(auc, PREVALENCES.reshape(2, 4), curve=curve)
    s = 2 * (1 - auc)
    triangle, jump_line = ([0, s, 1], [0, 1, 1]), ([0, 0, 1], [0, 1 - s, 1])
    step, plateau = ([0, 1 - auc, 1 - auc, 1], [0, 0, 1, 1]), ([0, 0, 1, 1], [0, auc, auc, 1])
    ends = (triangle, jump_line) if curve == "hull" else (step, plateau)
    for p, lower, upper in zip(PREVALENCES, bounds.lower.flat, bounds.upper.flat, strict=True):
        first, second = (kc.area_under_kappa(*end, p) for end in ends)
        assert upper == pytest.approx(first if p > 0.5 else second, abs=1e-13)
        assert lower <= (second if p > 0.5 else first) + 1e-13
        assert p > 0.5 or lower == pytest.approx(first, abs=1e-13)


def mixtures(curve, first, second, share):
    """Of two triangles or two steps, with corners at the false positive rates first and second."""
    if curve == "raw":
        corners = (0, 0), (first, 0), (first, share), (second, share), (second, 1), (1, 1)
    else:  # of two triangles
        corners = (0, 0), (first, share + (1 - share) * first / second), (second, 1), (1, 1)
    points = np.broadcast_arrays(*(rate for corner in corners for rate in corner))
    return np.stack(points[::2], axis=-1), np.stack(points[1::2], axis=-1)


@pytest.mark.parametrize("curve", ["hull", "raw"])
def test_no_mixture_of_two_elementary_curves_is_out_of_bounds(curve):
    rng = np.random.default_rng(1)
    reached = []
    for _ in range(60):
        p = 1 / (1 + np.exp(rng.normal(scale=2.5)))
        auc = 1 - rng.uniform() ** rng.integers(1, 5) / 2
        bounds = kc.auk_bounds(auc, p, curve=curve)
        mean = 2 * (1 - auc) if curve == "hull" else 1 - auc
        first = mean * np.linspace(0, 0.999, 12)[:, None] ** 2
        second = mean + (1 - mean) * np.linspace(0.001, 1, 12) ** 3
        areas = auk(*mixtures(curve, first, second, (second - mean) / (second - first)), p)
        assert bounds.lower - 1e-9 <= areas.min()
        assert areas.max() <= bounds.upper + 1e-9
        reached.append(areas.min() - bounds.lower)
    if curve == "hull":  # a mixture of two is the least one, here on a grid
        assert np.median(reached) < 1e-4


@pytest.mark.parametrize("p", [0.51, 0.6, 0.89, 0.99])
@pytest.mark.parametrize("auc", [0.1, 0.3, 0.5, 0.7186, 0.97])
def test_the_least_area_of_raw_curves_against_its_dual(auc, p):
    """For any price of area no curve is below the best point of each f apart, plus the price."""
    f = (np.arange(2000) + 0.5) / 2000
    t = np.linspace(0, 1, 1001)[:, None]
    kappa = kc.kappa_from_rates(f, t, p)

    def loss(price):
        return -float((kappa - price * t).min(axis=0).mean() + price * auc)

    dual = -minimize_scalar(loss, bounds=(0, 8), method="bounded").fun
    lower = float(kc.auk_bounds(auc, p, curve="raw").lower)
    assert lower == pytest.approx(dual, abs=2e-4)
    assert lower >= dual - 2e-5  # the mean over f is that of a grid


@settings(max_examples=15)
@given(
    st.floats(0.01, 0.99),
    st.floats(0.02, 0.98),
    st.floats(0, 1),
    st.sampled_from(["hull", "raw"]),
    st.sampled_from([None, 3]),
)
def test_a_possible_pair_is_possible_where_it_was_made(auc, p, place, curve, decimals):
    auc = auc if curve == "raw" else max(auc, 1 - auc)
    low, high = (float(end) for end in kc.auk_bounds(auc, p, curve=curve))
    printed = auc, low + place * (high - low)
    if decimals is not None:
        printed = [round(value, decimals) for value in printed]
    intervals = kc.prevalence_intervals(*printed, decimals=decimals, curve=curve)
    slack = 1e-6 if decimals is None else 1e-9
    assert any(low - slack <= p <= high + slack for low, high in intervals)


def test_a_pair_possible_between_two_searched_prevalences_only():
    """The largest AUK of all prevalences, less so little that only those beside its own have it."""
    peak = minimize_scalar(
        lambda p: -float(kc.auk_bounds(0.7186, p).upper), bounds=(0.6, 0.8), method="bounded"
    )
    ((low, high),) = kc.prevalence_intervals(0.7186, -peak.fun - 1e-10, decimals=None)
    assert low < peak.x < high < low + 1e-4


def test_trapezoids_of_a_printed_pair():
    """Kaymak et al. (2010), Table 4: over one corner the trapezoid rule gives half its kappa."""
    s = 2 * (1 - 0.7186)
    halves = [float(kc.kappa_from_rates(*corner, 0.11)) / 2 for corner in ((0, 1 - s), (s, 1))]
    bounds = kc.auk_bounds(0.7186, 0.11, curve="trapezoid")
    assert bounds.upper == pytest.approx(max(halves))
    assert bounds.lower == pytest.approx(min(halves))
    assert kc.prevalence_intervals(0.7186, 0.1753, curve="trapezoid")[0].low == 0
    assert kc.prevalence_intervals(0.6, 0.5) == []


def test_prevalences_of_an_operating_point():
    """Equation 19 is quadratic in the prevalence: its roots at the ends of what prints so."""
    found = kc.prevalence_from_operating_point("0.60", "0.928", "0.328")
    ends = []
    for f, t, k in ((0.595, 0.9285, 0.3275), (0.605, 0.9275, 0.3285)):
        d = t - f
        ends.append(np.sort(np.roots([2 * d * (k - 1), 2 * d - k * (1 - 2 * f + d), -k * f])))
    (outer_low, outer_high), (inner_low, inner_high) = ends
    expected = [(outer_low, inner_low), (inner_high, outer_high)]
    np.testing.assert_allclose(found, expected, atol=1e-8)
    np.testing.assert_allclose(found, [(0.483, 0.518), (0.886, 0.899)], atol=5e-4)
    assert kc.prevalence_from_operating_point("0", "1.0", "1.0")[-1].high == 1
    assert kc.prevalence_from_operating_point("0.60", "0.61", "0.5") == []


REFUSED = [
    (lambda: kc.auk_bounds(0.4, 0.1), 'auc is 0.4, but a hull has at least 0.5: use curve="raw"'),
    (lambda: kc.auk_bounds(1.2, 0.1), r"auc must lie between 0 and 1, got 1.2\.$"),
    (lambda: kc.auk_bounds(71.86, 0.1), "did you mean 0.7186"),
    (lambda: kc.auk_bounds(0.7, [0.1, 1]), "prevalence must lie strictly between 0 and 1"),
    (lambda: kc.auk_bounds(0.7, 0.1, curve="roc"), 'curve must be "hull", "raw" or "trapezoid"'),
    (lambda: kc.prevalence_intervals(0.7, 1.1), "auk must lie between -1 and 1"),
    (lambda: kc.prevalence_intervals(0.7, 0.1, decimals=-1), "decimals must be a number of digits"),
    (lambda: kc.prevalence_from_operating_point("0.1", "0.2", "-1.1"), "kappa must lie between -1"),
    (lambda: kc.prevalence_from_operating_point(0.1, "0.2", "0"), "fpr must be text with all pri"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_refused_is_said_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
