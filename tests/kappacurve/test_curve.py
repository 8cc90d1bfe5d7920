"""Kappa of rates, kappa curves, areas along ROC curves and hulls."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import quad
from scipy.spatial import ConvexHull
from scipy.stats import beta

import kappacurve as kc
from kappacurve._curve import h_of_hull

RATES = st.floats(0, 1)
SHARES = st.floats(0.01, 0.99)
RATIOS = st.floats(0.01, 100)


def by_definition(f, t, p, ratio=1.0):
    """Chance-corrected agreement of the four cells, with weighted disagreements."""
    flagged = p * t + (1 - p) * f
    lost = ratio * p * (1 - t) + (1 - p) * f
    return 1 - lost / (ratio * p * (1 - flagged) + (1 - p) * flagged)


# f, t, p and kappa of Ben-David (2008), Examples 1 to 6, and of Kaymak et al. (2010), Table 1.
PUBLISHED = [
    (0.5, 0.5, 0.5, 0.0),
    (0.2, 0.8, 0.5, 0.6),
    (0.0, 1.0, 0.5, 1.0),
    (0.5, 0.65 / 0.7, 0.7, 0.474),
    (0.0, 1.0, 0.7, 1.0),
    (0.7, 0.7, 0.7, 0.0),
    (0.03 / 0.93, 0.05 / 0.07, 0.07, 0.64),
]


@pytest.mark.parametrize(("f", "t", "p", "kappa"), PUBLISHED)
def test_published_examples(f, t, p, kappa):
    assert kc.kappa_from_rates(f, t, p) == pytest.approx(kappa, abs=4e-3)


@given(SHARES, SHARES, SHARES, RATIOS)
def test_kappa_is_the_weighted_agreement(f, t, p, ratio):
    found = float(kc.kappa_from_rates(f, t, p, ratio))
    assert found == pytest.approx(by_definition(f, t, p, ratio), abs=1e-11)
    swapped = float(kc.kappa_from_rates(1 - t, 1 - f, 1 - p, 1 / ratio))
    assert swapped == pytest.approx(found, abs=1e-10)
    balanced = kc.kappa_from_rates(f, t, p, (1 - p) / p)
    assert balanced == pytest.approx(t - f, abs=1e-13)


def test_kappa_at_the_extremes_and_as_stored():
    for p in (1e-9, 0.3, 1 - 1e-9):
        assert kc.kappa_from_rates([0, 0, 1, 0.3], [0, 1, 1, 0.3], p).tolist() == [0, 1, 0, 0]
    assert kc.kappa_from_rates(1, 0, 0.5) == -1
    assert kc.kappa_from_rates(1, 0, 0.2) == pytest.approx(-8 / 17)
    # The published operating point, as 52de2391 gave it.
    stored = [0.10595266062892153, 0.3305280840586633]
    assert kc.kappa_from_rates(0.6, 0.928, [0.11, 0.89]) == pytest.approx(stored, rel=2e-15)
    assert kc.kappa_from_rates(0.2, 0.7, 0.3, [[1], [4]]).shape == (2, 1)


@given(SHARES, SHARES, SHARES)
def test_lines_of_equal_kappa_have_the_slope_of_equation_26(f, t, p):
    slope = 1 + (1 - 2 * p) * (t - f) / (p + (1 - 2 * p) * f)
    step = min(0.005, 0.005 / slope) if slope > 0 else 0.005
    if 0 <= t + slope * step <= 1 and f + step <= 1:
        along = kc.kappa_from_rates(f + step, t + slope * step, p)
        assert along == pytest.approx(float(kc.kappa_from_rates(f, t, p)), abs=1e-9)


def test_kappa_curve_and_its_top(rng):
    y = rng.random(200) < 0.3
    score = rng.normal(size=200).round(1) + y
    weight = rng.integers(1, 4, 200)
    fpr, kappa, thresholds = kc.kappa_curve(y, score, sample_weight=weight, cost_ratio=2)
    assert (fpr[0], fpr[-1], kappa[0], kappa[-1], thresholds[0]) == (0, 1, 0, 0, np.inf)
    for f, k, cut in zip(fpr, kappa, thresholds, strict=True):
        rates = (np.average(score[side] >= cut, weights=weight[side]) for side in (~y, y))
        f_of_cut, t_of_cut = map(float, rates)
        assert f == pytest.approx(f_of_cut, abs=1e-14)
        p = np.average(y, weights=weight)
        assert k == pytest.approx(by_definition(f_of_cut, t_of_cut, p, 2), abs=1e-13)
    best = kc.measures(y, score, sample_weight=weight, cost_ratio=2)
    first = int(np.argmax(kappa > kappa.max() - 1e-12))
    assert (best["threshold"], best["kappa_max"]) == (thresholds[first], pytest.approx(kappa.max()))


@pytest.mark.parametrize("ratio", [1e-300, 0.01, 1.0, 5.0, 1e20])
@pytest.mark.parametrize("p", [1e-6, 0.11, 0.4999999, 0.5, 1 - 1e-6])
def test_areas_against_quadrature(p, ratio, integral):
    fpr, tpr = np.array([0, 0.1, 0.1, 0.3, 0.6, 1]), np.array([0, 0.2, 0.5, 0.9, 0.9, 1])

    def kappa(u, i):
        f, t = (v[i] + u * (v[i + 1] - v[i]) for v in (fpr, tpr))
        return by_definition(f, t, p, ratio)

    expected = sum(
        (fpr[i + 1] - fpr[i]) * integral(lambda u, i=i: kappa(u, i)) for i in (0, 2, 3, 4)
    )
    assert kc.area_under_kappa(fpr, tpr, p, ratio) == pytest.approx(expected, abs=1e-11)


def test_a_smooth_curve_in_closed_form(integral):
    """t = w f / (1 + (w - 1) f): at p = 1/2 the AUK is AUC - 1/2, w (w - 1 - ln w) / (w - 1)^2."""
    w = 8.0
    f = np.linspace(0, 1, 20_001) ** 2
    t = w * f / (1 + (w - 1) * f)
    auc = w * (w - 1 - math.log(w)) / (w - 1) ** 2
    assert kc.area_under_kappa(f, t, 0.5) == pytest.approx(auc - 0.5, abs=1e-7)
    # At p = .1 kappa is a ratio of quadratics in f.
    expected = integral(lambda x: by_definition(x, w * x / (1 + (w - 1) * x), 0.1))
    assert kc.area_under_kappa(f, t, 0.1) == pytest.approx(expected, abs=1e-7)


@given(SHARES, SHARES, SHARES)
def test_collinear_points_change_no_area_and_no_hull(f, t, p):
    low, high = sorted((f, t))
    corner = [0, low, 1], [0, high, 1]
    more = [0, low / 3, low, (1 + low) / 2, 1], [0, high / 3, high, (1 + high) / 2, 1]
    expected = kc.area_under_kappa(*corner, p)
    assert kc.area_under_kappa(*more, p) == pytest.approx(expected, abs=1e-13)
    assert len(kc.roc_hull(*more).index) <= 3


def test_hull_drops_collinear_and_repeated_points():
    fpr = [0, 0, 0, 0.1, 0.2, 0.3, 0.6, 1, 1]
    tpr = [0, 0, 0.3, 0.4, 0.5, 0.6, 0.6, 1, 1]
    assert kc.roc_hull(fpr, tpr).index.tolist() == [0, 2, 5, 7]


def test_hull_against_qhull(rng):
    fpr, tpr = (np.concatenate(([0], np.sort(rng.random(500)), [1])) for _ in range(2))
    below = ConvexHull(np.column_stack((np.append(fpr, 1), np.append(tpr, 0))))
    corners = {*below.vertices} - {len(fpr)}
    assert {*kc.roc_hull(fpr, tpr).index.tolist()} == corners


def test_h_of_hand_table_1_curve_b():
    shift = 1 - 1 / math.sqrt(2)
    hull = np.array([0, 0, 1 - shift, 1]), np.array([0, shift, 1, 1])
    assert h_of_hull(*hull, 0.5) == pytest.approx(shift, abs=1e-15)


@pytest.mark.parametrize("parameters", [(2, 2), (0.5, 3.3), (4, 2), (1.1, 1.9)])
def test_h_against_quadrature_of_the_least_loss(parameters):
    fpr, tpr, p = np.array([0, 0.1, 0.5, 1]), np.array([0, 0.6, 0.9, 1]), 0.2
    weight = beta(*parameters)

    def least(c, f, t):
        return float(min(c * (1 - p) * f + (1 - c) * p * (1 - t)))

    ends = (fpr, tpr), (np.array([0, 1]), np.array([0, 1]))
    gain, harm = p * np.diff(tpr), (1 - p) * np.diff(fpr)
    cuts = sorted({0, p, 1, *(gain / (gain + harm)).tolist()})
    losses = [
        math.fsum(
            quad(lambda c, at=at: least(c, *at) * weight.pdf(c), a, b, epsabs=1e-13)[0]
            for a, b in pairwise(cuts)
        )
        for at in ends
    ]
    assert h_of_hull(fpr, tpr, p, *parameters) == pytest.approx(1 - losses[0] / losses[1], abs=1e-9)
