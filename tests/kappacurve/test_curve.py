"""Kappa of rates, areas along ROC curves, and hulls."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.spatial import ConvexHull

import kappacurve as kc

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


def test_published_examples():
    *rates, p, kappa = np.array(PUBLISHED).T
    np.testing.assert_allclose(kc.kappa_from_rates(*rates, p), kappa, atol=4e-3)


def test_a_row_of_the_curve_by_hand():
    """At 0.6 one of two positives and one of three negatives; at a tenth positives, cost 4."""
    points = kc.curve_points(
        [0, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.6, 0.8], prevalence=0.1, cost_ratio=4
    )
    row = points.set_index("threshold").loc[0.6]
    counts = ["true_positives", "false_positives", "false_negatives", "true_negatives"]
    assert row[counts].tolist() == [1, 1, 1, 2]
    assert row["precision"] == pytest.approx(0.05 / (0.05 + 0.3))
    assert row["kappa"] == pytest.approx(by_definition(1 / 3, 1 / 2, 0.1, 4))
    assert row["net_benefit"] == pytest.approx(0.05 - 0.3 / 4)


@given(SHARES, SHARES, SHARES, RATIOS)
def test_kappa_is_the_weighted_agreement(f, t, p, ratio):
    found = float(kc.kappa_from_rates(f, t, p, ratio))
    assert found == pytest.approx(by_definition(f, t, p, ratio), abs=1e-11)
    swapped = float(kc.kappa_from_rates(1 - t, 1 - f, 1 - p, 1 / ratio))
    assert swapped == pytest.approx(found, abs=1e-10)
    balanced = kc.kappa_from_rates(f, t, p, (1 - p) / p)
    assert balanced == pytest.approx(t - f, abs=1e-13)


def test_kappa_at_the_extremes():
    for p in (1e-9, 0.3, 1 - 1e-9):
        assert kc.kappa_from_rates([0, 0, 1, 0.3], [0, 1, 1, 0.3], p).tolist() == [0, 1, 0, 0]
    assert kc.kappa_from_rates(1, 0, [0.5, 0.2]).tolist() == pytest.approx([-1, -8 / 17])
    assert kc.kappa_from_rates(0.2, 0.7, 0.3, [[1], [4]]).shape == (2, 1)


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


def test_hull_drops_collinear_and_repeated_points():
    fpr = [0, 0, 0, 0.1, 0.2, 0.3, 0.6, 1, 1]
    tpr = [0, 0, 0.3, 0.4, 0.5, 0.6, 0.6, 1, 1]
    assert kc.roc_hull(fpr, tpr).index.tolist() == [0, 2, 5, 7]


def test_hull_against_qhull(rng):
    fpr, tpr = (np.concatenate(([0], np.sort(rng.random(500)), [1])) for _ in range(2))
    below = ConvexHull(np.column_stack((np.append(fpr, 1), np.append(tpr, 0))))
    corners = {*below.vertices} - {len(fpr)}
    assert {*kc.roc_hull(fpr, tpr).index.tolist()} == corners
